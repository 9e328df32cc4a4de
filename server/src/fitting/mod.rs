//! From samples to models: after uploads by itself, and on request.

mod job;
mod request;

pub use job::{ask_where_outdated, work};
pub(crate) use request::on_request;

use std::thread;

use futures_util::{StreamExt, TryStreamExt, stream};
use kerncast_training::{Candidate, Model, Question, Response};
use sqlx::PgConnection;
use tokio::task::{JoinError, spawn_blocking};
use uuid::Uuid;

use crate::db::{fits, ranks};

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

/// Fits candidates, but for those that are stored already, and stores them. One for each, in their order.
async fn fit_and_store(
    connection: &mut PgConnection,
    candidates: Vec<Candidate>,
) -> Result<Vec<Fitted>, FittingError> {
    let (mut outcomes, mut new) = (Vec::new(), Vec::new());
    for candidate in candidates {
        let known = fits::known(connection, &candidate.fingerprint).await?;
        let id = known.unwrap_or_else(Uuid::now_v7);
        outcomes.push(Fitted {
            id,
            new: known.is_none(),
        });
        new.extend(known.is_none().then_some((id, candidate)));
    }
    let at_once = thread::available_parallelism().map_or(1, Into::into);
    let mut models = stream::iter(new)
        .map(|(id, candidate)| {
            spawn_blocking(move || {
                let model = Model::of(&candidate);
                (id, candidate, model)
            })
        })
        .buffer_unordered(at_once);
    let mut answered: Vec<Question> = Vec::new();
    while let Some((id, candidate, model)) = models.try_next().await? {
        fits::store(connection, id, &candidate, &model).await?;
        let question = Question {
            variant: None,
            ..candidate.question
        };
        if !answered.contains(&question) {
            answered.push(question);
        }
    }
    for question in &answered {
        // Other counters than times and speedups answer nobody who does not name the model.
        if !matches!(question.response, Response::Counter(_)) {
            ranks::store(connection, question).await?;
        }
    }
    Ok(outcomes)
}
