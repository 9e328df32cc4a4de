//! What can be counted of a workload here, whatever device it is for.

use std::{collections::BTreeMap, time::Duration};

use anyhow::{Result, anyhow};
use kerncast_collector::{
    UsageError,
    child::{Children, Failure},
    providers::{Analysis, Geometry, Oclgrind, Provider, Subject, scope},
    source_analysis::accesses::{Reader, Soundness},
    source_analysis::novelty::novelties,
    source_analysis::oclgrind_counts::SourceCounter,
    workload::Workload,
};
use kerncast_opencl::DeviceFacts;
use kerncast_wire::{CounterSet, Device, DeviceKind, Reading, Scope};

use crate::cli::{options::children, silence::Still};

/// A workload's instructions are counted for at most so long; more is estimated from its first and last work-groups.
pub(super) const COUNT_LIMIT: Duration = Duration::from_secs(5);
const OCLGRIND: &str = "oclgrind";
const ANALYSIS: &str = "analysis";

/// What nobody counted whole, of what is counted.
#[derive(Default)]
pub(in crate::cli) struct Gaps {
    /// Who could not count, and why.
    pub(in crate::cli) uncounted: BTreeMap<String, String>,
    /// Whose counts are estimated from a part of the work-groups.
    pub(super) estimated: Vec<String>,
}

/// When Oclgrind counts, too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum Simulates {
    Always,
    /// Where the source does not tell.
    IfNeeded,
    Never,
}

/// Where sources are built and simulated.
pub(in crate::cli) struct Counting {
    children: Children,
    /// Any device: it builds, to tell the local memory of arrays in the source. Without an OpenCL driver nothing is
    /// counted, and this says why.
    device: Result<DeviceFacts, String>,
    limit: Duration,
    analysis: Analysis,
    /// When Oclgrind counts, too.
    simulates: Simulates,
    /// Whether each workload is named before it is counted.
    names: bool,
}

impl Counting {
    /// For forecasts on `target`.
    pub(in crate::cli) fn start(limit: Duration, target: &Device) -> Result<Self> {
        let children = children()?;
        let device = match children.devices(&[]) {
            Ok(mut devices) => Ok(devices.remove(0)),
            Err(Failure::NoOpenCl(why)) => Err(why),
            Err(failure) => return Err(failure.into()),
        };
        Ok(Self {
            children,
            device,
            limit,
            analysis: Analysis::find().on(target),
            simulates: Simulates::Always,
            names: true,
        })
    }

    /// The same, of what the source alone tells: variants that nobody has run are compared by it, and what it does not
    /// tell is simulated. Whoever compares them says how far it is.
    pub(in crate::cli) fn of_source(target: &Device) -> Result<Self> {
        Ok(Self {
            simulates: Simulates::IfNeeded,
            names: false,
            ..Self::start(Duration::MAX, target)?
        })
    }

    /// Where that would take too long.
    pub(in crate::cli) fn without_simulation(self) -> Self {
        Self {
            simulates: Simulates::Never,
            ..self
        }
    }

    /// What is wrong with its launch, as far as its source tells.
    ///
    /// # Errors
    /// The compiler refuses the source, or the launch file gives arguments of other types: what accesses do would be
    /// nonsense.
    pub(in crate::cli) fn soundness(
        &mut self,
        workload: &Workload<'_>,
        name: &str,
    ) -> Result<Soundness> {
        if let Ok(device) = &self.device {
            local_bytes(&mut self.children, device, workload, name)?;
        }
        let clang = self.analysis.clang().ok();
        let found = clang.and_then(|clang| Reader::new(clang).soundness(workload).ok());
        let mut found = found.unwrap_or_default();
        let launch = workload.launch()?;
        if found.writes && self.analysis.is_nothing(workload, &launch) == Ok(true) {
            let nothing = "a compiler leaves nothing of it, though its source writes to memory: a loop without an end or without a pass, a result that nobody reads, or one that is undefined (a division by 0, a variable that is never set)";
            found.wrong.push(nothing.to_owned());
        }
        Ok(found)
    }

    /// What of it models have hardly seen, though its counters do not tell: see [`novelties`].
    pub(super) fn unlike(
        &self,
        workload: &Workload<'_>,
        counters: &CounterSet,
        kind: DeviceKind,
    ) -> Vec<String> {
        novelties(&self.analysis, workload, counters, kind)
    }

    /// Adds what `counters` lacks of the launch's geometry, of what the source tells, and of Oclgrind's counts. Says
    /// who could not count, and why.
    ///
    /// # Errors
    /// The launch file has no value, or the compiler refuses the source.
    pub(in crate::cli) fn add(
        &mut self,
        workload: &Workload<'_>,
        name: &str,
        counters: &mut CounterSet,
    ) -> Result<Gaps> {
        let mut gaps = Gaps::default();
        let all = ["launch", ANALYSIS, OCLGRIND];
        if all.iter().all(|provider| counters.contains_key(*provider)) {
            return Ok(gaps);
        }
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
        let local_bytes = local_bytes(&mut self.children, device, workload, name)?;
        let subject = Subject {
            device,
            workload,
            rest: &[],
            launch: &launch,
            local_bytes,
        };
        counters
            .entry("launch".to_owned())
            .or_insert_with(|| Geometry.read(subject, self.limit).counters);
        let simulates = |gaps: &Gaps| match self.simulates {
            Simulates::Always => true,
            Simulates::IfNeeded => gaps.uncounted.contains_key(ANALYSIS),
            Simulates::Never => false,
        };
        let has_all = counters.contains_key(OCLGRIND) || self.simulates != Simulates::Always;
        if counters.contains_key(ANALYSIS) && has_all {
            return Ok(gaps);
        }
        if self.names {
            say!("counting {name}");
        }
        if !counters.contains_key(ANALYSIS) {
            let _still = Still::doing("following the source", "ten seconds at most");
            let reading = self.analysis.read(subject, self.limit);
            gaps.take(ANALYSIS, reading, counters);
        }
        if simulates(&gaps) && !counters.contains_key(OCLGRIND) {
            let _still = Still::doing("counting instructions", "half a minute at most");
            let reading = self.as_oclgrind(subject);
            gaps.take(OCLGRIND, reading, counters);
        }
        Ok(gaps)
    }

    /// Oclgrind's counters: from the source where that tells all of them, whatever the size; else as it counts them,
    /// and where that takes too long too, from some of the work-groups.
    fn as_oclgrind(&self, subject: Subject<'_>) -> Reading {
        let from_source = SourceCounter::find(&self.children).map_err(|why| anyhow!(why));
        let told = from_source.and_then(|mut it| it.counts(subject.workload));
        let told = told.map(|counts| Reading {
            scope: scope(counts.extent),
            counters: counts.counters,
            refusal: None,
        });
        match told {
            Ok(told) if told.scope == Scope::Full => told,
            other => {
                let limit = self.limit.min(COUNT_LIMIT);
                let counted = Oclgrind::find(&self.children).read(subject, limit);
                match counted.refusal {
                    Some(_) => other.unwrap_or(counted),
                    None => counted,
                }
            }
        }
    }
}

/// Who could not count, and why, but for what is said elsewhere.
pub(in crate::cli) fn not_counted(uncounted: &BTreeMap<String, String>, said: &str) -> Vec<String> {
    let unsaid = uncounted
        .iter()
        .filter(|(_, why)| !said.contains(why.as_str()));
    unsaid
        .map(|(provider, why)| format!("not counted by {provider}: {why}"))
        .collect()
}

/// Of one work-group, bytes, as the device's compiler says it.
fn local_bytes(
    children: &mut Children,
    device: &DeviceFacts,
    workload: &Workload<'_>,
    name: &str,
) -> Result<u64> {
    match children.local_bytes(device, workload.target()) {
        Ok(bytes) => Ok(bytes),
        Err(Failure::Refused(why)) => Err(UsageError(format!("{name}: {why}")).into()),
        Err(failure) => {
            let building = format!("{name}: building it for {}", device.name);
            Err(anyhow::Error::from(failure).context(building))
        }
    }
}

impl Gaps {
    /// Why nobody could count what the kernel does, where nobody could.
    pub(in crate::cli) fn whole(&self, counters: &CounterSet) -> Option<String> {
        if self.uncounted.is_empty() || counters.keys().any(|provider| provider != "launch") {
            return None;
        }
        let each = self.uncounted.iter();
        let each = each.map(|(provider, why)| format!("{provider}: {why}"));
        let each = each.collect::<Vec<_>>().join("; ");
        Some(format!("what it does could not be counted: {each}"))
    }

    /// Keeps what was counted, or why it was not.
    fn take(&mut self, provider: &str, reading: Reading, counters: &mut CounterSet) {
        match reading.refusal {
            Some(why) => {
                self.uncounted.insert(provider.to_owned(), why);
            }
            None => {
                // The analysis says by itself how far off its estimates make a forecast.
                if reading.scope != Scope::Full && provider != ANALYSIS {
                    self.estimated.push(provider.to_owned());
                }
                counters.insert(provider.to_owned(), reading.counters);
            }
        }
    }
}
