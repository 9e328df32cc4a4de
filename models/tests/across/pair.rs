use kerncast_models::{
    Method,
    across::{ByMedianRatio, FromCounters, FromCountersAndTime, Paper},
};
use proptest::prelude::*;

use super::common::{assert_close, dataset, forecasts};

/// 5 µs a launch, 2 ns an instruction of the chain, 1 TB/s of memory.
fn seconds([instructions, items, bytes]: [f64; 3]) -> f64 {
    5e-6 + 2e-9 * instructions / items + 1e-12 * bytes
}

/// Twice the latencies, a quarter of the bandwidth.
fn slower([instructions, items, bytes]: [f64; 3]) -> f64 {
    1e-5 + 4e-9 * instructions / items + 4e-12 * bytes
}

#[test]
fn times_that_are_sums_of_costs_are_forecast_exactly_from_counters() {
    let data = dataset(seconds, seconds);
    for (forecast, time) in forecasts(&data, &FromCounters).into_iter().zip(data.y()) {
        assert_close(forecast, *time, 1e-4);
    }
}

/// The costs on the device counted on are known exactly, so each of its parts has one ratio; nothing is left
/// to smooth.
#[test]
fn each_part_of_the_sources_time_is_scaled_by_its_own_ratio() {
    let data = dataset(seconds, slower);
    let pair_forecasts = forecasts(&data, &FromCountersAndTime);
    for (forecast, time) in pair_forecasts.into_iter().zip(data.y()) {
        assert_close(forecast, *time, 1e-3);
    }
}

/// A kernel that is three times slower than its counters say, on both devices: only its time tells.
#[test]
fn the_sources_time_tells_what_the_counters_do_not() {
    let slow = |counters: [f64; 3]| {
        let odd = counters[0] / counters[1] > 900.0;
        let factor = if odd { 3.0 } else { 1.0 };
        factor * seconds(counters)
    };
    let data = dataset(slow, |counters| 2.0 * slow(counters));
    let worst = |method: &dyn Method| {
        let pairs = forecasts(&data, method).into_iter().zip(data.y());
        pairs
            .map(|(forecast, time)| (forecast / time - 1.0).abs())
            .fold(0.0, f64::max)
    };
    let (counters, time) = (worst(&FromCounters), worst(&FromCountersAndTime));
    // A forecast may be shrunk by a tenth.
    assert!(counters > 0.6 && time < 0.15, "{counters} and {time}");
}

#[test]
fn the_baseline_is_the_median_ratio_of_the_other_kernels() {
    let ratio = |counters: [f64; 3]| {
        // The first kernel alone has another ratio: its own forecast must not know.
        let odd = counters[0] / counters[1] < 21.0;
        let factor = if odd { 7.0 } else { 3.0 };
        factor * seconds(counters)
    };
    let data = dataset(seconds, ratio);
    let by_ratio = forecasts(&data, &ByMedianRatio).into_iter();
    for (forecast, time) in by_ratio.zip(data.x().column(3)) {
        assert_close(forecast, 3.0 * time, 1e-12);
    }
}

/// The target's time is linear in that of the device counted on, not in the counters: with the time as one
/// more variable least squares is exact.
#[test]
fn the_paper_takes_the_sources_time_as_one_more_variable() {
    let counted_on =
        |[instructions, items, _]: [f64; 3]| 1e-6 + 1e-9 * (instructions * items).sqrt();
    let data = dataset(counted_on, |counters| 3.0 * counted_on(counters) + 2e-6);
    let papers = forecasts(&data, &Paper::CountersAndTime);
    for (forecast, time) in papers.into_iter().zip(data.y()) {
        assert_close(forecast, *time, 1e-9);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Whatever happens to a kernel's times on the target, its own forecasts stay as they were, bit for bit.
    #[test]
    fn a_forecast_never_knows_the_times_that_it_is_for(kernel in 0..8_usize, factor in 1e-3..1e3) {
        let changed = |counters: [f64; 3]| {
            let chain = counters[0] / counters[1];
            let own = (chain - 20.0 * (1 + kernel * kernel) as f64).abs() < 0.5;
            if own { factor * slower(counters) } else { slower(counters) }
        };
        let (one, other) = (dataset(seconds, slower), dataset(seconds, changed));
        let own = 4 * kernel..4 * kernel + 4;
        for method in [&FromCounters as &dyn Method, &FromCountersAndTime, &ByMedianRatio] {
            let [one, other] = [&one, &other].map(|it| forecasts(it, method));
            prop_assert_eq!(&one[own.clone()], &other[own.clone()]);
        }
    }
}
