//! A profiler that starts slowly counts several workloads in one process, ahead of their turn.

use std::{cell::RefCell, collections::BTreeMap, time::Duration};

use kerncast_wire::Reading;

use super::{CountedWorkload, Provider, refuse};
use crate::{
    child::Children,
    replay::Batch,
    workload::{Workload, WorkloadKey},
};

/// The most workloads for one process of a profiler.
pub(super) const MOST_WORKLOADS: usize = 32;
/// The most bytes of a batch's buffers. Filling these takes longer than a profiler's start, so larger batches gain
/// nothing and lose more if a workload crashes.
const MOST_BUFFER_BYTES: usize = 8 << 30;
/// Time for the start of a profiler and its driver, in addition to the workloads' own.
const START_TIME: Duration = Duration::from_secs(30);

/// A profiler that breaks down this many times in a row, each time at the first workload, counts nothing here.
const MOST_BREAKDOWNS: usize = 3;

/// A profiler that counts workloads while they are launched again in a process of its own.
pub trait Profiler {
    /// The provider's name.
    const NAME: &'static str;
    /// The vendor of the devices that it counts on, as OpenCL platforms name it.
    const VENDOR: &'static str;

    /// The version, as the profiler prints it.
    fn version(&self) -> &str;

    /// The most workloads for one process.
    fn most(&self) -> usize {
        MOST_WORKLOADS
    }

    /// Counts a batch; each process that it takes may run for the batch's limit.
    ///
    /// # Errors
    /// The profiler itself gave nothing, and other workloads would not help; why.
    fn count(&mut self, batch: Batch<'_>) -> Result<BatchResult, String>;
}

/// The outcome of a batch.
#[derive(Debug)]
pub enum BatchResult<T = Reading> {
    /// A value for each workload, in order.
    All(Vec<T>),
    /// The index of a workload that ended the profiler, and why; the counts of the other workloads are lost.
    Fault(usize, String),
}

/// The provider that counts by a profiler.
pub struct BatchedProvider<'a, P> {
    children: &'a Children,
    version: Option<String>,
    state: RefCell<State<P>>,
}

/// A profiler, and readings made ahead.
struct State<P> {
    /// The profiler, or why it can't count here.
    profiler: Result<P, String>,
    /// Readings by device and workload.
    readings: BTreeMap<(usize, WorkloadKey), Reading>,
    breakdowns: usize,
}

impl<'a, P: Profiler> BatchedProvider<'a, P> {
    /// A provider by `profiler`, or one that refuses with the reason why there is none.
    pub fn new(children: &'a Children, profiler: Result<P, String>) -> Self {
        let version = profiler.as_ref().ok().map(|it| it.version().to_owned());
        let state = State {
            profiler,
            readings: BTreeMap::new(),
            breakdowns: 0,
        };
        Self {
            children,
            version,
            state: RefCell::new(state),
        }
    }
}

impl<P: Profiler> Provider for BatchedProvider<'_, P> {
    fn name(&self) -> &'static str {
        P::NAME
    }

    fn tool_version(&self) -> Option<String> {
        self.version.clone()
    }

    fn read(&self, subject: CountedWorkload<'_>, limit: Duration) -> Reading {
        let (ours, vendor) = (P::VENDOR, &subject.device.vendor);
        if vendor != ours {
            return refuse(format!("counts on {ours}'s devices, not on {vendor}'s"));
        }
        let mut state = self.state.borrow_mut();
        state.read(self.children, subject, limit)
    }
}

impl<P: Profiler> State<P> {
    /// The workload's reading; each workload may take about `limit`.
    fn read(
        &mut self,
        children: &Children,
        subject: CountedWorkload<'_>,
        limit: Duration,
    ) -> Reading {
        let device = subject.device.index;
        let batch = batch(subject);
        let key = (device, subject.workload.key());
        loop {
            if let Some(reading) = self.readings.remove(&key) {
                return reading;
            }
            let profiler = match &mut self.profiler {
                Ok(profiler) => profiler,
                Err(reason) => return refuse(reason.clone()),
            };
            let workloads = batch.iter();
            let is_new = |it: &&WorkloadKey| !self.readings.contains_key(&(device, (*it).clone()));
            let workloads = workloads.filter(is_new).take(profiler.most());
            let workloads: Vec<WorkloadKey> = workloads.cloned().collect();
            let limit = START_TIME + limit * u32::try_from(workloads.len()).unwrap_or(u32::MAX);
            let result = profiler.count(Batch {
                children,
                device,
                workloads: &workloads,
                limit,
            });
            match result {
                Ok(BatchResult::All(readings)) => {
                    self.breakdowns = 0;
                    let keys = workloads.into_iter().map(|workload| (device, workload));
                    self.readings.extend(keys.zip(readings));
                }
                // The rest is counted again without it.
                Ok(BatchResult::Fault(place, fault)) => {
                    self.breakdowns = if place == 0 { self.breakdowns + 1 } else { 0 };
                    if self.breakdowns == MOST_BREAKDOWNS {
                        self.profiler = Err(format!(
                            "gave up after {MOST_BREAKDOWNS} workloads: {fault}"
                        ));
                    }
                    let key = (device, workloads[place].clone());
                    self.readings.insert(key, refuse(fault));
                }
                Err(reason) => self.profiler = Err(reason),
            }
        }
    }
}

/// The number of counters that a profiler gives of a batch with one workload.
///
/// # Errors
/// The profiler gives no counters; why.
pub(crate) fn probe(mut profiler: impl Profiler, batch: Batch<'_>) -> Result<usize, String> {
    match profiler.count(batch)? {
        BatchResult::Fault(_, fault) => Err(fault),
        BatchResult::All(readings) => match readings.into_iter().next() {
            Some(Reading {
                refusal: Some(reason),
                ..
            }) => Err(reason),
            Some(reading) => Ok(reading.counters.len()),
            None => Err("nothing was counted".to_owned()),
        },
    }
}

/// The workload, and the small workloads that follow it.
fn batch(subject: CountedWorkload<'_>) -> Vec<WorkloadKey> {
    let mut bytes = subject.launch.global_bytes();
    let rest = subject
        .rest
        .iter()
        .take(MOST_WORKLOADS - 1)
        .take_while(|workload| {
            bytes += workload.launch().map_or(0, |launch| launch.global_bytes());
            bytes <= MOST_BUFFER_BYTES
        });
    let workloads = std::iter::once(subject.workload).chain(rest);
    workloads.map(Workload::key).collect()
}
