//! Counts a workload without its device: geometry, the source's counters, and Oclgrind's.

use std::{collections::BTreeMap, time::Duration};

use anyhow::Result;
use kerncast_opencl::DeviceFacts;
use kerncast_wire::{
    CounterSet, Device, Reading, Scope,
    provider::{ANALYSIS, LAUNCH, OCLGRIND},
};

use crate::{
    UsageError,
    child::{Children, Failure},
    progress::Activity,
    providers::{Analysis, CountedWorkload, Geometry, Oclgrind, Provider},
    source_analysis::accesses::{Reader, Soundness},
    units::joined,
    workload::Workload,
};

pub mod kernel_analysis;
pub mod novelty;
mod source_counts;

pub use source_counts::{SOURCE_PROVIDERS, SourceCounts, count_from_source};

/// The longest time for counting a workload's instructions; larger workloads are estimated from some work-groups.
const COUNT_LIMIT: Duration = Duration::from_secs(5);

/// Providers that could not count, or only some work-groups.
#[derive(Default)]
pub struct Gaps {
    /// Providers that could not count, with their reasons.
    pub uncounted: BTreeMap<String, String>,
    /// Providers whose counts are estimated from some of the work-groups.
    pub estimated: Vec<String>,
}

/// Use of Oclgrind.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Simulation {
    Always,
    /// Only where the source does not tell the counts.
    IfNeeded,
    Never,
}

/// Counts workloads for forecasts on one device, which need not be here.
pub struct Counting<'c> {
    children: &'c Children,
    /// A device of this machine. Building for it tells how much local memory a kernel uses. Without an OpenCL driver
    /// nothing is counted, and this says why.
    device: Result<DeviceFacts, String>,
    limit: Duration,
    pub(crate) analysis: Analysis,
    simulation: Simulation,
    /// Whether each workload is announced before it is counted.
    is_verbose: bool,
}

impl<'c> Counting<'c> {
    /// Counts by every provider that needs no device (`launch`, `analysis`, `oclgrind`), for five seconds each.
    pub fn without_device(children: &'c Children, target: &Device) -> Result<Self> {
        let device = match children.devices(&[]) {
            Ok(mut devices) => Ok(devices.remove(0)),
            Err(Failure::NoOpenCl(why)) => Err(why),
            Err(failure) => return Err(failure.into()),
        };
        Ok(Self {
            children,
            device,
            limit: COUNT_LIMIT,
            analysis: Analysis::find().with_device(target),
            simulation: Simulation::Always,
            is_verbose: true,
        })
    }

    /// Counts from the source without a time limit; Oclgrind counts only what the source does not tell.
    pub fn without_device_source_first(children: &'c Children, target: &Device) -> Result<Self> {
        Ok(Self {
            limit: Duration::MAX,
            simulation: Simulation::IfNeeded,
            is_verbose: false,
            ..Self::without_device(children, target)?
        })
    }

    /// Turns Oclgrind off.
    pub fn without_simulation(self) -> Self {
        Self {
            simulation: Simulation::Never,
            ..self
        }
    }

    /// Faults of a workload's launch, as far as its source tells.
    ///
    /// # Errors
    /// The compiler refuses the source, or the launch file gives arguments of other types than the source.
    pub fn soundness(&self, workload: &Workload<'_>) -> Result<Soundness> {
        if let Ok(device) = &self.device {
            self.local_bytes(device, workload)?;
        }
        let clang = self.analysis.clang().ok();
        let soundness = clang.and_then(|clang| Reader::new(clang).soundness(workload).ok());
        let mut soundness = soundness.unwrap_or_default();
        let launch = workload.launch()?;
        if soundness.writes && self.analysis.compiles_to_nothing(workload, &launch) == Ok(true) {
            let nothing = "a compiler leaves nothing of it, though its source writes to memory: a loop without an end or without a pass, a result that nobody reads, or one that is undefined (a division by 0, a variable that is never set)";
            soundness.wrong.push(nothing.to_owned());
        }
        Ok(soundness)
    }

    /// Adds the counters that `counters` lacks: the launch's geometry, the source's counters, and Oclgrind's.
    ///
    /// # Errors
    /// The launch file has no value, or the compiler refuses the source.
    pub fn add_missing(&self, workload: &Workload<'_>, counters: &mut CounterSet) -> Result<Gaps> {
        let mut gaps = Gaps::default();
        let providers = [LAUNCH, ANALYSIS, OCLGRIND];
        if providers.iter().all(|it| counters.contains_key(*it)) {
            return Ok(gaps);
        }
        let name = workload.name();
        let launch = workload.launch();
        let launch = launch.map_err(|problem| UsageError(format!("{name}: {problem}")))?;
        let device = match &self.device {
            Ok(device) => device,
            Err(why) if counters.is_empty() => return Err(Failure::NoOpenCl(why.clone()).into()),
            Err(why) => {
                gaps.uncounted.insert(OCLGRIND.to_owned(), why.clone());
                return Ok(gaps);
            }
        };
        let local_bytes = self.local_bytes(device, workload)?;
        let subject = CountedWorkload {
            device,
            workload,
            rest: &[],
            launch: &launch,
            local_bytes,
        };
        counters
            .entry(LAUNCH.to_owned())
            .or_insert_with(|| Geometry.read(subject, self.limit).counters);
        let needs_analysis = !counters.contains_key(ANALYSIS);
        let may_need_oclgrind =
            !counters.contains_key(OCLGRIND) && self.simulation == Simulation::Always;
        if !needs_analysis && !may_need_oclgrind {
            return Ok(gaps);
        }
        if self.is_verbose {
            say!("counting {name}");
        }
        if needs_analysis {
            let _activity = Activity::begin("following the source", "ten seconds at most");
            let reading = self.analysis.read(subject, self.limit);
            gaps.record(ANALYSIS, reading, counters);
        }
        let simulates = match self.simulation {
            Simulation::Always => true,
            Simulation::IfNeeded => gaps.uncounted.contains_key(ANALYSIS),
            Simulation::Never => false,
        };
        if simulates && !counters.contains_key(OCLGRIND) {
            let _activity = Activity::begin("counting instructions", "half a minute at most");
            let limit = self.limit.min(COUNT_LIMIT);
            let reading = Oclgrind::read_source_first(self.children, subject, limit);
            gaps.record(OCLGRIND, reading, counters);
        }
        Ok(gaps)
    }

    /// The local memory of one work-group, bytes, according to the device's compiler.
    fn local_bytes(&self, device: &DeviceFacts, workload: &Workload<'_>) -> Result<u64> {
        let name = || workload.name();
        match self.children.local_bytes(device, workload.key()) {
            Ok(bytes) => Ok(bytes),
            Err(Failure::Refused(why)) => Err(UsageError(format!("{}: {why}", name())).into()),
            Err(failure) => {
                let building = format!("{}: building it for {}", name(), device.name);
                Err(anyhow::Error::from(failure).context(building))
            }
        }
    }
}

impl Gaps {
    /// Why only the geometry could be counted; none if more could.
    pub fn explain_nothing_counted(&self, counters: &CounterSet) -> Option<String> {
        if self.uncounted.is_empty() || counters.keys().any(|provider| provider != LAUNCH) {
            return None;
        }
        let each = self.uncounted.iter();
        let each = joined(
            each.map(|(provider, why)| format!("{provider}: {why}")),
            "; ",
        );
        Some(format!("what it does could not be counted: {each}"))
    }

    /// Stores a provider's counters, or why it could not count.
    fn record(&mut self, provider: &str, reading: Reading, counters: &mut CounterSet) {
        match reading.refusal {
            Some(why) => {
                self.uncounted.insert(provider.to_owned(), why);
            }
            None => {
                // Forecasts by the analysis already allow for its estimates.
                if reading.scope != Scope::Full && provider != ANALYSIS {
                    self.estimated.push(provider.to_owned());
                }
                counters.insert(provider.to_owned(), reading.counters);
            }
        }
    }
}
