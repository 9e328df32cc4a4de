use kerncast_models::{
    Dataset, Form, Method,
    across::{
        ByMedianRatio, ByNearestCeiling, COUNTED_ON_TIME, Ceilings, Demands, FromCounters,
        FromCountersAndTime, NAMES, Paper, Roles,
    },
};
use kerncast_profilers::catalogue::roles;
use ndarray::{Axis, arr1};

use super::common::{assert_close, dataset, with_roles};

/// Latency, bandwidth, and what the counters do not tell: every third kernel is twice as slow.
fn seconds([latency, per_byte]: [f64; 2]) -> impl Fn([f64; 3]) -> f64 {
    move |[instructions, items, bytes]| {
        let chain = instructions / items;
        let odd = if (chain / 20.0) % 3.0 < 1.0 { 2.0 } else { 1.0 };
        odd * (5e-6 + latency * chain + per_byte * bytes)
    }
}

fn nearest(counted_on: f64, target: f64) -> ByNearestCeiling {
    let [counted_on, target] = [counted_on, target].map(|copy| Ceilings {
        copy_bytes_per_s: Some(copy),
        ..Ceilings::default()
    });
    ByNearestCeiling {
        counted_on,
        target,
        demands: Demands::default(),
    }
}

#[test]
fn shares_add_up_and_only_columns_that_are_asked_are_in_a_fit() {
    let data = dataset(seconds([2e-9, 1e-12]), seconds([5e-9, 3e-12]));
    let nearest = nearest(1e12, 1e12);
    let methods: [(&dyn Method, &[usize]); 5] = [
        (&nearest, &[2, 3]),
        (&ByMedianRatio, &[3]),
        (&FromCounters, &[0, 1, 2]),
        (&Paper::CountersAndTime, &[0, 1, 2, 3]),
        (&FromCountersAndTime, &[0, 1, 2, 3]),
    ];
    let mut names = NAMES.iter();
    for (method, columns) in methods {
        assert!(names.any(|name| *name == method.name()), "out of order");
        let fit = method.fit(&data.rows()).expect("a fit");
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
        COUNTED_ON_TIME,
    ];
    let columns: Vec<String> = columns.map(str::to_owned).to_vec();
    let demand = Demands::of(&roles(&columns)).demand(arr1(&[1e9, 2e9, 5e-3]).view());
    assert_eq!(demand.global_bytes, Some(3e9));
    assert_eq!(demand.fp32_flop, None);
    let data = Dataset::new(
        columns,
        vec!["k".to_owned()],
        arr1(&[1e9, 2e9, 5e-3]).insert_axis(Axis(0)),
        arr1(&[1.0]),
    );
    let data = with_roles(data.expect("a dataset"));
    let fit = nearest(1e12, 2.5e11).fit(&data.rows()).expect("a fit");
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
    let roles = Roles::of(&roles(&names.map(str::to_owned))).expect("both roles");
    assert_eq!((roles.instructions, roles.items), (2, 1));
}
