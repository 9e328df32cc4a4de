//! ncu. (No captured output of nvprof is here: its tests are in mistakes/nvprof.rs.)

use kerncast_profilers::{
    Format,
    catalogue::{ncu::TIME, of_provider},
};

use super::{assert_counters, good, kernels, notes, shaped, times};

#[test]
fn ncu_raw_page_with_thousands_separators_and_other_output() {
    let profile = good("ncu_2025.3_raw_h200_ptx_replay.csv.txt");
    assert_eq!(profile.format, Format::Ncu);
    assert_eq!(kernels(&profile), ["where", "mm", "mm", "mm", "clk"]);
    let seconds = [1_632e-9, 358_304e-9, 358_752e-9, 358_560e-9, 1_664e-9];
    assert_eq!(times(&profile), seconds.map(Some));
    let mm = &profile.launches[1];
    assert_eq!(
        (mm.line, mm.dispatch, mm.device.as_deref()),
        (12, Some(1), Some("NVIDIA H200"))
    );
    assert_eq!(mm.geometry, shaped([1024, 1024, 1], [16, 16, 1]));
    let expected = [
        (
            "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
            35_651_584.0,
        ),
        (
            "l1tex__t_requests_pipe_lsu_mem_global_op_ld.avg",
            270_087.76,
        ),
        (
            "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
            59_168_940.0,
        ),
        (
            "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum",
            16_328_532.0,
        ),
        ("launch__registers_per_thread", 32.0),
        ("launch__waves_per_multiprocessor", 3.88),
        ("sm__cycles_active.avg", 696_752.50),
        ("smsp__inst_executed.sum", 146_571_264.0),
    ];
    // 87 that are printed, and two that follow from the launch's shape.
    assert_counters(mm, "ncu", 87 + 2, &expected);
    assert!(
        !mm.counters["ncu"]
            .keys()
            .any(|name| name.starts_with("gpu__time_duration"))
    );
    assert_eq!(
        notes(&profile),
        [
            "11: `launch__cluster_scheduling_policy` left out: `PolicySpread` is not a number",
            "11: `launch__func_cache_config` left out: `CachePreferNone` is not a number",
            "11: `launch__tpc_enabled` left out: `all` is not a number",
        ]
    );
}

#[test]
fn ncus_set_full_has_what_a_model_of_its_sections_takes() {
    let profile = good("ncu_2025.3_raw_h200_set_full.csv.txt");
    assert_eq!(profile.launches.len(), 8);
    let expected = [
        ("smsp__inst_executed.sum", 2_452_000.0),
        // Under other names in the file.
        (
            "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
            6_400_000.0,
        ),
        ("smsp__inst_executed_op_local_ld.sum", 0.0),
        // From the launch's shape.
        ("sm__ctas_launched.sum", 500.0),
        ("smsp__warps_launched.sum", 4_000.0),
    ];
    let conflicts = &profile.launches[4];
    assert_counters(conflicts, "ncu", 55, &expected);
    let printed = of_provider("ncu").filter(|it| it.set.is_some() && it.name != TIME);
    for counter in printed {
        assert!(
            conflicts.counters["ncu"].contains_key(&counter.name),
            "{}",
            counter.name
        );
    }
}
