//! Features that AIWC (Johnston, Milthorpe, *AIWC: OpenCL-based Architecture-Independent Workload
//! Characterization*, 2018) takes of a kernel in Oclgrind: those that models know.

use kerncast_wire::{CounterKind, Role};

use super::{Counter, counters};

counters! { pub(super) COUNTERS
    Volume "workitems" is WorkItems, "work-item",
        "work-items of the launch";
    Volume "total_instruction_count" is IrInstructions, "inst",
        "LLVM instructions executed, all kinds";
    Volume "max_instructions_to_barrier" is IrLongestChain, "inst",
        "LLVM instructions between two barriers, at most";
    Volume "total_memory_footprint" is IrFootprint, "address",
        "distinct addresses";
}
