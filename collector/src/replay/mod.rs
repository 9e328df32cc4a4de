//! Replays of workloads through CUDA: a hidden subcommand, to be run under a profiler that sees
//! only CUDA.
//!
//! It reads a [`Request`] and appends an [`Outcome`] a target, as it goes, so that whoever started it
//! knows which one crashed or hung.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::suite::Parameters;

mod session;
mod work;

pub use session::{Ended, replay};
pub use work::work;

/// The hidden subcommand.
pub const SUBCOMMAND: &str = "replay";

/// What to replay.
#[derive(Debug, Serialize, Deserialize)]
pub struct Request {
    /// The process that wants to know: the replay ends with it.
    pub parent: u32,
    /// Where outcomes go, one line of JSON each.
    pub outcomes: PathBuf,
    /// The device's place among the machine's OpenCL devices.
    pub device: usize,
    /// One after the other.
    pub targets: Vec<Target>,
}

/// One workload.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Target {
    /// The kernel's folder.
    pub folder: PathBuf,
    /// The variant.
    pub variant: String,
    /// The sizes.
    pub parameters: Parameters,
}

/// What became of a target.
#[derive(Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// Whether it came to the launch that the profiler sees.
    pub profiled: bool,
    /// Seconds of a launch without the profiler, by CUDA's events; or why the replay can't be
    /// trusted.
    pub time_s: Result<f64, String>,
}
