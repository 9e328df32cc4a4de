use std::{path::Path, str::FromStr};

use anyhow::Context;
use kerncast_server::{
    db,
    upkeep::{
        backup::Source,
        data_folder::{self, DataFolderError, Lock},
        disk::Disk,
        postgres::{self, PrivatePostgres},
    },
};
use sqlx::{PgPool, postgres::PgConnectOptions};

use super::Place;

/// The database that a server works on.
pub(super) struct Database {
    pub(super) options: PgConnectOptions,
    /// Ours, with the data folder's lock; absent: it is somebody else's.
    private: Option<(PrivatePostgres, Lock)>,
}

impl Database {
    /// To be called on the main thread: the private Postgres ends with the thread that started it.
    pub(super) fn open(url: Option<&str>, folder: &Path) -> anyhow::Result<Self> {
        if let Some(url) = url {
            // The URL may hold a password, so the message does not repeat it.
            let options = PgConnectOptions::from_str(url).context(
                "the database URL (--database-url or DATABASE_URL) is not of the form \
                 postgres://USER:PASSWORD@HOST:PORT/NAME",
            )?;
            return Ok(Self {
                options,
                private: None,
            });
        }
        let lock = data_folder::lock(folder)?;
        data_folder::check_room(folder)?;
        let postgres = PrivatePostgres::start(folder)?;
        Ok(Self {
            options: postgres.options(),
            private: Some((postgres, lock)),
        })
    }

    /// Waits until the private Postgres ends although it should run; never returns for another.
    pub(super) async fn ended(&mut self) {
        match &mut self.private {
            Some((postgres, _)) => postgres.ended().await,
            None => std::future::pending().await,
        }
    }

    /// The disk of what is ours.
    pub(super) fn disk(&self, folder: &Path) -> Option<Disk> {
        self.private.as_ref().map(|_| Disk::new(folder))
    }

    /// Ends what is ours.
    pub(super) fn close(self) -> anyhow::Result<()> {
        self.private
            .map_or(Ok(()), |(postgres, _lock)| postgres.stop())
    }
}

/// Does it on the server's database, whether a server is running or not.
pub(super) fn on_database<T>(
    place: &Place,
    work: impl AsyncFnOnce(PgPool) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    on_source(place, async |source| {
        let pool = db::connect(source.options).await?;
        let result = work(pool.clone()).await;
        pool.close().await;
        result
    })
}

/// Does it on the database as it is, its tables not brought up to date.
pub(super) fn on_source<T>(
    place: &Place,
    work: impl AsyncFnOnce(Source) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let folder = place.folder()?;
    let url = place.database_url.clone();
    let run_on = |options: PgConnectOptions| {
        let source = Source {
            options,
            url: url.clone(),
            folder: folder.clone(),
        };
        tokio::runtime::Runtime::new()?.block_on(work(source))
    };
    match Database::open(place.database_url.as_deref(), &folder) {
        Ok(database) => {
            let result = run_on(database.options.clone());
            database.close()?;
            result
        }
        // A server is running: its Postgres answers us too.
        Err(error) if matches!(error.downcast_ref(), Some(DataFolderError::Taken(_))) => {
            run_on(postgres::running(&folder).ok_or(error)?)
        }
        Err(error) => Err(error),
    }
}
