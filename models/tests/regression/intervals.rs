//! Intervals from held-out errors: by hand, and what must hold for any.

use crate::common::{assert_close, dataset};
use kerncast_models::{Calibration, Dataset, FitError, HoldOut, HoldOutKey, NoInterval, coverage};
use proptest::{collection::vec, prelude::*};

/// Rows as (kernel, ln(forecast ÷ measured)); NaN is a refusal, infinity a forecast of −1.
fn held_out(rows: &[(&str, f64)]) -> (Dataset, HoldOut) {
    let counted: Vec<_> = rows.iter().map(|row| (row.0, [0.0], 2.0)).collect();
    let forecast = |&(_, log): &(&str, f64)| match log {
        _ if log.is_nan() => Err(FitError::NotFinite),
        f64::INFINITY => Ok(-1.0),
        _ => Ok(2.0 * log.exp()),
    };
    let hold_out = HoldOut {
        key: HoldOutKey::Kernel,
        forecasts: rows.iter().map(forecast).collect(),
    };
    (dataset(&counted), hold_out)
}

fn calibration(rows: &[(&str, f64)]) -> Calibration {
    let (dataset, hold_out) = held_out(rows);
    Calibration::new(&dataset, &hold_out)
}

const THREE: [(&str, f64); 4] = [("a", 2.0), ("b", 3.0), ("c", -0.5), ("a", -1.0)];

/// a has 1 and 2, b has 3, c has 0.5, each kernel the weight 1 of 3 + 1: at or below 0.5 is 1, 1 is 1.5,
/// 2 is 2 and 3 is 3 of 4.
#[test]
fn each_kernel_counts_once() {
    let calibration = calibration(&THREE);
    assert_eq!(calibration.scores.len(), 3);
    for (level, score) in [
        (0.25, 0.5),
        (0.375, 1.0),
        (0.5, 2.0),
        (0.51, 3.0),
        (0.75, 3.0),
    ] {
        let factor = calibration.factor(level).expect("enough kernels");
        assert_close(factor, f64::exp(score), 1e-12);
    }
    let interval = calibration.interval(5.0, 0.5).expect("an interval");
    assert_close(interval.low, 5.0 * f64::exp(-2.0), 1e-12);
    assert_close(interval.high, 5.0 * f64::exp(2.0), 1e-12);
}

#[test]
fn too_few_kernels_say_how_many_are_needed() {
    let refusal = calibration(&THREE).factor(0.9).expect_err("a refusal");
    assert_eq!(
        refusal.to_string(),
        "too few kernels (3) were left out for an interval at level 0.9: 9 are needed"
    );
    let none = Calibration { scores: Vec::new() };
    assert!(matches!(
        none.factor(1e-12),
        Err(NoInterval::TooFewFolds { folds: 0, .. })
    ));
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    let nine = names.map(|name| (name, 0.1));
    assert_close(
        calibration(&nine).factor(0.9).expect("nine"),
        f64::exp(0.1),
        1e-12,
    );
    assert!(calibration(&nine[1..]).factor(0.9).is_err());
}

#[test]
fn a_level_is_a_share() {
    for level in [0.0, 1.0, -0.5, 90.0, f64::NAN] {
        let refusal = calibration(&THREE).factor(level).expect_err("a refusal");
        assert!(matches!(refusal, NoInterval::Level { .. }), "{refusal:?}");
    }
}

/// A forecast that is no time, or none, is as far off as can be.
#[test]
fn impossible_times_are_not_forgotten() {
    for bad in [f64::NAN, f64::INFINITY] {
        let calibration = calibration(&[("a", 0.1), ("b", bad), ("c", 0.2)]);
        assert_close(calibration.factor(0.5).expect("half"), f64::exp(0.2), 1e-12);
        let refusal = calibration.factor(0.75).expect_err("a refusal");
        assert_eq!(refusal, NoInterval::NoTimes { level: 0.75 });
    }
    let refusal = calibration(&THREE)
        .interval(-1.0, 0.5)
        .expect_err("a refusal");
    assert_eq!(refusal, NoInterval::Forecast { forecast: -1.0 });
}

/// At 0.6, leaving out a: b and c have 0.6 · 3 = 1.8 of 2 at 3. Leaving out b: 1.8 of 2 is at 2. Leaving
/// out c: at 3. So only b lies outside, and the rows' factors are e³, e², e³, e³.
#[test]
fn coverage_asks_the_other_kernels() {
    let (data, hold_out) = held_out(&THREE);
    let coverage = coverage(&data, &hold_out, 0.6).expect("enough kernels");
    assert_close(coverage.covered, 2.0 / 3.0, 1e-12);
    assert_close(coverage.covered_rows, 3.0 / 4.0, 1e-12);
    assert_close(coverage.typical_factor, f64::exp(3.0), 1e-12);
    assert_eq!((coverage.n, coverage.without), (4, 0));
}

#[test]
fn coverage_counts_rows_without_an_interval() {
    let (data, hold_out) = held_out(&[
        ("a", 1.0),
        ("b", f64::NAN),
        ("c", 1.0),
        ("c", f64::INFINITY),
    ]);
    // At 0.3 · 3 = 0.9: a's is at infinity (c has 0.5 at 1), that of c's first row at 1.
    let low = coverage(&data, &hold_out, 0.3).expect("an interval");
    assert_eq!((low.n, low.without), (1, 3));
    // Three kernels would do for 0.7, two others don't.
    let (data, hold_out) = held_out(&THREE);
    let refusal = coverage(&data, &hold_out, 0.7).expect_err("a refusal");
    assert!(
        matches!(refusal, NoInterval::TooFewFolds { folds: 2, .. }),
        "{refusal:?}"
    );
    let (data, hold_out) = held_out(&[]);
    assert!(coverage(&data, &hold_out, 0.5).is_err());
}

proptest! {
    /// Whatever the errors: the weighted share of scores below the bound by the others is at least the
    /// level, since a kernel's own weight lies at infinity.
    #[test]
    fn as_many_are_covered_as_were_asked_for(
        rows in vec((0..12_usize, -3.0..3.0), 12..60), level in 0.05..0.85
    ) {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
        let rows: Vec<_> = rows.into_iter().map(|(kernel, log)| (names[kernel], log)).collect();
        let (data, hold_out) = held_out(&rows);
        match coverage(&data, &hold_out, level) {
            Ok(coverage) => {
                prop_assert!(coverage.covered >= level - 1e-6, "{coverage:?}");
                prop_assert!(coverage.typical_factor >= 1.0);
            }
            Err(error) => {
                let too_few = matches!(error, NoInterval::TooFewFolds { .. });
                prop_assert!(too_few, "{error:?}");
            }
        }
    }

    /// A higher level is no narrower.
    #[test]
    fn factors_grow_with_the_level(
        rows in vec((0..6_usize, -3.0..3.0), 6..30), low in 0.01..0.4, step in 0.0..0.3
    ) {
        let names = ["a", "b", "c", "d", "e", "f"];
        let rows: Vec<_> = rows.into_iter().map(|(kernel, log)| (names[kernel], log)).collect();
        let calibration = calibration(&rows);
        if let (Ok(narrow), Ok(wide)) = (calibration.factor(low), calibration.factor(low + step)) {
            prop_assert!(narrow <= wide);
        }
    }
}
