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

pub use acceptance::{NotAccepted, accept};
pub use counts::Counts;
pub use job::{ask_where_outdated, work};
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
    fitting::succession::{self, Fresh, Succession},
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

/// What came of candidates.
struct Outcome {
    /// The models, one for each, in their order.
    fitted: Vec<Uuid>,
    /// Champions that still answer, as what was to succeed them may not.
    held: Vec<Uuid>,
}

/// What was fitted to answer one question.
struct Answers {
    question: Question,
    current: Vec<Uuid>,
    new: Vec<Uuid>,
    has_rows: bool,
}

/// Fits candidates, but for those that are stored already, and stores them.
async fn fit_and_store(
    connection: &mut PgConnection,
    candidates: &[Candidate],
    validations: &Arc<Validations>,
) -> Result<Outcome, FittingError> {
    let (mut fitted, mut new) = (Vec::new(), Vec::new());
    let mut answers: Vec<Answers> = Vec::new();
    for candidate in candidates {
        let known = fits::known(connection, candidate).await?;
        let id = known.unwrap_or_else(Uuid::now_v7);
        fitted.push(id);
        new.extend(known.is_none().then(|| (id, candidate.clone())));
        note(&mut answers, candidate, id, known.is_none());
    }
    let known = fitted.len() - new.len();
    let (mut given, mut validated, mut refused) = (0, 0, 0);
    let at_once = thread::available_parallelism().map_or(1, Into::into);
    let models = stream::iter(new)
        .map(|(id, candidate)| {
            let validations = Arc::clone(validations);
            compute(move || {
                let model = validations.model(&candidate);
                let is_given = model.is_some();
                let model = model.unwrap_or_else(|| Model::of(&candidate));
                (id, candidate, model, is_given)
            })
        })
        .buffer_unordered(at_once);
    // All before the first is stored: a transaction that has written keeps vacuum from its work until it ends.
    let models: Vec<_> = models.try_collect().await?;
    for (id, candidate, model, is_given) in models {
        fits::store(connection, id, &candidate, &model).await?;
        match (&model.outcome, is_given) {
            (Ok(_), true) => given += 1,
            (Ok(_), false) => validated += 1,
            (Err(_), _) => refused += 1,
        }
    }
    if let Some(Candidate { specification, .. }) = candidates.first() {
        tracing::info!(
            device = specification.device,
            counted_on = specification.counted_on,
            provider = specification.provider,
            "models: {known} known, {given} with a validation that was given, {validated} validated, {refused} refused"
        );
    }
    let mut held = Vec::new();
    for answers in &answers {
        let fresh = Fresh {
            question: &answers.question,
            current: &answers.current,
            new: &answers.new,
            has_rows: answers.has_rows,
        };
        match succession::succeed(connection, &fresh).await? {
            Succession::Changed(change) => moves::note(connection, change).await?,
            Succession::Held(before) => held.push(before),
            Succession::Same => {}
        }
    }
    Ok(Outcome { fitted, held })
}

fn note(answers: &mut Vec<Answers>, candidate: &Candidate, id: Uuid, is_new: bool) {
    let question = Question {
        variant: None,
        ..candidate.question.clone()
    };
    let place = answers.iter().position(|it| it.question == question);
    let place = place.unwrap_or_else(|| {
        answers.push(Answers {
            question,
            current: Vec::new(),
            new: Vec::new(),
            has_rows: false,
        });
        answers.len() - 1
    });
    let of_question = &mut answers[place];
    if !of_question.current.contains(&id) {
        of_question.current.push(id);
        of_question.new.extend(is_new.then_some(id));
    }
    of_question.has_rows |= candidate.training.has_rows();
}
