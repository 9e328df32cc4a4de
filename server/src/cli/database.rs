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
pub(super) enum Database {
    /// Ours, with the data folder's lock.
    Private(PrivatePostgres, Lock),
    /// Somebody else's.
    Named(Box<PgConnectOptions>),
}

impl Database {
    /// To be called on the main thread: the private Postgres ends with the thread that started it.
    pub(super) fn open(url: Option<&str>, folder: &Path) -> anyhow::Result<Self> {
        match url {
            Some(url) => {
                // The URL may hold a password, so the message does not repeat it.
                let options = PgConnectOptions::from_str(url).context(
                    "the database URL (--database-url or DATABASE_URL) is not of the form \
                     postgres://USER:PASSWORD@HOST:PORT/NAME",
                )?;
                Ok(Self::Named(Box::new(options)))
            }
            None => {
                let lock = data_folder::lock(folder)?;
                data_folder::check_room(folder)?;
                Ok(Self::Private(PrivatePostgres::start(folder)?, lock))
            }
        }
    }

    pub(super) fn options(&self) -> PgConnectOptions {
        match self {
            Self::Private(postgres, _) => postgres.options(),
            Self::Named(options) => (**options).clone(),
        }
    }

    /// Waits until the private Postgres ends although it should run; never returns for another.
    pub(super) async fn ended(&mut self) {
        match self {
            Self::Private(postgres, _) => postgres.ended().await,
            Self::Named(_) => std::future::pending().await,
        }
    }

    /// The disk of what is ours.
    pub(super) fn disk(&self, folder: &Path) -> Option<Disk> {
        match self {
            Self::Private(..) => Some(Disk::new(folder)),
            Self::Named(_) => None,
        }
    }

    /// Ends what is ours.
    pub(super) fn close(self) -> anyhow::Result<()> {
        match self {
            Self::Private(postgres, _lock) => Ok(postgres.stop()?),
            Self::Named(_) => Ok(()),
        }
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
            let result = run_on(database.options());
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
