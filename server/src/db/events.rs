//! What Postgres tells of changes (migrations/0011_events.sql).

use kerncast_wire::Event;
use sqlx::{PgPool, postgres::PgListener};

/// A connection that hears of every change that is committed.
pub(crate) struct Changes(PgListener);

/// Listens from now on.
pub(crate) async fn listen(pool: &PgPool) -> sqlx::Result<Changes> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.listen("kerncast").await?;
    Ok(Changes(listener))
}

impl Changes {
    /// The next change. Where the connection was lost and is there again: [`Event::Missed`].
    pub(crate) async fn next(&mut self) -> sqlx::Result<Event> {
        let Some(notification) = self.0.try_recv().await? else {
            return Ok(Event::Missed);
        };
        serde_json::from_str(notification.payload())
            .map_err(|error| sqlx::Error::Decode(error.into()))
    }
}
