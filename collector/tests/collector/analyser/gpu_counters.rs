//! What the analysis says that a GPU counts, against what Nsight Compute counted of the suite on an H200 (data/). With
//! `--nocapture` it prints the table.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use super::shipped::{Counters, Key, counted, key, of_each_variant};
use kerncast_analysis::{
    gpu_counters::{self, Gpu},
    llvm, run,
    sampling::{Budget, CountedLaunch},
};
use kerncast_collector::clang::{Clang, LlvmTarget};
use kerncast_profilers::catalogue::describe;
use kerncast_suite::{Kernel, Launch, Variant, load};

/// Ours, ncu's, and of how many variants all sizes must be equal and within a twentieth, in per cent.
const COUNTERS: [(&str, &str, usize, usize); 8] = [
    ("warps", "smsp__warps_launched.sum", 100, 100),
    (
        "global_load_requests",
        "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
        85,
        90,
    ),
    (
        "global_store_requests",
        "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
        90,
        95,
    ),
    (
        "global_load_sectors",
        "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
        80,
        88,
    ),
    (
        "global_store_sectors",
        "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
        90,
        93,
    ),
    (
        "local_loads",
        "smsp__sass_inst_executed_op_shared_ld.sum",
        80,
        85,
    ),
    (
        "local_load_passes",
        "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
        75,
        82,
    ),
    (
        "local_store_passes",
        "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
        85,
        90,
    ),
];
/// Larger launches take long to fill.
const MOST_BYTES: usize = 8 << 20;
/// Of a variant.
const SIZES: usize = 2;

/// Counters of the first of a variant's sizes that are counted.
fn analyse(
    clang: &Clang,
    kernel: &Kernel,
    variant: &Variant,
    wanted: &BTreeSet<Key>,
) -> Vec<(Key, Counters)> {
    let mut counters = Vec::new();
    for size in &kernel.sizes {
        if counters.len() == SIZES {
            break;
        }
        let key = key(kernel, variant, &size.parameters);
        let launch = Launch::new(kernel, variant, &size.parameters).expect("a launch");
        let Some(step) = launch.only_step() else {
            continue;
        };
        if !wanted.contains(&key) || launch.global_bytes() > MOST_BYTES {
            continue;
        }
        let text = clang
            .llvm(&launch, &kernel.folder, LlvmTarget::Gpu)
            .expect("LLVM's text");
        let module = llvm::read(&text).expect("a module");
        let (bytes, inputs) = (
            launch.bytes(),
            launch.inputs_on_demand(&kernel.name, &size.parameters),
        );
        let budget = Budget {
            instructions: 1_000_000,
            group_instructions: 16_000_000,
            ..Budget::for_addresses()
        };
        let counted = run::lower(&module, &step.function).and_then(|program| {
            let launch = CountedLaunch {
                program: &program,
                step,
                bytes: &bytes,
                input: &inputs,
                budget,
            };
            gpu_counters::count(&launch, Gpu::hopper(132))
        });
        // Refusals are allowed, and few: below.
        if let Ok(counted) = counted {
            counters.push((key, counted.counters));
        }
    }
    counters
}

#[test]
fn requests_sectors_and_passes_are_those_of_ncu_for_most_kernels() {
    let clang = Clang::find().expect("clang");
    let kernels = load(Path::new("../kernels")).expect("the suite");
    let counted = counted("nvidia-h200.jsonl.zst", "ncu");
    let wanted: BTreeSet<Key> = counted.keys().cloned().collect();
    let by_variant = of_each_variant(&kernels, |kernel, variant| {
        analyse(&clang, kernel, variant, &wanted)
    });
    let workloads: Vec<(Key, Counters)> = by_variant.into_iter().flatten().collect();
    assert!(workloads.len() > 250, "{} workloads", workloads.len());
    for name in workloads.iter().flat_map(|(_, counters)| counters.keys()) {
        assert!(
            describe("analysis", name).is_some(),
            "{name} is not in the catalogue"
        );
    }
    for (ours, theirs, least_equal, least_near) in COUNTERS {
        let mut off: BTreeMap<(&str, &str), f64> = BTreeMap::new();
        for (key, counters) in &workloads {
            let Some(expected) = counted[key].get(theirs) else {
                continue;
            };
            let here = counters[ours];
            if *expected == 0.0 && here == 0.0 {
                continue;
            }
            let worst = off.entry((&key.0, &key.1)).or_default();
            *worst = worst.max((here / expected - 1.0).abs());
        }
        let percent = |most: f64| 100 * off.values().filter(|it| **it <= most).count() / off.len();
        let (equal, near) = (percent(1e-9), percent(0.05));
        eprintln!(
            "{ours:24}{:4} variants, {equal:3} % equal, {near:3} % within 5 %",
            off.len()
        );
        assert!(
            equal >= least_equal && near >= least_near,
            "{ours}: {equal} % of variants are equal and {near} % within 5 %: {off:?}"
        );
    }
}
