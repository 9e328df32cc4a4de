//! `rocprofv3`: AMD's hardware counters. It hooks HSA, and so sees AMD's OpenCL launches.
//!
//! It counts in several passes, each a process of its own that launches the same workloads once.
//! None of this has run on AMD's hardware: it is tested with a stand-in for the tool and with files
//! that others captured.

use std::{cell::RefCell, time::Duration};

use kerncast_wire::Reading;

use super::{
    Provider, Subject,
    ahead::{self, Ahead},
    refuse,
};
use crate::{child::Children, device::AMD, workload::Target};

mod count;
mod pass;
mod passes;
mod tables;
mod tool;

use count::Rocprof;
pub use tool::Tool;

pub(super) const NAME: &str = "rocprofv3";

/// The provider `rocprofv3`.
pub struct Rocprofv3<'a> {
    children: &'a Children,
    version: Option<String>,
    ahead: RefCell<Ahead<Rocprof>>,
}

impl<'a> Rocprofv3<'a> {
    /// Looks for rocprofv3.
    pub fn find(children: &'a Children) -> Self {
        Self::new(children, Tool::find())
    }

    /// With a tool that was found, or the reason why there is none.
    pub fn new(children: &'a Children, tool: Result<Tool, String>) -> Self {
        Self {
            children,
            version: tool.as_ref().ok().map(|tool| tool.version.clone()),
            ahead: RefCell::new(Ahead::new(tool.map(Rocprof::new))),
        }
    }
}

/// How many counters rocprofv3 gives of one workload.
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
    ahead::probe(Rocprof::new(tool.clone()), children, device, target, limit)
}

impl Provider for Rocprofv3<'_> {
    fn name(&self) -> &'static str {
        NAME
    }

    fn tool_version(&self) -> Option<String> {
        self.version.clone()
    }

    fn read(&self, subject: Subject<'_>, limit: Duration) -> Reading {
        let vendor = &subject.device.vendor;
        if vendor != AMD {
            return refuse(format!("counts on {AMD}'s devices, not on {vendor}'s"));
        }
        self.ahead.borrow_mut().read(self.children, subject, limit)
    }
}
