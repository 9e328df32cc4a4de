//! Forecasts of Kerncast's own samples, beside their measured times.

use std::path::Path;

use anyhow::Result;
use kerncast_profilers::gpus;
use kerncast_wire::{
    CounterSet, DeviceOverview, Measured, NamedCounterSet, NewSample, PredictionRequest,
    Predictions, Reading, Scope, TimeSummary, provider::LOCAL_MEMORY,
};

use super::requests;
use crate::{UsageError, client::Client, units, workload};

/// A sample with counters of its kernel, and its place in the file or folder.
struct CountedSample {
    place: String,
    sample: NewSample,
    counters: CounterSet,
}

/// Asks for forecasts of the `samples` of a file or a spool's folder, each with its place there. Without a device in
/// `wishes` they are forecast on the device that measured them. With another device to count on, the samples' times are
/// that device's.
///
/// # Errors
/// A sample has no usable time or counters, or the server gives no answer.
pub fn predict_samples(
    server: &Client,
    file: &Path,
    samples: Vec<(String, NewSample)>,
    wishes: &PredictionRequest,
) -> Result<Predictions> {
    let origin = file.display();
    let all = samples.len();
    let mut counted = Vec::new();
    for (place, sample) in samples {
        check_numbers(&sample)
            .map_err(|problem| UsageError(format!("{origin}: {place}: {problem}")))?;
        let counters = counters(&sample);
        if !counters.is_empty() {
            counted.push(CountedSample {
                place,
                sample,
                counters,
            });
        }
    }
    if counted.is_empty() {
        let problem = format!("{origin}: none of {all} samples has a kernel's counters");
        return Err(UsageError(problem).into());
    }
    let left_out = all - counted.len();
    if left_out > 0 {
        let samples = units::count(left_out, "sample");
        say!("{samples} without a kernel's counters: left out");
    }
    let devices = server.overview()?.devices;
    let mut answer = Predictions {
        predictions: Vec::new(),
        notes: Vec::new(),
    };
    let names_target = wishes.devices.is_some()
        || wishes.gpus.is_some()
        || wishes.model.is_some()
        || wishes.counted_on.is_some();
    let own_device = |it: &CountedSample| it.device_id(&devices).filter(|_| !names_target);
    for of_device in counted.chunk_by(|a, b| own_device(a) == own_device(b)) {
        let wishes = PredictionRequest {
            device: own_device(&of_device[0]),
            ..wishes.clone()
        };
        let sets = of_device.iter().map(|it| it.counter_set(&wishes, &devices));
        requests::predict_sets(server, sets.collect(), &wishes, &mut answer)?;
    }
    Ok(answer)
}

/// Refuses numbers that the server would refuse; the server would name only their place in the request.
fn check_numbers(sample: &NewSample) -> Result<(), String> {
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

/// Providers that did not count all work-groups.
pub(super) fn estimated_providers(sample: &NewSample) -> Vec<String> {
    let readings = kernel_readings(sample);
    let estimated = readings.filter(|(_, reading)| reading.scope != Scope::Full);
    estimated.map(|(provider, _)| provider.clone()).collect()
}

/// A sample's counters, without the microbenchmark's.
pub(super) fn counters(sample: &NewSample) -> CounterSet {
    let readings = kernel_readings(sample);
    let counters = readings.map(|(provider, reading)| (provider.clone(), reading.counters.clone()));
    counters.collect()
}

fn kernel_readings(sample: &NewSample) -> impl Iterator<Item = (&String, &Reading)> {
    let readings = sample.readings.iter();
    readings.filter(|(provider, it)| *provider != LOCAL_MEMORY && !it.counters.is_empty())
}

impl CountedSample {
    /// The server's id of the device that measured the sample; none where the server does not know it.
    fn device_id(&self, devices: &[DeviceOverview]) -> Option<i64> {
        let device = &self.sample.device;
        let is_same = |it: &&DeviceOverview| {
            let other = &it.device.device;
            (&other.vendor, &other.name) == (&device.vendor, &device.name)
        };
        devices.iter().find(is_same).map(|it| it.device.id)
    }

    fn counter_set(
        &self,
        wishes: &PredictionRequest,
        devices: &[DeviceOverview],
    ) -> NamedCounterSet {
        let workload = &self.sample.workload;
        let name = workload::name(&workload.kernel, &workload.variant, &workload.parameters);
        NamedCounterSet {
            name: Some(format!("{} ({})", name.trim_end(), self.place)),
            counters: self.counters.clone(),
            time_s: wishes.counted_on.map(|_| median(&self.sample)),
            measured: measured(&self.sample, wishes, self.device_id(devices)),
        }
    }
}

/// The measured time, where the server knows the device or the device is the GPU that is asked for.
fn measured(
    sample: &NewSample,
    wishes: &PredictionRequest,
    device: Option<i64>,
) -> Option<Measured> {
    let is_gpu = match (wishes.gpus.as_deref(), &wishes.devices) {
        (Some([gpu]), None) => {
            let mut gpus = gpus::matching(gpu).into_iter();
            gpus.any(|it| it.name == sample.device.name)
        }
        _ => false,
    };
    (device.is_some() || is_gpu).then(|| Measured {
        device,
        time_s: median(sample),
    })
}

fn median(sample: &NewSample) -> f64 {
    TimeSummary::of(&sample.times.repetitions_s).median_s
}
