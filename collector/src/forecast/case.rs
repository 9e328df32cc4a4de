//! A workload to forecast: its counters, from the source or from a stored sample, and doubts about its launch.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use anyhow::Result;
use kerncast_suite::sizes;
use kerncast_wire::{CounterSet, Measured, NamedCounterSet, Sample, Standing};

use super::samples;
use crate::{
    UsageError,
    client::Client,
    counting::novelty::novelties,
    counting::{Counting, Gaps},
    device::known_limits,
    device_choice::target::Target,
    source_analysis::accesses::Soundness,
    workload::Workload,
};

/// A workload to forecast on a device.
pub struct Case {
    /// Kernel, variant and sizes.
    pub name: String,
    pub(super) counters: CounterSet,
    /// Its time on the device that is forecast, seconds, where a sample of exactly this workload is stored.
    pub(super) measured_s: Option<f64>,
    /// How far that time varies from repetition to repetition: standard deviation ÷ mean.
    pub variation: Option<f64>,
    /// Providers that could not count.
    pub gaps: Gaps,
    /// Why it is not forecast: the device can't run it, or its launch is wrong; none where it is forecast.
    pub refusal: Option<String>,
    /// Doubts about its launch.
    pub doubts: Vec<String>,
    pub(super) launch: KernelLaunch,
}

/// A kernel's folder and the sizes of a launch.
pub(super) struct KernelLaunch {
    pub(super) folder: PathBuf,
    pub(super) sizes: String,
    /// Whether the kernel has no other variant.
    pub(super) is_only_variant: bool,
    /// Whether a replay under Nsight Compute could count it: a single launch without images.
    pub(super) is_replayable: bool,
}

impl Case {
    /// The counter set in the form of a request, with the time measured on `device`, the one that is forecast.
    pub fn counter_set(&self, device: Option<i64>) -> NamedCounterSet {
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

/// Reads cases for one device; it asks the server once for a kernel's samples.
pub struct CaseReader<'a> {
    pub(crate) server: &'a Client,
    pub(crate) target: &'a Target,
    counting: Counting<'a>,
    /// The newest sample of each workload on the device, by kernel.
    samples: BTreeMap<String, Vec<Sample>>,
}

impl<'a> CaseReader<'a> {
    /// A reader of cases for `target`; `counting` must be for the same device.
    pub fn new(server: &'a Client, target: &'a Target, counting: Counting<'a>) -> Self {
        Self {
            server,
            target,
            counting,
            samples: BTreeMap::new(),
        }
    }

    /// The case of a workload.
    ///
    /// # Errors
    /// The launch file has no value, the source is refused, or the server gives no answer.
    pub fn read(&mut self, workload: &Workload<'_>) -> Result<Case> {
        let name = workload.name();
        let sample = self.stored_sample(workload)?;
        let launch = workload.launch();
        let launch = launch.map_err(|problem| UsageError(format!("{name}: {problem}")))?;
        let mut case = Case {
            name,
            counters: CounterSet::new(),
            measured_s: None,
            variation: None,
            gaps: Gaps::default(),
            refusal: None,
            doubts: Vec::new(),
            launch: KernelLaunch {
                folder: workload.kernel.folder.clone(),
                sizes: sizes(&workload.parameters),
                is_only_variant: workload.kernel.variants.len() == 1,
                is_replayable: launch.only_step().is_some() && !launch.has_images(),
            },
        };
        let device = &self.target.device;
        // What was measured there fits.
        if let Err(why) = launch.needs(known_limits(device))
            && sample.is_none()
        {
            let target = &self.target.short_name;
            case.refusal = Some(format!("the {target} can't run it: {why}"));
            return Ok(case);
        }
        let Soundness {
            wrong, doubtful, ..
        } = self.counting.soundness(workload)?;
        case.doubts = doubtful;
        if !wrong.is_empty() {
            case.refusal = Some(wrong.join("; "));
            return Ok(case);
        }
        if let Some(sample) = &sample {
            case.counters = samples::counters(&sample.sample);
            case.measured_s = Some(sample.time.median_s);
            case.variation = sample.time.cv;
        }
        case.gaps = self.counting.add_missing(workload, &mut case.counters)?;
        match &sample {
            Some(sample) => {
                let estimated = samples::estimated_providers(&sample.sample);
                case.gaps.estimated.extend(estimated);
            }
            // A measured time would show by itself whether the forecast is good.
            None => {
                let analysis = &self.counting.analysis;
                let differences = novelties(analysis, workload, &case.counters, device.kind);
                case.doubts.extend(differences);
            }
        }
        Ok(case)
    }

    /// The newest sample of exactly this source, variant and size on the device.
    fn stored_sample(&mut self, workload: &Workload<'_>) -> Result<Option<Sample>> {
        let Some(device) = self.target.id else {
            return Ok(None);
        };
        let kernel = workload.kernel;
        if !self.samples.contains_key(&kernel.name) {
            let samples = newest(self.server.samples(&kernel.name, device)?);
            self.samples.insert(kernel.name.clone(), samples);
        }
        let is_same = |it: &&Sample| {
            let stored = &it.sample.workload;
            stored.variant == workload.variant.name
                && stored.parameters == workload.parameters
                && it.sample.provenance.source_hash.as_ref() == Some(&kernel.source_hash)
        };
        Ok(self.samples[&kernel.name].iter().find(is_same).cloned())
    }
}

/// The newest sample of each workload, without those that are set aside.
fn newest(mut samples: Vec<Sample>) -> Vec<Sample> {
    samples.retain(|it| !matches!(it.standing, Standing::Quarantined | Standing::Rejected));
    samples.sort_by_key(|it| Reverse(it.sample.measured_at));
    let mut workloads = BTreeSet::new();
    samples.retain(|it| workloads.insert(it.sample.workload.clone()));
    samples
}
