//! Where a time that was measured lies beside a forecast's interval.

use kerncast_profilers::catalogue::ncu::TIME;
use kerncast_wire::{Interval, Position, Warning, provider::NCU};

use super::counter_set::PostedSet;

/// A profiler replays a launch with cold caches and a clock that is held: of 1,682 samples between a third and 2.4 times
/// what it takes else.
const PROFILED_OFF_TIMES: f64 = 3.0;

/// Where a time lies, and how many times beyond the interval's nearer end where it is outside.
pub(super) fn locate(interval: &Interval, time_s: f64) -> (Position, f64) {
    match time_s {
        it if it < interval.low_s => (Position::Below, interval.low_s / it),
        it if it > interval.high_s => (Position::Above, it / interval.high_s),
        _ => (Position::Within, 1.0),
    }
}

/// The warning that a measured time lies outside the interval.
pub(super) fn alarm(interval: &Interval, measured_s: f64) -> Option<Warning> {
    let (lies, factor) = locate(interval, measured_s);
    (lies != Position::Within).then_some(Warning::MeasuredOutside {
        measured_s,
        level: interval.level,
        lies,
        factor,
    })
}

/// The warning that the time which a profiler counted lies far outside the interval.
pub(super) fn profiled_far_outside(interval: &Interval, set: &PostedSet) -> Option<Warning> {
    let time_s = set.counters.get(NCU)?.get(TIME)? / 1e9;
    let (lies, factor) = locate(interval, time_s);
    (factor > PROFILED_OFF_TIMES).then(|| Warning::ProfiledOutside {
        counter: format!("{NCU}:{TIME}"),
        time_s,
        lies,
        factor,
    })
}

#[cfg(test)]
mod tests {
    use kerncast_wire::CounterSet;

    use super::*;

    #[test]
    fn a_profilers_time_far_outside_the_interval_is_said() {
        let interval = Interval {
            level: 0.9,
            low_s: 1e-3,
            high_s: 2e-3,
        };
        let warning = |time_ns: f64| {
            let counters =
                CounterSet::from([(NCU.to_owned(), [(TIME.to_owned(), time_ns)].into())]);
            let set = PostedSet::from_counters(counters);
            profiled_far_outside(&interval, &set).map(|it| it.to_string())
        };
        // With cold caches it may be twice as long.
        assert_eq!(warning(4e6), None);
        assert_eq!(warning(4e5), None);
        let above = warning(2e8).expect("a hundred times as long");
        assert!(
            above.contains("200 ms, a factor of 100 above the upper end"),
            "{above}"
        );
        let below = warning(1e5).expect("a tenth");
        assert!(
            below.contains("a factor of 10.0 below the lower end"),
            "{below}"
        );
    }
}
