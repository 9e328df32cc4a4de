//! What is said about a fit that stands on little.

use super::common::dataset;
use kerncast_models::{Method, OrdinaryLeastSquares, warnings};
use kerncast_wire::Warning;

fn of(rows: &[(&str, [f64; 1], f64)]) -> Vec<Warning> {
    let data = dataset(rows);
    let fit = OrdinaryLeastSquares.fit(&data.rows()).expect("a fit");
    warnings(&data, &fit)
}

#[test]
fn a_sound_fit_has_none() {
    let rows = [("a", [1.0], 1.0), ("b", [2.0], 2.1), ("c", [3.0], 2.9)];
    assert_eq!(of(&rows), []);
}

#[test]
fn sizes_do_not_replace_kernels() {
    let warnings = of(&[("a", [1.0], 1.0), ("a", [2.0], 2.1), ("b", [3.0], 2.9)]);
    assert_eq!(
        warnings,
        [Warning::FewKernels {
            kernels: 2,
            counters: 1
        }]
    );
    assert_eq!(
        warnings[0].to_string(),
        "few kernels (2) for the counters (1): 3 or more are advised"
    );
}

/// The line through (0, 1), (1, 1), (2, 1) and (6, 10): means 2.25 and 3.25, slope 33.75 / 20.75, so
/// that it is below 0 at 0.
#[test]
fn impossible_times_are_counted() {
    let warnings = of(&[
        ("a", [0.0], 1.0),
        ("b", [1.0], 1.0),
        ("c", [2.0], 1.0),
        ("d", [6.0], 10.0),
    ]);
    assert_eq!(warnings, [Warning::NegativeTimes { samples: 1, of: 4 }]);
}
