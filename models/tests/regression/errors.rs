//! The errors' definitions, worked out by hand.

use super::common::{assert_close, dataset};
use kerncast_models::{Dataset, ErrorReport, FitError, HoldOut, HoldOutKey, errors};

fn report(data: &Dataset, forecasts: &[Option<f64>]) -> ErrorReport {
    let refusal = FitError::NothingVaries {
        rows: 1,
        counters: 1,
    };
    let held_out = HoldOut {
        key: HoldOutKey::Row,
        forecasts: forecasts
            .iter()
            .map(|f| f.ok_or_else(|| refusal.clone()))
            .collect(),
        expected_errors: vec![1.0; forecasts.len()],
    };
    errors(data, &held_out)
}

/// a: forecasts 2, 1 and −1 for 1, 1, 1: APE 1, 0, 2. b: 4 for 8 and none: APE 0.5. c: none.
/// d: −3 for 1: APE 4, and no forecast above 0.
#[test]
fn kernels_first_then_averaged() {
    let data = dataset(&[
        ("b", [0.0], 8.0),
        ("a", [0.0], 1.0),
        ("a", [0.0], 1.0),
        ("c", [0.0], 1.0),
        ("a", [0.0], 1.0),
        ("b", [0.0], 1.0),
        ("d", [0.0], 1.0),
    ]);
    let forecasts = [
        Some(4.0),
        Some(2.0),
        Some(1.0),
        None,
        Some(-1.0),
        None,
        Some(-3.0),
    ];
    let ErrorReport { overall, kernels } = report(&data, &forecasts);
    let names: Vec<&str> = kernels
        .iter()
        .map(|kernel| kernel.kernel.as_str())
        .collect();
    assert_eq!(names, ["a", "b", "c", "d"]);

    let a = kernels[0].errors.expect("a");
    assert_eq!((a.n, a.unpredicted, a.negative), (3, 0, 1));
    assert_close(a.mean_ape, 1.0, 1e-15);
    assert_close(a.median_ape, 1.0, 1e-15);
    assert_close(a.within_25, 1.0 / 3.0, 1e-15);
    // Over 2 and 1: exp((ln 2 + 0) / 2).
    assert_close(a.factor.expect("a"), 2.0_f64.sqrt(), 1e-15);

    let b = kernels[1].errors.expect("b");
    assert_eq!((b.n, b.unpredicted, b.negative), (1, 1, 0));
    // Half as long is as far off as twice as long.
    assert_close(b.factor.expect("b"), 2.0, 1e-15);
    assert_eq!(kernels[2].errors, None);
    assert_eq!(kernels[3].errors.expect("d").factor, None);

    let overall = overall.expect("three kernels");
    assert_eq!(
        (overall.n, overall.unpredicted, overall.negative),
        (5, 2, 2)
    );
    assert_close(overall.mean_ape, (1.0 + 0.5 + 4.0) / 3.0, 1e-15);
    // Of all rows: 0, 0.5, 1, 2, 4.
    assert_close(overall.median_ape, 1.0, 1e-15);
    assert_close(overall.within_25, (1.0 / 3.0 + 0.0 + 0.0) / 3.0, 1e-15);
    // exp((ln √2 + ln 2) / 2); d has none.
    assert_close(overall.factor.expect("overall"), 2.0_f64.powf(0.75), 1e-15);
}

#[test]
fn an_even_number_of_rows_has_its_median_halfway() {
    let data = dataset(&[("a", [0.0], 1.0), ("a", [0.0], 1.0)]);
    let overall = report(&data, &[Some(1.25), Some(2.0)]).overall.expect("a");
    assert_close(overall.median_ape, 0.625, 1e-15);
    // 25 % is within 25 %.
    assert_close(overall.within_25, 0.5, 1e-15);
}

/// A mean of shares must not round to more than all.
#[test]
fn all_within_25_is_one() {
    for n in 1..200 {
        let rows: Vec<_> = (0..n).map(|_| ("a", [0.0], 1.0)).collect();
        let overall = report(&dataset(&rows), &vec![Some(1.0); n]).overall;
        assert_close(overall.expect("a").within_25, 1.0, 0.0);
    }
}
