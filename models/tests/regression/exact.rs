//! Leaving out without refitting is refitting.

use super::common::{assert_close, dataset};
use kerncast_models::{
    Dataset, FitError, HoldOutKey, Merge, Method, Moments, NonNegativeLeastSquares,
    OrdinaryLeastSquares, Rows, hold_out,
};
use ndarray::{Array1, Array2, Axis};
use proptest::{collection::vec, prelude::*, sample::select};

/// What comes of some rows alone.
fn of_rows<T>(data: &Dataset, rows: &[usize], then: impl FnOnce(&Rows<'_>) -> T) -> T {
    let all = data.rows();
    let kernels: Vec<usize> = rows.iter().map(|&row| all.kernels[row]).collect();
    then(&Rows {
        roles: &[],
        devices: &vec![0; rows.len()],
        generated: 0,
        counters: data.counters(),
        x: all.x.select(Axis(0), rows).view(),
        y: all.y.select(Axis(0), rows).view(),
        kernels: &kernels,
        weights: None,
    })
}

/// A row's forecast by the definition: by a fit of all rows that are not in its fold.
fn refit(
    data: &Dataset,
    key: HoldOutKey,
    method: &dyn Method,
    row: usize,
) -> Result<f64, FitError> {
    let folds = data.folds(key);
    let rest: Vec<usize> = (0..data.rows().y.len())
        .filter(|&at| folds.get(at) != Some(&folds[row]))
        .collect();
    let fit = of_rows(data, &rest, |rest| method.fit(rest))?;
    Ok(fit.predict(data.x().row(row)))
}

/// Equal up to rounding, against the size of the times.
fn assert_refits(data: &Dataset, key: HoldOutKey, method: &dyn Method, relative: f64) {
    let largest = data.y().iter().copied().fold(0.0, f64::max);
    let short = hold_out(data, key, method).forecasts;
    assert_eq!(short.len(), data.y().len());
    for (row, short) in short.iter().enumerate() {
        match (short, refit(data, key, method, row)) {
            (Ok(short), Ok(refit)) => assert!(
                (short - refit).abs() <= relative * (largest + refit.abs()),
                "{key:?}, row {row}: {short} instead of {refit}"
            ),
            (Err(short), Err(refit)) => assert_eq!(short.to_string(), refit.to_string()),
            (short, refit) => panic!("{key:?}, row {row}: {short:?} instead of {refit:?}"),
        }
    }
}

const KEYS: [HoldOutKey; 4] = [
    HoldOutKey::Row,
    HoldOutKey::Kernel,
    HoldOutKey::Family,
    HoldOutKey::Device,
];

/// Small whole counters: constant, repeated and combined ones come up, also only within some folds, and so
/// do rows that alone make a counter vary.
fn rows() -> impl Strategy<Value = Vec<(&'static str, [f64; 5], f64)>> {
    let kernel = select(vec!["a", "b", "c", "d", "e"]);
    let counter = || prop_oneof![3 => Just(0.0), 5 => (0..12).prop_map(f64::from)];
    let row =
        (kernel, counter(), counter(), counter(), 1e-3..1.0).prop_map(|(kernel, a, b, c, y)| {
            // The fourth is a combination wherever c is 0, the fifth in another unit mostly constant.
            (
                kernel,
                [a, b, 2.0 * a - b + c, c, 1e6 + 1e3 * f64::from(c > 9.0)],
                y,
            )
        });
    vec(row, 0..24)
}

/// With the kernels a to e in families, and every so many rows on a device of their own; the last so many rows
/// are of a generated kernel.
fn dealt(
    mut rows: Vec<(&'static str, [f64; 5], f64)>,
    families: &[usize],
    devices: usize,
    generated: usize,
) -> Dataset {
    let generated = generated.min(rows.len());
    for row in rows.iter_mut().rev().take(generated) {
        row.0 = "generated";
    }
    let family = |kernel: &str| {
        let at = ["a", "b", "c", "d", "e"]
            .iter()
            .position(|name| *name == kernel);
        Some(format!("family {}", families[at?]))
    };
    let families: Vec<_> = rows.iter().map(|row| family(row.0)).collect();
    let devices: Vec<_> = (0..rows.len())
        .map(|row| format!("device {}", row % devices))
        .collect();
    let data = dataset(&rows).with_families(&families).expect("families");
    let data = data.with_devices(&devices).expect("devices");
    data.with_generated(generated).expect("as many rows")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn leaving_out_is_refitting(
        rows in rows(), families in vec(0..3_usize, 5), split in 1..4_usize, generated in 0..6_usize
    ) {
        let data = dealt(rows, &families, split, generated);
        for key in KEYS {
            assert_refits(&data, key, &OrdinaryLeastSquares, 1e-9);
        }
    }

    /// Non-negative costs, of whole kernels and of parts of them.
    #[test]
    fn leaving_out_of_costs_is_refitting(
        mut rows in rows(), families in vec(0..3_usize, 5), split in 1..4_usize, generated in 0..6_usize
    ) {
        rows.iter_mut().flat_map(|row| &mut row.1).for_each(|counter| *counter = counter.abs());
        let data = dealt(rows, &families, split, generated);
        for key in KEYS {
            assert_refits(&data, key, &NonNegativeLeastSquares, 1e-6);
        }
    }

    /// However rows are dealt out to parts, and in whichever order these are merged.
    #[test]
    fn merging_is_fitting_all(rows in rows(), parts in vec(0..4_usize, 24)) {
        let data = dataset(&rows);
        let all = data.rows();
        let mut merged = Moments::new(5);
        for part in 0..4 {
            let rows: Vec<usize> = (0..rows.len()).filter(|&row| parts[row] == part).collect();
            let part = of_rows(&data, &rows, |part| OrdinaryLeastSquares.moments(part));
            merged.merge(&part.expect("sound numbers"));
        }
        prop_assert_eq!(merged.rows, rows.len());
        let fit = OrdinaryLeastSquares.fit(&all);
        match (OrdinaryLeastSquares.fit_moments(&merged), fit) {
            (Ok(merged), Ok(fit)) => {
                prop_assert_eq!(&merged.dropped, &fit.dropped);
                for (merged, fit) in merged.seen.iter().zip(&fit.seen) {
                    prop_assert_eq!((merged.min, merged.max), (fit.min, fit.max));
                    let size = fit.max.abs().max(fit.min.abs());
                    prop_assert!((merged.mean - fit.mean).abs() <= 1e-12 * size);
                }
                for row in all.x.rows() {
                    let (merged, fit) = (merged.predict(row), fit.predict(row));
                    prop_assert!((merged - fit).abs() <= 1e-10, "{} {}", merged, fit);
                }
            }
            (Err(merged), Err(fit)) => prop_assert_eq!(merged.to_string(), fit.to_string()),
            (merged, fit) => prop_assert!(false, "{:?} {:?}", merged, fit),
        }
    }
}

/// More rows than are factored at once, more folds than are merged at once, and counters of very different
/// size that tell apart only in their last digits.
#[test]
fn many_rows_in_many_folds() {
    let n = 2_600;
    let noise = |at: usize, by: usize| (at * by % 1009) as f64 / 1009.0;
    let x = Array2::from_shape_fn((n, 4), |(row, column)| match column {
        0 => 1e9 + 1e3 * noise(row, 7),
        1 => noise(row, 11).powi(8),
        2 => 1e-6 * noise(row, 13) + 1e-12 * noise(row, 17),
        _ => 1e-6 * noise(row, 13),
    });
    let y: Array1<f64> = (0..n)
        .map(|row| 1.0 + x[(row, 1)] + noise(row, 23))
        .collect();
    let names = (0..4).map(|at| format!("c{at}")).collect();
    let kernels = (0..n).map(|row| format!("k{}", row % 300)).collect();
    let data = Dataset::new(names, kernels, x, y).expect("a dataset");
    let forecasts = hold_out(&data, HoldOutKey::Kernel, &OrdinaryLeastSquares).forecasts;
    for row in (0..n).step_by(97) {
        let refit = refit(&data, HoldOutKey::Kernel, &OrdinaryLeastSquares, row).expect("a fit");
        assert_close(*forecasts[row].as_ref().expect("a forecast"), refit, 1e-7);
    }
}

/// A row that alone makes a counter vary has all the leverage: without it the counter is dropped.
#[test]
fn a_row_of_full_leverage() {
    let mut rows: Vec<(&str, [f64; 2], f64)> = (0..9)
        .map(|at| ("a", [f64::from(at), 5.0], 1.0 + f64::from(at * at)))
        .collect();
    rows[4].1[1] = 6.0;
    assert_refits(
        &dataset(&rows),
        HoldOutKey::Row,
        &OrdinaryLeastSquares,
        1e-12,
    );
}

/// A millionth of the second counter is its own; without the last row, which has most of that, it is
/// dropped. Rows' leverages are below 0.9, so that only the margin tells.
#[test]
fn a_counter_near_the_tolerance() {
    for own in [0.5e-6, 1.0e-6, 1.5e-6, 2e-6, 4e-6, 1e-5] {
        let rows: Vec<(&str, [f64; 2], f64)> = (0..12)
            .map(|at| {
                let a = f64::from(at % 5);
                let part = if at == 11 {
                    2.0
                } else {
                    f64::from(at % 3) - 1.0
                };
                ("a", [a, a + own * part], 1.0 + a + f64::from(at % 2))
            })
            .collect();
        let data = dataset(&rows);
        let short = hold_out(&data, HoldOutKey::Row, &OrdinaryLeastSquares).forecasts;
        for (row, short) in short.iter().enumerate() {
            let short = short.as_ref().expect("a forecast");
            let refit =
                refit(&data, HoldOutKey::Row, &OrdinaryLeastSquares, row).expect("a forecast");
            // Rounding grows a millionfold.
            assert_close(*short, refit, 1e-6);
        }
    }
}

/// Weighted rows are refitted.
#[test]
fn weights_have_no_short_way() {
    let data = dataset(&[
        ("a", [1.0], 1.0),
        ("b", [2.0], 2.0),
        ("c", [4.0], 3.0),
        ("d", [5.0], 3.0),
    ]);
    let weights = Array1::ones(4);
    let rows = Rows {
        weights: Some(weights.view()),
        ..data.rows()
    };
    let folds = [0, 1, 2, 3];
    assert!(
        OrdinaryLeastSquares
            .forecasts_without(&rows, &folds)
            .is_none()
    );
    assert!(
        OrdinaryLeastSquares
            .forecasts_without(&data.rows(), &folds)
            .is_some()
    );
}

/// What sums kernels up is enough to leave them out.
#[test]
fn kernels_leave_without_their_rows() {
    let rows: Vec<(&str, [f64; 2], f64)> = (0..12)
        .map(|at| {
            let (a, b) = (f64::from(at), f64::from(at * at % 7));
            (
                ["a", "b", "c", "d"][at as usize % 4],
                [a, b],
                1.0 + a + f64::from(at % 3),
            )
        })
        .collect();
    let data = dataset(&rows);
    let folds = data.folds(HoldOutKey::Kernel);
    let part = |kernel: usize| {
        let rows: Vec<usize> = (0..12).filter(|&row| folds[row] == kernel).collect();
        let part = of_rows(&data, &rows, |part| OrdinaryLeastSquares.moments(part));
        part.expect("sound numbers")
    };
    let fits = OrdinaryLeastSquares.fits_without(&[part(0), part(1), part(2), part(3)]);
    for row in 0..12 {
        let fit = fits[folds[row]].as_ref().expect("a fit");
        let refit = refit(&data, HoldOutKey::Kernel, &OrdinaryLeastSquares, row).expect("a fit");
        assert_close(fit.predict(data.x().row(row)), refit, 1e-12);
    }
    assert!(OrdinaryLeastSquares.fits_without(&[]).is_empty());
}
