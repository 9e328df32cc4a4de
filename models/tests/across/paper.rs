use kerncast_models::{HoldOutKey, across::Paper};

use crate::common::{assert_close, forecasts, workloads};

/// The target's time is linear in the source's, not in the counters: with the time as one more variable
/// least squares is exact, without it is not.
#[test]
fn the_sources_time_is_one_more_variable() {
    let seconds = |device: &str, [instructions, items, _]: [f64; 3]| {
        let source = 1e-6 + 1e-9 * (instructions * items).sqrt();
        if device == "b" {
            3.0 * source + 2e-6
        } else {
            source
        }
    };
    let workloads = workloads(&["a", "b"], seconds);
    let with = Paper::CountersAndTime
        .hold_out(&workloads, [0, 1], HoldOutKey::Kernel)
        .expect("forecasts");
    for (forecast, time) in forecasts(&with).into_iter().zip(workloads.times(1)) {
        assert_close(forecast, *time, 1e-9);
    }
    let without = Paper::Counters
        .hold_out(&workloads, [0, 1], HoldOutKey::Kernel)
        .expect("forecasts");
    let pairs = forecasts(&without).into_iter().zip(workloads.times(1));
    let worst = pairs
        .map(|(forecast, time)| (forecast / time - 1.0).abs())
        .fold(0.0, f64::max);
    assert!(worst > 0.05, "{worst}");
}
