//! Counters of AMD's profilers. A wave is AMD's warp; LDS is local memory, the vector L1 its first
//! cache of global memory. Nothing here has run on AMD's hardware.

use kerncast_wire::{CounterKind, Role};

use super::{Counter, Description, counters, find};

/// What Kerncast itself adds: from rocprofv3's kernel trace.
pub const DURATION: &str = "kernel_trace.duration";

counters! { pub(super) OTHERS
    Cycles "kernel_trace.duration", "ns",
        "a first launch's time while SQ_WAVES was counted: caches cold";
}

counters! { pub COUNTERS
    Cycles "GRBM_COUNT", "cycle",
        "cycles while it was counted";
    Cycles "GRBM_GUI_ACTIVE", "cycle",
        "cycles in which the GPU was busy";
    Cycles "SQ_CYCLES", "cycle",
        "cycles of the sequencers";
    Cycles "SQ_BUSY_CYCLES", "cycle",
        "cycles in which a sequencer had waves";
    Cycles "SQ_BUSY_CU_CYCLES", "cycle",
        "cycles in which compute units had waves, over compute units";
    Cycles "SQ_WAVE_CYCLES", "cycle",
        "waves in flight, summed over cycles";
    Cycles "SQ_WAIT_ANY", "cycle",
        "cycles that waves waited for anything";
    Cycles "SQ_WAIT_INST_ANY", "cycle",
        "cycles that waves waited for an instruction's turn";
    Cycles "SQ_ACTIVE_INST_ANY", "cycle",
        "cycles in which instructions were under way";
    Cycles "SQ_THREAD_CYCLES_VALU", "cycle",
        "cycles of vector arithmetic, over work-items";

    Volume "SPI_CSN_NUM_THREADGROUPS", "work-group",
        "work-groups launched";
    Volume "SPI_CSN_WAVE", "wave",
        "waves launched";
    Volume "SQ_WAVES", "wave",
        "waves sent to compute units";
    Volume "SQ_ITEMS", "work-item",
        "work-items sent to compute units";
    Volume "SQ_INSTS", "inst",
        "wave instructions, all kinds";
    Volume "SQ_INSTS_VALU", "inst",
        "wave instructions of vector arithmetic";
    Volume "SQ_INSTS_SALU", "inst",
        "wave instructions of scalar arithmetic";
    Volume "SQ_INSTS_VMEM", "inst",
        "wave instructions on vector memory";
    Volume "SQ_INSTS_VMEM_RD", "inst",
        "wave loads of vector memory";
    Volume "SQ_INSTS_VMEM_WR", "inst",
        "wave stores of vector memory";
    Volume "SQ_INSTS_SMEM", "inst",
        "wave loads of scalars";
    Volume "SQ_INSTS_FLAT", "inst",
        "wave instructions on memory whose address tells the space";
    Volume "SQ_INSTS_LDS", "inst",
        "wave instructions on local memory, loads and stores";
    Volume "SQ_INSTS_BRANCH", "inst",
        "wave branch instructions";
    Volume "SQ_INSTS_VALU_ADD_F32", "inst",
        "wave single-precision additions";
    Volume "SQ_INSTS_VALU_MUL_F32", "inst",
        "wave single-precision multiplications";
    Volume "SQ_INSTS_VALU_FMA_F32", "inst",
        "wave single-precision multiply-adds";
    Volume "SQ_INSTS_VALU_TRANS_F32", "inst",
        "wave single-precision special functions";
    Volume "SQ_INSTS_VALU_ADD_F64", "inst",
        "wave double-precision additions";
    Volume "SQ_INSTS_VALU_MUL_F64", "inst",
        "wave double-precision multiplications";
    Volume "SQ_INSTS_VALU_FMA_F64", "inst",
        "wave double-precision multiply-adds";
    Volume "SQ_INSTS_VALU_INT32", "inst",
        "wave 32-bit whole-number instructions";
    Volume "SQ_INSTS_VALU_INT64", "inst",
        "wave 64-bit whole-number instructions";
    Volume "SQ_INSTS_MFMA", "inst",
        "wave instructions of the matrix units";
    Volume "SQ_LDS_BANK_CONFLICT", "cycle",
        "cycles that local memory lost to bank conflicts";
    Volume "SQ_LDS_IDX_ACTIVE", "cycle",
        "cycles that local memory served indexed accesses";

    Volume "TA_FLAT_READ_WAVEFRONTS_sum", "wave",
        "wave loads by flat address at the vector L1's door";
    Volume "TA_FLAT_WRITE_WAVEFRONTS_sum", "wave",
        "wave stores by flat address at the vector L1's door";
    Volume "TA_FLAT_ATOMIC_WAVEFRONTS_sum", "wave",
        "wave atomics by flat address at the vector L1's door";
    Volume "TA_BUFFER_READ_WAVEFRONTS_sum", "wave",
        "wave loads by buffer at the vector L1's door";
    Volume "TA_BUFFER_WRITE_WAVEFRONTS_sum", "wave",
        "wave stores by buffer at the vector L1's door";
    Volume "TCP_TOTAL_ACCESSES_sum", "request",
        "accesses to the vector L1";
    Volume "TCP_TOTAL_READ_sum", "request",
        "reads of the vector L1";
    Volume "TCP_TOTAL_WRITE_sum", "request",
        "writes of the vector L1";
    Volume "TCP_TOTAL_CACHE_ACCESSES_sum", "request",
        "lines looked up in the vector L1";
    Volume "TCP_TCC_READ_REQ_sum", "request",
        "reads that the vector L1 sent to L2";
    Volume "TCP_TCC_WRITE_REQ_sum", "request",
        "writes that the vector L1 sent to L2";
    Cycles "TCP_PENDING_STALL_CYCLES_sum", "cycle",
        "cycles that the vector L1 waited for data from L2";
    Volume "TCC_REQ_sum", "request",
        "requests to L2";
    Volume "TCC_READ_sum" is L2Reads, "request",
        "reads of L2";
    Volume "TCC_WRITE_sum" is L2Writes, "request",
        "writes of L2";
    Volume "TCC_ATOMIC_sum", "request",
        "atomics in L2";
    Volume "TCC_HIT_sum", "request",
        "requests found in L2";
    Volume "TCC_MISS_sum", "request",
        "requests not found in L2";
    Volume "TCC_EA_RDREQ_sum" or "TCC_EA0_RDREQ_sum", "request",
        "reads that L2 sent to memory, of 32 or 64 bytes";
    Volume "TCC_EA_RDREQ_32B_sum" or "TCC_EA0_RDREQ_32B_sum", "request",
        "reads that L2 sent to memory, of 32 bytes";
    Volume "TCC_EA_WRREQ_sum" or "TCC_EA0_WRREQ_sum", "request",
        "writes that L2 sent to memory, of 32 or 64 bytes";
    Volume "TCC_EA_WRREQ_64B_sum" or "TCC_EA0_WRREQ_64B_sum", "request",
        "writes that L2 sent to memory, of 64 bytes";
    Cycles "TCC_CYCLE_sum", "cycle",
        "cycles of L2, over channels";
    Cycles "TCC_BUSY_sum", "cycle",
        "cycles in which L2 was busy, over channels";

    Volume "FETCH_SIZE", "KiB",
        "read from memory";
    Volume "WRITE_SIZE", "KiB",
        "written to memory";
    Rate "VALUUtilization", "%",
        "share of a wave's work-items that were active in vector arithmetic";
    Rate "VALUBusy", "%",
        "share of the time in which vector arithmetic ran";
    Rate "SALUBusy", "%",
        "share of the time in which scalar arithmetic ran";
    Rate "MemUnitBusy", "%",
        "share of the time in which the memory unit was busy";
    Rate "MemUnitStalled", "%",
        "share of the time in which the memory unit was stalled";
    Rate "L2CacheHit", "%",
        "share of requests found in L2";
    Rate "LDSBankConflict", "%",
        "share of the time lost to bank conflicts of local memory";
}

/// One of several units' counters (`TCC_HIT[3]`) is described as their sum is. A part plays no role.
pub(super) fn describe_unit(name: &str) -> Option<Description> {
    let one = name.strip_suffix(']').and_then(|name| name.split_once('['));
    let unit = one.map_or(name, |(name, _)| name);
    let sum = find("rocprofv3", &format!("{unit}_sum"))?;
    Some(Description {
        role: None,
        ..sum.into()
    })
}
