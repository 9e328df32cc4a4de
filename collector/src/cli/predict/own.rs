//! Forecasts of Kerncast's own samples, beside what they took.

use std::{collections::BTreeMap, path::Path};

use anyhow::Result;
use kerncast_collector::{UsageError, client::Client};
use kerncast_profilers::gpus;
use kerncast_wire::{
    CounterSet, Measured, NamedCounterSet, NewSample, PredictionRequest, Predictions, Scope,
    TimeSummary,
};

use super::batches;
use crate::cli::units;

/// The microbenchmark of local memory counts its own loads, and no model forecasts its times.
const LOCAL_MEMORY: &str = "local_memory";

/// Asks for forecasts of `samples` of a file or a spool's folder, each with its place there, as `wishes` says: without a wish on the device that measured them. With another device to count on, their times are that device's.
pub(super) fn predict(
    server: &Client,
    file: &Path,
    samples: Vec<(String, NewSample)>,
    wishes: &PredictionRequest,
) -> Result<Predictions> {
    let origin = file.display();
    let all = samples.len();
    let mut counted = Vec::new();
    for (place, sample) in samples {
        check(&sample).map_err(|problem| UsageError(format!("{origin}: {place}: {problem}")))?;
        let counters = counters(&sample);
        if !counters.is_empty() {
            counted.push((place, sample, counters));
        }
    }
    if counted.is_empty() {
        let found = format!("{origin}: none of {all} samples has a kernel's counters");
        return Err(UsageError(found).into());
    }
    let left_out = all - counted.len();
    if left_out > 0 {
        let samples = units::count(left_out, "sample");
        say!("{samples} without a kernel's counters: left out");
    }
    let ids: BTreeMap<(String, String), i64> = server
        .overview()?
        .devices
        .into_iter()
        .map(|it| {
            (
                (it.device.device.vendor, it.device.device.name),
                it.device.id,
            )
        })
        .collect();
    let mut answer = Predictions {
        predictions: Vec::new(),
        notes: Vec::new(),
    };
    let names_no_target =
        wishes.devices.is_none() && wishes.model.is_none() && wishes.counted_on.is_none();
    let names_no_target = names_no_target && wishes.gpus.is_none();
    let target = |(_, sample, _): &(String, NewSample, CounterSet)| {
        let own = (sample.device.vendor.clone(), sample.device.name.clone());
        let own = ids.get(&own).copied();
        own.filter(|_| names_no_target)
    };
    for own in counted.chunk_by(|a, b| target(a) == target(b)) {
        let wishes = PredictionRequest {
            device: target(&own[0]),
            ..wishes.clone()
        };
        let sets = own.iter().map(|it| set(it, &wishes, &ids)).collect();
        batches::predict(server, sets, &wishes, &mut answer)?;
    }
    Ok(answer)
}

/// What the server would name by its place in the request.
pub(in crate::cli) fn check(sample: &NewSample) -> Result<(), String> {
    let times = &sample.times.repetitions_s;
    if times.is_empty() || times.iter().any(|time| *time <= 0.0) {
        return Err("field times.repetitions_s: expected seconds above 0, at least one".to_owned());
    }
    for (provider, reading) in &sample.readings {
        let below = reading.counters.iter().find(|(_, number)| **number < 0.0);
        if let Some((name, number)) = below {
            return Err(format!(
                "field readings.{provider}.counters.{name}: expected a number, 0 or above, not {number}"
            ));
        }
    }
    Ok(())
}

/// Those whose counts are not of all work-groups.
pub(in crate::cli) fn estimated(sample: &NewSample) -> Vec<String> {
    let readings = sample.readings.iter();
    readings
        .filter(|(provider, reading)| *provider != LOCAL_MEMORY && reading.scope != Scope::Full)
        .filter(|(_, reading)| !reading.counters.is_empty())
        .map(|(provider, _)| provider.clone())
        .collect()
}

pub(in crate::cli) fn counters(sample: &NewSample) -> CounterSet {
    let readings = sample.readings.iter();
    readings
        .filter(|(provider, reading)| *provider != LOCAL_MEMORY && !reading.counters.is_empty())
        .map(|(provider, reading)| (provider.clone(), reading.counters.clone()))
        .collect()
}

fn set(
    (place, sample, counters): &(String, NewSample, CounterSet),
    wishes: &PredictionRequest,
    ids: &BTreeMap<(String, String), i64>,
) -> NamedCounterSet {
    let workload = &sample.workload;
    let mut name = format!("{} {}", workload.kernel, workload.variant);
    for (parameter, size) in &workload.parameters {
        name.push_str(&format!(" {parameter}={size}"));
    }
    let device = (sample.device.vendor.clone(), sample.device.name.clone());
    NamedCounterSet {
        name: Some(format!("{name} ({place})")),
        counters: counters.clone(),
        time_s: wishes.counted_on.map(|_| median(sample)),
        measured: measured(sample, wishes, ids.get(&device).copied()),
    }
}

/// What it took, where the server knows the device, or it is the GPU that is asked for.
fn measured(
    sample: &NewSample,
    wishes: &PredictionRequest,
    device: Option<i64>,
) -> Option<Measured> {
    let is_asked = |name: &String| {
        gpus::matching(name)
            .iter()
            .any(|it| it.name == sample.device.name)
    };
    let asked = wishes.gpus.as_deref().unwrap_or_default();
    let is_gpu = asked.len() == 1 && wishes.devices.is_none() && asked.iter().all(is_asked);
    (device.is_some() || is_gpu).then(|| Measured {
        device,
        time_s: median(sample),
    })
}

pub(in crate::cli) fn median(sample: &NewSample) -> f64 {
    TimeSummary::of(&sample.times.repetitions_s).median_s
}
