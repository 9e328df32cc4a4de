//! What must hold for any numbers.

use super::common::dataset;
use kerncast_models::{Dataset, HoldOut, HoldOutKey, OrdinaryLeastSquares, errors, hold_out};
use proptest::{collection::vec, prelude::*, sample::select};

type Row = (&'static str, [f64; 2], f64);

/// Whole counters and positive times, in four kernels; repeated and constant counters come up too.
fn rows() -> impl Strategy<Value = Vec<Row>> {
    let kernel = select(vec!["a", "b", "c", "d"]);
    let counter = || (0..1_000_000).prop_map(f64::from);
    vec((kernel, [counter(), counter()], 1e-6..1e3), 0..14)
}

fn key() -> impl Strategy<Value = HoldOutKey> {
    select(vec![HoldOutKey::Row, HoldOutKey::Kernel])
}

fn held_out(data: &Dataset, key: HoldOutKey) -> HoldOut {
    hold_out(data, key, &OrdinaryLeastSquares)
}

/// A forecast's bits, or that there is none.
fn bits(held_out: &HoldOut) -> Vec<Option<u64>> {
    held_out
        .forecasts
        .iter()
        .map(|f| f.as_ref().ok().map(|f| f.to_bits()))
        .collect()
}

/// Equal up to rounding, against the size of the times (at most 1000 s) where they cancel.
fn agree(a: &HoldOut, b: &HoldOut, order: &[usize]) -> Result<(), TestCaseError> {
    for (at, &row) in order.iter().enumerate() {
        match (&a.forecasts[row], &b.forecasts[at]) {
            (Ok(a), Ok(b)) => prop_assert!((a - b).abs() <= 1e-6 * (1e3 + a.abs()), "{a} {b}"),
            (Err(_), Err(_)) => {}
            (a, b) => prop_assert!(false, "{a:?} {b:?}"),
        }
    }
    Ok(())
}

proptest! {
    /// The one property that makes a hold-out honest.
    #[test]
    fn a_rows_own_time_never_moves_its_forecast(
        rows in rows(), key in key(), at in any::<prop::sample::Index>(), time in 1e-6..1e3
    ) {
        prop_assume!(!rows.is_empty());
        let at = at.index(rows.len());
        let mut changed = rows.clone();
        changed[at].2 = time;
        let before = held_out(&dataset(&rows), key);
        let after = held_out(&dataset(&changed), key);
        match key {
            // By its leverage a row is taken out again, which leaves rounding.
            HoldOutKey::Row => {
                let of = |it: &HoldOut| HoldOut { forecasts: vec![it.forecasts[at].clone()], expected_errors: vec![1.0], ..*it };
                agree(&of(&before), &of(&after), &[0])?;
            }
            _ => for row in (0..rows.len()).filter(|&row| rows[row].0 == rows[at].0) {
                prop_assert_eq!(bits(&before)[row], bits(&after)[row]);
            }
        }
    }

    #[test]
    fn a_counters_unit_does_not_matter(rows in rows(), key in key(), unit in 1e-3..1e3) {
        let mut other = rows.clone();
        other.iter_mut().for_each(|row| row.1[1] *= unit);
        let order: Vec<usize> = (0..rows.len()).collect();
        agree(&held_out(&dataset(&rows), key), &held_out(&dataset(&other), key), &order)?;
    }

    #[test]
    fn the_rows_order_does_not_matter(
        (rows, order) in rows().prop_flat_map(|rows| {
            let order: Vec<usize> = (0..rows.len()).collect();
            (Just(rows), Just(order).prop_shuffle())
        }),
        key in key(),
    ) {
        let other: Vec<Row> = order.iter().map(|&row| rows[row]).collect();
        agree(&held_out(&dataset(&rows), key), &held_out(&dataset(&other), key), &order)?;
    }

    #[test]
    fn no_row_is_lost_and_no_number_is_infinite(rows in rows(), key in key()) {
        let data = dataset(&rows);
        let held_out = held_out(&data, key);
        prop_assert_eq!(held_out.forecasts.len(), rows.len());
        let report = errors(&data, &held_out);
        let all = report.kernels.iter().filter_map(|kernel| kernel.errors).chain(report.overall);
        for errors in all {
            let numbers = [errors.mean_ape, errors.median_ape, errors.within_25];
            prop_assert!(numbers.into_iter().chain(errors.factor).all(f64::is_finite));
        }
        if let Some(overall) = report.overall {
            prop_assert_eq!(overall.n + overall.unpredicted, rows.len());
        }
    }
}
