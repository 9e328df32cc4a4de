//! What is to be forecast: from folders and names to counters.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use anyhow::Result;
use kerncast_collector::{
    UsageError, client::Client, device::known_limits, source_analysis::accesses::Soundness,
    workload::Workload,
};
use kerncast_suite::sizes;
use kerncast_wire::{CounterSet, DeviceKind, Measured, NamedCounterSet, Sample, Standing};

use super::{
    Arguments,
    counting::{COUNT_LIMIT, Counting, Gaps},
};
use crate::cli::{
    kernels::{Finder, workloads},
    lab::Target,
    predict::own,
};

/// A workload to forecast.
pub(in crate::cli) struct Case {
    pub(in crate::cli) name: String,
    pub(super) counters: CounterSet,
    /// What it took on the device that is forecast, seconds.
    pub(super) measured_s: Option<f64>,
    /// How far that varies from repetition to repetition: standard deviation ÷ mean.
    pub(in crate::cli) varies: Option<f64>,
    pub(in crate::cli) gaps: Gaps,
    /// Why nobody is asked: the device can't run it, or nobody can say what it does.
    pub(in crate::cli) refusal: Option<String>,
    /// What may be wrong with it.
    pub(in crate::cli) doubtful: Vec<String>,
    /// Of a kernel: so that it can be measured.
    pub(super) launched: Option<Launched>,
}

impl Case {
    /// For the server, with what it took on the `device` that is forecast.
    pub(in crate::cli) fn set(&self, device: Option<i64>) -> NamedCounterSet {
        NamedCounterSet {
            name: Some(self.name.clone()),
            counters: self.counters.clone(),
            time_s: None,
            measured: (device.zip(self.measured_s)).map(|(device, time_s)| Measured {
                device: Some(device),
                time_s,
            }),
        }
    }
}

/// Which of a kernel's launches.
pub(in crate::cli) struct Launched {
    pub(super) folder: PathBuf,
    pub(super) sizes: String,
    /// Whether the kernel has no other variant.
    pub(super) is_only: bool,
}

/// One a variant and size of each kernel.
pub(super) fn cases(arguments: &Arguments, server: &Client, target: &Target) -> Result<Vec<Case>> {
    let mut finder = Finder::default();
    let mut kernels = Vec::new();
    for asked in &arguments.asked {
        kernels.extend(finder.find(asked)?);
    }
    // Devices are compared at one size.
    let kind = match arguments.is_all() {
        true => DeviceKind::Gpu,
        false => target.device.kind,
    };
    let workloads = workloads(&kernels, &arguments.variant, &arguments.size, kind)?;
    // For many devices Oclgrind would take too long.
    let mut counting = match arguments.is_all() {
        true => Counting::of_source(&target.device)?.without_simulation(),
        false => Counting::start(COUNT_LIMIT, &target.device)?,
    };
    let mut stored = Samples::new();
    let cases = workloads
        .iter()
        .map(|workload| of_workload(workload, &mut stored, server, target, &mut counting));
    cases.collect()
}

/// A kernel's launch, as its source tells and as a sample of exactly it does, where the server has one.
pub(in crate::cli) fn of_workload(
    workload: &Workload<'_>,
    samples: &mut Samples,
    server: &Client,
    target: &Target,
    counting: &mut Counting,
) -> Result<Case> {
    let kernel = workload.kernel;
    let name = workload.name();
    let stored = match target.id {
        Some(id) => measured(workload, samples, server, id)?,
        None => None,
    };
    let launched = Some(Launched {
        folder: kernel.folder.clone(),
        sizes: sizes(&workload.parameters),
        is_only: kernel.variants.len() == 1,
    });
    let launch = workload.launch();
    let launch = launch.map_err(|problem| UsageError(format!("{name}: {problem}")))?;
    let too_large = launch.needs(known_limits(&target.device)).err();
    let (refusal, doubtful) = match too_large.filter(|_| stored.is_none()) {
        Some(why) => {
            let target = &target.short_name;
            (
                Some(format!("the {target} can't run it: {why}")),
                Vec::new(),
            )
        }
        None => {
            let Soundness {
                wrong, doubtful, ..
            } = counting.soundness(workload, &name)?;
            ((!wrong.is_empty()).then(|| wrong.join("; ")), doubtful)
        }
    };
    let mut doubtful = doubtful;
    if refusal.is_some() {
        return Ok(Case {
            name,
            counters: CounterSet::new(),
            measured_s: None,
            varies: None,
            gaps: Gaps::default(),
            refusal,
            doubtful,
            launched,
        });
    }
    let mut counters = stored
        .as_ref()
        .map(|sample| own::counters(&sample.sample))
        .unwrap_or_default();
    let mut gaps = counting.add(workload, &name, &mut counters)?;
    match &stored {
        Some(stored) => gaps.estimated.extend(own::estimated(&stored.sample)),
        // What was measured there judges the forecast.
        None => doubtful.extend(counting.unlike(workload, &counters, target.device.kind)),
    }
    Ok(Case {
        name,
        counters,
        measured_s: stored.as_ref().map(|sample| sample.time.median_s),
        varies: stored.and_then(|sample| sample.time.cv),
        gaps,
        refusal: None,
        doubtful,
        launched,
    })
}

/// The device's samples of kernels, by name: asked for once.
pub(in crate::cli) type Samples = BTreeMap<String, Vec<Sample>>;

/// The newest sample of exactly this source, variant and size on the device.
fn measured(
    workload: &Workload<'_>,
    samples: &mut Samples,
    server: &Client,
    device: i64,
) -> Result<Option<Sample>> {
    let kernel = workload.kernel;
    if !samples.contains_key(&kernel.name) {
        let all = server.samples(&kernel.name, device)?;
        let all = newest(all);
        samples.insert(kernel.name.clone(), all);
    }
    let is_same = |it: &Sample| {
        let of = &it.sample.workload;
        of.variant == workload.variant.name
            && of.parameters == workload.parameters
            && it.sample.provenance.source_hash.as_ref() == Some(&kernel.source_hash)
    };
    Ok(samples[&kernel.name].iter().find(|it| is_same(it)).cloned())
}

/// Of a kernel's samples on one device that count, the newest of each workload.
fn newest(mut all: Vec<Sample>) -> Vec<Sample> {
    all.retain(|it| !matches!(it.standing, Standing::Quarantined | Standing::Rejected));
    all.sort_by_key(|it| Reverse(it.sample.measured_at));
    let mut seen = BTreeSet::new();
    all.retain(|it| seen.insert(it.sample.workload.clone()));
    all
}
