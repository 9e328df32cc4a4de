//! Whether the database answers. The probe has connections of its own, so that it answers while everybody else waits.

use std::{pin::pin, time::Duration};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use sqlx::{PgPool, postgres::PgPoolOptions};
use tokio::time::timeout;

use crate::{
    db,
    http::{Error, unavailable},
};

/// A database that does not answer the probe within this time is away.
const LONGEST_ANSWER: Duration = Duration::from_secs(2);
/// How often the database is probed while a request is under way.
const PROBE_INTERVAL: Duration = Duration::from_secs(5);
/// A probe takes a millisecond.
const MOST_CONNECTIONS: u32 = 2;

/// Connections that serve nothing else.
#[derive(Clone)]
pub(crate) struct DatabaseProbe(PgPool);

impl DatabaseProbe {
    /// A probe of the database that `pool` connects to.
    pub(crate) fn new(pool: &PgPool) -> Self {
        let options = PgPoolOptions::new()
            .max_connections(MOST_CONNECTIONS)
            .acquire_timeout(LONGEST_ANSWER);
        Self(options.connect_lazy_with((*pool.connect_options()).clone()))
    }

    /// Fails where the database does not answer.
    pub(crate) async fn ask(&self) -> Result<(), Error> {
        match timeout(LONGEST_ANSWER, db::ping(&self.0)).await {
            Ok(answered) => Ok(answered?),
            Err(_) => {
                let detail = "the server's database does not answer; try again later";
                Err(unavailable(detail).into())
            }
        }
    }
}

/// Ends a request that takes long where the database is gone. What it asked for is not done, or comes to the same when
/// it is asked again.
pub(crate) async fn while_database_answers(
    State(probe): State<DatabaseProbe>,
    request: Request,
    next: Next,
) -> Result<Response, Error> {
    let mut answer = pin!(next.run(request));
    loop {
        if let Ok(answer) = timeout(PROBE_INTERVAL, answer.as_mut()).await {
            return Ok(answer);
        }
        probe.ask().await?;
    }
}
