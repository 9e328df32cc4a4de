//! Options by Black and Scholes's formula, and by Monte Carlo.

use std::f64::consts::{SQRT_2, TAU};

use crate::{assert_each, counting::murmur3_finaliser};

const RATE: f64 = 0.02;
const VOLATILITY: f64 = 0.3;
const INPUTS: [&str; 3] = ["spots", "strikes", "years"];

/// What option `i` pays on average over the normal distribution, discounted; `sign` 1: a call, −1: a put.
fn black_scholes([spots, strikes, years]: &[Vec<f64>; 3], i: usize, sign: f64) -> f64 {
    let normal = |x: f64| libm::erfc(-x / SQRT_2) / 2.0;
    let (spot, strike, years) = (spots[i], strikes[i], years[i]);
    let deviation = VOLATILITY * years.sqrt();
    let forward = spot * (RATE * years).exp();
    let d2 = (forward / strike).ln() / deviation - deviation / 2.0;
    let mean = forward * normal(sign * (d2 + deviation)) - strike * normal(sign * d2);
    sign * mean * (-RATE * years).exp()
}

#[test]
fn black_scholes_prices_calls_and_puts() {
    for (output, sign) in [("calls", 1.0), ("puts", -1.0)] {
        let price = |inputs: &[Vec<f64>; 3], i: usize| black_scholes(inputs, i, sign);
        assert_each(
            "black_scholes",
            [("options", 256)],
            (INPUTS, output),
            2e-5,
            price,
        );
    }
}

#[test]
fn monte_carlo_option_is_the_mean_pay_off() {
    const PATHS: u32 = 1000;
    let mean = |[spots, strikes, years]: &[Vec<f64>; 3], i: usize| {
        let pay_off = |path: u32| {
            let [u, v] = [1, 2].map(|which| f64::from(murmur3_finaliser(2 * path + which) >> 8));
            let [u, v] = [(u + 1.0) / 16_777_216.0, v / 16_777_216.0];
            let normal = (-2.0 * u.ln()).sqrt() * (TAU * v).cos();
            let drift = RATE - VOLATILITY * VOLATILITY / 2.0;
            let end = drift * years[i] + VOLATILITY * years[i].sqrt() * normal;
            (spots[i] * end.exp() - strikes[i]).max(0.0)
        };
        (-RATE * years[i]).exp() * (0..PATHS).map(pay_off).sum::<f64>() / f64::from(PATHS)
    };
    let sizes = [("options", 3), ("paths", PATHS as usize)];
    assert_each("monte_carlo_option", sizes, (INPUTS, "prices"), 5e-5, mean);
}

#[test]
fn monte_carlo_option_comes_near_black_and_scholes() {
    // The mean's standard deviation is at most 50 exp(0.3² · 5 / 2) / √65536 ≈ 0.2.
    let price = |inputs: &[Vec<f64>; 3], i: usize| black_scholes(inputs, i, 1.0);
    let sizes = [("options", 3), ("paths", 65_536)];
    assert_each("monte_carlo_option", sizes, (INPUTS, "prices"), 0.4, price);
}
