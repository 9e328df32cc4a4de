//! Leaving a row out by its leverage is refitting.

use super::common::dataset;
use kerncast_models::{Dataset, HoldOutKey, OrdinaryLeastSquares, hold_out};
use proptest::{collection::vec, prelude::*};

type Row<const P: usize> = (&'static str, [f64; P], f64);

/// A row's forecast by the definition: as a kernel of its own, which leaves by a fit of the others.
fn refit<const P: usize>(rows: &[Row<P>], out: usize) -> Option<f64> {
    let mut rows = rows.to_vec();
    rows[out].0 = "left out";
    let held_out = hold_out(&dataset(&rows), HoldOutKey::Kernel, &OrdinaryLeastSquares);
    held_out.forecasts[out].as_ref().ok().copied()
}

/// Equal up to rounding, against the size of the times.
fn assert_refits<const P: usize>(rows: &[Row<P>], relative: f64) {
    let data: Dataset = dataset(rows);
    let largest = data.y().iter().copied().fold(0.0, f64::max);
    let short = hold_out(&data, HoldOutKey::Row, &OrdinaryLeastSquares).forecasts;
    assert_eq!(short.len(), rows.len());
    for (row, short) in short.iter().enumerate() {
        match (short.as_ref().ok(), refit(rows, row)) {
            (Some(short), Some(refit)) => assert!(
                (short - refit).abs() <= relative * (largest + refit.abs()),
                "row {row}: {short} instead of {refit}"
            ),
            (None, None) => {}
            (short, refit) => panic!("row {row}: {short:?} instead of {refit:?}"),
        }
    }
}

/// Small whole counters: constant, repeated and combined ones come up, also only without some row, and so
/// do rows that alone make a counter vary.
fn rows() -> impl Strategy<Value = Vec<Row<5>>> {
    let counter = || prop_oneof![3 => Just(0.0), 5 => (0..12).prop_map(f64::from)];
    let row = (counter(), counter(), counter(), 1e-3..1.0).prop_map(|(a, b, c, y)| {
        // The fourth is a combination wherever c is 0, the fifth in another unit mostly constant.
        let fifth = 1e6 + 1e3 * f64::from(c > 9.0);
        ("a", [a, b, 2.0 * a - b + c, c, fifth], y)
    });
    vec(row, 0..24)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn leaving_a_row_out_is_refitting(rows in rows()) {
        assert_refits(&rows, 1e-9);
    }
}

/// A row that alone makes a counter vary has all the leverage: without it the counter is dropped.
#[test]
fn a_row_of_full_leverage() {
    let mut rows: Vec<Row<2>> = (0..9)
        .map(|at| ("a", [f64::from(at), 5.0], 1.0 + f64::from(at * at)))
        .collect();
    rows[4].1[1] = 6.0;
    assert_refits(&rows, 1e-12);
}

/// A millionth of the second counter is its own; without the last row, which has most of that, it is
/// dropped. Rows' leverages are below 0.9, so that only the margin tells. Rounding grows a millionfold.
#[test]
fn a_counter_near_the_tolerance() {
    for own in [0.5e-6, 1.0e-6, 1.5e-6, 2e-6, 4e-6, 1e-5] {
        let row = |at: u32| {
            let a = f64::from(at % 5);
            let part = match at {
                11 => 2.0,
                _ => f64::from(at % 3) - 1.0,
            };
            ("a", [a, a + own * part], 1.0 + a + f64::from(at % 2))
        };
        let rows: Vec<Row<2>> = (0..12).map(row).collect();
        assert_refits(&rows, 1e-6);
    }
}
