//! What Kerncast asks of Nsight Compute, all of it for the whole launch. Names, units (of
//! `--print-units base`) and presence were read off `ncu --query-metrics` of 2025.3 for Turing to
//! Blackwell; docs/counters.md tells what stands for which counter of the paper.

use super::{Counter, Kind, counters};

/// The launch's time.
pub const TIME: &str = "gpu__time_duration.sum";

/// A replayed launch's time without the profiler, in the unit of [`TIME`]: to be compared with
/// OpenCL's. Measured by the replay itself, so ncu is not asked for it.
pub const REPLAY_TIME: Counter = Counter {
    name: "replay_time.median",
    also: None,
    unit: "ns",
    kind: Kind::Cycles,
    description: "a replayed launch's time without the profiler: caches warm, as OpenCL's are timed",
};

/// Every name to ask for.
pub fn names() -> impl Iterator<Item = &'static str> {
    let names = METRICS
        .iter()
        .flat_map(|metric| [Some(metric.name), metric.also]);
    names.flatten()
}

counters! { pub METRICS
    // Time and cycles
    Cycles "gpu__time_duration.sum", "ns",
        "the profiled launch's time on the GPU: caches cold, clocks as they were";
    Cycles "sm__cycles_active.sum", "cycle",
        "cycles with a warp in flight, over multiprocessors";
    Cycles "sm__cycles_elapsed.max", "cycle",
        "cycles of the launch";
    Cycles "smsp__warps_active.sum", "warp",
        "warps in flight, summed over cycles";
    Rate "sm__warps_active.avg.pct_of_peak_sustained_active", "%",
        "achieved occupancy";

    // Work and instructions
    Volume "sm__ctas_launched.sum", "block",
        "work-groups launched";
    Volume "smsp__warps_launched.sum", "warp",
        "warps launched";
    Volume "smsp__inst_executed.sum", "inst",
        "warp instructions executed";
    Volume "smsp__inst_executed.max", "inst",
        "warp instructions executed by the busiest quarter of a multiprocessor";
    Volume "smsp__inst_issued.sum", "inst",
        "warp instructions issued, replays included";
    Volume "smsp__thread_inst_executed.sum", "inst",
        "work-item instructions executed";
    Volume "smsp__thread_inst_executed_pred_on.sum", "inst",
        "work-item instructions executed and not predicated off";
    Volume "smsp__inst_executed_op_branch.sum", "inst",
        "warp branch instructions";
    Volume "smsp__sass_branch_targets.sum", "branches",
        "branch targets taken";
    Volume "smsp__sass_branch_targets_threads_divergent.sum", "branches",
        "branch targets where a warp's work-items parted";

    // Global memory
    Volume "smsp__sass_inst_executed_op_global_ld.sum", "inst",
        "warp loads from global memory";
    Volume "smsp__sass_inst_executed_op_global_st.sum", "inst",
        "warp stores to global memory";
    Volume "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "request",
        "global load requests to L1";
    Volume "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "request",
        "global store requests to L1";
    Volume "l1tex__data_pipe_lsu_wavefronts.sum", "wavefront",
        "passes through L1's data banks, local memory's among them";
    Volume "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sector",
        "sectors (32 bytes) that global loads asked L1 for";
    Volume "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "sector",
        "sectors that global stores sent to L1";
    Volume "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", "sector",
        "sectors of global loads found in L1";
    Volume "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum", "sector",
        "sectors of global loads not found in L1";
    Volume "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "request",
        "global atomics that return a value";
    Volume "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", "request",
        "global atomics that return nothing";
    Volume "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", "sector",
        "sectors of global atomics that return a value";
    Volume "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", "sector",
        "sectors of global atomics that return nothing";

    // Local memory in OpenCL's sense (NVIDIA: shared)
    Volume "smsp__sass_inst_executed_op_shared_ld.sum", "inst",
        "warp loads from local memory";
    Volume "smsp__sass_inst_executed_op_shared_st.sum", "inst",
        "warp stores to local memory";
    Volume "smsp__inst_executed_op_shared_atom.sum", "inst",
        "warp atomics on local memory";
    Volume "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "conflict",
        "bank conflicts of loads, arbitration with other traffic included";
    Volume "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "conflict",
        "bank conflicts of stores, arbitration with other traffic included";
    Volume "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum", "conflict",
        "bank conflicts of atomics: also those of one warp on one address";
    Volume "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "wavefront",
        "passes through the banks that loads took: more than loads where there are conflicts";
    Volume "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "wavefront",
        "passes through the banks that stores took";

    // Private memory in OpenCL's sense (NVIDIA: local): spilt registers, indexed arrays
    Volume "smsp__inst_executed_op_local_ld.sum", "inst",
        "warp loads";
    Volume "smsp__inst_executed_op_local_st.sum", "inst",
        "warp stores";
    Volume "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "sector",
        "sectors of loads";
    Volume "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", "sector",
        "sectors of stores";

    // Constant memory
    Volume "smsp__inst_executed_op_ldc.sum", "inst",
        "warp loads from constant memory by instruction, kernel arguments among them";
    Volume "idc__requests.sum", "request",
        "requests to the indexed constant cache";

    // L2 and DRAM
    Volume "lts__t_requests.sum", "request",
        "requests to L2";
    Volume "lts__t_requests.max", "request",
        "requests to the busiest slice of L2";
    Volume "lts__t_sectors_op_read.sum", "sector",
        "sectors read from L2";
    Volume "lts__t_sectors_op_write.sum", "sector",
        "sectors written to L2";
    Volume "lts__t_sectors_op_atom.sum", "sector",
        "sectors of atomics that return a value, in L2";
    Volume "lts__t_sectors_op_red.sum", "sector",
        "sectors of atomics that return nothing, in L2";
    Volume "lts__t_sectors_op_atom.max", "sector",
        "of these that return a value, in the busiest slice: all, where they are on one address";
    Volume "lts__t_sectors_op_red.max", "sector",
        "of these that return nothing, in the busiest slice";
    Volume "lts__t_sectors_lookup_hit.sum", "sector",
        "sectors found in L2";
    Volume "lts__t_sectors_lookup_miss.sum", "sector",
        "sectors not found in L2";
    Volume "dram__sectors_read.sum" or "dram__sectors_op_read.sum", "sector",
        "sectors read from DRAM";
    Volume "dram__sectors_write.sum" or "dram__sectors_op_write.sum", "sector",
        "sectors written to DRAM";

    // Instruction mix, per work-item, not predicated off
    Volume "smsp__sass_thread_inst_executed_op_fp16_pred_on.sum", "inst",
        "half precision; also moves of constants that the compiler makes of HFMA2.MMA";
    Volume "smsp__sass_thread_inst_executed_op_fp32_pred_on.sum", "inst",
        "single precision";
    Volume "smsp__sass_thread_inst_executed_op_fp64_pred_on.sum", "inst",
        "double precision";
    Volume "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", "inst",
        "single-precision additions";
    Volume "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", "inst",
        "single-precision multiplications";
    Volume "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "inst",
        "single-precision multiply-adds: two operations each";
    Volume "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", "inst",
        "double-precision additions";
    Volume "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", "inst",
        "double-precision multiplications";
    Volume "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", "inst",
        "double-precision multiply-adds: two operations each";
    Volume "smsp__sass_thread_inst_executed_op_integer_pred_on.sum", "inst",
        "whole-number arithmetic";
    Volume "smsp__sass_thread_inst_executed_op_bit_pred_on.sum", "inst",
        "bit operations";
    Volume "smsp__sass_thread_inst_executed_op_conversion_pred_on.sum", "inst",
        "conversions between types";
    Volume "smsp__sass_thread_inst_executed_op_control_pred_on.sum", "inst",
        "control flow";
    Volume "smsp__sass_thread_inst_executed_op_memory_pred_on.sum", "inst",
        "loads and stores";
    Volume "smsp__sass_thread_inst_executed_op_inter_thread_communication_pred_on.sum", "inst",
        "shuffles, votes and barriers";

    // Instruction mix, per warp, by pipe
    Volume "smsp__inst_executed_pipe_alu.sum", "inst",
        "whole-number and logic pipe";
    Volume "smsp__inst_executed_pipe_fma.sum", "inst",
        "single-precision pipe";
    Volume "smsp__inst_executed_pipe_fp64.sum", "inst",
        "double-precision pipe";
    Volume "smsp__inst_executed_pipe_xu.sum", "inst",
        "special functions and conversions";
    Volume "smsp__inst_executed_pipe_lsu.sum", "inst",
        "load and store pipe";
    Volume "smsp__inst_executed_pipe_uniform.sum", "inst",
        "one result for a whole warp";
    Volume "smsp__inst_executed_pipe_adu.sum", "inst",
        "address divergence unit: barriers, constants by index";
    Volume "sm__inst_executed_pipe_tensor.sum", "inst",
        "matrix units; also moves of constants that the compiler makes of HFMA2.MMA";

    // Launch and occupancy limits
    Launch "launch__grid_size", "block",
        "work-groups";
    Launch "launch__block_size", "thread",
        "work-items of a work-group";
    Launch "launch__thread_count", "thread",
        "work-items";
    Launch "launch__waves_per_multiprocessor", "wave",
        "work-groups over what all multiprocessors hold at once";
    Launch "launch__registers_per_thread", "register/thread",
        "registers of a work-item";
    Launch "launch__shared_mem_per_block_static", "byte/block",
        "local memory of a work-group: arrays in the source";
    Launch "launch__shared_mem_per_block_dynamic", "byte/block",
        "local memory of a work-group: arguments";
    Launch "launch__shared_mem_per_block_driver", "byte/block",
        "local memory of a work-group that the driver keeps";
    Launch "launch__occupancy_limit_registers", "block",
        "work-groups that fit a multiprocessor's registers";
    Launch "launch__occupancy_limit_shared_mem", "block",
        "work-groups that fit a multiprocessor's local memory";
    Launch "launch__occupancy_limit_warps", "block",
        "work-groups that fit a multiprocessor's warps";
    Launch "launch__occupancy_limit_blocks", "block",
        "work-groups that a multiprocessor takes at most";
    Launch "sm__maximum_warps_per_active_cycle_pct", "%",
        "occupancy that the limits allow";
}
