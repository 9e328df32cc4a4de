//! Sums over a work-group's warps, and over work-groups.

use std::{
    collections::BTreeMap,
    ops::{Index, IndexMut},
};

use super::{access_shares::AccessSums, chain::CLOCKS, pipes::PIPES};
use crate::sampling::{GroupTotals, sums};

/// Levels of caches in bytes, beyond which loads are counted whatever the device, and the counters' names.
pub(super) const LEVELS: [(u64, &str); 3] = [
    (8 << 10, "load_sectors_beyond_8k"),
    (32 << 10, "load_sectors_beyond_32k"),
    (128 << 10, "load_sectors_beyond_128k"),
];

/// Bytes that lie in one slice of L2: on an H200 atomics within 256 go to one, those within 4096 to a dozen.
pub(super) const SLICE_BYTES: u64 = 512;

/// The number among buffers that stands for private memory.
pub(super) const PRIVATE: u64 = 1 << 22;

// Sums beside instructions by pipe, chains and cache levels.
sums! {
    GlobalLoads "global_loads",
    GlobalStores "global_stores",
    GlobalLoadRequests "global_load_requests",
    GlobalStoreRequests "global_store_requests",
    GlobalLoadSectors "global_load_sectors",
    GlobalStoreSectors "global_store_sectors",
    AtomicRequests "global_atomic_requests",
    AtomicSectors "global_atomic_sectors",
    ReductionRequests "global_reduction_requests",
    ReductionSectors "global_reduction_sectors",
    LocalLoads "local_loads",
    LocalStores "local_stores",
    LocalAtomics "local_atomics",
    LocalLoadPasses "local_load_passes",
    LocalStorePasses "local_store_passes",
    L1Passes "l1_passes",
    PrivateLoads "private_loads",
    PrivateStores "private_stores",
    PrivateLoadSectors "private_load_sectors",
    PrivateStoreSectors "private_store_sectors",
    Uniform "uniform_accesses",
    Contiguous "contiguous_accesses",
    Gathered "gathered_accesses",
    Misses,
    /// Sectors of private memory that L1 misses.
    PrivateMisses,
    /// Lines of loads that L1 misses, and of everything else that goes to L2.
    MissedLines,
    OtherLines,
    /// Sectors of stores that L1 joins with those of the store before.
    JoinedSectors,
    ItemInstructions "item_instructions",
}

/// Sums over warps.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    /// Instructions by pipe.
    pub(super) pipes: [f64; PIPES],
    /// Cycles of chains.
    pub(super) clocks: [f64; CLOCKS],
    /// Sectors of loads beyond each level of caches.
    pub(super) levels: [f64; LEVELS.len()],
    others: [f64; SUMS],
}

impl Index<Sum> for Sums {
    type Output = f64;

    fn index(&self, sum: Sum) -> &f64 {
        &self.others[sum as usize]
    }
}

impl IndexMut<Sum> for Sums {
    fn index_mut(&mut self, sum: Sum) -> &mut f64 {
        &mut self.others[sum as usize]
    }
}

impl Sums {
    fn each(&self) -> impl Iterator<Item = &f64> {
        let caches = self.clocks.iter().chain(&self.levels);
        self.pipes.iter().chain(caches).chain(&self.others)
    }

    fn each_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        let caches = self.clocks.iter_mut().chain(&mut self.levels);
        self.pipes.iter_mut().chain(caches).chain(&mut self.others)
    }
}

/// Totals of work-groups.
#[derive(Clone, Debug, Default)]
pub(super) struct Totals {
    pub(super) sums: Sums,
    /// Distinct sectors that are read, and written, by buffer.
    pub(super) touched: BTreeMap<u64, Touched>,
    /// Turns of atomics by [`SLICE_BYTES`] bytes: those for one slice of L2 wait for each other.
    pub(super) atomics: BTreeMap<u64, f64>,
    /// Sums of each access.
    pub(super) accesses: Vec<AccessSums>,
    /// Instructions of the longest warp.
    pub(super) longest_warp: f64,
}

/// Distinct sectors of a buffer, those of each work-group added up.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Touched {
    pub(super) reads: f64,
    /// Loads of sectors read before that L2 no longer has.
    pub(super) repeated_reads: f64,
    pub(super) writes: f64,
    /// Stores to sectors written before that L2 no longer has.
    pub(super) repeated_writes: f64,
    /// Bytes that are stored.
    pub(super) stored_bytes: f64,
    pub(super) lowest: u64,
    pub(super) highest: u64,
}

impl GroupTotals for Totals {
    fn add(&mut self, other: &Self, count: f64, among: f64) {
        let weight = count / among;
        for (sum, more) in self.sums.each_mut().zip(other.sums.each()) {
            // In this order what is alike in all stays whole.
            *sum += count * more / among;
        }
        self.accesses
            .resize(other.accesses.len(), AccessSums::default());
        for (sum, more) in self.accesses.iter_mut().zip(&other.accesses) {
            sum.add(more, weight);
        }
        for (place, more) in &other.atomics {
            *self.atomics.entry(*place).or_default() += weight * more;
        }
        for (buffer, more) in &other.touched {
            let sum = self.touched.entry(*buffer).or_insert(Touched {
                lowest: more.lowest,
                ..Touched::default()
            });
            sum.reads += weight * more.reads;
            sum.repeated_reads += weight * more.repeated_reads;
            sum.writes += weight * more.writes;
            sum.repeated_writes += weight * more.repeated_writes;
            sum.stored_bytes += weight * more.stored_bytes;
            sum.lowest = sum.lowest.min(more.lowest);
            sum.highest = sum.highest.max(more.highest);
        }
        self.longest_warp = self.longest_warp.max(other.longest_warp);
    }
}
