//! Workloads launched again under a profiler, through CUDA where it sees only CUDA: a hidden
//! subcommand.
//!
//! It reads a [`ReplayRequest`] and appends an [`Outcome`] per target, as it goes, so that whoever started it
//! knows which one crashed or hung.

use std::{path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};

use crate::{child::Children, workload::Target};

mod session;
mod work;

pub use session::{Ended, replay};
pub use work::work;

/// The hidden subcommand.
pub const SUBCOMMAND: &str = "replay";

/// What to replay.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReplayRequest {
    /// The process that wants to know: the replay ends with it.
    pub parent: u32,
    /// Where outcomes go, one line of JSON each.
    pub outcomes: PathBuf,
    /// By which driver's interface.
    pub through: Through,
    /// The device's place among the machine's OpenCL devices.
    pub device: usize,
    /// One after the other.
    pub targets: Vec<Target>,
}

/// What is launched again in one process, and where.
#[derive(Clone, Copy)]
pub struct Batch<'a> {
    /// Whose folder and environment the process has.
    pub children: &'a Children,
    /// The device's place among the machine's OpenCL devices.
    pub device: usize,
    /// One after the other.
    pub targets: &'a [Target],
    /// It is killed after this long.
    pub limit: Duration,
}

/// How a launch is done again.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum Through {
    /// As it was.
    OpenCl,
    /// From the PTX that NVIDIA's OpenCL compiler made.
    Cuda,
}

/// What became of a target.
#[derive(Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The function whose one launch the profiler saw; none where it did not come to that.
    pub profiled: Option<String>,
    /// Seconds of a launch, or why the replay can't be trusted. Through CUDA: without the profiler,
    /// by CUDA's events. Through OpenCL: of the profiled launch, by OpenCL's.
    pub time_s: Result<f64, String>,
}
