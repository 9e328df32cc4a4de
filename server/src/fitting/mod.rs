//! From samples to models, after uploads.

mod acceptance;
mod counts;
mod gate;
mod job;
mod memory;
mod moves;
mod panics;
mod threads;
mod turn;

pub use crate::db::fitting::jobs::request_outdated_fits;
pub use acceptance::{NotAccepted, accept};
pub use counts::Counts;
pub use job::work;
pub use memory::Memory;

use std::{sync::Arc, thread, time::Duration};

use futures_util::{StreamExt, TryStreamExt, stream};
use kerncast_training::{Candidate, Model, Question, Validations};
use sqlx::PgConnection;
use tokio::task::JoinError;
use uuid::Uuid;

use self::threads::compute;
use crate::db::{
    self,
    fitting::succession::{self, Refit, Succession},
    models::fits,
};

/// How fits after uploads are made.
#[derive(Clone, Debug)]
pub struct Settings {
    /// They wait until uploads have paused for so long, but no longer than twenty times that.
    pub pause: Duration,
    /// Validations that need not be made.
    pub validations: Arc<Validations>,
    /// How many are made side by side, where there is memory for them.
    pub at_once: usize,
    /// What they may take together.
    pub memory: Memory,
    /// Where they are counted.
    pub counts: Counts,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            pause: Duration::from_millis(500),
            validations: Arc::default(),
            // Each keeps a connection, and computes by all processors.
            at_once: thread::available_parallelism().map_or(1, |it| it.get().min(4)),
            memory: Memory::of_mib(512),
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

/// What became of candidates.
struct Fitted {
    /// The models, one for each candidate, in their order.
    models: Vec<Uuid>,
    /// Champions that still answer because their successors are held.
    held: Vec<Uuid>,
}

/// A candidate that was not stored before, with its model.
struct Validated {
    id: Uuid,
    candidate: Candidate,
    model: Model,
    /// Whether its validation came from a file.
    is_given: bool,
}

/// Fits candidates that are not stored yet, stores them, and decides which models answer.
async fn fit_and_store(
    connection: &mut PgConnection,
    candidates: &[Candidate],
    validations: &Arc<Validations>,
) -> Result<Fitted, FittingError> {
    let (mut models, mut new) = (Vec::new(), Vec::new());
    let mut refits: Vec<Refit> = Vec::new();
    for candidate in candidates {
        let current = fits::find_current(connection, candidate).await?;
        let id = current.unwrap_or_else(Uuid::now_v7);
        models.push(id);
        new.extend(current.is_none().then(|| (id, candidate.clone())));
        add_to_question(&mut refits, candidate, id, current.is_none());
    }
    let known = models.len() - new.len();
    // All before the first is stored: a transaction that has written keeps vacuum from its work until it ends.
    let new = validate(new, validations).await?;
    for it in &new {
        fits::store(connection, it.id, &it.candidate, &it.model).await?;
    }
    if let Some(Candidate { specification, .. }) = candidates.first() {
        let count = |wanted: fn(&Validated) -> bool| new.iter().filter(|it| wanted(it)).count();
        let given = count(|it| it.model.outcome.is_ok() && it.is_given);
        let validated = count(|it| it.model.outcome.is_ok() && !it.is_given);
        let refused = count(|it| it.model.outcome.is_err());
        tracing::info!(
            device = specification.device,
            counted_on = specification.counted_on,
            provider = specification.provider,
            "models: {known} known, {given} with a validation that was given, {validated} validated, {refused} refused"
        );
    }
    let mut held = Vec::new();
    for refit in &refits {
        match succession::succeed(connection, refit).await? {
            Succession::Changed(change) => moves::store_move(connection, change).await?,
            Succession::Held(before) => held.push(before),
            Succession::Same => {}
        }
    }
    Ok(Fitted { models, held })
}

/// Fits and validates candidates, as many at once as there are processors. Returns them in the order in which they ended.
async fn validate(
    candidates: Vec<(Uuid, Candidate)>,
    validations: &Arc<Validations>,
) -> Result<Vec<Validated>, FittingError> {
    let at_once = thread::available_parallelism().map_or(1, Into::into);
    let validated = stream::iter(candidates)
        .map(|(id, candidate)| {
            let validations = Arc::clone(validations);
            compute(move || {
                let given = validations.model(&candidate);
                let is_given = given.is_some();
                let model = given.unwrap_or_else(|| Model::fit_and_validate(&candidate));
                Validated {
                    id,
                    candidate,
                    model,
                    is_given,
                }
            })
        })
        .buffer_unordered(at_once);
    Ok(validated.try_collect().await?)
}

/// Adds a model to those that answer its question, whatever the variant.
fn add_to_question(refits: &mut Vec<Refit>, candidate: &Candidate, id: Uuid, is_new: bool) {
    let question = Question {
        variant: None,
        ..candidate.question.clone()
    };
    let place = refits.iter().position(|it| it.question == question);
    let place = place.unwrap_or_else(|| {
        refits.push(Refit {
            question,
            current: Vec::new(),
            new: Vec::new(),
            has_rows: false,
        });
        refits.len() - 1
    });
    let of_question = &mut refits[place];
    if !of_question.current.contains(&id) {
        of_question.current.push(id);
        of_question.new.extend(is_new.then_some(id));
    }
    of_question.has_rows |= candidate.training.has_rows();
}
