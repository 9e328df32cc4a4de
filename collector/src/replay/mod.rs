//! A hidden subcommand that launches workloads again under a profiler, through CUDA where the profiler sees only CUDA.
//!
//! It reads a [`ReplayRequest`] and appends an [`Outcome`] after each workload, so that the process that started it knows
//! which workload crashed or hung.

use std::{path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};

use crate::{child::Children, workload::WorkloadKey};

mod session;
mod work;

pub use session::{FinishedReplay, replay};
pub use work::work;

/// The name of the hidden subcommand.
pub const SUBCOMMAND: &str = "replay";

/// The workloads to replay, and how.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReplayRequest {
    /// The process that asked; the replay ends with it.
    pub parent: u32,
    /// The file for outcomes, one line of JSON each.
    pub outcomes: PathBuf,
    /// The interface by which workloads are launched.
    pub through: Through,
    /// The device's place among the machine's OpenCL devices.
    pub device: usize,
    /// Workloads to launch, one after the other.
    pub workloads: Vec<WorkloadKey>,
}

/// The workloads of one replaying process, and their device.
#[derive(Clone, Copy)]
pub struct Batch<'a> {
    /// The folder and the environment of the process.
    pub children: &'a Children,
    /// The device's place among the machine's OpenCL devices.
    pub device: usize,
    /// Workloads to launch, one after the other.
    pub workloads: &'a [WorkloadKey],
    /// The process is killed after this long.
    pub limit: Duration,
}

/// The interface by which a launch is repeated.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum Through {
    /// OpenCL, as for measuring.
    OpenCl,
    /// CUDA, from the PTX that NVIDIA's OpenCL compiler made.
    Cuda,
}

/// The outcome of a workload.
#[derive(Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The function of the one launch that the profiler saw; none where it saw none.
    pub profiled: Option<String>,
    /// Seconds of a launch, or why the replay can't be trusted. Through CUDA: without the profiler, by CUDA's events.
    /// Through OpenCL: of the profiled launch, by OpenCL's events.
    pub time_s: Result<f64, String>,
}
