//! What the tests share.

use kerncast_models::{Dataset, HoldOutKey, Method, across::COUNTED_ON_TIME, hold_out};
use kerncast_profilers::catalogue::roles;
use ndarray::{Array1, Array2, Axis, concatenate};

pub(crate) const NAMES: [&str; 4] = [
    "oclgrind:instructions",
    "launch:work_items",
    "oclgrind:load_global_bytes",
    COUNTED_ON_TIME,
];

/// Instructions, work-items and bytes of eight kernels at four sizes; no two kernels have the same mix.
pub(crate) fn counters() -> (Vec<String>, Array2<f64>) {
    let rows = (0..8).flat_map(|kernel| (0..4).map(move |size| (kernel, size)));
    let kernels = rows.clone().map(|(kernel, _)| format!("k{kernel}"));
    let values = rows.flat_map(|(kernel, size)| {
        let items = 4_f64.powi(size + 4);
        let chain = 20.0 * f64::from(1 + kernel * kernel);
        let bytes = items * f64::from(4 + (kernel * 5) % 7 * 8);
        [items * chain, items, bytes]
    });
    let values = values.collect();
    (
        kernels.collect(),
        Array2::from_shape_vec((32, 3), values).expect("32 rows"),
    )
}

/// These, and a device's times as the last column, with another's times as the response: seconds by
/// instructions, work-items and bytes.
pub(crate) fn dataset(
    counted_on: impl Fn([f64; 3]) -> f64,
    target: impl Fn([f64; 3]) -> f64,
) -> Dataset {
    let (kernels, x) = counters();
    let times = |seconds: &dyn Fn([f64; 3]) -> f64| -> Array1<f64> {
        let rows = x.rows().into_iter();
        rows.map(|row| seconds([row[0], row[1], row[2]])).collect()
    };
    let (counted_on, target) = (times(&counted_on), times(&target));
    let x = concatenate![Axis(1), x, counted_on.insert_axis(Axis(1))];
    let dataset = Dataset::new(NAMES.map(str::to_owned).to_vec(), kernels, x, target);
    with_roles(dataset.expect("sound rows"))
}

/// With the roles that the columns' names tell.
pub(crate) fn with_roles(dataset: Dataset) -> Dataset {
    let roles = roles(dataset.counters());
    dataset.with_roles(roles).expect("a role a column")
}

/// Every row's, by a fit that has not seen its kernel.
pub(crate) fn forecasts(dataset: &Dataset, method: &dyn Method) -> Vec<f64> {
    let hold_out = hold_out(dataset, HoldOutKey::Kernel, method);
    let forecasts = hold_out.forecasts.into_iter();
    forecasts.map(|it| it.expect("a forecast")).collect()
}

#[track_caller]
pub(crate) fn assert_close(found: f64, expected: f64, relative: f64) {
    let difference = (found - expected).abs();
    assert!(
        difference <= relative * expected.abs(),
        "found {found}, expected {expected}, off by {difference:e}"
    );
}
