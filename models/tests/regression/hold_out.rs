//! Leaving out, derived by hand on a straight line.

use super::common::{assert_close, dataset};
use kerncast_models::{
    Calibration, Dataset, FitError, Fitted, HoldOutKey, Method, OrdinaryLeastSquares, Rows, errors,
    hold_out,
};

/// Kernel a in three sizes, kernels b and c in one.
fn line() -> Dataset {
    dataset(&[
        ("a", [0.0], 1.0),
        ("b", [3.0], 5.0),
        ("a", [1.0], 2.0),
        ("a", [2.0], 4.0),
        ("c", [4.0], 9.0),
    ])
}

/// Without b: x = 0, 1, 2, 4, y = 1, 2, 4, 9: means 1.75 and 4, slope 18/8.75, so at 3 it says
/// 4 + 1.25 · 18/8.75. Without c: x = 0, 3, 1, 2, y = 1, 5, 2, 4: means 1.5 and 3, slope 7/5, so at 4
/// it says 6.5. Without a two rows are left, too few for a line that may be off.
#[test]
fn a_kernel_leaves_with_all_its_rows() {
    let held_out = hold_out(&line(), HoldOutKey::Kernel, &OrdinaryLeastSquares);
    let [a1, b, a2, a3, c] = &held_out.forecasts[..] else {
        panic!("one forecast a row")
    };
    assert_close(*b.as_ref().expect("b"), 4.0 + 1.25 * 18.0 / 8.75, 1e-12);
    assert_close(*c.as_ref().expect("c"), 6.5, 1e-12);
    for row in [a1, a2, a3] {
        assert!(
            matches!(row, Err(FitError::TooFewRows { rows: 2, .. })),
            "{row:?}"
        );
    }
    let report = errors(&line(), &held_out);
    let overall = report.overall.expect("two kernels");
    assert_eq!((overall.n, overall.unpredicted), (2, 3));
    assert_eq!(report.kernels[0].errors, None);
}

#[test]
fn a_row_leaves_alone() {
    let held_out = hold_out(&line(), HoldOutKey::Row, &OrdinaryLeastSquares);
    assert_eq!(held_out.key, HoldOutKey::Row);
    // b and c are alone in their kernels: as above.
    assert_close(
        *held_out.forecasts[1].as_ref().expect("b"),
        4.0 + 1.25 * 18.0 / 8.75,
        1e-12,
    );
    assert_close(*held_out.forecasts[4].as_ref().expect("c"), 6.5, 1e-12);
    // Without the first: x = 3, 1, 2, 4, y = 5, 2, 4, 9: means 2.5 and 5, slope 11/5, at 0: −0.5.
    assert_close(*held_out.forecasts[0].as_ref().expect("a"), -0.5, 1e-12);
    let overall = errors(&line(), &held_out).overall.expect("three kernels");
    assert_eq!(
        (overall.n, overall.unpredicted, overall.negative),
        (5, 0, 1)
    );
}

/// b and c as one family: without them a's three rows are left, the line through (0, 1), (1, 2), (2, 4):
/// means 1 and 7/3, slope 3/2.
#[test]
fn a_family_leaves_with_all_its_kernels() {
    let siblings = || Some("siblings".to_owned());
    let families = [None, siblings(), None, None, siblings()];
    let data = line().with_families(&families).expect("families");
    let held_out = hold_out(&data, HoldOutKey::Family, &OrdinaryLeastSquares);
    let forecast = |row: usize| *held_out.forecasts[row].as_ref().expect("a forecast");
    assert_close(forecast(1), 7.0 / 3.0 + 1.5 * 2.0, 1e-12);
    assert_close(forecast(4), 7.0 / 3.0 + 1.5 * 3.0, 1e-12);
    assert!(held_out.forecasts[0].is_err(), "two rows are left");
}

/// Ordinary least squares that knows no shorter way.
#[derive(Debug)]
struct Refits;

impl Method for Refits {
    fn name(&self) -> &'static str {
        "refits"
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        OrdinaryLeastSquares.fit(rows)
    }
}

/// Rows 3 and 53 leave together: it is as if they were of one kernel.
#[test]
fn refits_leave_a_fiftieth_of_many_rows_out() {
    let row = |at: u16| ("a", [f64::from(at)], 1.0 + f64::from(at % 7));
    let rows: Vec<_> = (0..100).map(row).collect();
    let refitted = hold_out(&dataset(&rows), HoldOutKey::Row, &Refits);
    let mut as_one_kernel = rows.clone();
    as_one_kernel[3].0 = "b";
    as_one_kernel[53].0 = "b";
    let held_out = hold_out(
        &dataset(&as_one_kernel),
        HoldOutKey::Kernel,
        &OrdinaryLeastSquares,
    );
    for at in [3, 53] {
        let refitted = refitted.forecasts[at].as_ref().expect("a forecast");
        assert_close(
            *refitted,
            *held_out.forecasts[at].as_ref().expect("b"),
            1e-12,
        );
    }
    let kernels = |method| hold_out(&line(), HoldOutKey::Kernel, method).forecasts;
    let (refitted, short) = (kernels(&Refits), kernels(&OrdinaryLeastSquares));
    assert_close(
        *refitted[1].as_ref().expect("b"),
        *short[1].as_ref().expect("b"),
        1e-12,
    );
}

#[test]
fn a_single_kernel_refuses_every_row() {
    let data = dataset(&[("a", [0.0], 1.0), ("a", [1.0], 2.0), ("a", [2.0], 4.0)]);
    let held_out = hold_out(&data, HoldOutKey::Kernel, &OrdinaryLeastSquares);
    assert_eq!(held_out.forecasts.len(), 3);
    for row in &held_out.forecasts {
        assert!(
            matches!(row, Err(FitError::TooFewRows { rows: 0, .. })),
            "{row:?}"
        );
    }
    let report = errors(&data, &held_out);
    assert_eq!(report.overall, None);
    assert_eq!(report.kernels.len(), 1);
}

#[test]
fn no_rows_no_forecasts() {
    let data = dataset::<1>(&[]);
    let held_out = hold_out(&data, HoldOutKey::Kernel, &OrdinaryLeastSquares);
    assert!(held_out.forecasts.is_empty());
    assert_eq!(errors(&data, &held_out).overall, None);
}

/// About 1e-6 s for 1e-100 events makes 1e120 s for 1e26: finite, but nothing to average. And for 1e300
/// it is infinite.
#[test]
fn an_absurd_forecast_is_a_refusal() {
    for counter in [1e26, 1e300] {
        let data = dataset(&[
            ("a", [0.0], 1e-6),
            ("b", [1e-100], 2e-6),
            ("c", [3e-100], 4e-6),
            ("d", [counter], 3e-6),
        ]);
        let held_out = hold_out(&data, HoldOutKey::Kernel, &OrdinaryLeastSquares);
        let refusal = held_out.forecasts[3].as_ref().expect_err("a refusal");
        assert!(matches!(refusal, FitError::Forecast { .. }), "{refusal:?}");
    }
}

/// Rows of a generated kernel are learned from, whatever is left out, and nobody is judged by them: kernel b is
/// forecast by a's rows and theirs.
#[test]
fn generated_rows_are_in_every_fit_and_in_no_fold() {
    let rows = [
        ("a", [0.0], 1.0),
        ("b", [3.0], 5.0),
        ("made", [1.0], 2.0),
        ("made", [2.0], 4.0),
        ("made", [4.0], 9.0),
    ];
    let data = dataset(&rows).with_generated(3).expect("three of five");
    for key in [HoldOutKey::Kernel, HoldOutKey::Family, HoldOutKey::Row] {
        let held_out = hold_out(&data, key, &OrdinaryLeastSquares);
        let [_, b] = &held_out.forecasts[..] else {
            panic!("one forecast a row that judges")
        };
        // As without b in `line`.
        assert_close(*b.as_ref().expect("b"), 4.0 + 1.25 * 18.0 / 8.75, 1e-12);
        let report = errors(&data, &held_out);
        let with_errors: Vec<&str> = report.kernels.iter().map(|it| &*it.kernel).collect();
        assert_eq!(with_errors, ["a", "b"]);
        assert_eq!(report.overall.expect("errors").n, 2);
    }
    assert_eq!(
        Calibration::new(
            &data,
            &hold_out(&data, HoldOutKey::Kernel, &OrdinaryLeastSquares)
        )
        .scores
        .len(),
        2
    );
    assert!(dataset(&rows).with_generated(6).is_err());
}
