//! Ceilings of a device that several agents measured.

use kerncast_models::upper_median;
use kerncast_wire::Ceilings;

/// Number of values from which the median tells which are wrong.
const ENOUGH_VALUES: usize = 3;
/// The largest factor by which a value may differ from the median.
const MOST_FACTOR: f64 = 2.0;

/// The shortest launch and the highest rates that any agent has measured: a busy machine's launches come out too long,
/// and its rates too low. Values far from the median are left out: an agent that claims launches of 10 ms, by mistake
/// or not, could otherwise make every time of microseconds right, or impossible.
#[must_use]
pub fn believable_ceilings(measured: &[Ceilings]) -> Ceilings {
    let all = |ceiling: fn(&Ceilings) -> Option<f64>| {
        without_outliers(measured.iter().filter_map(ceiling).collect())
    };
    let highest = |ceiling| all(ceiling).into_iter().reduce(f64::max);
    Ceilings {
        copy_bytes_per_s: highest(|it| it.copy_bytes_per_s),
        fp32_flop_per_s: highest(|it| it.fp32_flop_per_s),
        fp64_flop_per_s: highest(|it| it.fp64_flop_per_s),
        launch_latency_s: all(|it| it.launch_latency_s).into_iter().reduce(f64::min),
        ..Ceilings::default()
    }
}

fn without_outliers(mut values: Vec<f64>) -> Vec<f64> {
    if values.len() >= ENOUGH_VALUES
        && let Some(middle) = upper_median(values.clone())
    {
        values.retain(|it| (it / middle).ln().abs() <= MOST_FACTOR.ln());
    }
    values
}
