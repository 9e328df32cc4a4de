//! Reading ahead: a profiler that starts slowly counts several workloads in one process.

use std::{collections::BTreeMap, time::Duration};

use kerncast_wire::Reading;

use super::{Subject, refuse};
use crate::{
    child::Children,
    workload::{Target, Workload},
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
    /// By device and workload.
    readings: BTreeMap<(usize, Target), Reading>,
    breakdowns: usize,
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
        let device = subject.device.index;
        let batch = batch(subject);
        let wanted = (device, subject.workload.target());
        loop {
            if let Some(reading) = self.readings.remove(&wanted) {
                return reading;
            }
            let profiler = match &mut self.profiler {
                Ok(profiler) => profiler,
                Err(reason) => return refuse(reason.clone()),
            };
            let targets: Vec<Target> = batch
                .iter()
                .filter(|target| !self.readings.contains_key(&(device, (*target).clone())))
                .take(profiler.most())
                .cloned()
                .collect();
            let limit = START + limit * u32::try_from(targets.len()).unwrap_or(u32::MAX);
            match profiler.count(children, device, &targets, limit) {
                Ok(Counted::All(readings)) => {
                    self.breakdowns = 0;
                    let keys = targets.into_iter().map(|target| (device, target));
                    self.readings.extend(keys.zip(readings));
                }
                // The rest is counted again without it.
                Ok(Counted::Fault(place, fault)) => {
                    self.breakdowns = if place == 0 { self.breakdowns + 1 } else { 0 };
                    if self.breakdowns == BREAKDOWNS {
                        self.profiler =
                            Err(format!("gave up after {BREAKDOWNS} workloads: {fault}"));
                    }
                    let key = (device, targets[place].clone());
                    self.readings.insert(key, refuse(fault));
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
fn batch(subject: Subject<'_>) -> Vec<Target> {
    let mut bytes = subject.launch.global_bytes();
    let rest = subject.rest.iter().take(BATCH - 1).take_while(|workload| {
        bytes += workload.launch().map_or(0, |launch| launch.global_bytes());
        bytes <= BATCH_BYTES
    });
    std::iter::once(subject.workload)
        .chain(rest)
        .map(Workload::target)
        .collect()
}
