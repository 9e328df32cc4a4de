//! From samples to models: after uploads by itself, and on request.

mod across;
mod defaults;
mod fit;
mod gains;
mod job;
mod request;
mod table;
mod warnings;

pub use job::{ask_where_outdated, work};
pub(crate) use request::on_request;

use std::{sync::Arc, thread};

use futures_util::{StreamExt, TryStreamExt, stream};
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

/// Fits specifications to the samples, but for fits that are stored already, and stores them: one for each
/// specification, in their order. Empty counters stand for the defaults.
async fn fit_and_store(
    connection: &mut PgConnection,
    training: &Training,
    device: i32,
    specifications: Vec<ModelSpecification>,
) -> Result<Vec<Fitted>, FittingError> {
    let (mut outcomes, mut plans) = (Vec::new(), Vec::new());
    let mut tables: Vec<(ModelSpecification, Arc<Table>)> = Vec::new();
    for mut specification in specifications {
        let default_counters = specification.counters.is_empty();
        if default_counters {
            specification.counters = defaults::counters(training, &specification);
        }
        let table = shared(&mut tables, training, &specification);
        let plan = Plan::new(device, specification, default_counters, table);
        let known = fits::known(connection, &plan.fingerprint).await?;
        outcomes.push(Fitted {
            id: known.unwrap_or(plan.id),
            new: known.is_none(),
        });
        plans.extend(known.is_none().then_some(plan));
    }
    let at_once = thread::available_parallelism().map_or(1, Into::into);
    let mut models = stream::iter(plans)
        .map(|plan| spawn_blocking(move || fit(plan)))
        .buffer_unordered(at_once);
    while let Some(model) = models.try_next().await? {
        fits::store(connection, &model).await?;
    }
    Ok(outcomes)
}

/// The table of a specification; methods that ask for the same share it.
fn shared(
    tables: &mut Vec<(ModelSpecification, Arc<Table>)>,
    training: &Training,
    specification: &ModelSpecification,
) -> Arc<Table> {
    let asks_the_same = |other: &ModelSpecification| {
        let method = specification.method.clone();
        ModelSpecification {
            method,
            ..other.clone()
        } == *specification
    };
    if let Some((_, table)) = tables.iter().find(|(other, _)| asks_the_same(other)) {
        return Arc::clone(table);
    }
    let table = Arc::new(Table::new(training, specification));
    tables.push((specification.clone(), Arc::clone(&table)));
    table
}
