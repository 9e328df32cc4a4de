use kerncast_models::{
    ByWaves, Calibration, Dataset, ExtraTrees, HoldOutKey, Method, WavesForest, coverage, errors,
    hold_out,
};
use ndarray::{Array2, array};

use super::{
    common::{assert_close, dataset},
    waves::{SPLIT, samples, times},
};

/// Launches that fill a device take half as long again as their costs say, others two thirds.
fn off() -> Dataset {
    times(|row, time| time * if filled(row) { 1.5 } else { 1.0 / 1.5 })
}

fn filled(row: usize) -> bool {
    row % SPLIT >= SPLIT / 2
}

fn factor(data: &Dataset, method: &dyn Method) -> f64 {
    let held_out = hold_out(data, HoldOutKey::Kernel, method);
    let errors = errors(data, &held_out).overall.expect("forecasts");
    errors.factor.expect("forecasts above 0")
}

/// Three quarters of a correction are believed.
#[test]
fn trees_say_what_costs_leave_out() {
    let data = off();
    let (costs, corrected) = (factor(&data, &ByWaves), factor(&data, &WavesForest));
    assert!(corrected - 1.0 < 0.8 * (costs - 1.0), "{corrected} {costs}");
}

/// Where there is nothing to correct, hardly anything is.
#[test]
fn what_costs_say_rightly_stays() {
    let (costs, corrected) = (
        factor(&samples(), &ByWaves),
        factor(&samples(), &WavesForest),
    );
    assert!(corrected < costs + 0.02, "{corrected} {costs}");
}

/// Short launches scatter by a half, long ones by a hundredth: so do their intervals.
#[test]
fn intervals_are_as_wide_as_a_row_is_hard() {
    let data = times(|row, time| {
        let way = if row % 4 < 2 { 1.0 } else { -1.0 };
        time * if filled(row) {
            1.0 + 0.01 * way
        } else {
            1.0 + 0.4 * way
        }
    });
    let held_out = hold_out(&data, HoldOutKey::Kernel, &WavesForest);
    let mean = |filled: bool| {
        let these = (0..held_out.expected_errors.len()).filter(|&row| self::filled(row) == filled);
        let expected_errors: Vec<f64> = these.map(|row| held_out.expected_errors[row]).collect();
        expected_errors.iter().sum::<f64>() / expected_errors.len() as f64
    };
    assert!(
        mean(false) > 2.0 * mean(true),
        "{} {}",
        mean(false),
        mean(true)
    );
    let calibration = Calibration::new(&data, &held_out);
    let width = |expected_error: f64| {
        let interval = calibration
            .interval(1.0, expected_error, 0.8)
            .expect("ten kernels");
        (interval.high / interval.low).ln() / 2.0
    };
    assert_close(width(0.2), 2.0 * width(0.1), 1e-9);
    let covered = coverage(&data, &held_out, 0.8).expect("ten kernels");
    assert!(covered.covered > 0.65, "{covered:?}");
}

#[test]
fn shares_add_up() {
    let data = off();
    let fit = WavesForest.fit(&data.rows()).expect("a fit");
    for row in data.x().rows() {
        let shares = fit.attribution(row);
        let sum = shares.rest + shares.shares.iter().map(|it| it.1).sum::<f64>();
        assert_close(sum, fit.predict(row), 1e-9);
    }
}

/// One kernel leaves none to learn from: no correction, and no doubt more than another.
#[test]
fn one_kernel_is_not_corrected() {
    let all = samples();
    let x: Array2<f64> = all.x().slice(ndarray::s![..6, ..]).to_owned();
    let y = all.y().slice(ndarray::s![..6]).to_owned();
    let kernels = vec!["k0".to_owned(); 6];
    let one = Dataset::new(all.counters().to_vec(), kernels, x, y).expect("sound");
    let one = super::common::with_roles(one);
    let [costs, corrected] = [&ByWaves as &dyn Method, &WavesForest]
        .map(|method| method.fit(&one.rows()).expect("a fit"));
    for row in one.x().rows() {
        assert_close(corrected.predict(row), costs.predict(row), 0.0);
        assert_close(corrected.expected_error(row), 1.0, 0.0);
    }
}

/// Thirty generated kernels count no more than three others.
#[test]
fn generated_kernels_do_not_outvote_the_others() {
    let rows: Vec<(String, f64)> = (0..33)
        .map(|at| {
            let time = match at {
                0..3 => 1.0,
                3..13 => 0.5,
                _ => 2.0,
            };
            (format!("k{at}"), time)
        })
        .collect();
    // No tree parts a single row from the others.
    let counter = |at| if at == 0 { 2.0 } else { 1.0 };
    let rows = rows.iter().enumerate();
    let rows: Vec<_> = rows
        .map(|(at, it)| (it.0.as_str(), [counter(at)], it.1))
        .collect();
    let mean = |data: Dataset| {
        let fit = ExtraTrees.fit(&data.rows()).expect("a fit");
        fit.predict(array![1.0].view()).log2()
    };
    assert_close(mean(dataset(&rows)), 10.0 / 33.0, 1e-12);
    let with_generated = dataset(&rows).with_generated(30).expect("as many rows");
    assert_close(mean(with_generated), 10.0 / 60.0, 1e-12);
}
