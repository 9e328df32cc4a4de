//! What the tests share.

use std::collections::BTreeMap;

use kerncast_models::{
    HoldOut,
    across::{Roles, Workloads},
};
use ndarray::{Array1, Array2};

pub(crate) const ROLES: Roles = Roles {
    instructions: 0,
    items: 1,
    longest: None,
    volumes: Vec::new(),
};

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

/// These with times by `seconds` of device, instructions, work-items and bytes.
pub(crate) fn workloads(devices: &[&str], seconds: impl Fn(&str, [f64; 3]) -> f64) -> Workloads {
    let (kernels, x) = counters();
    let time = |device: &str| -> Array1<f64> {
        let rows = x.rows().into_iter();
        rows.map(|row| seconds(device, [row[0], row[1], row[2]]))
            .collect()
    };
    let times = devices
        .iter()
        .map(|&device| (device.to_owned(), time(device)));
    let times: BTreeMap<String, Array1<f64>> = times.collect();
    let names = ["instructions", "items", "bytes"]
        .map(str::to_owned)
        .to_vec();
    let roles = Roles {
        volumes: vec![2],
        ..ROLES
    };
    Workloads::new(names, kernels, x, times, roles).expect("sound workloads")
}

pub(crate) fn forecasts(hold_out: &HoldOut) -> Vec<f64> {
    let forecasts = hold_out.forecasts.iter();
    forecasts
        .map(|it| *it.as_ref().expect("a forecast"))
        .collect()
}

#[track_caller]
pub(crate) fn assert_close(found: f64, expected: f64, relative: f64) {
    let difference = (found - expected).abs();
    assert!(
        difference <= relative * expected.abs(),
        "found {found}, expected {expected}, off by {difference:e}"
    );
}
