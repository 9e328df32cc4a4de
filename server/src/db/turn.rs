//! What one server at a time does, of all that share a database.

use std::{io, time::Duration};

use sqlx::{Connection, PgConnection, PgPool};
use tokio::time::timeout;

use super::ping;

/// Keeps other uses of advisory locks apart.
const TURN: i32 = 0x6b63_7475;
/// A database that does not answer within this time does not answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A turn at something, held by a connection of its own: where the server ends, or its connection does, another's is it.
pub(crate) struct Turn {
    pool: PgPool,
    what: String,
    held: Option<PgConnection>,
}

impl Turn {
    /// At what is called so in this database.
    pub(crate) fn at(what: &str, pool: &PgPool) -> Self {
        Self {
            pool: pool.clone(),
            what: what.to_owned(),
            held: None,
        }
    }

    /// Whether it is this server's turn now; taken where nobody has it.
    pub(crate) async fn is_mine(&mut self) -> sqlx::Result<bool> {
        timeout(PATIENCE, self.take())
            .await
            .unwrap_or_else(|_| Err(sqlx::Error::Io(io::ErrorKind::TimedOut.into())))
    }

    async fn take(&mut self) -> sqlx::Result<bool> {
        // Left out until it has answered: whatever ends this early ends the turn.
        if let Some(mut held) = self.held.take()
            && ping(&mut held).await.is_ok()
        {
            self.held = Some(held);
            return Ok(true);
        }
        let mut connection = PgConnection::connect_with(&self.pool.connect_options()).await?;
        let taken = sqlx::query_scalar!(
            r#"SELECT pg_try_advisory_lock($1, hashtext($2)) AS "taken!""#,
            TURN,
            self.what
        )
        .fetch_one(&mut connection)
        .await?;
        if taken {
            self.held = Some(connection);
        } else {
            connection.close().await?;
        }
        Ok(taken)
    }
}
