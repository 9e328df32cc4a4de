use kerncast_models::across::{AcrossError, ByCeilings, Ceilings, Demand, Ran, leave_devices_out};

use crate::common::{assert_close, counters};

/// A device on which memory takes twice as long as its copy, arithmetic three times as long as at its
/// peak, and a launch just its latency.
fn ran(copy: f64, flop: f64, latency: f64) -> Ran {
    let (kernels, x) = counters();
    let rows = x.rows().into_iter();
    Ran {
        ceilings: Ceilings {
            copy_bytes_per_s: Some(copy),
            fp32_flop_per_s: Some(flop),
            launch_latency_s: Some(latency),
            ..Ceilings::default()
        },
        demands: rows
            .clone()
            .map(|row| Demand {
                global_bytes: Some(row[2]),
                fp32_flop: Some(row[0]),
                ..Demand::default()
            })
            .collect(),
        kernels: kernels
            .iter()
            .map(|name| name[1..].parse().expect("a number"))
            .collect(),
        times: rows
            .map(|row| 2.0 * row[2] / copy + 3.0 * row[0] / flop + latency)
            .collect(),
    }
}

fn devices() -> Vec<Ran> {
    vec![
        ran(3e12, 6e13, 4e-6),
        ran(1e11, 2e12, 2e-5),
        ran(4e11, 1e12, 8e-6),
    ]
}

#[test]
fn a_device_that_ran_only_the_ceilings_is_forecast_by_the_others() {
    let devices = devices();
    let found = leave_devices_out(&devices).expect("forecasts");
    for (device, forecasts) in devices.iter().zip(found) {
        for (forecast, time) in forecasts.into_iter().zip(&device.times) {
            assert_close(forecast.expect("a forecast"), *time, 1e-4);
        }
    }
}

#[test]
fn the_inefficiencies_are_those_of_the_kernels() {
    let fit = ByCeilings::fit(&devices()).expect("a fit");
    assert_close(fit.inefficiency[0], 2.0, 1e-4);
    assert_close(fit.inefficiency[1], 3.0, 1e-4);
    assert_close(fit.inefficiency[5], 1.0, 1e-4);
}

#[test]
fn a_ceiling_that_costs_time_and_is_missing_leaves_no_forecast() {
    let devices = devices();
    let fit = ByCeilings::fit(&devices).expect("a fit");
    let bare = Ceilings {
        fp32_flop_per_s: None,
        ..devices[0].ceilings
    };
    assert_eq!(fit.predict(&bare, &devices[0].demands[0]), None);
}

#[test]
fn devices_without_a_ceiling_in_common_are_refused() {
    let mut devices = devices();
    devices[0].ceilings = Ceilings::default();
    assert_eq!(ByCeilings::fit(&devices), Err(AcrossError::NoCommonCeiling));
    assert_eq!(ByCeilings::fit(&[]), Err(AcrossError::NoDevice));
}
