//! Estimates how long a warp's instructions wait for each other, from NVIDIA's machine code (SASS) and the number of
//! times that each instruction ran.
//!
//! Counters say how much a launch does, not in which order. Where few warps are under way, the order decides:
//! eight loads that wait for each other take eight times as long as eight that do not. A warp issues in order
//! and stops at the first instruction whose operands are not there yet, so a walk over the code, with a
//! latency for each kind of instruction, tells how long a lone warp takes (as interval analysis does: Huang,
//! Lee, Kim, Lee, *GPUMech*, MICRO 2014).
//!
//! The latency of memory is unknown here. So there is a [`Chain`] for each kind of memory, in which that kind answers
//! late and all others at once: the excess over [`Chain::Fixed`] is the time that a warp waits for that kind.
//!
//! Latencies are those of microbenchmarks of Volta to Hopper (Jia and others 2018; Luo and others, *Benchmarking and
//! Dissecting the Nvidia Hopper GPU Architecture*, 2024), rounded. A fit finds the factor by which they are wrong.

mod blocks;
mod instruction;
mod listing;
mod walk;

pub use listing::{EXECUTED, Listing, listings};
pub use walk::BRANCH;

use self::{blocks::Blocks, instruction::Class, walk::Latencies};

/// An instruction of a kernel's code, as ncu's source page lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The address.
    pub address: u64,
    /// The text, as `@P0 LDG.E R2, desc[UR4][R2.64]`.
    pub instruction: String,
    /// The number of times that warps ran it, over all warps of the launch.
    pub executed: u64,
}

/// A chain of waits, named by the memory that answers late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chain {
    /// No memory answers late: all latencies are fixed.
    Fixed,
    /// Loads from local memory answer late.
    LocalMemory,
    /// Atomics on local memory answer late.
    LocalAtomics,
    /// Loads from private memory that is not in registers answer late.
    Private,
    /// Loads from global memory answer after the latency of L1.
    L1,
    /// Loads from global memory answer after the latency of L2.
    L2,
    /// Loads from global memory answer after the latency of DRAM.
    Dram,
    /// Atomics on global memory that return a value answer late.
    Atomics,
}

impl Chain {
    /// All chains, with their names among ncu's counters.
    pub const ALL: [(Self, &'static str); 8] = [
        (Self::Fixed, "sass_chain.fixed"),
        (Self::LocalMemory, "sass_chain.local_memory"),
        (Self::LocalAtomics, "sass_chain.local_atomics"),
        (Self::Private, "sass_chain.private"),
        (Self::L1, "sass_chain.l1"),
        (Self::L2, "sass_chain.l2"),
        (Self::Dram, "sass_chain.dram"),
        (Self::Atomics, "sass_chain.atomics"),
    ];

    /// Whether a counter (`PROVIDER:NAME`) is a chain. Chains come from machine code, so ncu's files do not have them.
    #[must_use]
    pub fn is_one(counter: &str) -> bool {
        let Some(name) = counter.strip_prefix("ncu:") else {
            return false;
        };
        Self::ALL.iter().any(|(_, chain)| *chain == name)
    }

    /// Cycles after which the late memory answers.
    #[must_use]
    pub const fn late_cycles(self) -> f64 {
        match self {
            Self::Fixed => 0.0,
            Self::LocalMemory => 25.0,
            Self::LocalAtomics => 60.0,
            Self::Private | Self::L1 => 35.0,
            Self::L2 => 250.0,
            Self::Dram => 600.0,
            Self::Atomics => 400.0,
        }
    }

    /// The class of late instructions and their latency in cycles; none for [`Chain::Fixed`].
    fn late(self) -> Option<(Class, f64)> {
        let class = match self {
            Self::Fixed => return None,
            Self::LocalMemory => Class::LocalLoad,
            Self::LocalAtomics => Class::LocalAtomic,
            Self::Private => Class::PrivateLoad,
            Self::L1 | Self::L2 | Self::Dram => Class::GlobalLoad,
            Self::Atomics => Class::GlobalAtomic,
        };
        Some((class, self.late_cycles()))
    }
}

/// Cycles of each of [`Chain::ALL`], in its order: the time that each warp would take alone, added up over all warps of
/// the launch. None for code without instructions.
#[must_use]
pub fn chains(code: &[Line]) -> Option<[f64; 8]> {
    let blocks = Blocks::cut(code)?;
    Some(Chain::ALL.map(|(chain, _)| blocks.cycles(&Latencies::with(chain.late()))))
}

#[cfg(test)]
mod tests;
