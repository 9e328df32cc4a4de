//! What Postgres tells of changes (migrations/0310_events.sql).

use std::{io, time::Duration};

use kerncast_wire::Event;
use sqlx::{PgPool, postgres::PgListener};
use tokio::time::timeout;

use super::{Error, Result, ping};

/// Where nothing is told for so long, it is asked whether anybody is there: a connection may be dead without a word, and
/// whoever keeps what it has read would believe it for ever.
const LONGEST_SILENCE: Duration = Duration::from_secs(5);
/// The question takes a millisecond.
const LONGEST_PING: Duration = Duration::from_secs(5);

/// A connection that hears of every change that is committed.
pub(crate) struct Changes(PgListener);

/// Listens from now on.
pub(crate) async fn listen(pool: &PgPool) -> Result<Changes> {
    let mut listener = PgListener::connect_with(pool).await?;
    // A lost connection ends it: one that is made anew in silence would hide what was told meanwhile.
    listener.eager_reconnect(false);
    listener.listen("kerncast").await?;
    Ok(Changes(listener))
}

impl Changes {
    /// The next change.
    ///
    /// # Errors
    /// The connection is lost, and changes may be missed until somebody listens anew.
    pub(crate) async fn next(&mut self) -> Result<Event> {
        let received = loop {
            // Dropped, it has taken nothing from the connection that the next one would lack.
            match timeout(LONGEST_SILENCE, self.0.try_recv()).await {
                Ok(received) => break received?,
                Err(_) => timeout(LONGEST_PING, ping(&mut self.0))
                    .await
                    .unwrap_or_else(|_| Err(lost(io::ErrorKind::TimedOut)))?,
            }
        };
        let notification = received.ok_or_else(|| lost(io::ErrorKind::ConnectionAborted))?;
        serde_json::from_str(notification.payload()).map_err(Error::conversion)
    }
}

/// The error of a connection whose other end is gone.
fn lost(kind: io::ErrorKind) -> Error {
    Error::Away(sqlx::Error::Io(kind.into()))
}
