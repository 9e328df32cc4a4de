//! Whose samples moved a champion, or have one held. Found out after all fits are made, as it takes up to eight fits more;
//! what has waited for a quarter of an hour comes before them.

use std::error::Error;

use sqlx::{PgConnection, PgPool};
use tracing::{Instrument, info_span};

use super::{FittingError, Settings, blame, moves, panics::caught};
use crate::{
    db::{
        failure::is_away,
        sharding::Lost,
        unexplained::{self, Turn, Unexplained},
    },
    traces::TARGET,
};

/// Explains one champion; false where it is no champion's turn.
///
/// # Errors
/// Where the database can't be reached.
pub(super) async fn next(pool: &PgPool, settings: &Settings, turn: Turn) -> sqlx::Result<bool> {
    let mut transaction = pool.begin().await?;
    let Some(of) = unexplained::claim(&mut transaction, turn).await? else {
        transaction.rollback().await?;
        return Ok(false);
    };
    let span = info_span!(target: TARGET, parent: None, "explain", model = %of.model);
    let explained = caught(explain(&mut transaction, settings, &of)).instrument(span);
    let error = match explained.await {
        Ok(()) => {
            match unexplained::explained(&mut transaction, &of).await? {
                true => transaction.commit().await?,
                false => transaction.rollback().await?,
            }
            return Ok(true);
        }
        Err(error) => error,
    };
    transaction.rollback().await?;
    match error {
        // Where shards lack what it needs, waiting for them would be for ever.
        FittingError::Database(error) if is_away(&error) && !Lost::only_lacks(&error) => {
            tracing::warn!(
                model = %of.model,
                error = &error as &dyn Error,
                "whose samples moved a model is looked for later"
            );
            unexplained::postpone(pool, &of).await?;
        }
        error => {
            tracing::error!(
                model = %of.model,
                error = &error as &dyn Error,
                "whose samples moved a model can't be found out"
            );
            unexplained::explained(&mut *pool.acquire().await?, &of).await?;
        }
    }
    Ok(true)
}

async fn explain(
    connection: &mut PgConnection,
    settings: &Settings,
    of: &Unexplained,
) -> Result<(), FittingError> {
    match &of.held {
        Some(why) => blame::explain(connection, settings, of, why).await,
        None => moves::explain(connection, settings, of).await,
    }
}
