//! From samples to models: after uploads by itself, and on request.

mod defaults;
mod fit;
mod job;
mod request;
mod table;
mod warnings;

pub use job::work;
pub(crate) use request::on_request;

use kerncast_wire::ModelSpecification;
use sqlx::PgConnection;
use tokio::task::{JoinError, spawn_blocking};
use uuid::Uuid;

use crate::db::{fits, training::Training};
use fit::{Plan, fit};
use table::Table;

/// A model that was asked for.
pub(crate) struct Fitted {
    /// Its id.
    pub(crate) id: Uuid,
    /// Whether it was not there before.
    pub(crate) new: bool,
}

/// Why fits did not come about. A fit that is refused is a model all the same.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FittingError {
    /// The database failed.
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
    /// The fit panicked.
    #[error("the fit failed")]
    Task(#[from] JoinError),
}

/// Fits a specification to the samples, unless the same fit is stored already, and stores it. Empty
/// counters stand for the defaults.
async fn fit_and_store(
    connection: &mut PgConnection,
    training: &Training,
    device: i32,
    mut specification: ModelSpecification,
) -> Result<Fitted, FittingError> {
    let default_counters = specification.counters.is_empty();
    if default_counters {
        specification.counters = defaults::counters(training, &specification);
    }
    let table = Table::new(training, &specification);
    let plan = Plan::new(device, specification, default_counters, table);
    if let Some(id) = fits::known(connection, &plan.fingerprint).await? {
        return Ok(Fitted { id, new: false });
    }
    let model = spawn_blocking(move || fit(plan)).await?;
    fits::store(connection, &model).await?;
    Ok(Fitted {
        id: model.id,
        new: true,
    })
}
