//! A profiler that starts slowly counts several workloads in one process, ahead of their turn.

use std::{cell::RefCell, collections::BTreeMap, time::Duration};

use kerncast_wire::Reading;

use super::{Provider, Subject, refuse};
use crate::{
    child::Children,
    replay::Batch,
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
pub trait Profiler {
    /// The provider's name.
    const NAME: &'static str;
    /// Whose devices it counts on, as their OpenCL platforms call themselves.
    const VENDOR: &'static str;

    /// As it says.
    fn version(&self) -> &str;

    /// Workloads that one process may take.
    fn most(&self) -> usize {
        BATCH
    }

    /// Counts a batch; each of its processes may take the batch's limit.
    ///
    /// # Errors
    /// Why the profiler itself gave nothing: it will do no better with other targets.
    fn count(&mut self, batch: Batch<'_>) -> Result<BatchResult, String>;
}

/// What became of a batch.
#[derive(Debug)]
pub enum BatchResult<T = Reading> {
    /// One for each target, in order.
    All(Vec<T>),
    /// The target in this place took the profiler along; what was counted of the others is lost.
    Fault(usize, String),
}

/// The provider that has a profiler count.
pub struct BatchedProvider<'a, P> {
    children: &'a Children,
    version: Option<String>,
    state: RefCell<State<P>>,
}

/// A profiler, and what it read ahead.
struct State<P> {
    /// Or why it can't count here: it is not there, or it said so.
    profiler: Result<P, String>,
    /// By device and workload.
    readings: BTreeMap<(usize, Target), Reading>,
    breakdowns: usize,
}

impl<'a, P: Profiler> BatchedProvider<'a, P> {
    /// By a profiler that was found, or with the reason why there is none.
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

    fn read(&self, subject: Subject<'_>, limit: Duration) -> Reading {
        let (ours, vendor) = (P::VENDOR, &subject.device.vendor);
        if vendor != ours {
            return refuse(format!("counts on {ours}'s devices, not on {vendor}'s"));
        }
        let mut state = self.state.borrow_mut();
        state.read(self.children, subject, limit)
    }
}

impl<P: Profiler> State<P> {
    /// The subject's reading; each workload may take about `limit`.
    fn read(&mut self, children: &Children, subject: Subject<'_>, limit: Duration) -> Reading {
        let device = subject.device.index;
        let batch = batch(subject);
        let key = (device, subject.workload.target());
        loop {
            if let Some(reading) = self.readings.remove(&key) {
                return reading;
            }
            let profiler = match &mut self.profiler {
                Ok(profiler) => profiler,
                Err(reason) => return refuse(reason.clone()),
            };
            let targets = batch.iter();
            let is_new = |it: &&Target| !self.readings.contains_key(&(device, (*it).clone()));
            let targets = targets.filter(is_new).take(profiler.most());
            let targets: Vec<Target> = targets.cloned().collect();
            let limit = START + limit * u32::try_from(targets.len()).unwrap_or(u32::MAX);
            let result = profiler.count(Batch {
                children,
                device,
                targets: &targets,
                limit,
            });
            match result {
                Ok(BatchResult::All(readings)) => {
                    self.breakdowns = 0;
                    let keys = targets.into_iter().map(|target| (device, target));
                    self.readings.extend(keys.zip(readings));
                }
                // The rest is counted again without it.
                Ok(BatchResult::Fault(place, fault)) => {
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

/// How many counters a profiler gives of the one workload of a batch.
///
/// # Errors
/// Why there are none.
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

/// The subject and, as far as they are small, the workloads that follow it.
fn batch(subject: Subject<'_>) -> Vec<Target> {
    let mut bytes = subject.launch.global_bytes();
    let rest = subject.rest.iter().take(BATCH - 1).take_while(|workload| {
        bytes += workload.launch().map_or(0, |launch| launch.global_bytes());
        bytes <= BATCH_BYTES
    });
    let workloads = std::iter::once(subject.workload).chain(rest);
    workloads.map(Workload::target).collect()
}
