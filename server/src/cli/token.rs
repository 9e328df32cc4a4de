use std::{io::Write, path::Path};

use anyhow::Context;
use kerncast_server::{data_folder::DataFolderError, db, postgres, token};
use sqlx::{PgPool, postgres::PgConnectOptions};

use super::{Place, database::Database};

/// Says where the token is, or makes another.
pub(super) fn run(place: Place, new: bool) -> anyhow::Result<()> {
    let folder = place.folder()?;
    let file = folder.join("token");
    if new {
        match Database::open(place.database_url.as_deref(), &folder) {
            Ok(database) => {
                let made = make(database.options(), &file);
                database.close()?;
                made?;
            }
            // A server is running: its Postgres answers us too.
            Err(error) if matches!(error.downcast_ref(), Some(DataFolderError::Taken(_))) => {
                make(postgres::running(&folder).ok_or(error)?, &file)?;
            }
            Err(error) => return Err(error),
        }
    } else {
        anyhow::ensure!(
            file.exists(),
            "there is no {}: the server's first start makes one, `kerncast-server token --new` another",
            file.display()
        );
    }
    Ok(writeln!(std::io::stdout(), "{}", file.display())?)
}

fn make(options: PgConnectOptions, file: &Path) -> anyhow::Result<()> {
    tokio::runtime::Runtime::new()?.block_on(async {
        let pool = db::connect(options).await?;
        issue(&pool, file).await?;
        pool.close().await;
        Ok(())
    })
}

/// Makes a token valid and writes it to `file`.
pub(super) async fn issue(pool: &PgPool, file: &Path) -> anyhow::Result<()> {
    let cannot_write = || format!("can't write {}", file.display());
    let token = token::make(file).with_context(cannot_write)?;
    db::tokens::add(pool, &token.hash).await?;
    token.publish().with_context(cannot_write)
}
