//! `ncu`: NVIDIA's hardware counters, by Nsight Compute.
//!
//! Nsight Compute sees no OpenCL launches. It is shown a replay of each through CUDA
//! ([`crate::replay`]), and believed only where that replay wrote what OpenCL's launch writes.

use std::{cell::RefCell, time::Duration};

use kerncast_wire::Reading;

use super::{
    Provider, Subject,
    ahead::{self, Ahead, BATCH, Counted, Profiler},
    refuse,
};
use crate::{child::Children, device::NVIDIA, workload::Target};

mod batch;
mod tool;

use batch::count;
pub use tool::Tool;

pub(super) const NAME: &str = "ncu";

/// The provider `ncu`.
pub struct Ncu<'a> {
    children: &'a Children,
    ahead: RefCell<Ahead<Tool>>,
}

impl<'a> Ncu<'a> {
    /// Looks for Nsight Compute.
    pub fn find(children: &'a Children) -> Self {
        Self {
            children,
            ahead: RefCell::new(Ahead::new(Tool::find())),
        }
    }
}

impl Profiler for Tool {
    fn most(&self) -> usize {
        BATCH
    }

    fn count(
        &mut self,
        children: &Children,
        device: usize,
        targets: &[Target],
        limit: Duration,
    ) -> Result<Counted, String> {
        count(self, children, device, targets, limit)
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
    ahead::probe(tool.clone(), children, device, target, limit)
}

impl Provider for Ncu<'_> {
    fn name(&self) -> &'static str {
        NAME
    }

    fn tool_version(&self) -> Option<String> {
        let ahead = self.ahead.borrow();
        ahead
            .profiler
            .as_ref()
            .ok()
            .map(|tool| tool.version.clone())
    }

    fn read(&self, subject: Subject<'_>, limit: Duration) -> Reading {
        let vendor = &subject.device.vendor;
        if vendor != NVIDIA {
            return refuse(format!("counts on {NVIDIA}'s devices, not on {vendor}'s"));
        }
        self.ahead.borrow_mut().read(self.children, subject, limit)
    }
}
