use kerncast_models::{
    Dataset, FitError, HoldOutKey, Method, Rows,
    across::{ByMedianRatio, FromCounters, FromCountersAndTime, Roles},
    hold_out,
};
use ndarray::{Array1, Array2, Axis};

use super::common::{NAMES, dataset, with_roles};

/// So many kernels of one row each.
fn few(kernels: usize) -> Dataset {
    let names = NAMES.map(str::to_owned).to_vec();
    let x = Array2::from_shape_fn((kernels, 4), |(row, column)| (1 + row + column) as f64);
    let times = Array1::from_elem(kernels, 1e-3);
    let kernels = (0..kernels).map(|kernel| format!("k{kernel}")).collect();
    with_roles(Dataset::new(names, kernels, x, times).expect("sound rows"))
}

/// What is chosen by leaving kernels out needs one that stays.
#[test]
fn too_few_kernels_are_refused() {
    for (kernels, needed, method) in [
        (1, 1, &FromCounters as &dyn Method),
        (2, 2, &FromCountersAndTime),
    ] {
        let held_out = hold_out(&few(kernels), HoldOutKey::Kernel, method);
        for forecast in held_out.forecasts {
            let refused = FitError::TooFewKernels {
                found: kernels - 1,
                needed,
            };
            let error = forecast.expect_err(method.name()).to_string();
            assert_eq!(error, refused.to_string());
        }
        let enough = hold_out(&few(kernels + 1), HoldOutKey::Kernel, method);
        assert!(enough.forecasts.iter().all(Result::is_ok));
    }
}

#[test]
fn what_has_no_role_or_no_time_is_refused() {
    let data = dataset(|_| 1e-3, |_| 2e-3);
    let rows = data.rows();
    let mut unknown = data.roles().to_vec();
    unknown[0] = None;
    let error = Roles::find(&unknown).expect_err("no instructions");
    let expected = "no counter of instructions: none plays a role that counts them: item_instructions, \
        instructions, ir_instructions";
    assert_eq!(error.to_string(), expected);
    let without = Rows {
        counters: &rows.counters[..3],
        roles: &rows.roles[..3],
        x: rows.x.split_at(Axis(1), 3).0,
        ..rows
    };
    for method in [&FromCountersAndTime as &dyn Method, &ByMedianRatio] {
        let error = method.fit(&without).expect_err("no time").to_string();
        assert_eq!(
            error,
            "there is no column of the time on the device counted on"
        );
    }
}

#[test]
fn a_source_s_time_that_is_none_is_refused() {
    let mut data = few(4);
    let mut x = data.x().to_owned();
    x[(2, 3)] = 0.0;
    let kernels = data.kernels().to_vec();
    data = Dataset::new(data.counters().to_vec(), kernels, x, data.y().to_owned()).expect("rows");
    data = with_roles(data);
    let error = FromCountersAndTime.fit(&data.rows()).expect_err("no time");
    assert_eq!(
        error.to_string(),
        "the time on the device counted on of row 2 is 0; expected a number above 0"
    );
}
