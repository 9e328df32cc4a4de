use kerncast_models::across::{Workloads, by_median_ratio, from_counters, from_source};
use proptest::prelude::*;

use crate::common::{assert_close, forecasts, workloads};

/// 5 µs a launch, 2 ns an instruction of the chain, 1 TB/s of memory.
fn seconds(_: &str, [instructions, items, bytes]: [f64; 3]) -> f64 {
    5e-6 + 2e-9 * instructions / items + 1e-12 * bytes
}

/// Twice the latencies, a quarter of the bandwidth on the device b.
fn two(device: &str, counters: [f64; 3]) -> f64 {
    let [instructions, items, bytes] = counters;
    match device {
        "a" => seconds(device, counters),
        _ => 1e-5 + 4e-9 * instructions / items + 4e-12 * bytes,
    }
}

#[test]
fn times_that_are_sums_of_costs_are_forecast_exactly_from_counters() {
    let workloads = workloads(&["a"], seconds);
    let hold_out = from_counters(&workloads, 0).expect("forecasts");
    for (forecast, time) in forecasts(&hold_out).into_iter().zip(workloads.times(0)) {
        assert_close(forecast, *time, 1e-4);
    }
}

/// The source's costs are known exactly, so each of its parts has one ratio; nothing is left to smooth.
#[test]
fn each_part_of_the_sources_time_is_scaled_by_its_own_ratio() {
    let workloads = workloads(&["a", "b"], two);
    let hold_out = from_source(&workloads, [0, 1]).expect("forecasts");
    for (forecast, time) in forecasts(&hold_out).into_iter().zip(workloads.times(1)) {
        assert_close(forecast, *time, 1e-3);
    }
}

/// A kernel that is three times slower than its counters say, on both devices: only its time tells.
#[test]
fn the_sources_time_tells_what_the_counters_do_not() {
    let slow = |device: &str, counters: [f64; 3]| {
        let factor = if counters[0] / counters[1] > 900.0 {
            3.0
        } else {
            1.0
        };
        factor * if device == "b" { 2.0 } else { 1.0 } * seconds(device, counters)
    };
    let workloads = workloads(&["a", "b"], slow);
    let worst = |forecasts: Vec<f64>| {
        let pairs = forecasts.into_iter().zip(workloads.times(1));
        pairs
            .map(|(forecast, time)| (forecast / time - 1.0).abs())
            .fold(0.0, f64::max)
    };
    let counters = worst(forecasts(&from_counters(&workloads, 1).expect("forecasts")));
    let time = worst(forecasts(
        &from_source(&workloads, [0, 1]).expect("forecasts"),
    ));
    // A forecast may be shrunk by a tenth.
    assert!(counters > 0.6 && time < 0.15, "{counters} and {time}");
}

#[test]
fn the_baseline_is_the_median_ratio_of_the_other_kernels() {
    let ratio = |device: &str, counters: [f64; 3]| {
        // The first kernel alone has another ratio: its own forecast must not know.
        let odd = counters[0] / counters[1] < 21.0;
        let factor = if odd { 7.0 } else { 3.0 };
        if device == "b" {
            factor * seconds(device, counters)
        } else {
            seconds(device, counters)
        }
    };
    let workloads = workloads(&["a", "b"], ratio);
    let found = forecasts(&by_median_ratio(&workloads, [0, 1]).expect("forecasts"));
    for (forecast, time) in found.into_iter().zip(workloads.times(0)) {
        assert_close(forecast, 3.0 * time, 1e-12);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Whatever happens to a kernel's times on the target, its own forecasts stay as they were, bit for bit.
    #[test]
    fn a_forecast_never_knows_the_times_that_it_is_for(kernel in 0..8_usize, factor in 1e-3..1e3) {
        let changed = |device: &str, [instructions, items, bytes]: [f64; 3]| {
            let time = two(device, [instructions, items, bytes]);
            let own = (instructions / items - 20.0 * (1 + kernel * kernel) as f64).abs() < 0.5;
            if own && device == "b" { factor * time } else { time }
        };
        let (one, other) = (workloads(&["a", "b"], two), workloads(&["a", "b"], changed));
        let own = 4 * kernel..4 * kernel + 4;
        for way in [
            |it: &Workloads| from_counters(it, 1),
            |it: &Workloads| from_source(it, [0, 1]),
            |it: &Workloads| by_median_ratio(it, [0, 1]),
        ] {
            let one = forecasts(&way(&one).expect("forecasts"));
            let other = forecasts(&way(&other).expect("forecasts"));
            prop_assert_eq!(&one[own.clone()], &other[own.clone()]);
        }
    }
}
