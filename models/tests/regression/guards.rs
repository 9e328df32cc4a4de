//! Input that linfa-linear answers with nonsense: each is dropped or refused, and the reason says what.

use super::common::{self, assert_close, coefficients, dataset, linear};
use kerncast_models::{
    Dataset, DropReason, Dropped, FitError, Fitted, Method, OrdinaryLeastSquares,
};
use ndarray::{Array1, Array2, array};

/// c2 = 2·c0 − 3·c1 + 5 in every row, c3 is constant, c4 repeats c0 in another unit; y = 1 + c0 + 2·c1.
fn redundant() -> Dataset {
    let row = |a: f64, b: f64| {
        let counters = [a, b, 2.0 * a - 3.0 * b + 5.0, 7.0, a * 1024.0];
        ("k", counters, 1.0 + a + 2.0 * b)
    };
    dataset(&[
        row(1.0, 2.0),
        row(2.0, 1.0),
        row(3.0, 5.0),
        row(4.0, 3.0),
        row(5.0, 8.0),
        row(6.0, 4.0),
    ])
}

#[test]
fn collinear_and_constant_counters_are_dropped_and_named() {
    let data = redundant();
    let fit = fit(&data).expect("a fit");
    let collinear = |column, with: &[usize]| Dropped {
        column,
        reason: DropReason::Collinear {
            with: with.to_vec(),
        },
    };
    let constant = Dropped {
        column: 3,
        reason: DropReason::Constant,
    };
    assert_eq!(
        fit.dropped,
        [collinear(2, &[0, 1]), constant, collinear(4, &[0])]
    );
    let columns: Vec<usize> = coefficients(&fit).iter().map(|c| c.column).collect();
    assert_eq!(columns, [0, 1]);
    // y = 1 + c0 + 2·c1: the mean of c0 is 3.5, of c1 23/6.
    assert_close(linear(&fit).intercept, 1.0 + 3.5 + 23.0 / 3.0, 1e-12);
    assert_close(
        fit.predict(array![10.0, 10.0, 0.0, 0.0, 0.0].view()),
        31.0,
        1e-12,
    );

    let names = data.counters();
    let words: Vec<String> = fit
        .dropped
        .iter()
        .map(|d| d.reason.in_words(names))
        .collect();
    assert_eq!(
        words,
        [
            "a combination of c0, c1",
            "the same in every sample",
            "a combination of c0"
        ]
    );
}

/// 0.1 + 0.2 is not 0.3: a counter that was computed can be constant without being equal.
#[test]
fn constant_up_to_rounding_is_constant() {
    let data = dataset(&[
        ("a", [1.0, 0.1 + 0.2], 1.0),
        ("b", [2.0, 0.3], 2.0),
        ("c", [4.0, 0.3], 3.0),
    ]);
    let dropped = fit(&data).expect("a fit").dropped;
    assert_eq!(dropped.len(), 1);
    assert_eq!(dropped[0].reason, DropReason::Constant);
}

/// Two counters a thousandth apart are poor, not collinear: they stay.
#[test]
fn resemblance_is_no_collinearity() {
    let data = dataset(&[
        ("a", [1.0, 1.001], 1.0),
        ("b", [2.0, 1.999], 2.0),
        ("c", [3.0, 3.001], 4.0),
        ("d", [4.0, 3.999], 3.0),
        ("e", [5.0, 4.999], 3.0),
    ]);
    assert!(fit(&data).expect("a fit").dropped.is_empty());
}

#[test]
fn a_fit_that_would_pass_through_every_row_is_refused() {
    // Generic rows and two counters: four rows leave one to be off, three leave none.
    let rows = [
        ("a", [1.0, 1.0], 1.0),
        ("b", [2.0, 4.0], 5.0),
        ("c", [3.0, 9.0], 2.0),
        ("d", [4.0, 17.0], 3.0),
    ];
    assert_eq!(coefficients(&fit(&dataset(&rows)).expect("a fit")).len(), 2);
    for n in 0..4 {
        let refusal = fit(&dataset(&rows[..n])).expect_err("a refusal");
        assert!(
            matches!(refusal, FitError::TooFewRows { rows, counters: 2, needed: 4 } if rows == n),
            "{refusal:?}"
        );
        assert_eq!(
            refusal.to_string(),
            format!("too few rows ({n}) for the counters (2): 4 are needed")
        );
    }
}

/// With more counters than rows all columns past the rows' number look collinear; that is no reason to
/// interpolate.
#[test]
fn more_counters_than_rows_is_refused() {
    let x = Array2::from_shape_fn((5, 9), |(row, column)| {
        ((row + 2) as f64).powf(column as f64 / 2.0 + 0.5)
    });
    let refusal = fit_of(&x, &Array1::ones(5), None).expect_err("a refusal");
    assert!(
        matches!(
            refusal,
            FitError::TooFewRows {
                rows: 5,
                counters: 9,
                needed: 11
            }
        ),
        "{refusal:?}"
    );
}

/// Ten times the same counter is one counter: rows are not too few for it.
#[test]
fn repeated_counters_do_not_use_rows_up() {
    let x = Array2::from_shape_fn((3, 10), |(row, column)| ((row + 1) * (column + 1)) as f64);
    let fit = fit_of(&x, &array![1.0, 2.0, 4.0], None).expect("a fit");
    assert_eq!(coefficients(&fit).len(), 1);
    assert_eq!(fit.dropped.len(), 9);
}

#[test]
fn nothing_to_learn_from_is_refused() {
    let data = dataset(&[("a", [1.0], 1.0), ("b", [1.0], 2.0), ("c", [1.0], 3.0)]);
    let refusal = fit(&data).expect_err("a refusal");
    assert!(
        matches!(
            refusal,
            FitError::NothingVaries {
                rows: 3,
                counters: 1
            }
        ),
        "{refusal:?}"
    );
}

#[test]
fn what_is_not_finite_is_refused_with_its_place() {
    let x = array![[1.0], [2.0], [4.0], [3.0]];
    let y = array![1.0, 2.0, 3.0, 5.0];
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut broken = x.clone();
        broken[(2, 0)] = bad;
        let refusal = fit_of(&broken, &y, None);
        assert!(matches!(
            refusal,
            Err(FitError::Counter {
                row: 2,
                column: 0,
                ..
            })
        ));
        let mut broken = y.clone();
        broken[3] = bad;
        let refusal = fit_of(&x, &broken, None);
        assert!(matches!(refusal, Err(FitError::Response { row: 3, .. })));
        let mut weights = Array1::ones(4);
        weights[1] = bad;
        let refusal = fit_of(&x, &y, Some(&weights));
        assert!(matches!(refusal, Err(FitError::Weight { row: 1, .. })));
    }
}

#[test]
fn lengths_that_disagree_are_refused() {
    let x = array![[1.0], [2.0], [4.0]];
    let short = array![1.0, 2.0];
    let y = array![1.0, 2.0, 3.0];
    let refusal = fit_of(&x, &short, None).expect_err("a refusal");
    assert_eq!(
        refusal.to_string(),
        "the response has 2 entries for 3 rows of counters"
    );
    let refusal = fit_of(&x, &y, Some(&short)).expect_err("a refusal");
    assert_eq!(
        refusal.to_string(),
        "the list of weights has 2 entries for 3 rows of counters"
    );
}

/// Finite numbers whose squares are not.
#[test]
fn a_spread_that_overflows_is_refused() {
    let x = array![[1e200, 1.0], [-1e200, 2.0], [3e200, 4.0], [1e199, 3.0]];
    let refusal = fit_of(&x, &Array1::ones(4), None);
    assert!(
        matches!(refusal, Err(FitError::Spread { column: 0, .. })),
        "{refusal:?}"
    );
    let tiny = array![[1e-200], [-1e-200], [3e-200], [1e-199]];
    let refusal = fit_of(&tiny, &Array1::ones(4), None);
    assert!(
        matches!(refusal, Err(FitError::Spread { column: 0, .. })),
        "{refusal:?}"
    );
}

#[test]
fn a_weight_of_two_is_the_row_twice_and_of_zero_none() {
    let x = array![
        [1.0, 3.0],
        [2.0, 1.0],
        [4.0, 4.0],
        [3.0, 2.0],
        [6.0, 5.0],
        [99.0, -99.0]
    ];
    let y = array![1.0, 2.0, 3.0, 5.0, 4.0, 1e6];
    let weights = array![1.0, 2.0, 1.0, 1.0, 3.0, 0.0];
    let weighted = fit_of(&x, &y, Some(&weights)).expect("a fit");
    let repeated = [0, 1, 1, 2, 3, 4, 4, 4];
    let x = x.select(ndarray::Axis(0), &repeated);
    let y = y.select(ndarray::Axis(0), &repeated);
    let plain = fit_of(&x, &y, None).expect("a fit");
    assert_close(linear(&weighted).intercept, linear(&plain).intercept, 1e-12);
    for (weighted, plain) in weighted.ranges.iter().zip(&plain.ranges) {
        assert_close(weighted.mean, plain.mean, 1e-12);
        assert_close(weighted.max, plain.max, 0.0);
    }
    for (weighted, plain) in coefficients(&weighted).iter().zip(coefficients(&plain)) {
        assert_close(weighted.mean, plain.mean, 1e-12);
        assert_close(weighted.scale, plain.scale, 1e-12);
        assert_close(weighted.weight, plain.weight, 1e-12);
    }
}

fn fit(data: &Dataset) -> Result<Fitted, FitError> {
    OrdinaryLeastSquares.fit(&data.rows())
}

fn fit_of(
    x: &Array2<f64>,
    y: &Array1<f64>,
    weights: Option<&Array1<f64>>,
) -> Result<Fitted, FitError> {
    common::fit(&OrdinaryLeastSquares, x, y, weights)
}
