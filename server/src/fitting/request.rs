//! A fit that somebody asks for.

use std::{collections::HashSet, sync::Arc};

use axum::http::StatusCode;
use kerncast_models::METHODS;
use kerncast_profilers::catalogue::canonical;
use kerncast_training::{Candidate, Samples};
use kerncast_wire::{AuditAction, ModelSpecification, Problem};
use serde_json::json;
use sqlx::PgPool;

use super::{
    Fitted, FittingError, fit_and_store,
    gate::judge,
    turn::{TooLong, turn},
};
use crate::{
    db::{
        audit::{self, Actor},
        training::{self, Which},
    },
    error::Error,
    problem::{problem, unprocessable},
    samples::{PROVIDER, is_provider},
};

/// Most counters in a specification.
const MOST_COUNTERS: usize = 200;

/// Fits the specification to the samples that are there.
///
/// # Errors
/// Where it names something that is not there, or other fits of the device go on for too long.
pub(crate) async fn on_request(
    pool: &PgPool,
    mut specification: ModelSpecification,
    actor: &Actor,
) -> Result<Fitted, Error> {
    if !is_provider(&specification.provider) {
        return Err(unprocessable("/provider", &specification.provider, PROVIDER).into());
    }
    let names = specification.counters.iter_mut();
    for name in names.chain([&mut specification.response]) {
        *name = canonical(name).into_owned();
    }
    let device = specification.device;
    let number = training::device(&mut *pool.acquire().await?, device).await?;
    let Some(number) = number else {
        let expected = "a device's id; /v1/devices lists them";
        return Err(unprocessable("/device", device, expected).into());
    };
    judge(pool, number, None).await?;
    let mut transaction = turn(pool, number, false).await?;
    let provider = &specification.provider;
    let which = Which::all(number, None, provider);
    let samples = training::load(&mut transaction, which).await?;
    check(&specification, &samples)?;
    let candidate =
        Candidate::of(&specification, &samples).ok_or_else(|| no_method(&specification))?;
    let mut outcome = fit_and_store(&mut transaction, &[candidate], false, &Arc::default()).await?;
    let fitted = outcome.fitted.remove(0);
    if fitted.new {
        let mut about = json!(specification);
        about["model"] = json!(fitted.id);
        let action = AuditAction::FitModel;
        audit::note(&mut *transaction, actor, action, &about, None, None).await?;
    }
    transaction.commit().await?;
    Ok(fitted)
}

impl From<FittingError> for Error {
    fn from(error: FittingError) -> Self {
        match error {
            FittingError::Database(error) => error.into(),
            FittingError::Task(error) => error.into(),
            FittingError::Panicked => {
                problem(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into()
            }
        }
    }
}

impl From<TooLong> for Error {
    fn from(error: TooLong) -> Self {
        match error {
            TooLong::Database(error) => error.into(),
            TooLong::Fits => problem(StatusCode::SERVICE_UNAVAILABLE, error.to_string()).into(),
        }
    }
}

fn no_method(specification: &ModelSpecification) -> Problem {
    let names: Vec<&str> = METHODS.iter().map(|method| method.name()).collect();
    let expected = format!("one of: {}", names.join(", "));
    unprocessable("/method", &specification.method, expected)
}

fn check(specification: &ModelSpecification, samples: &Samples) -> Result<(), Problem> {
    let ModelSpecification {
        device: _,
        counted_on,
        provider,
        method: name,
        counters,
        variant,
        response,
    } = specification;
    if let Some(counted_on) = counted_on {
        let expected = "no counted_on: only a device's own samples are fitted on request";
        return Err(unprocessable("/counted_on", counted_on, expected));
    }
    if METHODS.iter().all(|method| method.name() != name) {
        return Err(no_method(specification));
    }
    if samples.counted.is_empty() {
        let expected = "a provider that has counted samples on this device";
        return Err(unprocessable("/provider", provider, expected));
    }
    let missing = |variant: &&String| samples.counted.iter().all(|it| it.variant != **variant);
    if let Some(variant) = variant.as_ref().filter(missing) {
        let expected = "a variant that this device has samples of with the provider's counters";
        return Err(unprocessable("/variant", variant, expected));
    }
    if response != "time" && !samples.counters.contains_key(response) {
        let expected =
            "`time`, or PROVIDER:NAME of a counter that samples have; /v1/counters lists them";
        return Err(unprocessable("/response", response, expected));
    }
    if counters.len() > MOST_COUNTERS {
        let found = format!("{} counters", counters.len());
        return Err(unprocessable(
            "/counters",
            found,
            format!("at most {MOST_COUNTERS} counters"),
        ));
    }
    let mut seen = HashSet::new();
    for (index, counter) in counters.iter().enumerate() {
        let at = format!("/counters/{index}");
        if !samples.counters.contains_key(counter) {
            let expected = "PROVIDER:NAME of a counter that samples have; /v1/counters lists them";
            return Err(unprocessable(at, counter, expected));
        }
        if counter == response {
            let expected = "a counter other than the response";
            return Err(unprocessable(at, counter, expected));
        }
        if !seen.insert(counter) {
            return Err(unprocessable(at, counter, "each counter once"));
        }
    }
    Ok(())
}
