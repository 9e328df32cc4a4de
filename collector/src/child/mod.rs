//! Each workload runs in a process of its own: a kernel that crashes or hangs its driver harms
//! nothing else.
//!
//! The parent writes a [`ChildRequest`] to the child's standard input; the child writes a [`Report`] to
//! a file. Its standard output and error belong to drivers and tools.

use std::{path::PathBuf, time::Duration};

use kerncast_wire::{Conditions, Times};
use serde::{Deserialize, Serialize};

use crate::workload::WorkloadKey;

mod children;
mod compile;
mod process;
mod work;

pub use children::Children;
pub use process::{Answer, Failure};
pub use work::work;

/// The hidden subcommand that makes a process a child.
pub const SUBCOMMAND: &str = "child";

/// A request to a child.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChildRequest {
    /// The parent process; the child ends with it.
    pub parent: u32,
    /// The file for the report.
    pub report: PathBuf,
    /// The job.
    pub job: ChildJob,
}

/// A task for a child. `device`: the device's place among the machine's devices. Each variant names what the report
/// contains.
#[expect(missing_docs, reason = "their names say it")]
#[derive(Debug, Serialize, Deserialize)]
pub enum ChildJob {
    /// Say which devices there are: a list of [`DeviceFacts`](kerncast_opencl::DeviceFacts).
    Devices,
    /// Build a workload's source, and launch nothing: local memory of one work-group, bytes.
    LocalBytes {
        device: usize,
        workload: WorkloadKey,
    },
    /// Compile a workload's source by Oclgrind, which must be the child's OpenCL, and launch nothing: LLVM's text.
    OclgrindLlvm { workload: WorkloadKey },
    /// Launch once, and time nothing: seconds that the launch took on the host's clock.
    Launch(Launching),
    /// Launch, check the outputs, then time: [`Timed`].
    Time {
        launching: Launching,
        /// Time for all repetitions.
        budget: Duration,
    },
    /// Measure a device's ceilings: [`Observed`] [`CeilingsReport`](crate::ceilings::CeilingsReport).
    Ceilings {
        device: usize,
        /// Time for all ceilings.
        budget: Duration,
    },
    /// Measure local-memory loads: [`Observed`] [`MeasuredPoints`](crate::local_memory::MeasuredPoints).
    LocalMemory { device: usize },
}

/// A launch for a child: the workload and the device.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Launching {
    /// The device's place among the machine's devices.
    pub device: usize,
    /// The workload.
    pub workload: WorkloadKey,
    /// The treatment of the outputs.
    pub outputs: Outputs,
}

/// The treatment of a launch's outputs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Outputs {
    /// Outputs are not looked at.
    Ignore,
    /// Check that every output was written, and keep the outputs in this folder for later comparisons.
    Keep(PathBuf),
    /// Compare the outputs with those in this folder, within the kernel's tolerance.
    Compare(PathBuf),
    /// Compare the outputs with those in this folder: every number must be the same.
    Equal(PathBuf),
}

/// The result of [`ChildJob::Time`].
#[derive(Debug, Serialize, Deserialize)]
pub struct Timed {
    /// The repetitions.
    pub times: Times,
    /// The device's state meanwhile, where it tells.
    pub conditions: Option<Conditions>,
    /// Local memory of one work-group, bytes.
    pub local_bytes: u64,
}

/// A measurement with the device's state meanwhile, where the device tells.
pub type Observed<T> = (T, Option<Conditions>);

/// A child's report.
#[derive(Debug, Serialize, Deserialize)]
enum Report<T> {
    /// The job's result.
    Found(T),
    /// There is no OpenCL device: why, and what to do.
    NoOpenCl(String),
    /// The device can't do the job; why.
    Beyond(String),
    /// The job failed; why.
    Refused(String),
}
