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

/// Threads of a warp; assumed on every device.
pub const WARP: u32 = 32;

/// Why local memory can't be measured.
#[expect(missing_docs, reason = "their messages say it")]
#[derive(Debug, Error)]
pub enum LocalMemoryError {
    #[error("local memory can't be measured: {0}")]
    OpenCl(#[from] OpenClError),
    /// A thread loaded too few words: the compiler removed loads.
    #[error(
        "local memory can't be measured: thread {thread} loaded {actual} words; expected {expected}"
    )]
    Loads {
        thread: usize,
        actual: u32,
        /// The expected number: i × rounds.
        expected: u32,
    },
    #[error("local memory can't be measured: the device's timer stood still during a launch")]
    Timer,
}

/// The values that i, w and c each take: 216 points.
const GRID: [u32; 6] = [1, 2, 4, 8, 16, 32];

/// The measurements of a device.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MeasuredPoints {
    /// Cycles between two reads of the clock without a load; every point's cycles have them subtracted. None where no
    /// clock can be read.
    pub clock_cycles: Option<f64>,
    /// A point for each i, w and c that the device can run, in this order.
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
    /// Cycles (T) from the first warp's start to the last one's end, without the clock's own: the median of the rounds.
    /// None where no clock can be read.
    pub cycles: Option<f64>,
    /// Times of whole launches, of many rounds each.
    pub times: Times,
    /// The build options of the kernel.
    pub build_options: String,
}

impl Point {
    /// The product i·w·c.
    pub fn product(&self) -> u32 {
        self.instructions * self.warps * self.congestion
    }

    /// The point (i·w·c, response). The response is cycles, or without a clock the launches' median in microseconds.
    pub fn response(&self) -> (f64, f64) {
        let time = || TimeSummary::of(&self.times.repetitions_s).median_s * 1e6;
        let response = self.cycles.unwrap_or_else(time);
        (f64::from(self.product()), response)
    }
}
