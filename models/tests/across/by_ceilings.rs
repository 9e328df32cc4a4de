use kerncast_models::{
    Dataset, FitError, Form, HoldOutKey, Method,
    across::{ByCeilings, Ceilings},
    hold_out,
};
use ndarray::{Array1, Axis, concatenate, s};

use super::common::{assert_close, counters, with_roles};

const COUNTERS: [&str; 3] = [
    "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
    "launch:work_items",
    "oclgrind:load_global_bytes",
];

fn ceilings(copy: f64, flop: f64, latency: f64) -> Ceilings {
    Ceilings {
        copy_bytes_per_s: Some(copy),
        fp32_flop_per_s: Some(flop),
        launch_latency_s: Some(latency),
        ..Ceilings::default()
    }
}

fn devices() -> [Ceilings; 3] {
    [
        ceilings(3e12, 6e13, 4e-6),
        ceilings(1e11, 2e12, 2e-5),
        ceilings(4e11, 1e12, 8e-6),
    ]
}

/// On every device memory takes twice as long as its copy, arithmetic three times as long as at its peak, and a
/// launch just its latency.
fn dataset(devices: &[Ceilings]) -> Dataset {
    let (kernels, x) = counters();
    let times = devices.iter().flat_map(|device| {
        let copy = device.copy_bytes_per_s.unwrap_or(1e12);
        let flop = device.fp32_flop_per_s.unwrap_or(1e12);
        let latency = device.launch_latency_s.unwrap_or(1e-6);
        let rows = x.rows().into_iter();
        let times = rows.map(|row| 2.0 * row[2] / copy + 3.0 * row[0] / flop + latency);
        times.collect::<Vec<f64>>()
    });
    let y: Array1<f64> = times.collect();
    let all = concatenate(Axis(0), &vec![x.view(); devices.len()]).expect("the same columns");
    let names: Vec<String> = (0..y.len())
        .map(|row| format!("device {}", row / kernels.len()))
        .collect();
    let counters = COUNTERS.map(str::to_owned).to_vec();
    let kernels = kernels.iter().cycle().take(y.len()).cloned().collect();
    let dataset = Dataset::new(counters, kernels, all, y).and_then(|it| it.with_devices(&names));
    with_roles(dataset.expect("sound rows"))
}

fn method(ceilings: &[Ceilings], target: Ceilings) -> ByCeilings {
    ByCeilings {
        ceilings: ceilings.to_vec(),
        target,
    }
}

#[test]
fn a_device_that_ran_only_the_ceilings_is_forecast_by_the_others() {
    let devices = devices();
    let data = dataset(&devices);
    let target = ceilings(7e11, 5e12, 3e-6);
    let fit = method(&devices, target).fit(&data.rows()).expect("a fit");
    let expected = dataset(&[target]);
    for (row, time) in expected.x().rows().into_iter().zip(expected.y()) {
        assert_close(fit.predict(row), *time, 1e-4);
    }
    assert_eq!(fit.columns().collect::<Vec<_>>(), [0, 2]);
}

/// Each row left out is forecast with its own device's ceilings, whatever the target's.
#[test]
fn devices_and_kernels_are_left_out() {
    let devices = devices();
    let data = dataset(&devices);
    let method = method(&devices, ceilings(1.0, 1.0, 1.0));
    for key in [HoldOutKey::Device, HoldOutKey::Kernel] {
        let held_out = hold_out(&data, key, &method);
        for (forecast, time) in held_out.forecasts.into_iter().zip(data.y()) {
            assert_close(forecast.expect("a forecast"), *time, 1e-4);
        }
    }
}

/// Whatever its times are, its forecasts stay as they were, bit for bit.
#[test]
fn a_device_left_out_is_not_learned_from() {
    let devices = devices();
    let one = dataset(&devices);
    let mut times = one.y().to_owned();
    times.slice_mut(s![..32]).mapv_inplace(|time| 7.0 * time);
    let names: Vec<String> = (0..96).map(|row| format!("device {}", row / 32)).collect();
    let other = Dataset::new(
        one.counters().to_vec(),
        one.kernels().to_vec(),
        one.x().to_owned(),
        times,
    );
    let other = other.and_then(|it| it.with_devices(&names));
    let other = with_roles(other.expect("rows"));
    let method = method(&devices, Ceilings::default());
    let [one, other] = [one, other].map(|it| hold_out(&it, HoldOutKey::Device, &method).forecasts);
    for (one, other) in one.iter().zip(&other).take(32) {
        let [one, other] = [one, other].map(|it| it.as_ref().expect("a forecast").to_bits());
        assert_eq!(one, other);
    }
}

/// On a device of one byte and one operation a second, with a second of latency, they are its costs.
#[test]
fn the_inefficiencies_are_those_of_the_kernels() {
    let devices = devices();
    let target = ceilings(1.0, 1.0, 1.0);
    let fit = method(&devices, target).fit(&dataset(&devices).rows());
    let Form::Costs(costs) = fit.expect("a fit").form else {
        panic!("no costs")
    };
    let found: Vec<(usize, f64)> = (costs.terms.iter().map(|it| (it.column, it.seconds))).collect();
    let [(2, memory), (0, arithmetic)] = found[..] else {
        panic!("{found:?}")
    };
    assert_close(memory, 2.0, 1e-4);
    assert_close(arithmetic, 3.0, 1e-4);
    assert_close(costs.constant, 1.0, 1e-4);
}

#[test]
fn a_ceiling_that_costs_time_and_is_missing_leaves_no_forecast() {
    let mut devices = devices();
    let bare = Ceilings {
        fp32_flop_per_s: None,
        ..devices[0]
    };
    let refused = method(&devices, bare).fit(&dataset(&devices).rows());
    let refused = refused.expect_err("no ceiling").to_string();
    assert_eq!(
        refused,
        "the device lacks a ceiling that costs time on the other devices"
    );
    devices[0] = bare;
    let held_out = hold_out(
        &dataset(&devices),
        HoldOutKey::Device,
        &method(&devices, bare),
    );
    let refused = |row: usize| {
        let refused = FitError::NoCeiling.to_string();
        matches!(&held_out.forecasts[row], Err(error) if error.to_string() == refused)
    };
    assert!((0..32).all(refused));
    assert!(held_out.forecasts[32..].iter().all(Result::is_ok));
}

#[test]
fn devices_without_ceilings_are_refused() {
    let devices = devices();
    let data = dataset(&devices);
    let refused = |ceilings: &[Ceilings], data: &Dataset| {
        let fit = method(ceilings, devices[1]).fit(&data.rows());
        fit.expect_err("a refusal").to_string()
    };
    let device = 2;
    assert_eq!(
        refused(&devices[..2], &data),
        FitError::NoCeilings { device }.to_string()
    );
    let nobody = Dataset::new(
        data.counters().to_vec(),
        Vec::new(),
        data.x().slice(s![..0, ..]).to_owned(),
        Array1::zeros(0),
    );
    let nobody = nobody.expect("no rows");
    let (found, needed) = (0, 1);
    assert_eq!(
        refused(&[], &nobody),
        FitError::TooFewKernels { found, needed }.to_string()
    );
    let bare = [Ceilings::default(), devices[1], devices[2]];
    assert_eq!(refused(&bare, &data), FitError::NoCommonCeiling.to_string());
}
