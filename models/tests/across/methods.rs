use kerncast_models::{
    Method,
    across::{ByMedianRatio, FromCounters, FromCountersAndTime, NAMES, Paper, Roles},
};
use kerncast_profilers::catalogue::roles;

use super::common::{assert_close, dataset};

/// Latency, bandwidth, and what the counters do not tell: every third kernel is twice as slow.
fn seconds([latency, per_byte]: [f64; 2]) -> impl Fn([f64; 3]) -> f64 {
    move |[instructions, items, bytes]| {
        let chain = instructions / items;
        let odd = if (chain / 20.0) % 3.0 < 1.0 { 2.0 } else { 1.0 };
        odd * (5e-6 + latency * chain + per_byte * bytes)
    }
}

#[test]
fn shares_add_up_and_only_columns_that_are_asked_are_in_a_fit() {
    let data = dataset(seconds([2e-9, 1e-12]), seconds([5e-9, 3e-12]));
    let methods: [(&dyn Method, &[usize]); 4] = [
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

/// AIWC's branch instructions end in the word, but are not the instructions.
#[test]
fn a_role_is_a_whole_name() {
    let names = [
        "aiwc:total_unique_branch_instructions",
        "aiwc:workitems",
        "aiwc:total_instruction_count",
    ];
    let roles = Roles::find(&roles(&names.map(str::to_owned))).expect("both roles");
    assert_eq!((roles.instructions, roles.items), (2, 1));
}
