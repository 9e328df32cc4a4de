//! Metrics and events of nvprof that models know. It counts many more, which may be uploaded too.

use kerncast_wire::{CounterKind, Role};

use super::{Counter, counters};

counters! { pub(super) COUNTERS
    Volume "warps_launched" is Warps, "warp",
        "warps launched";
    Volume "inst_executed" is Instructions, "inst",
        "warp instructions executed";
    Volume "ldst_executed" is MemoryInstructions, "inst",
        "warp loads and stores";
    Volume "thread_inst_executed" is ItemInstructions, "inst",
        "work-item instructions executed";
    Volume "inst_integer" is ItemIntegers, "inst",
        "whole-number arithmetic, per work-item";
    Volume "inst_fp_32" is ItemFp32, "inst",
        "single precision, per work-item";
    Volume "inst_fp_64" is ItemFp64, "inst",
        "double precision, per work-item";
    Volume "inst_bit_convert" is ItemConversions, "inst",
        "conversions between types, per work-item";
    Volume "inst_compute_ld_st" is ItemMemory, "inst",
        "loads and stores, per work-item";
    Volume "inst_control" is ItemControl, "inst",
        "control flow, per work-item";
    Volume "flop_count_sp" is Fp32Operations, "operation",
        "single-precision operations; a multiply-add is two";
    Volume "flop_count_sp_add" is Fp32Adds, "operation",
        "single-precision additions";
    Volume "flop_count_sp_mul" is Fp32Multiplies, "operation",
        "single-precision multiplications";
    Volume "flop_count_sp_fma" is Fp32MultiplyAdds, "operation",
        "single-precision multiply-adds, one each";
    Volume "flop_count_sp_special" is ItemSpecials, "operation",
        "single-precision special functions";
    Volume "flop_count_dp" is Fp64Operations, "operation",
        "double-precision operations; a multiply-add is two";
    Volume "flop_count_dp_add" is Fp64Adds, "operation",
        "double-precision additions";
    Volume "flop_count_dp_mul" is Fp64Multiplies, "operation",
        "double-precision multiplications";
    Volume "flop_count_dp_fma" is Fp64MultiplyAdds, "operation",
        "double-precision multiply-adds, one each";
    Volume "global_load_requests" is GlobalLoadRequests, "request",
        "global load requests to L1";
    Volume "global_store_requests" is GlobalStoreRequests, "request",
        "global store requests to L1";
    Volume "gld_transactions" is GlobalLoadSectors, "sector",
        "sectors (32 bytes) that global loads asked for";
    Volume "gst_transactions" is GlobalStoreSectors, "sector",
        "sectors that global stores sent";
    Volume "local_load_transactions" is PrivateLoadSectors, "sector",
        "sectors loaded from private memory";
    Volume "local_store_transactions" is PrivateStoreSectors, "sector",
        "sectors stored to private memory";
    Volume "inst_executed_shared_loads" is LocalLoads, "inst",
        "warp loads from local memory";
    Volume "inst_executed_shared_stores" is LocalStores, "inst",
        "warp stores to local memory";
    Volume "shared_load_transactions" is LocalLoadPasses, "transaction",
        "passes through the banks that loads from local memory took";
    Volume "shared_store_transactions" is LocalStorePasses, "transaction",
        "passes through the banks that stores to local memory took";
    Volume "l2_read_transactions" is L2ReadSectors, "sector",
        "sectors read from L2";
    Volume "l2_write_transactions" is L2WriteSectors, "sector",
        "sectors written to L2";
    Volume "dram_read_transactions" is DramReadSectors, "sector",
        "sectors read from DRAM";
    Volume "dram_write_transactions" is DramWriteSectors, "sector",
        "sectors written to DRAM";
    Volume "dram_read_bytes" is DramReadBytes, "byte",
        "bytes read from DRAM";
    Volume "dram_write_bytes" is DramWriteBytes, "byte",
        "bytes written to DRAM";
}
