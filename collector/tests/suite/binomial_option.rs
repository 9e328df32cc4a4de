//! Option prices against the binomial formula, and against its limit.

use crate::{RunOnce, assert_close, for_each_variant, to_f64};

const RATE: f64 = 0.02;
const VOLATILITY: f64 = 0.3;

struct Call {
    spot: f64,
    strike: f64,
    years: f64,
}

fn calls(run: &RunOnce) -> impl Iterator<Item = Call> {
    let [spots, strikes, years] =
        ["spots", "strikes", "years"].map(|name| to_f64(run.inputs[name].as_f32()));
    spots
        .into_iter()
        .zip(strikes)
        .zip(years)
        .map(|((spot, strike), years)| Call {
            spot,
            strike,
            years,
        })
}

#[test]
fn is_the_binomial_formula() {
    const STEPS: u32 = 127;
    for_each_variant(
        "binomial_option",
        [("options", 12), ("steps", STEPS as usize)],
        |run| {
            let expected: Vec<f64> = calls(run)
                .map(|call| cox_ross_rubinstein(&call, STEPS))
                .collect();
            assert_close(run.outputs["prices"].as_f32(), &expected, 2e-3);
        },
    );
}

#[test]
fn comes_near_black_and_scholes() {
    const STEPS: usize = 255;
    for_each_variant(
        "binomial_option",
        [("options", 12), ("steps", STEPS)],
        |run| {
            for (call, price) in calls(run).zip(run.outputs["prices"].as_f32()) {
                // The tree's error is of the order 1 / steps: Leisen and Reimer, Appl. Math. Finance 3 (1996).
                let error = call.spot * VOLATILITY * call.years.sqrt() / STEPS as f64;
                let limit = black_scholes(&call);
                assert!(
                    (f64::from(*price) - limit).abs() < error,
                    "{price}, expected {limit} ± {error}"
                );
            }
        },
    );
}

/// Cox, Ross and Rubinstein, J. Financial Economics 7 (1979): the discounted mean pay-off over the
/// binomial distribution of upward moves, without a walk through the tree.
fn cox_ross_rubinstein(call: &Call, steps: u32) -> f64 {
    let step = call.years / f64::from(steps);
    let up = (VOLATILITY * step.sqrt()).exp();
    let probability = ((RATE * step).exp() - 1.0 / up) / (up - 1.0 / up);
    let mut mean = 0.0;
    let mut weight = (1.0 - probability).powf(f64::from(steps)); // of no upward move
    for ups in 0..=steps {
        let end = call.spot * up.powf(2.0 * f64::from(ups) - f64::from(steps));
        mean += weight * (end - call.strike).max(0.0);
        weight *= f64::from(steps - ups) / f64::from(ups + 1) * probability / (1.0 - probability);
    }
    mean * (-RATE * call.years).exp()
}

/// Black and Scholes, J. Political Economy 81 (1973).
fn black_scholes(call: &Call) -> f64 {
    let deviation = VOLATILITY * call.years.sqrt();
    let d1 = ((call.spot / call.strike).ln() + RATE * call.years) / deviation + deviation / 2.0;
    let normal = |x: f64| libm::erfc(-x / std::f64::consts::SQRT_2) / 2.0;
    call.spot * normal(d1) - call.strike * (-RATE * call.years).exp() * normal(d1 - deviation)
}
