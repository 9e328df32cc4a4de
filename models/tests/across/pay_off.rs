use kerncast_models::across::pay_off;

use crate::common::{assert_close, workloads};

/// Local memory halves what memory costs and adds 2 ns for each instruction of the chain: it pays off
/// where much is read.
fn variants(variant: &str, [instructions, items, bytes]: [f64; 3]) -> f64 {
    let chain = instructions / items;
    match variant {
        "global" => 5e-6 + 2e-9 * chain + 1e-10 * bytes,
        _ => 5e-6 + 4e-9 * chain + 0.5e-10 * bytes,
    }
}

#[test]
fn a_gain_that_follows_from_counters_is_forecast_with_its_sign() {
    let workloads = workloads(&["global", "local"], variants);
    let found = pay_off(&workloads, [0, 1]).expect("forecasts");
    let measured = workloads.times(1) / workloads.times(0);
    for (gain, measured) in found.gains.iter().zip(&measured) {
        assert_close(gain.expect("a gain"), *measured, 0.01);
    }
    let pays = measured.iter().filter(|&&gain| gain < 1.0).count();
    assert_eq!(found.sign_right, Some(1.0));
    assert_eq!(
        found.majority_right,
        Some(pays.max(32 - pays) as f64 / 32.0)
    );
    let no_change = found.no_change.overall.expect("errors").mean_ape;
    let by_hand = measured
        .iter()
        .map(|gain| (1.0 / gain - 1.0).abs())
        .sum::<f64>()
        / 32.0;
    assert_close(no_change, by_hand, 1e-12);
}
