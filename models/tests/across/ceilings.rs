use kerncast_models::across::{Ceilings, Demand, scaled_by_ceilings};

use super::common::assert_close;

const SOURCE: Ceilings = Ceilings {
    copy_bytes_per_s: Some(1e12),
    host_to_device_bytes_per_s: None,
    device_to_host_bytes_per_s: None,
    fp32_flop_per_s: Some(1e13),
    fp64_flop_per_s: None,
    int32_op_per_s: None,
    local_bytes_per_s: None,
    launch_latency_s: Some(5e-6),
};

const TARGET: Ceilings = Ceilings {
    copy_bytes_per_s: Some(5e11),
    fp32_flop_per_s: Some(5e12),
    fp64_flop_per_s: Some(1e12),
    launch_latency_s: Some(2e-5),
    ..SOURCE
};

const NOTHING: Demand = Demand {
    global_bytes: None,
    fp32_flop: None,
    fp64_flop: None,
    int32_op: None,
    local_bytes: None,
};

fn scaled(demand: Demand) -> Option<f64> {
    scaled_by_ceilings(
        1e-3,
        &SOURCE,
        &Ceilings {
            fp32_flop_per_s: Some(1e12),
            ..TARGET
        },
        &demand,
    )
}

/// By hand: 1 GB takes 1 ms at 1 TB/s, 1 Gflop 0.1 ms at 10 Tflop/s, a launch 5 µs.
#[test]
fn the_ceiling_that_the_source_is_nearest_to_sets_the_ratio() {
    let memory = Demand {
        global_bytes: Some(1e9),
        fp32_flop: Some(1e9),
        ..NOTHING
    };
    assert_close(scaled(memory).expect("a forecast"), 2e-3, 1e-12);
    let compute = Demand {
        global_bytes: Some(1e6),
        fp32_flop: Some(1e9),
        ..NOTHING
    };
    assert_close(scaled(compute).expect("a forecast"), 1e-2, 1e-12);
    let launch = Demand {
        global_bytes: Some(1e3),
        ..NOTHING
    };
    assert_close(scaled(launch).expect("a forecast"), 4e-3, 1e-12);
}

#[test]
fn a_ceiling_that_one_device_lacks_is_left_out() {
    let double = Demand {
        global_bytes: Some(1e9),
        fp64_flop: Some(1e15),
        ..NOTHING
    };
    assert_close(scaled(double).expect("a forecast"), 2e-3, 1e-12);
}

#[test]
fn without_counts_the_copy_sets_the_ratio_and_without_a_copy_nothing_does() {
    assert_close(scaled(NOTHING).expect("a forecast"), 2e-3, 1e-12);
    let bare = Ceilings::default();
    assert_eq!(scaled_by_ceilings(1e-3, &bare, &TARGET, &NOTHING), None);
}
