//! Rates: how fast a device, the way to it and its host were measured to be.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{ElementType, StreamWay};

/// The work of a primitive, where the operation on elements is one that rates are measured for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StreamWork {
    /// `k * x`.
    Transform,
    /// `sin(x)² + cos(x)²`.
    Sine,
    /// A sum.
    Reduce,
    /// Prefix sums.
    Scan,
    /// A sort of keys without values.
    Sort,
    /// A scatter to as many random places, by indices of `u32`.
    Scatter,
}

impl StreamWork {
    /// All works.
    pub const ALL: [Self; 6] = [
        Self::Transform,
        Self::Sine,
        Self::Reduce,
        Self::Scan,
        Self::Sort,
        Self::Scatter,
    ];

    /// Its name on the command line and in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Transform => "transform",
            Self::Sine => "sine",
            Self::Reduce => "reduce",
            Self::Scan => "scan",
            Self::Sort => "sort",
            Self::Scatter => "scatter",
        }
    }
}

/// Rates of streams, measured once for a device of a machine. Lengths in bytes and elements, times in seconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StreamRates {
    /// `CL_DEVICE_NAME`.
    pub device: String,
    /// `CL_DRIVER_VERSION`.
    pub driver: String,
    /// Whether the device is the host's processor.
    pub is_host: bool,
    /// Hardware threads of the host: *all cores* uses them all.
    pub threads: usize,
    /// The number of copying threads that moved the most.
    #[serde(rename = "lanes")]
    pub copying_threads: usize,
    /// Rate of pinning memory, with zeroing it.
    pub pinning_bytes_per_s: f64,
    /// What a trip takes however little it moves, for instance to start its threads.
    pub trip_s: f64,
    /// What a chunk takes however small it is, for instance to launch its kernels.
    pub chunk_s: f64,
    /// What a chunk takes where the device works on the host's memory.
    pub mapped_chunk_s: Option<f64>,
    /// Rate of allocating device memory and writing it once. Absent in rates from before this was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocating_bytes_per_s: Option<f64>,
    /// What first calls take besides their trips, by work. Empty in rates from before this was measured.
    #[serde(default)]
    pub starts: Vec<StreamStart>,
    /// How fast arrays move, by way.
    pub moves: Vec<MoveRate>,
    /// Times on the device, without the way to it.
    pub kernels: Vec<TimedWork>,
    /// Times on one core of the host.
    pub one_core: Vec<TimedWork>,
    /// Times on all cores of the host.
    pub all_cores: Vec<TimedWork>,
    /// Forecasts by these rates, beside measurements that the rates do not come from.
    pub checks: Vec<StreamCheck>,
    /// Later first calls that these rates forecast ([`with_runs`](Self::with_runs)).
    #[serde(skip)]
    #[schema(ignore)]
    pub first_runs: Vec<FirstCallRun>,
}

/// A first call that was forecast and then done.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstCallRun {
    /// The work of the primitive.
    pub work: StreamWork,
    /// The way, named as in checks: `file`.
    pub by: String,
    /// Length of the array.
    pub elements: u64,
    /// How many times the data went to the device.
    pub trip_count: usize,
    /// Forecast of its trips, unstretched, seconds.
    pub trips_s: f64,
    /// Forecast of its start, seconds.
    pub start_s: f64,
    /// Measured time of the call, seconds.
    pub measured_s: f64,
}

/// How fast arrays move in a way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveRate {
    /// The way.
    pub way: StreamWay,
    /// To the device, with nothing from it meanwhile.
    pub to_device: RateLine,
    /// From the device, with nothing to it meanwhile.
    pub from_device: RateLine,
    /// The same amount each way at once; both amounts count.
    pub both: RateLine,
}

/// A time in seconds: `bytes / bytes_per_s + pieces · piece_s`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "their names say it")]
pub struct RateLine {
    pub bytes_per_s: f64,
    pub piece_s: f64,
}

/// How long a work took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "their names say it")]
pub struct TimedWork {
    pub work: StreamWork,
    pub element: ElementType,
    pub elements: u64,
    pub seconds: f64,
}

/// A forecast beside the measurement of the same stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "their names say it")]
pub struct StreamCheck {
    pub work: StreamWork,
    pub element: ElementType,
    pub elements: u64,
    /// The way, or who did the work on the host: `staged`, `one core`.
    pub by: String,
    /// How many times the data go to the device; 0 for work on the host.
    #[serde(rename = "passes")]
    pub trip_count: usize,
    /// The forecast without any stretch: what the parts alone add up to.
    pub forecast_s: f64,
    pub measured_s: f64,
    /// The same for a first call, with its start; absent for the host, and in rates from before this was checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<ForecastAndTime>,
}

/// A forecast and what was measured, seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = FirstCall)]
#[expect(missing_docs, reason = "their names say it")]
pub struct ForecastAndTime {
    pub forecast_s: f64,
    pub measured_s: f64,
}

/// How much longer the first call of a work takes than the next one, with hardly any memory: the time of its programs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StreamStart {
    /// The work.
    pub work: StreamWork,
    /// Where the driver never saw the programs, seconds.
    pub new_s: f64,
    /// Where the driver compiled the programs earlier and kept them on disk, seconds.
    pub kept_s: f64,
}

impl RateLine {
    /// Seconds for `bytes` in `pieces`.
    #[must_use]
    pub fn seconds(self, bytes: u64, pieces: u64) -> f64 {
        bytes as f64 / self.bytes_per_s + pieces as f64 * self.piece_s
    }

    /// The line through two measurements (pieces, seconds) of `bytes`: in few and in many pieces.
    #[must_use]
    pub fn through(bytes: u64, few: (u64, f64), many: (u64, f64)) -> Self {
        let pieces = many.0.saturating_sub(few.0).max(1) as f64;
        // No more than half of the time goes to few pieces, whatever noise says.
        let most = few.1 / 2.0 / few.0.max(1) as f64;
        let piece_s = ((many.1 - few.1) / pieces).clamp(0.0, most);
        Self {
            bytes_per_s: bytes as f64 / (few.1 - few.0 as f64 * piece_s),
            piece_s,
        }
    }
}

/// Seconds that the host takes for `elements`, from measurements of other lengths. Between two lengths the rate is
/// interpolated over the logarithm of the length; beyond the longest it stays. Below the shortest the time lies on a line
/// through the shortest two, as waking threads takes the same time for short arrays. Sorts take `n log n`.
#[must_use]
pub fn host_seconds(
    all: &[TimedWork],
    work: StreamWork,
    element: ElementType,
    elements: u64,
) -> Option<f64> {
    let mut points: Vec<(f64, f64)> = all
        .iter()
        .filter(|it| it.work == work && it.element == element)
        .map(|it| {
            (
                (it.elements as f64).ln(),
                (it.seconds / operations(work, it.elements as f64)).ln(),
            )
        })
        .collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let at = (elements.max(1) as f64).ln();
    let place = points.partition_point(|it| it.0 < at);
    let before = place.checked_sub(1).map(|it| points[it]);
    let rate = match (before, points.get(place)) {
        (Some(before), Some(after)) => {
            before.1 + (after.1 - before.1) * (at - before.0) / (after.0 - before.0)
        }
        (Some(longest), None) => longest.1,
        (None, None) => return None,
        (None, Some(shortest)) => {
            let length_and_seconds = |it: &(f64, f64)| {
                let n = operations(work, it.0.exp());
                (n, it.1.exp() * n)
            };
            let (n, seconds) = length_and_seconds(shortest);
            let slope = points
                .get(1)
                .map(length_and_seconds)
                .map_or(seconds / n, |next| {
                    // A longer array takes no less time, and none takes no less than nothing.
                    ((next.1 - seconds) / (next.0 - n)).clamp(0.0, seconds / n)
                });
            return Some(seconds - slope * (n - operations(work, elements as f64)));
        }
    };
    Some(rate.exp() * operations(work, elements as f64))
}

/// How many operations a work takes, up to a factor.
fn operations(work: StreamWork, elements: f64) -> f64 {
    match work {
        StreamWork::Sort => elements.max(2.0) * elements.max(2.0).log2(),
        _ => elements.max(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_through_what_was_measured() {
        let line = RateLine::through(1000, (10, 2.0), (110, 3.0));
        assert!((line.seconds(1000, 10) - 2.0).abs() < 1e-12);
        assert!((line.seconds(1000, 110) - 3.0).abs() < 1e-12);
        // Noise: more pieces took less.
        let line = RateLine::through(1000, (10, 2.0), (110, 1.0));
        assert!((line.piece_s, line.bytes_per_s) == (0.0, 500.0), "{line:?}");
    }

    #[test]
    fn the_host_is_as_fast_as_at_the_lengths_around() {
        let at = |elements, seconds| TimedWork {
            work: StreamWork::Reduce,
            element: ElementType::U32,
            elements,
            seconds,
        };
        let all = [at(10_000, 1.0), at(100, 0.02)];
        let seconds = |elements| {
            host_seconds(&all, StreamWork::Reduce, ElementType::U32, elements).expect("measured")
        };
        // 0.98 s more for 9900 more.
        assert!((seconds(50) - (0.02 - 50.0 * 0.98 / 9900.0)).abs() < 1e-9);
        assert!((seconds(100_000) - 10.0).abs() < 1e-9);
        // Half way between 0.2 ms and 0.1 ms each, by logarithms.
        assert!((seconds(1000) - 1000.0 * 2e-4_f64.sqrt() * 1e-4_f64.sqrt()).abs() < 1e-9);
        assert_eq!(
            host_seconds(&all, StreamWork::Scan, ElementType::U32, 5),
            None
        );
    }
}
