//! Forecasts of speedups: time without local memory ÷ time with it.

use kerncast_models::{
    Dataset, ExtraTreesPerWorker, HoldOut, HoldOutKey, Median, Method, Signs, errors, hold_out,
    sign_test, signs,
};
use ndarray::{Array1, Array2};

use super::common::{assert_close, with_roles};

fn dataset(kernels: &[&str], speedups: &[f64]) -> Dataset {
    let names = vec!["launch:work_items".to_owned()];
    let kernels = kernels.iter().map(ToString::to_string).collect();
    let x = Array2::from_shape_fn((speedups.len(), 1), |(row, _)| row as f64);
    with_roles(
        Dataset::new(names, kernels, x, Array1::from(speedups.to_vec())).expect("sound speedups"),
    )
}

#[test]
fn right_signs_are_shares_of_kernels_and_clear_ones_are_told_apart() {
    let kernels = ["a", "a", "a", "a", "b", "b"];
    let dataset = dataset(&kernels, &[2.0, 1.05, 0.95, 0.5, 1.25, 1.01]);
    let held_out = |forecasts: [f64; 6]| HoldOut {
        key: HoldOutKey::Kernel,
        forecasts: forecasts.map(Ok).to_vec(),
        doubts: vec![1.0; forecasts.len()],
    };
    let found = signs(&dataset, &held_out([1.6, 0.9, 0.9, 1.1, 1.4, 0.8])).expect("rows");
    let expected = Signs {
        // Of a: 2.0 and 0.95, half. Of b: 1.25, half.
        right: 0.5,
        // Clear are 2.0 and 0.5 of a, half of them right, and 1.25 of b.
        clear_right: Some(0.75),
        // Half of a's, all of b's.
        pays_off: 0.75,
        // Always saying that it pays off is right for half of a and all of b.
        better: 0,
        worse: 1,
    };
    assert_eq!(found, expected);
    let always = signs(&dataset, &held_out([2.0; 6])).expect("rows");
    assert_close(always.right, 0.75, 1e-15);
    assert_eq!((always.better, always.worse), (0, 0));
    let exact = signs(&dataset, &held_out([2.0, 1.1, 0.9, 0.5, 1.3, 1.1])).expect("rows");
    assert_eq!((exact.better, exact.worse), (1, 0));
}

#[test]
fn the_sign_test_is_the_binomial_tail() {
    // By hand: one of two ways, (10 + 1) of 2^10, (36 + 9 + 1) of 2^9.
    for (better, worse, expected) in [
        (0, 0, 1.0),
        (1, 0, 0.5),
        (9, 1, 11.0 / 1024.0),
        (7, 2, 46.0 / 512.0),
        (0, 5, 1.0),
    ] {
        assert_close(sign_test(better, worse), expected, 1e-12);
    }
    // The tail of a standard normal distribution beyond (5,099.5 - 5,000) / 50 = 1.99.
    assert!((sign_test(5100, 4900) - 0.0233).abs() < 2e-4);
}

#[test]
fn the_median_counts_each_kernel_once() {
    let kernels = ["a", "a", "a", "b", "c"];
    let speedups = dataset(&kernels, &[0.1, 0.1, 0.1, 0.8, 0.9]);
    let fitted = Median.fit(&speedups.rows()).expect("a median");
    assert_close(fitted.predict(speedups.x().row(0)), 0.8, 1e-15);
    assert_eq!(fitted.columns().count(), 0);
}

/// Eight kernels at five sizes each; local memory pays off where a work-item loads much. What the launch
/// loads in all says nothing of that.
#[test]
fn trees_per_worker_know_what_hangs_on_a_work_item_whatever_the_size() {
    let rows = (0..8).flat_map(|kernel| (0..5).map(move |size| (kernel, size)));
    let rows: Vec<(i32, i32)> = rows.collect();
    let loads = |kernel: i32| f64::from(1 + (kernel * 3) % 8 / 2 * 16);
    let kernels = rows.iter().map(|(kernel, _)| format!("k{kernel}"));
    let values = rows.iter().flat_map(|&(kernel, size)| {
        let items = 8_f64.powi(3 + size) * (1.0 + f64::from(kernel) / 10.0);
        [items * loads(kernel), items]
    });
    let x = Array2::from_shape_vec((40, 2), values.collect()).expect("40 rows");
    let speedups = rows.iter().map(|&(kernel, _)| loads(kernel).sqrt() / 2.0);
    let counters = ["oclgrind:load_global", "launch:work_items"].map(str::to_owned);
    let dataset = Dataset::new(counters.into(), kernels.collect(), x, speedups.collect());
    let dataset = with_roles(dataset.expect("sound speedups"));
    let held_out = hold_out(&dataset, HoldOutKey::Kernel, &ExtraTreesPerWorker);
    let factor = errors(&dataset, &held_out).overall.and_then(|it| it.factor);
    assert!(factor.expect("forecasts") < 1.25, "{factor:?}");
    let signs = signs(&dataset, &held_out).expect("rows");
    assert_close(signs.right, 1.0, 1e-15);
    let plain = hold_out(&dataset, HoldOutKey::Kernel, &kerncast_models::ExtraTrees);
    let plain = errors(&dataset, &plain).overall.and_then(|it| it.factor);
    assert!(plain > factor, "{plain:?} by totals, {factor:?} by worker");
}
