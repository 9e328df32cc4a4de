use kerncast_models::{
    Dataset, Form, HoldOutKey, Method,
    across::{
        ByMedianRatio, ByNearestCeiling, Ceilings, Demands, FromCounters, FromCountersAndTime,
        Roles, SOURCE_TIME, Workloads, by_median_ratio, from_counters, from_source,
    },
    hold_out,
};
use ndarray::{Axis, arr1, concatenate};

use crate::common::{assert_close, counters, forecasts, workloads};

/// Latency, bandwidth, and what the counters do not tell: every third kernel is twice as slow.
fn seconds(device: &str, [instructions, items, bytes]: [f64; 3]) -> f64 {
    let chain = instructions / items;
    let odd = if (chain / 20.0) % 3.0 < 1.0 { 2.0 } else { 1.0 };
    let [latency, per_byte] = if device == "a" {
        [2e-9, 1e-12]
    } else {
        [5e-9, 3e-12]
    };
    odd * (5e-6 + latency * chain + per_byte * bytes)
}

const NAMES: [&str; 3] = [
    "oclgrind:instructions",
    "launch:work_items",
    "oclgrind:load_global_bytes",
];

fn names() -> Vec<String> {
    NAMES.map(str::to_owned).to_vec()
}

/// The workloads of [`workloads`], as rows with the source's time as their last column.
fn dataset(workloads: &Workloads) -> Dataset {
    let (kernels, x) = counters();
    let time = workloads.times(0).view().insert_axis(Axis(1));
    let x = concatenate(Axis(1), &[x.view(), time]).expect("equally many rows");
    let mut columns = names();
    columns.push(SOURCE_TIME.to_owned());
    Dataset::new(columns, kernels, x, workloads.times(1).clone()).expect("a dataset")
}

#[test]
fn methods_forecast_what_the_workloads_do() {
    let workloads = workloads(&["a", "b"], seconds);
    let data = dataset(&workloads);
    let of = |method: &dyn Method| forecasts(&hold_out(&data, HoldOutKey::Kernel, method));
    for (found, expected) in [
        (of(&FromCounters), from_counters(&workloads, 1)),
        (of(&FromCountersAndTime), from_source(&workloads, [0, 1])),
        (of(&ByMedianRatio), by_median_ratio(&workloads, [0, 1])),
    ] {
        let expected = forecasts(&expected.expect("forecasts"));
        for (found, expected) in found.into_iter().zip(expected) {
            assert_close(found, expected, 1e-9);
        }
    }
}

#[test]
fn shares_add_up_and_only_columns_that_are_asked_are_in_a_fit() {
    let data = dataset(&workloads(&["a", "b"], seconds));
    let ceilings = Ceilings {
        copy_bytes_per_s: Some(1e12),
        ..Ceilings::default()
    };
    let nearest = ByNearestCeiling {
        source: ceilings,
        target: ceilings,
        demands: Demands::default(),
    };
    let methods: [(&dyn Method, &[usize]); 4] = [
        (&FromCounters, &[0, 1, 2]),
        (&FromCountersAndTime, &[0, 1, 2, 3]),
        (&ByMedianRatio, &[3]),
        (&nearest, &[2, 3]),
    ];
    for (method, columns) in methods {
        let fit = method.fit(&data.training()).expect("a fit");
        assert_eq!(
            fit.columns().collect::<Vec<_>>(),
            columns,
            "{}",
            method.name()
        );
        for row in data.x().rows() {
            let attribution = fit.attribution(row);
            let shares = attribution.shares.iter().map(|share| share.1);
            assert_close(
                attribution.rest + shares.sum::<f64>(),
                fit.predict(row),
                1e-9,
            );
        }
    }
}

/// By hand: 3 GB are read and written, at 1 TB/s in 3 ms there and at 250 GB/s four times as long here.
#[test]
fn the_baseline_takes_demands_from_counters() {
    let columns = [
        "oclgrind:load_global_bytes",
        "oclgrind:store_global_bytes",
        SOURCE_TIME,
    ];
    let columns: Vec<String> = columns.map(str::to_owned).to_vec();
    let demand = Demands::of(&columns).demand(arr1(&[1e9, 2e9, 5e-3]).view());
    assert_eq!(demand.global_bytes, Some(3e9));
    assert_eq!(demand.fp32_flop, None);
    let copy = |copy_bytes_per_s| Ceilings {
        copy_bytes_per_s: Some(copy_bytes_per_s),
        ..Ceilings::default()
    };
    let data = Dataset::new(
        columns,
        vec!["k".to_owned()],
        arr1(&[1e9, 2e9, 5e-3]).insert_axis(Axis(0)),
        arr1(&[1.0]),
    );
    let data = data.expect("a dataset");
    let nearest = ByNearestCeiling {
        source: copy(1e12),
        target: copy(2.5e11),
        demands: Demands::default(),
    };
    let fit = nearest.fit(&data.training()).expect("a fit");
    assert_close(fit.predict(data.x().row(0)), 2e-2, 1e-12);
    assert!(matches!(fit.form, Form::Across(_)));
}

/// AIWC's branch instructions end in the word, but are not the instructions.
#[test]
fn a_role_is_a_whole_name() {
    let names = [
        "aiwc:total_unique_branch_instructions",
        "aiwc:workitems",
        "aiwc:total_instruction_count",
    ];
    let roles = Roles::of(&names.map(str::to_owned)).expect("both roles");
    assert_eq!((roles.instructions, roles.items), (2, 1));
}

#[test]
fn what_has_no_role_or_no_time_is_refused() {
    let data = dataset(&workloads(&["a", "b"], seconds));
    let training = data.training();
    let mut unknown = names();
    unknown[0] = "mine:cycles".to_owned();
    let error = Roles::of(&unknown).expect_err("no instructions");
    assert!(
        error.to_string().starts_with("no counter of instructions"),
        "{error}"
    );
    let without = kerncast_models::Training {
        counters: &training.counters[..3],
        x: training.x.split_at(Axis(1), 3).0,
        ..training
    };
    for method in [&FromCountersAndTime as &dyn Method, &ByMedianRatio] {
        let error = method.fit(&without).expect_err("no time").to_string();
        assert_eq!(error, "there is no column of the source's time");
    }
}
