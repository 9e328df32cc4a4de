//! The model that answers when none is named.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use kerncast_wire::CounterSet;
use sqlx::PgPool;
use uuid::Uuid;

use crate::{
    db::forecasters::{Champion, champions},
    error::Error,
    problem::{problem, unprocessable},
};

/// Among the champions of `device` for the posted providers: one whose counters are all there before
/// one that misses some, then the one with the least error on kernels it had not seen.
///
/// # Errors
/// Where no device is named and several have models, or none of the champions fits the set.
pub(crate) async fn champion(
    pool: &PgPool,
    device: Option<i64>,
    counters: &CounterSet,
    posted: &BTreeSet<String>,
) -> Result<Uuid, Error> {
    let all = champions(pool, device).await?;
    let devices: BTreeSet<i64> = all.iter().map(|champion| champion.device).collect();
    if devices.is_empty() {
        let of = device
            .map(|device| format!(" of device {device}"))
            .unwrap_or_default();
        let detail = format!(
            "there is no model{of} yet: upload samples of several kernels; /v1/models shows what came of them"
        );
        return Err(problem(StatusCode::UNPROCESSABLE_ENTITY, detail).into());
    }
    if devices.len() > 1 {
        let ids: Vec<String> = devices.iter().map(ToString::to_string).collect();
        let expected = format!("one of the devices that have models: {}", ids.join(", "));
        return Err(unprocessable("/device", "absent", expected).into());
    }
    let missing = |champion: &Champion| {
        champion
            .counters
            .iter()
            .filter(|name| !posted.contains(*name))
            .count()
    };
    let error = |champion: &Champion| champion.mean_ape.unwrap_or(f64::INFINITY);
    let best = all
        .iter()
        .filter(|champion| counters.contains_key(&champion.provider))
        .min_by(|a, b| {
            let incomplete = (missing(a) > 0).cmp(&(missing(b) > 0));
            incomplete.then(error(a).total_cmp(&error(b)))
        });
    let Some(best) = best else {
        let have: Vec<&str> = all
            .iter()
            .map(|champion| champion.provider.as_str())
            .collect();
        let sent: Vec<&str> = counters.keys().map(String::as_str).collect();
        let sent = if sent.is_empty() {
            "empty".to_owned()
        } else {
            sent.join(", ")
        };
        let expected = format!("counters of a provider with a model: {}", have.join(", "));
        return Err(unprocessable("/counters", sent, expected).into());
    };
    Ok(best.model)
}
