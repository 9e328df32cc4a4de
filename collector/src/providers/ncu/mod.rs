//! `ncu`: NVIDIA's hardware counters, by Nsight Compute.
//!
//! Nsight Compute sees no OpenCL launches. It is shown a replay of each through CUDA
//! ([`crate::replay`]), and believed only where that replay wrote what OpenCL's launch writes.

use std::{cell::RefCell, collections::BTreeMap, time::Duration};

use kerncast_wire::Reading;

use super::{Provider, Subject, refuse};
use crate::{
    child::Children,
    collect::Workload,
    replay::Target,
    suite::{Launch, Parameters},
};

mod batch;
mod tool;

use batch::{Counted, count};
pub use tool::Tool;

pub(super) const NAME: &str = "ncu";
/// How NVIDIA's OpenCL driver calls its maker.
pub const VENDOR: &str = "NVIDIA Corporation";

/// Workloads for one process of ncu.
const BATCH: usize = 32;
/// Bytes of their buffers: filling them takes longer than ncu's start, so more is not worth losing
/// where one of them crashes.
const BATCH_BYTES: usize = 8 << 30;
/// For the start of ncu and of both drivers, beyond what each workload may take.
const START: Duration = Duration::from_secs(30);

/// The provider `ncu`.
pub struct Ncu<'a> {
    children: &'a Children,
    state: RefCell<State>,
}

struct State {
    /// Or why ncu can't count here: it is not there, or it said so.
    tool: Result<Tool, String>,
    /// Read ahead.
    readings: BTreeMap<Key, Reading>,
}

/// A workload on a device.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    device: usize,
    kernel: String,
    variant: String,
    parameters: Parameters,
}

impl<'a> Ncu<'a> {
    /// Looks for Nsight Compute.
    pub fn find(children: &'a Children) -> Self {
        Self {
            children,
            state: RefCell::new(State {
                tool: Tool::find(),
                readings: BTreeMap::new(),
            }),
        }
    }
}

/// How many counters ncu gives of one workload.
///
/// # Errors
/// Why there are none.
pub fn probe(
    tool: &Tool,
    children: &Children,
    device: usize,
    target: &Target,
    limit: Duration,
) -> Result<usize, String> {
    match count(tool, children, device, std::slice::from_ref(target), limit)? {
        Counted::Fault(_, fault) => Err(fault),
        Counted::All(readings) => match readings.into_iter().next() {
            Some(Reading {
                refusal: Some(reason),
                ..
            }) => Err(reason),
            Some(reading) => Ok(reading.counters.len()),
            None => Err("ncu counted nothing".to_owned()),
        },
    }
}

impl State {
    fn read(&mut self, children: &Children, subject: Subject<'_>, limit: Duration) -> Reading {
        let batch = batch(subject);
        let wanted = batch[0].0.clone();
        loop {
            if let Some(reading) = self.readings.remove(&wanted) {
                return reading;
            }
            let tool = match &self.tool {
                Ok(tool) => tool,
                Err(reason) => return refuse(reason),
            };
            let (keys, targets): (Vec<_>, Vec<_>) = batch
                .iter()
                .filter(|(key, _)| !self.readings.contains_key(key))
                .cloned()
                .unzip();
            let limit = START + limit * u32::try_from(keys.len()).unwrap_or(u32::MAX);
            match count(tool, children, subject.device.index, &targets, limit) {
                Ok(Counted::All(readings)) => self.readings.extend(keys.into_iter().zip(readings)),
                // The rest is counted again without it.
                Ok(Counted::Fault(place, fault)) => {
                    self.readings.insert(keys[place].clone(), refuse(fault));
                }
                Err(reason) => self.tool = Err(reason),
            }
        }
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

impl Provider for Ncu<'_> {
    fn name(&self) -> &'static str {
        NAME
    }

    fn tool_version(&self) -> Option<String> {
        let state = self.state.borrow();
        state.tool.as_ref().ok().map(|tool| tool.version.clone())
    }

    fn read(&self, subject: Subject<'_>, limit: Duration) -> Reading {
        let vendor = &subject.device.device.vendor;
        if vendor != VENDOR {
            return refuse(format!("counts on {VENDOR}'s devices, not on {vendor}'s"));
        }
        self.state.borrow_mut().read(self.children, subject, limit)
    }
}
