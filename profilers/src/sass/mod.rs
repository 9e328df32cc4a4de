//! How long a warp's instructions wait for each other: from NVIDIA's machine code (SASS) and how often each of its
//! instructions ran.
//!
//! Counters say how much a launch does, not in which order. Where few warps are under way, the order decides:
//! eight loads that wait for each other take eight times as long as eight that do not. A warp issues in order
//! and stops at the first instruction whose operands are not there yet, so a walk over the code, with a
//! latency for each kind of instruction, tells how long a lone warp takes (as interval analysis does: Huang,
//! Lee, Kim, Lee, *GPUMech*, MICRO 2014).
//!
//! What the memory answers after is unknown here. So there is a [`Chain`] for each kind of memory, in which that one
//! answers late and all others at once: what it is longer by than [`Chain::Fixed`] is what a warp waits for it.
//!
//! Latencies are those of microbenchmarks of Volta to Hopper (Jia and others 2018; Luo and others, *Benchmarking
//! and Dissecting the Nvidia Hopper GPU Architecture*, 2024), rounded. A fit finds out by which factor they are
//! off.

mod blocks;
mod instruction;
mod listing;
mod walk;

pub use listing::{EXECUTED, Listing, listings};
pub use walk::BRANCH;

use self::{blocks::Blocks, instruction::Class, walk::Latencies};

/// One instruction of a kernel's code, as ncu's source page lists them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Where it stands.
    pub address: u64,
    /// What it is: `@P0 LDG.E R2, desc[UR4][R2.64]`.
    pub instruction: String,
    /// How often a warp ran it, all warps of the launch together.
    pub executed: u64,
}

/// Which memory answers late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chain {
    /// It waits for no memory: its latency is fixed.
    Fixed,
    /// Local memory.
    LocalMemory,
    /// Atomics on local memory.
    LocalAtomics,
    /// Private memory that is not in registers.
    Private,
    /// Loads from global memory, as late as L1 answers.
    L1,
    /// As late as L2 answers.
    L2,
    /// As late as DRAM answers.
    Dram,
    /// Atomics on global memory that return a value.
    Atomics,
}

impl Chain {
    /// All, and the names that they go by among ncu's counters.
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

    /// Whether a counter (`PROVIDER:NAME`) is one of these: they come from the machine code, and so no file of what
    /// ncu counted has them.
    #[must_use]
    pub fn is_one(counter: &str) -> bool {
        let Some(name) = counter.strip_prefix("ncu:") else {
            return false;
        };
        Self::ALL.iter().any(|(_, chain)| *chain == name)
    }

    /// After how many cycles the memory that is late answers.
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

    /// Which instructions are late, and by how many cycles.
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

/// Cycles of each of [`Chain::ALL`], in its order: how long each warp would take alone, all warps of the launch
/// added up. Nothing of code without instructions.
#[must_use]
pub fn chains(code: &[Line]) -> Option<[f64; 8]> {
    let blocks = Blocks::of(code)?;
    Some(Chain::ALL.map(|(chain, _)| blocks.cycles(&Latencies::with(chain.late()))))
}

#[cfg(test)]
mod tests;
