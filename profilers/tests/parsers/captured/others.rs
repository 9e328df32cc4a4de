//! oneprof, Oclgrind, PoCL.

use kerncast_profilers::{Error, Format, parse};

use super::{assert_counters, good, kernels, read, shaped, times};

#[test]
fn oneprof_kernel_metrics() {
    let profile = good("intel_oneprof_README_query_kernel_metrics.csv.txt");
    assert_eq!(profile.format, Format::Oneprof);
    assert_eq!(kernels(&profile), ["GEMM", "GEMM"]);
    assert_eq!(times(&profile), [Some(42_345_936e-9), Some(42_713_211e-9)]);
    assert_eq!(
        profile.launches[0].geometry,
        shaped([1024, 1024, 1], [256, 1, 1])
    );
    let expected = [
        ("ShaderMemoryAccesses", 134_283_264.0),
        ("EuActive", 75.488),
        ("EuAvgIpcRate", 1.419_66),
    ];
    assert_counters(&profile.launches[0], "oneprof", 39, &expected);
}

#[test]
fn a_table_out_of_a_markdown_page_ends_with_its_fence() {
    let text = include_str!("../../captured/intel_oneprof_README_query_kernel_metrics.csv.txt");
    let quoted = parse(&format!("```\n{text}```\n\nMore words, with a comma\n")).expect("a table");
    assert_eq!(quoted.launches.len(), 2);
}

#[test]
fn oclgrind_instruction_counts() {
    let profile = good("oclgrind_21.10_inst-counts_3kernels.stdout.txt");
    assert_eq!(profile.format, Format::Oclgrind);
    assert_eq!(kernels(&profile), ["vadd", "rev", "atom"]);
    let vadd = [
        ("load_global", 128.0),
        ("load_global_bytes", 512.0),
        ("store_global", 64.0),
        ("store_global_bytes", 256.0),
        ("call_get_global_id", 64.0),
        ("instructions", 192.0 + 2.0 * 128.0 + 7.0 * 64.0),
        // Not there, so never executed.
        ("load_local", 0.0),
        ("store_private_bytes", 0.0),
        ("fmul", 0.0),
        ("srem", 0.0),
        ("call_barrier", 0.0),
        ("math_calls", 0.0),
    ];
    assert_counters(&profile.launches[0], "oclgrind", 72, &vadd);
    let rev = [
        ("load_constant_bytes", 256.0),
        ("store_local_bytes", 1024.0),
        ("call_sin", 32.0),
        ("math_calls", 64.0),
        ("call_barrier", 64.0),
        ("atomic_calls", 0.0),
    ];
    assert_counters(&profile.launches[1], "oclgrind", 77, &rev);
    let atom = [("atomic_calls", 64.0), ("call_atomic_inc", 64.0)];
    assert_counters(&profile.launches[2], "oclgrind", 73, &atom);
}

#[test]
fn oclgrind_instruction_counts_with_thousands_separators() {
    let profile = good("oclgrind_21.10_inst-counts_en_US_thousands.stdout.txt");
    let vadd = [
        ("getelementptr", 196_608.0),
        ("load_global", 131_072.0),
        ("load_global_bytes", 524_288.0),
    ];
    assert_counters(&profile.launches[0], "oclgrind", 72, &vadd);
    let rev = [("load_local_bytes", 1_048_576.0), ("call_sqrt", 32_768.0)];
    assert_counters(&profile.launches[1], "oclgrind", 77, &rev);
}

#[test]
fn oclgrind_overloads_and_intrinsics_count_together() {
    let profile = good("oclgrind_21.10_inst-counts_calls.stdout.txt");
    let counters = &profile.launches[0].counters["oclgrind"];
    let calls = counters
        .iter()
        .filter(|(_, count)| **count > 0.0)
        .filter_map(|(name, count)| Some((name.strip_prefix("call_")?, *count)));
    let expected = [
        ("get_global_id", 64.0),
        ("llvm.fmuladd", 128.0),
        ("max", 128.0),
        ("twice", 64.0),
    ];
    assert_eq!(calls.collect::<Vec<_>>(), expected);
}

#[test]
fn pocl_traces_are_refused_by_name() {
    let text = read("pocl_3.1_tracing_text.log");
    assert!(
        matches!(
            &text,
            Err(Error::Unsupported {
                line: 1,
                what: "PoCL's event trace",
                ..
            })
        ),
        "{text:?}"
    );
    let summary = read("pocl_3.1_tracing_cq.txt");
    let expected = matches!(
        &summary,
        Err(Error::Unsupported {
            line: 10,
            what: "PoCL's summary of times",
            ..
        })
    );
    assert!(expected, "{summary:?}");
}

#[test]
fn the_tidy_table_of_the_documentation() {
    let page = include_str!("../../../../docs/importing.md");
    let table = page
        .split("```")
        .find_map(|block| block.strip_prefix("csv\n"));
    let profile = parse(table.expect("a table")).expect("a tidy table");
    assert_eq!(profile.format, Format::Tidy);
    assert_eq!(times(&profile), [Some(358_304e-9), None]);
    let launch = &profile.launches[0];
    assert_counters(
        launch,
        "ncu",
        1,
        &[("smsp__inst_executed.sum", 146_571_264.0)],
    );
    assert_eq!(launch.parameters["n"], 1024);
    assert_eq!(launch.variant.as_deref(), Some("local"));
    assert!(profile.launches[1].counters.is_empty());
}
