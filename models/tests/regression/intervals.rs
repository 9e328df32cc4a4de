//! Intervals from held-out errors: by hand, and what must hold for any.

use super::common::{assert_close, dataset};
use kerncast_models::{Calibration, Dataset, FitError, HoldOut, HoldOutKey, coverage};
use kerncast_wire::Warning;
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
        expected_errors: vec![1.0; rows.len()],
    };
    (dataset(&counted), hold_out)
}

fn calibration(rows: &[(&str, f64)]) -> Calibration {
    let (dataset, hold_out) = held_out(rows);
    Calibration::new(&dataset, &hold_out)
}

const THREE: [(&str, f64); 4] = [("a", 2.0), ("b", 3.0), ("c", -0.5), ("a", -1.0)];

/// a has 1 and 2, b has 3, c has 0.5. With its own kernel, 1 of 3 kernels lies below 0.5, 2 below 1 and 2, 3
/// below 3. A third of the rows rank at 1: above it is 1, where 1.5 kernels are reached. Two thirds rank at
/// 2 or less: above it is 3.
#[test]
fn each_kernel_counts_once() {
    let calibration = calibration(&THREE);
    assert_eq!(calibration.scores.len(), 3);
    for (level, score) in [(0.25, 1.0), (0.333, 1.0), (0.34, 3.0), (0.75, 3.0)] {
        let factor = calibration.factor(level).expect("enough kernels");
        assert_close(factor, f64::exp(score), 1e-12);
    }
    let interval = calibration.interval(5.0, 1.0, 0.5).expect("an interval");
    assert_close(interval.low, 5.0 * f64::exp(-3.0), 1e-12);
    assert_close(interval.high, 5.0 * f64::exp(3.0), 1e-12);
}

#[test]
fn too_few_kernels_say_how_many_are_needed() {
    let refusal = calibration(&THREE).factor(0.9).expect_err("a refusal");
    assert_eq!(
        refusal.to_string(),
        "too few kernels, or regions of kernels, (3) were left out for an interval at level 0.9: 9 are needed"
    );
    let none = Calibration { scores: Vec::new() };
    assert!(matches!(
        none.factor(1e-12),
        Err(Warning::TooFewLeftOut { folds: 0, .. })
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
        assert!(matches!(refusal, Warning::NoLevel { .. }), "{refusal:?}");
    }
}

/// A forecast that is no time, or none, is as far off as can be.
#[test]
fn impossible_times_are_not_forgotten() {
    for bad in [f64::NAN, f64::INFINITY] {
        let calibration = calibration(&[("a", 0.1), ("b", bad), ("c", 0.2)]);
        assert_close(calibration.factor(0.3).expect("low"), f64::exp(0.2), 1e-12);
        let refusal = calibration.factor(0.75).expect_err("a refusal");
        assert_eq!(refusal, Warning::TooManyNoTimes { level: 0.75 });
    }
    let refusal = calibration(&THREE)
        .interval(-1.0, 1.0, 0.5)
        .expect_err("a refusal");
    assert_eq!(refusal, Warning::NothingToBound { time_s: -1.0 });
}

/// At 0.6, leaving out a: half of the rows, c's, rank at 1, the others at 2, and nothing lies above. So it
/// is 3 without a and without c, and 2 without b: only b lies outside, and the rows' factors are e³, e²,
/// e³, e³.
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
        ("d", 1.0),
    ]);
    // b's row and c's second are no times.
    let low = coverage(&data, &hold_out, 0.3).expect("an interval");
    assert_eq!((low.n, low.without), (3, 2));
    // Three kernels would do for 0.7, two others don't.
    let (data, hold_out) = held_out(&THREE);
    let refusal = coverage(&data, &hold_out, 0.7).expect_err("a refusal");
    assert!(
        matches!(refusal, Warning::TooFewLeftOut { folds: 2, .. }),
        "{refusal:?}"
    );
    let (data, hold_out) = held_out(&[]);
    assert!(coverage(&data, &hold_out, 0.5).is_err());
}

/// Eleven kernels, as in the AIWC data, and sixty. Errors are drawn for each kernel, for each row, and for
/// both: whether rows of one kernel are alike or not, 90 % is 90 %.
#[test]
fn as_many_are_covered_as_were_asked_for() {
    let mut drawn = 0_u64;
    // Exponential, by SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
    let mut draw = || {
        drawn = drawn.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = drawn;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        -((((bits >> 11) as f64) + 0.5) / 2_f64.powi(53)).ln()
    };
    for (kernels, times) in [(11, 400), (60, 60)] {
        let names: Vec<String> = (0..kernels).map(|kernel| format!("k{kernel}")).collect();
        for (own, each) in [(1.0, 0.0), (1.0, 0.3), (1.0, 1.0), (0.0, 1.0)] {
            let mut covered = 0.0;
            for _ in 0..times {
                let mut rows = Vec::new();
                for name in &names {
                    let own = own * draw();
                    let errors = (0..8).map(|_| (name.as_str(), own + each * draw()));
                    rows.extend(errors.collect::<Vec<_>>());
                }
                let (data, hold_out) = held_out(&rows);
                covered += coverage(&data, &hold_out, 0.9).expect("enough").covered;
            }
            let covered = covered / f64::from(times);
            let of = format!("{kernels} kernels, {own} and {each}: {covered}");
            assert!((0.88..=0.93).contains(&covered), "{of}");
        }
    }
}

proptest! {
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
