//! What real programs do that kernels of papers seldom do is counted as a GPU's compiler has it, or refused. Real clang.

use std::{collections::BTreeMap, path::Path};

use crate::common::{Place, expect_exit, fixture, text};
use kerncast_collector::{providers::Analysis, workload::Workload};
use kerncast_profilers::gpus;
use kerncast_suite::{Kernel, load};
use kerncast_wire::Reading;

/// Of 4096 work-items.
const WARPS: f64 = 128.0;

fn habits() -> Kernel {
    let mut kernels = load(Path::new(&fixture("habits"))).expect("a kernel");
    kernels.pop().expect("one")
}

fn read(variant: &str) -> Reading {
    let kernel = habits();
    let workload = Workload {
        kernel: &kernel,
        variant: kernel.variant(variant).expect("a variant"),
        parameters: kernel.sizes[0].parameters.clone(),
    };
    let launch = workload.launch().expect("a launch");
    let gpu = gpus::named("NVIDIA H200").expect("a data sheet");
    Analysis::find().read_for(&gpu.device(), &workload, &launch)
}

fn counted(variant: &str) -> BTreeMap<String, f64> {
    let reading = read(variant);
    assert_eq!(reading.refusal, None, "{variant}");
    reading.counters
}

#[test]
#[expect(clippy::float_cmp, reason = "they are whole numbers")]
fn each_habit_is_counted() {
    for (variant, counter, of_a_warp) in [
        ("global", "global_load_requests", 1.0),
        ("global", "private_loads", 0.0),
        ("weighted", "global_load_requests", 2.0),
        ("registers", "private_loads", 0.0),
        ("registers", "private_stores", 0.0),
        ("called", "private_loads", 0.0),
        ("called", "private_stores", 0.0),
        ("components", "global_load_requests", 1.0),
        ("unaligned", "global_load_requests", 4.0),
        ("unaligned", "global_load_sectors", 4.0 * 16.0),
        ("apart", "global_store_requests", 1.0),
        ("pushed", "local_atomics", 1.0),
        ("bits", "private_loads", 0.0),
        ("versions", "global_load_requests", 1.0),
    ] {
        let found = counted(variant)[counter];
        assert_eq!(found, of_a_warp * WARPS, "{counter} of {variant}");
    }
    assert_eq!(counted("inlined"), counted("put_in_place"));
}

#[test]
fn a_function_that_nobody_knows_is_refused_and_others_are_counted_beside_it() {
    let refusal = read("unknown").refusal.expect("a refusal");
    assert!(
        refusal.contains("`elsewhere` has no body here"),
        "{refusal}"
    );
    let command = Place::new().kerncast(&["analyse", &fixture("habits"), "--counters", "analysis"]);
    let output = expect_exit(command, 1);
    assert!(text(&output.stderr).contains("`elsewhere`"), "{output:?}");
    let printed = text(&output.stdout);
    for variant in ["global", "versions"] {
        assert!(
            printed.contains(&format!("habits {variant} n=4096")),
            "{printed}"
        );
    }
}
