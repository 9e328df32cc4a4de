//! A job's candidates are fitted and stored where they are not stored yet, and then it is decided which models answer.

use std::{sync::Arc, thread};

use futures_util::{StreamExt, TryStreamExt, stream};
use kerncast_training::{Candidate, Model, Validations};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{FittingError, moves, threads::compute};
use crate::db::{
    fitting::{
        fit_key::FitKey,
        succession::{self, Refit, Succession},
    },
    models::fits,
};

/// A candidate that was not stored before, with its model.
struct Validated {
    id: Uuid,
    candidate: Candidate,
    model: Model,
    /// Whether its validation came from a file.
    is_from_file: bool,
}

/// Fits candidates that are not stored yet, stores them, and decides which models answer. All candidates answer one
/// question, some for single variants.
pub(super) async fn fit_and_store(
    connection: &mut PgConnection,
    key: &FitKey,
    candidates: Vec<Candidate>,
    validations: &Arc<Validations>,
) -> Result<(), FittingError> {
    let Some(first) = candidates.first() else {
        return Ok(succession::retire(connection, key, &[]).await?);
    };
    let mut refit = Refit {
        response: first.question.response.clone(),
        current: Vec::new(),
        new: Vec::new(),
        has_rows: candidates.iter().any(|it| it.training.has_rows()),
    };
    let (mut known, mut unknown) = (0, Vec::new());
    for candidate in candidates {
        debug_assert_eq!(candidate.question.response, refit.response);
        let current = fits::find_current(connection, key, &candidate).await?;
        let id = current.unwrap_or_else(Uuid::now_v7);
        if !refit.current.contains(&id) {
            refit.current.push(id);
        }
        if current.is_some() {
            known += 1;
        } else {
            refit.new.push(id);
            unknown.push((id, candidate));
        }
    }
    // All before the first is stored: a transaction that has written keeps vacuum from its work until it ends.
    let validated = validate(unknown, validations).await?;
    for it in &validated {
        fits::store(connection, key, it.id, &it.candidate, &it.model).await?;
    }
    log_outcomes(key, known, &validated);
    let mut stay = refit.current.clone();
    match succession::succeed(connection, key, &refit).await? {
        Succession::Changed(change) => moves::store_move(connection, change).await?,
        Succession::Held(before) => stay.push(before),
        Succession::Same => {}
    }
    Ok(succession::retire(connection, key, &stay).await?)
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
                let from_file = validations.model(&candidate);
                let is_from_file = from_file.is_some();
                let model = from_file.unwrap_or_else(|| Model::fit_and_validate(&candidate));
                Validated {
                    id,
                    candidate,
                    model,
                    is_from_file,
                }
            })
        })
        .buffer_unordered(at_once);
    Ok(validated.try_collect().await?)
}

fn log_outcomes(key: &FitKey, known: usize, validated: &[Validated]) {
    let count = |which: fn(&Validated) -> bool| validated.iter().filter(|it| which(it)).count();
    let from_file = count(|it| it.model.outcome.is_ok() && it.is_from_file);
    let own = count(|it| it.model.outcome.is_ok() && !it.is_from_file);
    let refused = count(|it| it.model.outcome.is_err());
    tracing::info!(
        device = key.device,
        counted_on = key.counted_on,
        provider = key.provider,
        "models: {known} known, {from_file} with a validation that was given, {own} validated, {refused} refused"
    );
}
