//! Recursive filters, autocorrelation, and oscillators.

use crate::assert_each;

/// The direct form, section by section; the kernel has the transposed one.
#[test]
fn biquad_cascade_filters_section_by_section() {
    const CHANNELS: usize = 32;
    let filtered = |[coefficients, signals]: &[Vec<f64>; 2], i: usize| {
        let channel = signals[i % CHANNELS..].iter().step_by(CHANNELS).copied();
        let sections = coefficients.chunks_exact(5);
        let out = sections.fold(channel.collect::<Vec<f64>>(), |x, c| {
            let mut y: Vec<f64> = Vec::new();
            for t in 0..x.len() {
                let before = |numbers: &[f64], k| t.checked_sub(k).map_or(0.0, |t| numbers[t]);
                let forward = c[0] * x[t] + c[1] * before(&x, 1) + c[2] * before(&x, 2);
                let back = c[3] * before(&y, 1) + c[4] * before(&y, 2);
                y.push(forward - back);
            }
            y
        });
        out[i / CHANNELS]
    };
    assert_each(
        "biquad_cascade",
        [("channels", CHANNELS), ("samples", 60)],
        (["coefficients", "signals"], "filtered"),
        1e-5,
        filtered,
    );
}

#[test]
fn autocorrelation_multiplies_the_signal_with_a_later_one() {
    const SAMPLES: usize = 192;
    let sum = |[signal]: &[Vec<f64>; 1], lag: usize| {
        let pairs = signal[..SAMPLES].iter().zip(&signal[lag..]);
        pairs.map(|(early, late)| early * late).sum()
    };
    assert_each(
        "autocorrelation",
        [("lags", 128), ("samples", SAMPLES)],
        (["signal"], "sums"),
        5e-5,
        sum,
    );
}

/// The midpoint rule with steps a hundred times as short.
#[test]
fn oscillators_swing_as_finer_steps_say() {
    const STEPS: usize = 50;
    let end = |[starts, stiffness]: &[Vec<f64>; 2], i: usize| {
        let own = stiffness[i / 2];
        let change = |[x, v]: [f64; 2]| [v, own * (1.0 - x * x) * v - x];
        let moved = |[x, v]: [f64; 2], [dx, dv]: [f64; 2], by: f64| [x + by * dx, v + by * dv];
        let start = [starts[i / 2 * 2], starts[i / 2 * 2 + 1]];
        let end = (0..100 * STEPS).fold(start, |state, _| {
            let half_way = moved(state, change(state), 5e-5);
            moved(state, change(half_way), 1e-4)
        });
        end[i % 2]
    };
    assert_each(
        "oscillators",
        [("oscillators", 32), ("steps", STEPS)],
        (["starts", "stiffness"], "ends"),
        1e-6,
        end,
    );
}
