//! Whatever is measured, every method fits it or says why not.

use kerncast_models::{
    Dataset, HoldOutKey, METHODS, Method, Rows,
    across::{ByMedianRatio, COUNTED_ON_TIME, FromCounters, FromCountersAndTime, Paper},
    errors, hold_out, warnings,
};
use ndarray::{Array1, Array2};
use proptest::{collection::vec, prelude::*, sample::select};

use super::common::with_roles;

/// A counter of every role that methods ask for, and one that no method knows.
const NAMES: [&str; 5] = [
    "oclgrind:instructions",
    "launch:work_items",
    "oclgrind:load_global_bytes",
    "tool:unknown",
    COUNTED_ON_TIME,
];

/// Counts and times as they come, and as nobody should send them.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => (1..10_000_000).prop_map(f64::from),
        2 => 1e-9..1e3,
        1 => select(vec![0.0, 1.0, 5e-324, 1e-300, 1e-12, 1e15, 1e150, 1e300, f64::MAX]),
    ]
}

fn row() -> impl Strategy<Value = (usize, Vec<f64>, f64)> {
    (0..4_usize, vec(number(), NAMES.len()), number())
}

/// None, one or a few rows of few kernels, each as it comes, or all the same.
fn rows() -> impl Strategy<Value = Vec<(usize, Vec<f64>, f64)>> {
    let same = (row(), 0..8_usize).prop_map(|(row, n)| vec![row; n]);
    let constant = (
        vec(number(), NAMES.len()),
        vec((0..4_usize, number()), 0..8),
    )
        .prop_map(|(counters, rows)| {
            let with = |(kernel, time)| (kernel, counters.clone(), time);
            rows.into_iter().map(with).collect()
        });
    prop_oneof![4 => vec(row(), 0..9), 1 => same, 1 => constant]
}

fn methods() -> Vec<&'static dyn Method> {
    let mut methods = METHODS.to_vec();
    methods.push(&FromCounters);
    methods.push(&FromCountersAndTime);
    methods.push(&ByMedianRatio);
    methods.push(&Paper::Counters);
    methods.push(&Paper::CountersAndTime);
    methods
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_method_fits_them_or_says_why_not(rows in rows()) {
        let x = Array2::from_shape_fn((rows.len(), NAMES.len()), |(row, column)| rows[row].1[column]);
        let y: Array1<f64> = rows.iter().map(|row| row.2).collect();
        let kernels = rows.iter().map(|row| format!("k{}", row.0)).collect();
        let Ok(dataset) = Dataset::new(NAMES.map(str::to_owned).to_vec(), kernels, x, y) else {
            return Ok(());
        };
        let dataset = with_roles(dataset);
        for method in methods() {
            if let Ok(fit) = method.fit(&dataset.rows()) {
                let Rows { x, .. } = dataset.rows();
                for row in x.rows() {
                    let forecast = fit.predict(row);
                    prop_assert!(!forecast.is_nan(), "{}: {forecast}", method.name());
                }
                let _ = warnings(&dataset, &fit);
            }
            for key in [HoldOutKey::Row, HoldOutKey::Kernel] {
                let held_out = hold_out(&dataset, key, method);
                prop_assert_eq!(held_out.forecasts.len(), rows.len());
                let forecasts = held_out.forecasts.iter().flatten();
                prop_assert!(forecasts.clone().all(|it| it.is_finite()), "{}", method.name());
                let _ = errors(&dataset, &held_out);
            }
        }
    }
}
