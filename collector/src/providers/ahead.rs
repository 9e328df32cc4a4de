//! Reading ahead: a profiler that starts slowly counts several workloads in one process.

use std::{collections::BTreeMap, time::Duration};

use kerncast_wire::Reading;

use super::{Subject, refuse};
use crate::{
    child::Children,
    collect::Workload,
    replay::Target,
    suite::{Launch, Parameters},
};

/// Workloads for one process of a profiler.
pub(super) const BATCH: usize = 32;
/// Bytes of a batch's buffers: filling them takes longer than a profiler's start, so more is not worth
/// losing where one of the workloads crashes.
const BATCH_BYTES: usize = 8 << 30;
/// For the start of a profiler and of its driver, beyond what each workload may take.
const START: Duration = Duration::from_secs(30);

/// A profiler that breaks down so often in a row, each time at the first workload, counts nothing here.
const BREAKDOWNS: usize = 3;

/// Counts launches that are done again in a process of its own.
pub(super) trait Profiler {
    /// Workloads that one process may take.
    fn most(&self) -> usize;

    /// Counts `targets` on a device; each of its processes may take `limit`.
    ///
    /// # Errors
    /// Why the profiler itself gave nothing: it will do no better with other targets.
    fn count(
        &mut self,
        children: &Children,
        device: usize,
        targets: &[Target],
        limit: Duration,
    ) -> Result<Counted, String>;
}

/// What became of a batch.
#[derive(Debug)]
pub(super) enum Counted {
    /// A reading for each target, in order.
    All(Vec<Reading>),
    /// The target in this place took the profiler along; what was counted of the others is lost.
    Fault(usize, String),
}

/// A profiler, and what it read ahead.
pub(super) struct Ahead<P> {
    /// Or why it can't count here: it is not there, or it said so.
    pub(super) profiler: Result<P, String>,
    readings: BTreeMap<Key, Reading>,
    breakdowns: usize,
}

/// A workload on a device.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    device: usize,
    kernel: String,
    variant: String,
    parameters: Parameters,
}

impl<P: Profiler> Ahead<P> {
    pub(super) fn new(profiler: Result<P, String>) -> Self {
        Self {
            profiler,
            readings: BTreeMap::new(),
            breakdowns: 0,
        }
    }

    /// The subject's reading; each workload may take about `limit`.
    pub(super) fn read(
        &mut self,
        children: &Children,
        subject: Subject<'_>,
        limit: Duration,
    ) -> Reading {
        let batch = batch(subject);
        let wanted = batch[0].0.clone();
        loop {
            if let Some(reading) = self.readings.remove(&wanted) {
                return reading;
            }
            let profiler = match &mut self.profiler {
                Ok(profiler) => profiler,
                Err(reason) => return refuse(reason.clone()),
            };
            let (keys, targets): (Vec<_>, Vec<_>) = batch
                .iter()
                .filter(|(key, _)| !self.readings.contains_key(key))
                .take(profiler.most())
                .cloned()
                .unzip();
            let limit = START + limit * u32::try_from(keys.len()).unwrap_or(u32::MAX);
            match profiler.count(children, subject.device.index, &targets, limit) {
                Ok(Counted::All(readings)) => {
                    self.breakdowns = 0;
                    self.readings.extend(keys.into_iter().zip(readings));
                }
                // The rest is counted again without it.
                Ok(Counted::Fault(place, fault)) => {
                    self.breakdowns = if place == 0 { self.breakdowns + 1 } else { 0 };
                    if self.breakdowns == BREAKDOWNS {
                        self.profiler =
                            Err(format!("gave up after {BREAKDOWNS} workloads: {fault}"));
                    }
                    self.readings.insert(keys[place].clone(), refuse(fault));
                }
                Err(reason) => self.profiler = Err(reason),
            }
        }
    }
}

/// How many counters a profiler gives of one workload.
///
/// # Errors
/// Why there are none.
pub(super) fn probe(
    mut profiler: impl Profiler,
    children: &Children,
    device: usize,
    target: &Target,
    limit: Duration,
) -> Result<usize, String> {
    let targets = std::slice::from_ref(target);
    match profiler.count(children, device, targets, limit)? {
        Counted::Fault(_, fault) => Err(fault),
        Counted::All(readings) => match readings.into_iter().next() {
            Some(Reading {
                refusal: Some(reason),
                ..
            }) => Err(reason),
            Some(reading) => Ok(reading.counters.len()),
            None => Err("nothing was counted".to_owned()),
        },
    }
}

/// The subject and, as far as they are small, the workloads that follow it.
fn batch(subject: Subject<'_>) -> Vec<(Key, Target)> {
    let first = Workload {
        kernel: subject.kernel,
        variant: subject.variant,
        parameters: subject.parameters.clone(),
    };
    let mut bytes = subject.launch.global_bytes();
    let rest = subject.rest.iter().take(BATCH - 1).take_while(|workload| {
        let launch = Launch::new(workload.kernel, workload.variant, &workload.parameters);
        bytes += launch.map_or(0, |launch| launch.global_bytes());
        bytes <= BATCH_BYTES
    });
    let entry = |workload: &Workload<'_>| {
        let target = Target {
            folder: workload.kernel.folder.clone(),
            variant: workload.variant.name.clone(),
            parameters: workload.parameters.clone(),
        };
        let key = Key {
            device: subject.device.index,
            kernel: workload.kernel.name.clone(),
            variant: workload.variant.name.clone(),
            parameters: workload.parameters.clone(),
        };
        (key, target)
    };
    std::iter::once(entry(&first))
        .chain(rest.map(entry))
        .collect()
}
