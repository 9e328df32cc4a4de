//! Measures how long a launch takes, by OpenCL's events.

use std::time::{Duration, Instant};

use kerncast_wire::Times;

use crate::{
    PreparedLaunch,
    prepared_launch::{LaunchEvents, RunError},
};

mod cold;
mod median;
mod outliers;

pub use cold::cold;
pub(crate) use outliers::has_outliers;

/// Launches shorter than this are batched: events resolve a microsecond at worst, 5 % of it.
const SHORT_NS: u64 = 20_000;
/// Single launches before timing; the shortest decides whether to batch. The first may find the low clocks of an idle
/// device, and collections should decide alike.
const SINGLES: usize = 3;
/// The time that a batch should take, so that rounding a repetition is well below 1 %.
const BATCH_NS: u64 = 200_000;
const MAX_BATCH: u64 = 1000;
const MAX_REPETITIONS: usize = 500;
/// The shortest time to measure: a few launches in a row may agree by chance.
const LEAST_TIME: Duration = Duration::from_millis(50);
/// The median has settled if half the width of its confidence interval is below this fraction of it.
const SETTLED_WITHIN: f64 = 0.01;

/// Times a workload that was launched once before: at least one repetition, then more until the median has settled or
/// `budget` is over.
///
/// # Errors
/// OpenCL fails, or the device's timer stands still.
pub fn time(prepared: &PreparedLaunch, budget: Duration) -> Result<Times, RunError> {
    let start = Instant::now();
    let mut singles = Vec::new();
    while singles.is_empty() || (singles.len() < SINGLES && start.elapsed() < budget) {
        singles.push(repetition(prepared, 1)?);
    }
    let shortest = singles.iter().copied().min().unwrap_or_default();
    let mut repetitions_s = Vec::new();
    let batch = if shortest < SHORT_NS && !prepared.needs_refill() {
        (BATCH_NS / shortest.max(1)).clamp(2, MAX_BATCH)
    } else {
        for single in singles {
            repetitions_s.push(seconds(single, 1)?);
        }
        1
    };
    let mut settled = false;
    while repetitions_s.is_empty()
        || (repetitions_s.len() < MAX_REPETITIONS
            && start.elapsed() < budget
            && !(settled && start.elapsed() >= LEAST_TIME))
    {
        repetitions_s.push(seconds(repetition(prepared, batch)?, batch)?);
        settled = median::is_within(&repetitions_s, SETTLED_WITHIN);
    }
    Ok(Times {
        repetitions_s,
        launches_per_repetition: u32::try_from(batch).unwrap_or(u32::MAX),
        settled: Some(settled),
        cold_repetitions_s: Vec::new(),
    })
}

/// Runs a workload `batch` times and returns the sum of its times, nanoseconds, each from the start of its first launch
/// to the end of its last. Pauses between short launches are the queue's time, not the kernel's, and do not count.
fn repetition(prepared: &PreparedLaunch, batch: u64) -> Result<u64, RunError> {
    prepared.refill()?;
    let launches = (0..batch).map(|_| prepared.enqueue());
    let launches: Vec<LaunchEvents> = launches.collect::<Result<_, _>>()?;
    prepared.queue().finish()?;
    let mut ran = 0;
    for launch in &launches {
        let (start, end) = launch.start_and_end()?;
        ran += end.saturating_sub(start);
    }
    Ok(ran)
}

fn seconds(nanoseconds: u64, batch: u64) -> Result<f64, RunError> {
    if nanoseconds == 0 {
        return Err(RunError::Timer);
    }
    Ok(nanoseconds as f64 * 1e-9 / batch as f64)
}
