//! What Kerncast asks of Nsight Compute, all of it for the whole launch. Names, units (of
//! `--print-units base`) and presence were read off `ncu --query-metrics` of 2025.3 for Turing to
//! Blackwell; docs/counters.md tells what stands for which counter of the paper.

use kerncast_wire::{CounterKind, Role};

use super::{Counter, counters};

/// The launch's time.
pub const TIME: &str = "gpu__time_duration.sum";

/// A replayed launch's time without the profiler, in the unit of [`TIME`]: to be compared with
/// OpenCL's. Measured by the replay itself, so ncu is not asked for it.
pub const REPLAY_TIME: &str = "replay_time.median";

/// Every name to ask for. Of one counter's a chip knows one.
pub fn names() -> impl Iterator<Item = &'static str> {
    let metrics = METRICS.iter();
    metrics.flat_map(|metric| [metric.name].into_iter().chain(metric.also.iter().copied()))
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
    Volume "sm__ctas_launched.sum" is LaunchedWorkGroups, "block",
        "work-groups launched";
    Volume "smsp__warps_launched.sum" is Warps, "warp",
        "warps launched";
    Volume "smsp__inst_executed.sum" is Instructions, "inst",
        "warp instructions executed";
    Volume "smsp__inst_executed.max" is BusiestInstructions, "inst",
        "warp instructions executed by the busiest quarter of a multiprocessor";
    Volume "smsp__inst_issued.sum", "inst",
        "warp instructions issued, replays included";
    Volume "smsp__thread_inst_executed.sum"
        like "sm__sass_thread_inst_executed.sum"
        is ItemInstructions, "inst",
        "work-item instructions executed";
    Volume "smsp__thread_inst_executed_pred_on.sum", "inst",
        "work-item instructions executed and not predicated off";
    Volume "smsp__inst_executed_op_branch.sum" is Branches, "inst",
        "warp branch instructions";
    Volume "smsp__sass_branch_targets.sum", "branches",
        "branch targets taken";
    Volume "smsp__sass_branch_targets_threads_divergent.sum", "branches",
        "branch targets where a warp's work-items parted";

    // Global memory
    Volume "smsp__sass_inst_executed_op_global_ld.sum"
        like "smsp__inst_executed_op_global_ld.sum"
        is GlobalLoads, "inst",
        "warp loads from global memory";
    Volume "smsp__sass_inst_executed_op_global_st.sum"
        like "smsp__inst_executed_op_global_st.sum"
        is GlobalStores, "inst",
        "warp stores to global memory";
    Volume "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum" is GlobalLoadRequests, "request",
        "global load requests to L1";
    Volume "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum" is GlobalStoreRequests, "request",
        "global store requests to L1";
    Volume "l1tex__data_pipe_lsu_wavefronts.sum" is L1Passes, "wavefront",
        "passes through L1's data banks, local memory's among them";
    Volume "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum" is GlobalLoadSectors, "sector",
        "sectors (32 bytes) that global loads asked L1 for";
    Volume "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum" is GlobalStoreSectors, "sector",
        "sectors that global stores sent to L1";
    Volume "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", "sector",
        "sectors of global loads found in L1";
    Volume "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum" is GlobalLoadMisses, "sector",
        "sectors of global loads not found in L1";
    Volume "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum" is GlobalAtomicRequests, "request",
        "global atomics that return a value";
    Volume "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum" is GlobalReductionRequests, "request",
        "global atomics that return nothing";
    Volume "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum" is GlobalAtomicSectors, "sector",
        "sectors of global atomics that return a value";
    Volume "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum" is GlobalReductionSectors, "sector",
        "sectors of global atomics that return nothing";

    // Local memory in OpenCL's sense (NVIDIA: shared)
    Volume "smsp__sass_inst_executed_op_shared_ld.sum"
        like "smsp__inst_executed_op_shared_ld.sum"
        is LocalLoads, "inst",
        "warp loads from local memory";
    Volume "smsp__sass_inst_executed_op_shared_st.sum"
        like "smsp__inst_executed_op_shared_st.sum"
        is LocalStores, "inst",
        "warp stores to local memory";
    Volume "smsp__inst_executed_op_shared_atom.sum" is LocalAtomics, "inst",
        "warp atomics on local memory";
    Volume "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "conflict",
        "bank conflicts of loads, arbitration with other traffic included";
    Volume "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "conflict",
        "bank conflicts of stores, arbitration with other traffic included";
    Volume "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum", "conflict",
        "bank conflicts of atomics: also those of one warp on one address";
    Volume "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum" is LocalLoadPasses, "wavefront",
        "passes through the banks that loads took: more than loads where there are conflicts";
    Volume "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum"
        is LocalStorePasses, "wavefront",
        "passes through the banks that stores took";

    // Private memory in OpenCL's sense (NVIDIA: local): spilt registers, indexed arrays
    Volume "smsp__inst_executed_op_local_ld.sum", "inst",
        "warp loads";
    Volume "smsp__inst_executed_op_local_st.sum", "inst",
        "warp stores";
    Volume "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum" is PrivateLoadSectors, "sector",
        "sectors of loads";
    Volume "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum" is PrivateStoreSectors, "sector",
        "sectors of stores";

    // Constant memory
    Volume "smsp__inst_executed_op_ldc.sum", "inst",
        "warp loads from constant memory by instruction, kernel arguments among them";
    Volume "idc__requests.sum", "request",
        "requests to the indexed constant cache";

    // L2 and DRAM
    Volume "lts__t_requests.sum" is L2Requests, "request",
        "requests to L2";
    Volume "lts__t_requests.max", "request",
        "requests to the busiest slice of L2";
    Volume "lts__t_sectors_op_read.sum" is L2ReadSectors, "sector",
        "sectors read from L2";
    Volume "lts__t_sectors_op_write.sum" is L2WriteSectors, "sector",
        "sectors written to L2";
    Volume "lts__t_sectors_op_atom.sum" is L2AtomicSectors, "sector",
        "sectors of atomics that return a value, in L2";
    Volume "lts__t_sectors_op_red.sum" is L2ReductionSectors, "sector",
        "sectors of atomics that return nothing, in L2";
    Volume "lts__t_sectors_op_atom.max" is BusiestL2AtomicSectors, "sector",
        "of these that return a value, in the busiest slice: all, where they are on one address";
    Volume "lts__t_sectors_op_red.max" is BusiestL2ReductionSectors, "sector",
        "of these that return nothing, in the busiest slice";
    Volume "lts__t_sectors_lookup_hit.sum", "sector",
        "sectors found in L2";
    Volume "lts__t_sectors_lookup_miss.sum", "sector",
        "sectors not found in L2";
    Volume "dram__sectors_read.sum" or "dram__sectors_op_read.sum" is DramReadSectors, "sector",
        "sectors read from DRAM";
    Volume "dram__sectors_write.sum" or "dram__sectors_op_write.sum" is DramWriteSectors, "sector",
        "sectors written to DRAM";

    // Instruction mix, per work-item, not predicated off
    Volume "smsp__sass_thread_inst_executed_op_fp16_pred_on.sum", "inst",
        "half precision; also moves of constants that the compiler makes of HFMA2.MMA";
    Volume "smsp__sass_thread_inst_executed_op_fp32_pred_on.sum" is ItemFp32, "inst",
        "single precision";
    Volume "smsp__sass_thread_inst_executed_op_fp64_pred_on.sum" is ItemFp64, "inst",
        "double precision";
    Volume "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"
        like "sm__sass_thread_inst_executed_op_fadd_pred_on.sum"
        is Fp32Adds, "inst",
        "single-precision additions";
    Volume "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"
        like "sm__sass_thread_inst_executed_op_fmul_pred_on.sum"
        is Fp32Multiplies, "inst",
        "single-precision multiplications";
    Volume "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"
        like "sm__sass_thread_inst_executed_op_ffma_pred_on.sum"
        is Fp32MultiplyAdds, "inst",
        "single-precision multiply-adds: two operations each";
    Volume "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum"
        like "sm__sass_thread_inst_executed_op_dadd_pred_on.sum"
        is Fp64Adds, "inst",
        "double-precision additions";
    Volume "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum"
        like "sm__sass_thread_inst_executed_op_dmul_pred_on.sum"
        is Fp64Multiplies, "inst",
        "double-precision multiplications";
    Volume "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum"
        like "sm__sass_thread_inst_executed_op_dfma_pred_on.sum"
        is Fp64MultiplyAdds, "inst",
        "double-precision multiply-adds: two operations each";
    Volume "smsp__sass_thread_inst_executed_op_integer_pred_on.sum"
        like "sm__sass_thread_inst_executed_op_integer_pred_on.sum"
        is ItemIntegers, "inst",
        "whole-number arithmetic";
    Volume "smsp__sass_thread_inst_executed_op_bit_pred_on.sum", "inst",
        "bit operations";
    Volume "smsp__sass_thread_inst_executed_op_conversion_pred_on.sum" is ItemConversions, "inst",
        "conversions between types";
    Volume "smsp__sass_thread_inst_executed_op_control_pred_on.sum" is ItemControl, "inst",
        "control flow";
    Volume "smsp__sass_thread_inst_executed_op_memory_pred_on.sum" is ItemMemory, "inst",
        "loads and stores";
    Volume "smsp__sass_thread_inst_executed_op_inter_thread_communication_pred_on.sum", "inst",
        "shuffles, votes and barriers";

    // Instruction mix, per warp, by pipe
    Volume "smsp__inst_executed_pipe_alu.sum" is AluInstructions, "inst",
        "whole-number and logic pipe";
    Volume "smsp__inst_executed_pipe_fma.sum" is FmaInstructions, "inst",
        "single-precision pipe";
    Volume "smsp__inst_executed_pipe_fp64.sum" is Fp64Instructions, "inst",
        "double-precision pipe";
    Volume "smsp__inst_executed_pipe_xu.sum" is SpecialInstructions, "inst",
        "special functions and conversions";
    Volume "smsp__inst_executed_pipe_lsu.sum" is MemoryInstructions, "inst",
        "load and store pipe";
    Volume "smsp__inst_executed_pipe_uniform.sum", "inst",
        "one result for a whole warp";
    Volume "smsp__inst_executed_pipe_adu.sum", "inst",
        "address divergence unit: barriers, constants by index";
    Volume "sm__inst_executed_pipe_tensor.sum", "inst",
        "matrix units; also moves of constants that the compiler makes of HFMA2.MMA";

    // Launch and occupancy limits
    Launch "launch__grid_size" is WorkGroups, "block",
        "work-groups";
    Launch "launch__block_size", "thread",
        "work-items of a work-group";
    Launch "launch__thread_count" is WorkItems, "thread",
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

counters! { pub(super) OTHERS
    // Known, but not asked for
    Cycles "replay_time.median", "ns",
        "a replayed launch's time without the profiler: caches warm, as OpenCL's are timed";
    Volume "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum" is GlobalLoadBytes, "byte",
        "bytes of the sectors that global loads asked L1 for";
    Volume "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum" is GlobalStoreBytes, "byte",
        "bytes of the sectors that global stores sent to L1";
    Volume "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum" is LocalLoadWavefronts, "wavefront",
        "passes of loads from local memory through L1's data banks";
    Volume "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum" is LocalStoreWavefronts, "wavefront",
        "passes of stores to local memory through L1's data banks";
    Volume "lts__t_bytes.sum" is L2Bytes, "byte",
        "bytes to and from L2";
    Volume "dram__bytes.sum" is DramBytes, "byte",
        "bytes to and from DRAM";
    Volume "dram__bytes_read.sum" or "dram__bytes_op_read.sum" is DramReadBytes, "byte",
        "bytes read from DRAM";
    Volume "dram__bytes_write.sum" or "dram__bytes_op_write.sum" is DramWriteBytes, "byte",
        "bytes written to DRAM";
}
