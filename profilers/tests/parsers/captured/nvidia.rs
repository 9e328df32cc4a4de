//! ncu. (No captured output of nvprof is here: its tests are in mistakes/nvidia.rs.)

use kerncast_profilers::Format;

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
    assert_counters(mm, "ncu", 87, &expected);
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
