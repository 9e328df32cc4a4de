//! The local-memory microbenchmark: clock cycles T(i, w, c) of i loads by each of w warps with congestion
//! c (docs/microbenchmark.md).
//!
//! Okamoto, Ito, Nakano, Bordim: "Thorough Evaluation of GPU Shared Memory Load and Store Instructions",
//! CANDAR 2014, pp. 614–616.

use kerncast_opencl::OpenClError;
use kerncast_wire::{TimeSummary, Times};
use serde::{Deserialize, Serialize};
use thiserror::Error;

mod fit;
mod measure;
mod samples;

pub use fit::{Line, line};
pub use measure::measure;
pub use samples::samples;

/// Threads of a warp, on every device.
pub const WARP: u32 = 32;

/// Why local memory can't be measured.
#[expect(missing_docs, reason = "their messages say it")]
#[derive(Debug, Error)]
pub enum LocalMemoryError {
    #[error("local memory can't be measured: {0}")]
    OpenCl(#[from] OpenClError),
    /// Loads are missing: the compiler took some for superfluous.
    #[error(
        "local memory can't be measured: thread {thread} loaded {found} words; expected {expected}"
    )]
    Loads {
        thread: usize,
        found: u32,
        /// i times rounds.
        expected: u32,
    },
    #[error("local memory can't be measured: the device's timer stood still during a launch")]
    Timer,
}

/// The values that i, w and c each take: 216 points.
const GRID: [u32; 6] = [1, 2, 4, 8, 16, 32];

/// What was measured on a device.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MeasuredPoints {
    /// Cycles between two reads of the clock without a load, which every point's cycles are less; absent
    /// where no clock can be read.
    pub clock_cycles: Option<f64>,
    /// One each i, w and c that the device can run, in this order.
    pub points: Vec<Point>,
}

impl MeasuredPoints {
    /// (i·w·c, response) of every point.
    pub fn responses(&self) -> Vec<(f64, f64)> {
        self.points.iter().map(Point::response).collect()
    }

    /// The responses' unit.
    pub fn unit(&self) -> &'static str {
        if self.clock_cycles.is_some() {
            "cycles"
        } else {
            "µs"
        }
    }
}

/// One point of the grid.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Point {
    /// Loads of each thread (i).
    pub instructions: u32,
    /// Warps of the one work-group (w).
    pub warps: u32,
    /// Threads of a warp that load from bank 0 (c).
    pub congestion: u32,
    /// From the first warp's start to the last one's end, less the clock's own: the median of the rounds
    /// (T); absent where no clock can be read.
    pub cycles: Option<f64>,
    /// Of launches of many rounds each.
    pub times: Times,
    /// What the kernel was built with.
    pub build_options: String,
}

impl Point {
    /// i·w·c.
    pub fn product(&self) -> u32 {
        self.instructions * self.warps * self.congestion
    }

    /// (i·w·c, response): cycles, else the launches' median in microseconds.
    pub fn response(&self) -> (f64, f64) {
        let time = || TimeSummary::of(&self.times.repetitions_s).median_s * 1e6;
        let response = self.cycles.unwrap_or_else(time);
        (f64::from(self.product()), response)
    }
}
