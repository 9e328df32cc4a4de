//! Each workload runs in a process of its own: a kernel that crashes or hangs its driver harms
//! nothing else.
//!
//! The parent writes a [`ChildRequest`] to the child's standard input; the child writes a [`Report`] to
//! a file. Its standard output and error belong to drivers and tools.

use std::{path::PathBuf, time::Duration};

use kerncast_opencl::DeviceFacts;
use kerncast_wire::{Conditions, Times};
use serde::{Deserialize, Serialize};

use crate::{
    ceilings::MeasuredCeilings,
    local_memory::{Grid, MeasuredPoints},
    workload::Target,
};

mod children;
mod process;
mod wait;
mod work;

pub use children::Children;
pub use process::{Answer, Failure};
pub(crate) use wait::wait;
pub use work::work;

/// The hidden subcommand that makes a process a child.
pub const SUBCOMMAND: &str = "child";

/// What a child should do.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChildRequest {
    /// The process that must be alive for the child to live.
    pub parent: u32,
    /// Where to write the report.
    pub report: PathBuf,
    /// What to do.
    pub job: Job,
}

/// Something to do in a child.
#[derive(Debug, Serialize, Deserialize)]
pub enum Job {
    /// Say which devices there are.
    Devices,
    /// Launch once, and time nothing.
    Launch(Launching),
    /// Launch, check the outputs, then time.
    Time {
        /// What to launch.
        launching: Launching,
        /// For all repetitions.
        budget: Duration,
    },
    /// Measure a device's ceilings.
    Ceilings {
        /// The device's place among the machine's devices.
        device: usize,
        /// For all of them.
        budget: Duration,
    },
    /// Measure local-memory loads.
    LocalMemory {
        /// The device's place among the machine's devices.
        device: usize,
        /// Which points.
        grid: Grid,
    },
}

/// What to launch, and on what.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Launching {
    /// The device's place among the machine's devices.
    pub device: usize,
    /// The workload.
    pub target: Target,
    /// What to do with the outputs.
    pub outputs: Outputs,
}

/// What to do with a launch's outputs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Outputs {
    /// Nothing.
    Ignore,
    /// Check that all was written, and keep them in this folder: others are compared with them.
    Keep(PathBuf),
    /// Compare them with those in this folder.
    Compare(PathBuf),
}

/// What a child found.
#[derive(Debug, Serialize, Deserialize)]
pub enum Report {
    /// Answers [`Job::Devices`].
    Devices(Vec<DeviceFacts>),
    /// Answers [`Job::Devices`] where there is none: why, and what to do.
    NoOpenCl(String),
    /// Answers [`Job::Launch`]: seconds that the launch took on the host's clock.
    Launched(f64),
    /// Answers [`Job::Time`].
    Timed {
        /// The repetitions.
        times: Times,
        /// The device's state meanwhile, where it tells.
        conditions: Option<Conditions>,
        /// Local memory of one work-group, bytes.
        local_bytes: u64,
    },
    /// Answers [`Job::Ceilings`].
    Ceilings {
        /// The ceilings.
        measured: MeasuredCeilings,
        /// The device's state meanwhile.
        conditions: Option<Conditions>,
    },
    /// Answers [`Job::LocalMemory`].
    LocalMemory {
        /// The points.
        measured: MeasuredPoints,
        /// The device's state meanwhile, where it tells.
        conditions: Option<Conditions>,
    },
    /// It could not be done; why.
    Refused(String),
}
