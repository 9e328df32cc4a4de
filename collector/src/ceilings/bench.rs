//! Measures the rate of one way to a ceiling, over repetitions, and compares several ways.

use std::{
    fmt::Display,
    sync::Arc,
    time::{Duration, Instant},
};

use kerncast_opencl::{Buffer, Event, Function, OpenClDevice, OpenClError, Queue};
use kerncast_wire::TimeSummary;
use thiserror::Error;

use super::Way;

/// Launches before the timed ones: they touch memory first and raise the clocks.
const WARM_UP: Duration = Duration::from_millis(50);
const REPEATING: Duration = Duration::from_millis(100);
const LEAST_REPETITIONS: usize = 5;
/// How long a launch of arithmetic should take, seconds: its start and its last work-groups are then below a percent.
const LAUNCH_S: f64 = 10e-3;
/// A launch that still seems too short after this long has a timer that stands still.
const STUCK: Duration = Duration::from_secs(5);
/// The byte that buffers are filled with: four of them are a float of about 0.75.
const ANY_BYTE: u8 = 0x3F;
const MIB: u64 = 1 << 20;

/// The device and queue on which one ceiling is measured, and the time limit.
#[derive(Clone, Copy)]
pub(super) struct Bench<'b> {
    pub(super) device: &'b OpenClDevice,
    pub(super) queue: &'b Queue,
    pub(super) has_double: bool,
    /// No further way begins after this.
    deadline: Instant,
}

/// The time of a launch, over its repetitions.
#[derive(Clone, Copy)]
pub(super) struct LaunchTime {
    pub(super) median_s: f64,
    /// Median ÷ fastest time; none where the timer's steps hide the fastest.
    pub(super) spread: Option<f64>,
}

/// A ceiling as measured in one way.
#[derive(Clone, Copy)]
pub(super) struct Rate {
    pub(super) value: f64,
    pub(super) spread: Option<f64>,
}

impl LaunchTime {
    /// The rate of `work`, per second.
    pub(super) fn rate(self, work: f64) -> Rate {
        Rate {
            value: work / self.median_s,
            spread: self.spread,
        }
    }
}

impl Rate {
    /// The way that has this rate.
    pub(super) fn way(self, way: impl Display) -> Way {
        Way {
            way: way.to_string(),
            value: self.value,
            spread: self.spread,
        }
    }
}

/// Why there is no number.
#[derive(Debug, Error)]
pub(super) enum Missing {
    #[error(transparent)]
    OpenCl(#[from] OpenClError),
    #[error("the device has no double precision (cl_khr_fp64)")]
    NoDouble,
    #[error("the device's timer stood still")]
    Timer,
}

impl<'b> Bench<'b> {
    pub(super) fn new(device: &'b OpenClDevice, queue: &'b Queue, budget: Duration) -> Self {
        Self {
            device,
            queue,
            has_double: device.has_extension("cl_khr_fp64"),
            deadline: Instant::now() + budget,
        }
    }

    /// The number of work-groups that gives each compute unit `per_unit`.
    pub(super) fn groups(&self, per_unit: usize) -> usize {
        let units = self.device.facts.compute_units.unwrap_or(1);
        per_unit * units as usize
    }

    /// `wanted`, or as much as the device can spare for a buffer, in whole MiB.
    pub(super) fn buffer_bytes(&self, wanted: usize) -> usize {
        let facts = &self.device.facts;
        let memory = facts.global_memory_bytes.unwrap_or(u64::MAX);
        let spare = facts.max_buffer_bytes.min(memory / 8).max(MIB);
        let spare = usize::try_from(spare / MIB * MIB).unwrap_or(usize::MAX);
        wanted.min(spare)
    }

    /// A buffer of `bytes`, written once so that its memory is allocated.
    pub(super) fn buffer(&self, bytes: usize) -> Result<Arc<Buffer>, OpenClError> {
        let buffer = self.queue.context().buffer(bytes)?;
        self.queue.fill(&buffer, ANY_BYTE, &[])?;
        Ok(Arc::new(buffer))
    }

    /// A function, built from `source`.
    pub(super) fn function(
        &self,
        source: &str,
        options: &str,
        name: &str,
    ) -> Result<Function, OpenClError> {
        self.queue.context().build(source, options)?.function(name)
    }

    /// Every way with its rate, the highest first. Ways that fail on the device are left out; an error where all fail.
    pub(super) fn compare<W: Display>(
        &self,
        ways: impl IntoIterator<Item = W>,
        mut rate: impl FnMut(&W) -> Result<Rate, Missing>,
    ) -> Result<Vec<Way>, Missing> {
        let mut measured: Vec<Way> = Vec::new();
        let mut missing = None;
        for way in ways {
            if !measured.is_empty() && Instant::now() >= self.deadline {
                break;
            }
            match rate(&way) {
                Ok(rate) => measured.push(rate.way(way)),
                Err(reason) => missing = Some(reason),
            }
        }
        measured.sort_by(|a, b| b.value.total_cmp(&a.value));
        match missing {
            Some(missing) if measured.is_empty() => Err(missing),
            _ => Ok(measured),
        }
    }

    /// Work per second of a launch that does `work` in each round; the number of rounds is raised until the launch
    /// takes long enough.
    pub(super) fn rate(
        &self,
        work: f64,
        mut launch: impl FnMut(i32) -> Result<Event, OpenClError>,
    ) -> Result<Rate, Missing> {
        let start = Instant::now();
        let mut rounds = 1;
        loop {
            let seconds = self.time_once(|| launch(rounds))?;
            if seconds >= LAUNCH_S / 2.0 || rounds == i32::MAX {
                break;
            }
            if start.elapsed() > STUCK {
                return Err(Missing::Timer);
            }
            rounds = next_rounds(rounds, seconds);
        }
        let took = self.time(|| launch(rounds))?;
        Ok(took.rate(work * f64::from(rounds)))
    }

    /// Times what `enqueue` enqueues, from its start to its end.
    pub(super) fn time(
        &self,
        mut enqueue: impl FnMut() -> Result<Event, OpenClError>,
    ) -> Result<LaunchTime, Missing> {
        let start = Instant::now();
        while start.elapsed() < WARM_UP {
            self.time_once(&mut enqueue)?;
        }
        let start = Instant::now();
        let mut repetitions_s = Vec::new();
        while repetitions_s.len() < LEAST_REPETITIONS || start.elapsed() < REPEATING {
            repetitions_s.push(self.time_once(&mut enqueue)?);
        }
        let TimeSummary {
            median_s, min_s, ..
        } = TimeSummary::of(&repetitions_s);
        if median_s > 0.0 {
            Ok(LaunchTime {
                median_s,
                spread: (min_s > 0.0).then(|| median_s / min_s),
            })
        } else {
            Err(Missing::Timer)
        }
    }

    fn time_once(
        &self,
        enqueue: impl FnOnce() -> Result<Event, OpenClError>,
    ) -> Result<f64, Missing> {
        let event = enqueue()?;
        self.queue.finish()?;
        let (start, end) = event.start_and_end()?;
        Ok(end.saturating_sub(start) as f64 * 1e-9)
    }
}

/// OpenCL's name for a vector of `width` numbers.
pub(super) fn vector(number: &str, width: usize) -> String {
    match width {
        1 => number.to_owned(),
        width => format!("{number}{width}"),
    }
}

/// Rounds for a launch of about [`LAUNCH_S`], where `rounds` took `seconds`; at most 16 times as many, since short
/// launches tell little.
#[expect(clippy::cast_possible_truncation, reason = "as casts saturate")]
fn next_rounds(rounds: i32, seconds: f64) -> i32 {
    (f64::from(rounds) * (LAUNCH_S / seconds).clamp(2.0, 16.0)) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_grow_towards_the_launch_that_is_wanted_and_end() {
        assert_eq!(next_rounds(1, 0.0), 16);
        assert_eq!(next_rounds(100, 0.0025), 400);
        assert_eq!(next_rounds(100, 0.0051), 200);
        assert_eq!(next_rounds(i32::MAX / 2, 1e-6), i32::MAX);
    }
}
