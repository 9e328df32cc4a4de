//! The models that answer when none is named.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use kerncast_wire::{FieldProblem, Problem};
use sqlx::PgPool;
use uuid::Uuid;

use super::asked::{Asked, Set};
use crate::{
    db::forecasters::{Candidate, candidates},
    error::Error,
    problem::{field, problem, unprocessable},
};

/// All devices' models that may answer, champions first, and the devices to forecast.
pub(super) struct Champions {
    all: Vec<Candidate>,
    devices: Vec<i64>,
    /// The name of the request's field that names devices.
    device_field: String,
}

impl Champions {
    /// For the devices asked for, or for the only one that has models.
    ///
    /// # Errors
    /// Where no device is named and several have models, or none has.
    pub(super) async fn load(pool: &PgPool, asked: &Asked) -> Result<Self, Error> {
        let all = candidates(pool).await?;
        let device_field = asked.field("device");
        let devices = match &asked.devices[..] {
            [] => vec![the_only(&all, &device_field)?],
            named => named.to_vec(),
        };
        Ok(Self {
            all,
            devices,
            device_field,
        })
    }

    pub(super) fn devices(&self) -> &[i64] {
        &self.devices
    }

    /// Among the models of `device` for the set's providers: one of what was posted before one of what a
    /// file's geometry adds, then one that misses the fewest counters, then as the database ranks them: a
    /// champion that misses nothing before all others.
    ///
    /// # Errors
    /// Where the device has no models, or none of them is of one of the set's providers.
    pub(super) fn best(&self, device: i64, set: &Set) -> Result<Uuid, FieldProblem> {
        let own = || self.all.iter().filter(|model| model.device == device);
        if own().next().is_none() {
            return Err(field(
                &self.device_field,
                device,
                one_of_those_with_models(&self.all),
            ));
        }
        let posted = set.names();
        let missing = |model: &Candidate| {
            let counters = model.counters.iter();
            counters.filter(|name| !posted.contains(*name)).count()
        };
        let best = own()
            .filter(|model| set.counters.contains_key(&model.provider))
            .min_by_key(|model| (!set.providers.contains(&model.provider), missing(model)));
        best.map(|best| best.model).ok_or_else(|| {
            let have: BTreeSet<&str> = own().map(|it| it.provider.as_str()).collect();
            let have: Vec<&str> = have.into_iter().collect();
            let sent: Vec<&str> = set.counters.keys().map(String::as_str).collect();
            let sent = if sent.is_empty() {
                "empty".to_owned()
            } else {
                sent.join(", ")
            };
            let expected = format!("counters of a provider with a model: {}", have.join(", "));
            field(&set.at, sent, expected)
        })
    }
}

const NONE_YET: &str =
    "there is no model yet: upload samples of several kernels; /v1/models shows what came of them";

fn the_only(all: &[Candidate], device_field: &str) -> Result<i64, Problem> {
    let devices: BTreeSet<i64> = all.iter().map(|model| model.device).collect();
    match devices.first() {
        Some(&only) if devices.len() == 1 => Ok(only),
        Some(_) => Err(unprocessable(
            device_field,
            "absent",
            one_of_those_with_models(all),
        )),
        None => Err(problem(StatusCode::UNPROCESSABLE_ENTITY, NONE_YET)),
    }
}

fn one_of_those_with_models(all: &[Candidate]) -> String {
    let devices: BTreeSet<i64> = all.iter().map(|model| model.device).collect();
    if devices.is_empty() {
        return format!("a device that has models; {NONE_YET}");
    }
    let ids: Vec<String> = devices.iter().map(ToString::to_string).collect();
    format!("one of the devices that have models: {}", ids.join(", "))
}
