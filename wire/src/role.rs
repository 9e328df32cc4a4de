//! What a counter counts, by whatever name.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Part;

/// What a counter counts, whoever counts it and whatever it is called there: what models know a counter by.
///
/// Without further words an event is a warp's (AMD: a wave's). `item` is of work-items that are not masked
/// off; `ir` of work-items too, but of the compiler's intermediate code (LLVM's), which is the same for every
/// device. Reductions are atomics that return nothing. A sector has 32 bytes.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Work-items of the launch.
    WorkItems,
    /// Work-groups of the launch.
    WorkGroups,
    /// Work-groups that the device counted.
    LaunchedWorkGroups,
    /// Warps that the device counted.
    Warps,
    /// Work-groups over what all multiprocessors hold at once.
    Waves,
    /// Work-groups that a multiprocessor takes at most.
    WorkGroupLimit,
    /// Work-groups whose registers it has.
    RegisterLimit,
    /// Work-groups whose local memory it has.
    LocalMemoryLimit,
    /// Work-groups whose warps it has.
    WarpLimit,

    /// Instructions of all kinds.
    Instructions,
    /// Instructions of the busiest scheduler.
    BusiestInstructions,
    /// Instructions of the pipe for whole numbers and logic.
    AluInstructions,
    /// Instructions of the pipe for single precision.
    FmaInstructions,
    /// Instructions of the pipe for double precision.
    Fp64Instructions,
    /// Special functions and conversions.
    SpecialInstructions,
    /// Loads, stores and atomics on any memory.
    MemoryInstructions,
    /// Instructions with one result for a whole warp.
    UniformInstructions,
    /// Barriers, and constants by index.
    BarrierInstructions,
    /// Branch instructions.
    Branches,

    /// Cycles that every warp's instructions take alone, one after the other, all memory answering at once.
    Chain,
    /// The same, with local memory answering late.
    ChainLocalMemory,
    /// With atomics on local memory answering late.
    ChainLocalAtomics,
    /// With private memory that is not in registers answering late.
    ChainPrivate,
    /// With loads from global memory answered by L1.
    ChainL1,
    /// Answered by L2.
    ChainL2,
    /// Answered by DRAM.
    ChainDram,
    /// With atomics on global memory answering late.
    ChainAtomics,

    /// Instructions of all kinds.
    ItemInstructions,
    /// Whole-number instructions.
    ItemIntegers,
    /// Single-precision instructions.
    ItemFp32,
    /// Double-precision instructions.
    ItemFp64,
    /// Conversions between types.
    ItemConversions,
    /// Single-precision special functions.
    ItemSpecials,
    /// Loads, stores and atomics on any memory.
    ItemMemory,
    /// Control flow.
    ItemControl,
    /// Single-precision additions.
    Fp32Adds,
    /// Single-precision multiplications.
    Fp32Multiplies,
    /// Single-precision multiply-adds, one each.
    Fp32MultiplyAdds,
    /// Single-precision operations; a multiply-add is two.
    Fp32Operations,
    /// Double-precision additions.
    Fp64Adds,
    /// Double-precision multiplications.
    Fp64Multiplies,
    /// Double-precision multiply-adds, one each.
    Fp64MultiplyAdds,
    /// Double-precision operations; a multiply-add is two.
    Fp64Operations,

    /// Loads from global memory.
    GlobalLoads,
    /// Stores to global memory.
    GlobalStores,
    /// Requests to L1 for loads from global memory.
    GlobalLoadRequests,
    /// Requests to L1 for stores.
    GlobalStoreRequests,
    /// Requests to L1 for atomics that return a value.
    GlobalAtomicRequests,
    /// Requests to L1 for reductions.
    GlobalReductionRequests,
    /// Sectors of the requests for loads.
    GlobalLoadSectors,
    /// Sectors of the requests for stores.
    GlobalStoreSectors,
    /// Sectors of the requests for atomics that return a value.
    GlobalAtomicSectors,
    /// Sectors of the requests for reductions.
    GlobalReductionSectors,
    /// Sectors of loads that were not in L1.
    GlobalLoadMisses,
    /// Bytes of the sectors of loads.
    GlobalLoadBytes,
    /// Bytes of the sectors of stores.
    GlobalStoreBytes,
    /// Loads from private memory that is not in registers.
    PrivateLoads,
    /// Stores there.
    PrivateStores,
    /// Sectors loaded from private memory that is not in registers.
    PrivateLoadSectors,
    /// Sectors stored there.
    PrivateStoreSectors,
    /// Passes through L1's data banks, those for local memory among them.
    L1Passes,

    /// Loads from local memory.
    LocalLoads,
    /// Stores to local memory.
    LocalStores,
    /// Atomics on local memory.
    LocalAtomics,
    /// Passes through the banks that loads from local memory took.
    LocalLoadPasses,
    /// Passes that stores took.
    LocalStorePasses,

    /// Requests to L2.
    L2Requests,
    /// Requests to the busiest slice of L2.
    BusiestL2Requests,
    /// Requests to L2 that read.
    L2Reads,
    /// Requests to L2 that write.
    L2Writes,
    /// Sectors read from L2.
    L2ReadSectors,
    /// Sectors written to L2.
    L2WriteSectors,
    /// Sectors of atomics that return a value, in L2.
    L2AtomicSectors,
    /// Sectors of reductions, in L2.
    L2ReductionSectors,
    /// Sectors of atomics that return a value, in the busiest slice of L2.
    BusiestL2AtomicSectors,
    /// Sectors of reductions, in the busiest slice of L2.
    BusiestL2ReductionSectors,
    /// Bytes to and from L2.
    L2Bytes,
    /// Sectors read from DRAM.
    DramReadSectors,
    /// Sectors written to DRAM.
    DramWriteSectors,
    /// Bytes read from DRAM.
    DramReadBytes,
    /// Bytes written to DRAM.
    DramWriteBytes,
    /// Bytes to and from DRAM.
    DramBytes,

    /// Instructions of all kinds.
    IrInstructions,
    /// Branch instructions of the intermediate code.
    IrBranches,
    /// Floating-point additions, subtractions, multiplications, divisions and remainders.
    IrOperations,
    /// Floating-point multiply-adds.
    IrMultiplyAdds,
    /// Loads from global memory.
    IrGlobalLoads,
    /// Stores to global memory.
    IrGlobalStores,
    /// Loads from local memory.
    IrLocalLoads,
    /// Stores to local memory.
    IrLocalStores,
    /// Bytes loaded from global memory.
    IrGlobalLoadBytes,
    /// Bytes stored to global memory.
    IrGlobalStoreBytes,
    /// Bytes loaded from local memory.
    IrLocalLoadBytes,
    /// Bytes stored to local memory.
    IrLocalStoreBytes,
    /// Instructions of the longest chain: between two barriers, or of one work-item.
    IrLongestChain,
    /// Distinct addresses.
    IrFootprint,

    /// Micro-operations of work-items one by one, without those of memory.
    CoreScalarInstructions,
    /// Micro-operations of vectors of neighbouring work-items.
    CoreVectorInstructions,
    /// Micro-operations of vectors of a loop's turns.
    CoreTurnInstructions,
    /// Micro-operations on floating-point numbers, among all of these.
    CoreFloatInstructions,
    /// Cycles of the divider.
    CoreDividerCycles,
    /// Micro-operations of called mathematical functions.
    CoreFunctionInstructions,
    /// Branches that are foretold wrongly.
    CoreMispredictions,
    /// Micro-operations that load, from any memory.
    CoreLoads,
    /// Micro-operations that store, to any memory.
    CoreStores,
    /// Elements that vectors load from places apart.
    CoreGatheredLoads,
    /// Elements that vectors store to places apart.
    CoreScatteredStores,
    /// Loads and stores of private memory that is in no register.
    CorePrivateAccesses,
    /// Loads and stores of local memory.
    CoreLocalAccesses,
    /// Atomics on global memory, of work-items.
    CoreAtomics,
    /// Atomics on local memory, of work-items.
    CoreLocalAtomics,
    /// Atomics on the line that most want.
    CoreBusiestAtomics,
    /// Barriers, of work-items.
    CoreBarriers,
    /// Values that work-items hand on from turn to turn of a loop with a barrier.
    CoreTurns,
    /// Cycles that work-items' instructions take one after the other, as far as nothing hides them.
    CoreChain,
    /// Lines near others asked for before that a cache of 32 KiB does not have.
    CoreStreamedL1Misses,
    /// All other lines that a cache of 32 KiB does not have.
    CoreStrayedL1Misses,
    /// Loads of these that wait for one another.
    CoreL1Waits,
    /// Lines near others asked for before that a cache of 512 KiB does not have.
    CoreStreamedL2Misses,
    /// All other lines that a cache of 512 KiB does not have.
    CoreStrayedL2Misses,
    /// Loads of these that wait for one another.
    CoreL2Waits,
    /// Lines near others asked for before that a cache of 16 MiB does not have.
    CoreStreamedL3Misses,
    /// All other lines that a cache of 16 MiB does not have.
    CoreStrayedL3Misses,
    /// Loads of these that wait for one another.
    CoreL3Waits,
    /// Lines that leave a cache of 16 MiB with what was written.
    CoreWrittenBackLines,
}

impl Role {
    /// The part of a device whose time it takes.
    #[must_use]
    pub fn part(self) -> Part {
        // As declared: each role but these stands with others of its part.
        match self {
            Self::GlobalLoadMisses => Part::L2,
            Self::BarrierInstructions | Self::CoreBarriers => Part::Waits,
            Self::CoreChain | Self::IrLongestChain | Self::CoreMispredictions => Part::Waits,
            Self::CoreL1Waits | Self::CoreL2Waits | Self::CoreL3Waits => Part::Waits,
            Self::IrFootprint | Self::CoreWrittenBackLines => Part::Dram,
            it if it <= Self::WarpLimit => Part::Launch,
            it if it <= Self::Branches => Part::Issue,
            it if it <= Self::ChainAtomics => Part::Waits,
            it if it <= Self::Fp64Operations => Part::Issue,
            it if it <= Self::LocalStorePasses => Part::L1,
            it if it <= Self::L2Bytes => Part::L2,
            it if it <= Self::DramBytes => Part::Dram,
            it if it <= Self::IrMultiplyAdds => Part::Issue,
            it if it <= Self::IrLocalStoreBytes => Part::L1,
            it if it <= Self::CoreFunctionInstructions => Part::Issue,
            it if it <= Self::CoreTurns => Part::L1,
            // What the first cache lacks comes from the second.
            it if it <= Self::CoreStrayedL1Misses => Part::L2,
            _ => Part::Dram,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_belong_to_the_parts_of_a_device() {
        for (role, part) in [
            (Role::Warps, Part::Launch),
            (Role::FmaInstructions, Part::Issue),
            (Role::ChainDram, Part::Waits),
            (Role::ItemFp32, Part::Issue),
            (Role::GlobalLoadSectors, Part::L1),
            (Role::GlobalLoadMisses, Part::L2),
            (Role::L1Passes, Part::L1),
            (Role::LocalLoadPasses, Part::L1),
            (Role::L2ReadSectors, Part::L2),
            (Role::DramWriteSectors, Part::Dram),
            (Role::IrLocalLoads, Part::L1),
            (Role::CoreVectorInstructions, Part::Issue),
            (Role::CoreLoads, Part::L1),
            (Role::CoreStreamedL1Misses, Part::L2),
            (Role::CoreStrayedL3Misses, Part::Dram),
            (Role::CoreL2Waits, Part::Waits),
        ] {
            assert_eq!(role.part(), part, "{role:?}");
        }
    }
}
