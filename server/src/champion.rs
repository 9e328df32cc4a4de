//! The model that answers when none is named.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use kerncast_wire::{CounterSet, Problem};
use sqlx::PgPool;
use uuid::Uuid;

use crate::{
    db::forecasters::{Champion, champions},
    error::Error,
    problem::{problem, unprocessable},
};

/// Among the champions of `device` for the posted providers: one whose counters are all there before
/// one that misses some, then as the database ranks them.
///
/// # Errors
/// Where no device is named and several have models, the one named has none, or none of the champions
/// fits the set.
pub(crate) async fn champion(
    pool: &PgPool,
    device: Option<i64>,
    counters: &CounterSet,
    posted: &BTreeSet<String>,
) -> Result<Uuid, Error> {
    let mut all = champions(pool).await?;
    let device = device_of(&all, device)?;
    all.retain(|champion| champion.device == device);
    let missing = |champion: &Champion| {
        champion
            .counters
            .iter()
            .filter(|name| !posted.contains(*name))
            .count()
    };
    let best = all
        .iter()
        .filter(|champion| counters.contains_key(&champion.provider))
        .min_by_key(|champion| missing(champion) > 0);
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

/// The device asked for, or the only one that has models.
fn device_of(champions: &[Champion], asked: Option<i64>) -> Result<i64, Problem> {
    const NONE_YET: &str = "there is no model yet: upload samples of several kernels; /v1/models shows what came of them";
    let devices: BTreeSet<i64> = champions.iter().map(|champion| champion.device).collect();
    match (asked, devices.first()) {
        (Some(asked), _) if devices.contains(&asked) => Ok(asked),
        (None, Some(&only)) if devices.len() == 1 => Ok(only),
        (None, None) => Err(problem(StatusCode::UNPROCESSABLE_ENTITY, NONE_YET)),
        (Some(asked), None) => {
            let expected = format!("a device that has models; {NONE_YET}");
            Err(unprocessable("/device", asked, expected))
        }
        (_, Some(_)) => {
            let ids: Vec<String> = devices.iter().map(ToString::to_string).collect();
            let found = asked.map_or("absent".to_owned(), |asked| asked.to_string());
            let expected = format!("one of the devices that have models: {}", ids.join(", "));
            Err(unprocessable("/device", found, expected))
        }
    }
}
