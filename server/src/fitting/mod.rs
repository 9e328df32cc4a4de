//! From samples to models, after uploads. The way of a job:
//!
//! 1. `job` claims what uploads have asked for one `FitKey`: a device, the device counted on, a provider (`db/fitting/jobs`).
//! 2. `gate` judges the samples that have arrived (`db/fitting/waiting_samples`), by what earlier ones say
//!    (`db/fitting/history`) and by what champions forecast (`gate_forecasts`). The rules are `kerncast_training`'s; the
//!    judgements go to `db/fitting/judgements`, in transactions of their own.
//! 3. `job` chooses samples (`db/fitting/chosen_samples`), goes on where the last fits were not made from them
//!    (`db/fitting/inputs`), and has `kerncast_training` make candidates of them.
//! 4. `fit` fits and validates those that are not stored yet (`db/models/fits`), and has `db/fitting/succession` decide which
//!    models answer. `moves` compares a new champion's forecasts with earlier ones.
//!
//! `acceptance` lets models answer that are held: an admin's word. Small: `counts` for /metrics; `memory`, `threads` and
//! `panics` for what computes.

mod acceptance;
mod counts;
mod fit;
mod gate;
mod gate_forecasts;
mod job;
mod memory;
mod moves;
mod panics;
mod threads;

pub use crate::db::fitting::jobs::request_outdated_fits;
pub(crate) use acceptance::accept;
pub use counts::Counts;
pub use job::work;

use std::{sync::Arc, time::Duration};

use kerncast_training::Validations;
use tokio::task::JoinError;

use crate::db;

/// How fits after uploads are made.
#[derive(Clone, Debug)]
pub struct Settings {
    /// They wait until uploads have paused for so long, but no longer than twenty times that.
    pub pause: Duration,
    /// Validations that need not be made.
    pub validations: Arc<Validations>,
    /// Where they are counted.
    pub counts: Counts,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            pause: Duration::from_millis(500),
            validations: Arc::default(),
            counts: Counts::default(),
        }
    }
}

/// Why fits did not come about. A fit that is refused is a model all the same.
#[derive(Debug, thiserror::Error)]
pub enum FittingError {
    /// The database failed.
    #[error("the database failed")]
    Database(#[from] db::Error),
    /// The fit panicked.
    #[error("the fit failed")]
    Task(#[from] JoinError),
    /// What prepares or stores it panicked; the log has it.
    #[error("the fit failed before or after it was computed")]
    Panicked,
}
