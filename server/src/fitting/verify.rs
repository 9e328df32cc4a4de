//! Whether stored models are what their samples make.

use std::collections::BTreeSet;

use kerncast_models::Fitted;
use kerncast_training::{Candidate, Model, questions};
use ndarray::ArrayView1;
use sqlx::PgPool;
use uuid::Uuid;

use super::{FittingError, threads::compute};
use crate::db::{
    fits, forecasters, models,
    training::{self, Which},
};

/// Forecasts that differ by less than this share of themselves are the same: another processor, or another number of
/// threads, rounds otherwise.
const ROUNDING: f64 = 1e-6;

/// What became of a model.
pub enum Verified {
    /// Its samples make the same fit.
    Same,
    /// They make none, as is stored.
    Refused,
    /// Its samples, or the code that fits them, have changed: a newer fit is to replace it.
    Pending,
    /// They make another one.
    Differs(String),
}

/// Fits every model that stands anew, and compares: the fit, by its forecasts of its own samples. Validations are not
/// made again, unless the fit alone comes out otherwise: absurd samples are found by validating, and left out.
///
/// # Errors
/// Where the database fails, or a fit panics.
pub async fn verify(
    pool: &PgPool,
    mut tell: impl FnMut(Uuid, Verified),
) -> Result<(), FittingError> {
    for (device, counted_on, provider, standing) in models::standing(pool).await? {
        let mut connection = pool.acquire().await?;
        let which = Which::all(device, counted_on, &provider);
        let samples = training::load(&mut connection, which).await?;
        let asked = match counted_on {
            None => training::specifications(&mut connection, device, &provider).await?,
            Some(_) => Vec::new(),
        };
        let (target, source) = (i64::from(device), counted_on.map(i64::from));
        let of = provider.clone();
        let candidates = compute(move || {
            let all = questions(&samples, target, source, &of);
            let mut candidates: Vec<Candidate> = all
                .iter()
                .flat_map(|it| Candidate::all(it, &samples))
                .collect();
            candidates.extend(asked.iter().filter_map(|it| Candidate::of(it, &samples)));
            candidates
        })
        .await?;
        let mut rest = BTreeSet::from_iter(standing);
        for candidate in candidates {
            let Some(id) = fits::known(&mut connection, &candidate).await? else {
                continue;
            };
            // Two candidates may be one model.
            if !rest.remove(&id) {
                continue;
            }
            let stored = forecasters::get(&mut *connection, id).await?;
            let stored = stored.and_then(|it| it.fit.ok());
            tell(
                id,
                compute(move || compared(stored.as_ref(), &candidate)).await?,
            );
        }
        rest.into_iter().for_each(|id| tell(id, Verified::Pending));
    }
    Ok(())
}

fn compared(stored: Option<&Fitted>, candidate: &Candidate) -> Verified {
    let Some(stored) = stored else {
        return match Model::of(candidate).outcome {
            Err(_) => Verified::Refused,
            Ok(_) => {
                Verified::Differs("it is stored as refused, and its samples make a fit".to_owned())
            }
        };
    };
    if candidate
        .fit_alone()
        .is_some_and(|now| is_same(stored, &now, candidate))
    {
        return Verified::Same;
    }
    match Model::of(candidate).outcome {
        Ok(now) if is_same(stored, &now.fitted, candidate) => Verified::Same,
        Ok(now) => Verified::Differs(format!(
            "forecasts of its own samples differ by up to {:.2e} of themselves",
            difference(stored, &now.fitted, candidate)
        )),
        Err(why) => Verified::Differs(format!("its samples make no fit: {why}")),
    }
}

fn is_same(stored: &Fitted, now: &Fitted, candidate: &Candidate) -> bool {
    stored == now || difference(stored, now, candidate) <= ROUNDING
}

/// The largest difference of two fits' forecasts of the candidate's rows, as a share of the larger one.
fn difference(a: &Fitted, b: &Fitted, candidate: &Candidate) -> f64 {
    let Ok(dataset) = &candidate.training.dataset else {
        return f64::INFINITY;
    };
    let rows = dataset.rows();
    let share = |row: ArrayView1<'_, f64>| {
        let (a, b) = (a.predict(row), b.predict(row));
        let larger = a.abs().max(b.abs()).max(f64::MIN_POSITIVE);
        (a - b).abs() / larger
    };
    let shares = rows.x.rows().into_iter().map(share);
    // What is no number is no forecast, and differs from any.
    shares.fold(
        0.0,
        |most, it| if it > most || it.is_nan() { it } else { most },
    )
}
