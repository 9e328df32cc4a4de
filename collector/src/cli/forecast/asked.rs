//! What is to be forecast: from folders, names and samples to counters.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use anyhow::Result;
use kerncast_collector::{
    UsageError,
    accesses::Soundness,
    client::Client,
    collect::{Filter, plan},
    device::known_limits,
    import::{Counted, counted},
    workload::{self, Workload},
};
use kerncast_suite::{Kernel, sizes};
use kerncast_wire::{
    CounterSet, DeviceKind, DeviceSummary, Measured, NamedCounterSet, NewSample, Overview, Sample,
    Standing,
};
use uuid::Uuid;

use super::{
    Arguments,
    counting::{COUNT_LIMIT, Counting, Gaps},
    source,
};
use crate::cli::{
    kernels::{Finder, suite, workloads},
    lab::Target,
    predict::own,
};

/// What [`Finder`] finds, and what else may be forecast.
const EXPECTED: &str =
    "a kernel's folder, the name of a kernel of the suite, a sample's id, or a file of a spool";

/// A workload to forecast.
pub(in crate::cli) struct Case {
    pub(in crate::cli) name: String,
    pub(super) counters: CounterSet,
    /// What it took on the device that is forecast, seconds.
    pub(super) measured_s: Option<f64>,
    /// How far that varies from repetition to repetition: standard deviation ÷ mean.
    pub(in crate::cli) varies: Option<f64>,
    /// Where the counters are of another device.
    pub(super) counted_on: Option<CountedOn>,
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
            time_s: self.counted_on.map(|it| it.time_s),
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

/// Where a sample was measured, and what it took there.
#[derive(Clone, Copy)]
pub(in crate::cli) struct CountedOn {
    pub(super) device: i64,
    pub(super) time_s: f64,
}

/// One a variant and size of each kernel, and one a sample.
pub(super) fn cases(
    arguments: &Arguments,
    server: &Client,
    target: &Target,
    overview: &Overview,
) -> Result<Vec<Case>> {
    let (mut samples, mut kernels) = (Vec::new(), Vec::new());
    let mut finder = Finder::new(EXPECTED);
    for asked in &arguments.asked {
        let path = Path::new(asked);
        if let Ok(id) = asked.parse::<Uuid>() {
            samples.push((asked.clone(), server.sample(id)?.sample));
        } else if path.is_file() {
            let content = counted(path).map_err(|error| UsageError(error.to_string()))?;
            let Counted::Samples(found) = content else {
                let what =
                    "no sample of Kerncast's; `kerncast predict` forecasts other profilers' files";
                return Err(UsageError(format!("{asked}: {what}")).into());
            };
            let named = |(place, sample)| (format!("{asked}: {place}"), sample);
            samples.extend(found.into_iter().map(named));
        } else {
            kernels.extend(finder.find(asked)?);
        }
    }
    if let Some(option) = of_kernels_only(arguments).filter(|_| kernels.is_empty()) {
        let found = format!("{option} says something of kernels, and none is asked for");
        return Err(UsageError(found).into());
    }
    let workloads = match kernels.is_empty() {
        true => Vec::new(),
        false => {
            let (variants, sizes) = (&arguments.variant, &arguments.size);
            // Devices are compared at one size.
            let kind = match arguments.is_all() {
                true => DeviceKind::Gpu,
                false => target.device.kind,
            };
            workloads(&kernels, variants, sizes, kind)?
        }
    };
    // For many devices Oclgrind would take too long.
    let mut counting = match arguments.is_all() {
        true => Counting::of_source(&target.device)?.without_simulation(),
        false => Counting::start(COUNT_LIMIT, &target.device)?,
    };
    let mut stored = Samples::new();
    let mut cases = Vec::new();
    if !samples.is_empty() {
        let here = suite(&[]).map_or_else(|_| Vec::new(), |it| it.kernels);
        for (place, sample) in &samples {
            let own = of_sample(place, sample, target.id, overview)?;
            let source = source::of(sample, &here, server)?;
            let kernel = source.as_ref().map(|it| std::slice::from_ref(&it.kernel));
            cases.push(match kernel {
                Some(kernel) => {
                    let workload = launched(sample, kernel, target)?;
                    by_source(own, &workload, &mut stored, server, target, &mut counting)?
                }
                None => own,
            });
        }
    }
    for workload in &workloads {
        let case = of_workload(workload, &mut stored, server, target, &mut counting)?;
        cases.push(case);
    }
    Ok(cases)
}

/// An option that changes nothing where only samples are asked for.
fn of_kernels_only(arguments: &Arguments) -> Option<&'static str> {
    [
        ("--size", !arguments.size.is_empty()),
        ("--variant", !arguments.variant.is_empty()),
    ]
    .into_iter()
    .find_map(|(option, is_given)| is_given.then_some(option))
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
            counted_on: None,
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
        counted_on: None,
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

/// What the sample measured, of these sources.
fn launched<'k>(
    sample: &NewSample,
    kernel: &'k [Kernel],
    target: &Target,
) -> Result<Workload<'k>, UsageError> {
    let of = &sample.workload;
    let filter = Filter {
        variants: vec![of.variant.clone()],
        sizes: vec![of.parameters.clone()],
        ..Filter::default()
    };
    let mut all = plan(kernel, &filter, target.device.kind)?;
    Ok(all.remove(0))
}

/// A sample's case, with what its sources tell of it. Of another device it is as if the kernel had been asked for: the
/// same workload gets the same answer, whoever measured it.
fn by_source(
    own: Case,
    workload: &Workload<'_>,
    stored: &mut Samples,
    server: &Client,
    target: &Target,
    counting: &mut Counting,
) -> Result<Case> {
    if own.counted_on.is_some() {
        let case = of_workload(workload, stored, server, target, counting)?;
        return Ok(Case {
            name: own.name,
            launched: None,
            ..case
        });
    }
    let mut counters = own.counters;
    let told = counting.add(workload, &own.name, &mut counters)?;
    let mut gaps = own.gaps;
    gaps.uncounted.extend(told.uncounted);
    gaps.estimated.extend(told.estimated);
    Ok(Case {
        counters,
        gaps,
        ..own
    })
}

fn of_sample(
    place: &str,
    sample: &NewSample,
    target: Option<i64>,
    overview: &Overview,
) -> Result<Case, UsageError> {
    own::check(sample).map_err(|problem| UsageError(format!("{place}: {problem}")))?;
    let counters = own::counters(sample);
    if counters.is_empty() {
        return Err(UsageError(format!("{place} has no kernel's counters")));
    }
    let of = &sample.device;
    let mut devices = overview.devices.iter().map(|it| &it.device);
    let is_own =
        |it: &&DeviceSummary| (&it.device.vendor, &it.device.name) == (&of.vendor, &of.name);
    let Some(device) = devices.find(is_own).map(|it| it.id) else {
        let name = &of.name;
        return Err(UsageError(format!(
            "{place}: the server does not know its device, {name}"
        )));
    };
    let time_s = own::median(sample);
    let workload = &sample.workload;
    let name = workload::name(&workload.kernel, &workload.variant, &workload.parameters);
    Ok(Case {
        name: format!("{name} ({place})"),
        counters,
        measured_s: (Some(device) == target).then_some(time_s),
        varies: None,
        // A GPU that nobody has measured takes another's counters as its own.
        counted_on: target
            .filter(|it| *it != device)
            .map(|_| CountedOn { device, time_s }),
        gaps: Gaps {
            uncounted: BTreeMap::new(),
            estimated: own::estimated(sample),
        },
        refusal: None,
        doubtful: Vec::new(),
        launched: None,
    })
}
