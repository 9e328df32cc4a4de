//! Compares methods on the samples of files: a researcher's tool, without server or database. Its results are those of
//! the server for the same samples.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use kerncast_models::{HoldOutKey, METHODS, across, is_transferable};
use kerncast_training::{Response, questions};
use kerncast_wire::{Workload, provider::LAUNCH, words::did_you_mean};
use uuid::Uuid;

use crate::{UsageError, device::find_by_name, units::joined};

mod case;
mod method_report;
mod samples;
mod server_candidates;
mod speedups;

use case::Case;
pub use case::Comparison;
pub use method_report::{Forecast, MethodReport};
pub use samples::Files;
use samples::NumberedSamples;
pub use server_candidates::server_candidates;

/// The comparisons that are asked for.
#[derive(Clone, Debug)]
pub struct EvaluateRequest {
    /// Only this device; none: each device of the files.
    pub device: Option<String>,
    /// The device whose counters and times it is forecast from; none: the device itself.
    pub counted_on: Option<String>,
    /// Only this provider's counters; none: each provider's.
    pub provider: Option<String>,
    /// What folds hold out, in one comparison each.
    pub keys: Vec<LeftOut>,
    /// Only these methods; empty: all.
    pub methods: Vec<String>,
}

/// The part of an evaluation that begins.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a> {
    /// The comparison of several methods.
    Comparison {
        /// The title of the comparison, in words.
        title: &'a str,
        /// Number of methods.
        methods: usize,
    },
    /// Fitting and validating one method.
    Method {
        /// Its name.
        name: &'a str,
        /// Its place among the methods, from 1.
        place: usize,
    },
}

/// What is held out of a fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// Folds of the device's own samples.
    Own(HoldOutKey),
    /// The whole GPU. Models of the most similar other GPU forecast it by its data sheet, as a server does for a GPU
    /// that nobody has measured.
    Gpu,
    /// The whole GPU, and the forecast kernel on the other GPU too.
    GpuAndKernel,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own(key) => key.fmt(f),
            Self::Gpu => f.write_str("gpu"),
            Self::GpuAndKernel => f.write_str("gpu+kernel"),
        }
    }
}

impl EvaluateRequest {
    /// Whether whole GPUs are left out.
    fn leaves_gpus(&self) -> bool {
        let mut keys = self.keys.iter();
        keys.any(|it| !matches!(it, LeftOut::Own(_)))
    }

    /// Whether the method of this name is asked for.
    fn asks(&self, method: &str) -> bool {
        self.methods.is_empty() || self.methods.iter().any(|it| it == method)
    }
}

/// Compares the methods on the samples of files. `report` is called before each comparison and each method.
///
/// # Errors
/// A device, a method or a provider was asked for that does not exist.
pub fn evaluate(
    files: &Files,
    request: &EvaluateRequest,
    mut report: impl FnMut(Progress<'_>),
) -> Result<Vec<Comparison>, UsageError> {
    let numbered = NumberedSamples::new(files);
    let request = &with_whole_names(request, &numbered)?;
    check_methods(request)?;
    let samples = files.samples.iter();
    let workloads = samples.map(|it| (it.id, &it.workload)).collect();
    let mut comparisons = Vec::new();
    for (device, counted_on) in device_pairs(request, &numbered) {
        let devices = DevicePair {
            files,
            numbered: &numbered,
            workloads: &workloads,
            device,
            counted_on,
        };
        for provider in providers(request, &numbered, counted_on.unwrap_or(device))? {
            comparisons.extend(devices.compare(request, &provider, &mut report));
        }
    }
    if comparisons.is_empty() && request.leaves_gpus() {
        return Err(UsageError(format!(
            "no GPU can be left out: expected samples of two GPUs or more whose data sheets are known, by the names that \
             drivers give them, with counters in common that say how work is spread (warps, instructions); the files have: {}",
            numbered.devices.join(", ")
        )));
    }
    if comparisons.is_empty() && !files.tested.is_empty() {
        return Err(UsageError(
            "nothing to judge: no device that is asked for has samples with the same counters in the files of --train \
             and in those of --test"
                .to_owned(),
        ));
    }
    Ok(comparisons)
}

/// A device that is forecast and the one that is counted on, with all samples.
struct DevicePair<'a> {
    files: &'a Files,
    numbered: &'a NumberedSamples<'a>,
    /// Workloads by the ids of their samples.
    workloads: &'a BTreeMap<Uuid, &'a Workload>,
    device: &'a str,
    counted_on: Option<&'a str>,
}

impl DevicePair<'_> {
    /// The comparisons by one provider's counters.
    fn compare(
        &self,
        request: &EvaluateRequest,
        provider: &str,
        report: &mut dyn FnMut(Progress<'_>),
    ) -> Vec<Comparison> {
        let (numbered, device, counted_on) = (self.numbered, self.device, self.counted_on);
        let own = numbered.samples(counted_on.unwrap_or(device), provider);
        let borrowing = match counted_on {
            None => numbered.borrowing(&own, device, provider),
            Some(_) => None,
        };
        let samples = borrowing.as_ref().unwrap_or(&own);
        let Some(number) = numbered.device(device) else {
            return Vec::new();
        };
        let from = counted_on.and_then(|name| numbered.device(name));
        let mut comparisons = Vec::new();
        for question in questions(samples, number, from, provider) {
            // The paper's fits of one variant stand beside others' of all only where somebody asks for them.
            if question.variant.is_some() {
                continue;
            }
            for key in keys(request, counted_on) {
                let like = if matches!(key, LeftOut::Own(_)) {
                    None
                } else if question.response != Response::Time {
                    continue;
                } else if let Some(like) = numbered.like(device, provider, counted_on) {
                    Some(like)
                } else {
                    continue;
                };
                let case = Case {
                    question: &question,
                    samples: like.as_ref().map_or(samples, |it| &it.samples),
                    own: &own,
                    like: like.as_ref(),
                    devices: self,
                    key,
                };
                comparisons.extend(case.compare(request, report));
            }
        }
        comparisons
    }
}

/// Pairs of a device to forecast and the device that is counted on, if that is another one.
fn device_pairs<'a>(
    request: &'a EvaluateRequest,
    numbered: &NumberedSamples<'a>,
) -> Vec<(&'a str, Option<&'a str>)> {
    let counted_on = request.counted_on.as_deref();
    let is_asked = |it: &str| request.device.as_deref().is_none_or(|device| device == it);
    let devices = numbered.devices.iter().copied();
    let devices = devices.filter(|&it| is_asked(it) && Some(it) != counted_on);
    devices.map(|it| (it, counted_on)).collect()
}

/// What folds hold out. Across devices that is kernels or the whole device, never single samples.
fn keys(request: &EvaluateRequest, counted_on: Option<&str>) -> Vec<LeftOut> {
    let mut keys = request.keys.clone();
    if counted_on.is_some() {
        keys.retain(|it| !matches!(it, LeftOut::Own(_)));
        if keys.is_empty() {
            keys.push(LeftOut::Own(HoldOutKey::Kernel));
        }
    }
    keys
}

/// The request with the devices' whole names.
fn with_whole_names(
    request: &EvaluateRequest,
    numbered: &NumberedSamples<'_>,
) -> Result<EvaluateRequest, UsageError> {
    let whole_name = |wish: &String| {
        let there = numbered.devices.join(", ");
        match find_by_name(&numbered.devices, |name| name, wish)[..] {
            [name] => Ok((*name).to_owned()),
            [] => Err(UsageError(format!(
                "there is no device `{wish}`; the file has: {there}{}",
                did_you_mean(wish, numbered.devices.iter().copied())
            ))),
            ref several => {
                let several = joined(several, ", ");
                Err(UsageError(format!(
                    "several devices of the file are called `{wish}`: {several}; name one whole"
                )))
            }
        }
    };
    Ok(EvaluateRequest {
        device: request.device.as_ref().map(whole_name).transpose()?,
        counted_on: request.counted_on.as_ref().map(whole_name).transpose()?,
        ..request.clone()
    })
}

/// Refuses unknown methods.
fn check_methods(request: &EvaluateRequest) -> Result<(), UsageError> {
    let own = METHODS.iter().map(|it| it.name());
    let leaves_gpus = request.leaves_gpus();
    let known: BTreeSet<&str> = match request.counted_on {
        _ if leaves_gpus => own.filter(|it| is_transferable(it)).collect(),
        Some(_) => across::NAMES.into_iter().collect(),
        None => own.chain(["across_counters"]).collect(),
    };
    let mut methods = request.methods.iter();
    let Some(unknown) = methods.find(|it| !known.contains(it.as_str())) else {
        return Ok(());
    };
    let problem = if leaves_gpus {
        format!("`{unknown}` can't be told of another GPU")
    } else {
        format!("there is no method `{unknown}`")
    };
    let known = joined(&known, ", ");
    Err(UsageError(format!("{problem}; expected one of {known}")))
}

/// The providers with counters: the one that was asked for, else all. `launch` counts only if it is alone, because it
/// accompanies every other one.
fn providers(
    request: &EvaluateRequest,
    numbered: &NumberedSamples<'_>,
    device: &str,
) -> Result<Vec<String>, UsageError> {
    let there = numbered.providers(device);
    let no_counters = |provider: &str| {
        let there = joined(&there, ", ");
        UsageError(format!(
            "no sample of {device} has counters of `{provider}`; the file has: {there}"
        ))
    };
    match request.provider.as_deref() {
        Some(wish) if there.contains(wish) => Ok(vec![wish.to_owned()]),
        Some(wish) => Err(no_counters(wish)),
        None if there.is_empty() => Err(no_counters("any provider")),
        None => {
            let counted = there.iter().filter(|&&it| it != LAUNCH || there.len() == 1);
            Ok(counted.map(|&it| it.to_owned()).collect())
        }
    }
}
