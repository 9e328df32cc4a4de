//! Shares of each access of the source in what is counted.

use std::collections::BTreeMap;

use crate::{
    llvm::{Location, Space},
    run::{Access, AccessKind, Program},
};

/// The share of one access of the source in a launch's counters. Copies of it in loops that are unrolled are one.
#[derive(Clone, Debug, PartialEq)]
pub struct AccessShares {
    /// Its place in the source, where that is known.
    pub location: Option<Location>,
    /// The kind of access.
    pub kind: AccessKind,
    /// The memory that it goes to.
    pub space: Space,
    /// Shares in counters, by name as in [`GpuCounts::counters`](super::GpuCounts::counters), above 0 and at most 1. Work that
    /// belongs to no access, such as arithmetic, is in no share.
    pub shares: BTreeMap<&'static str, f64>,
}

/// Sums of an access over warps.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AccessSums {
    pub(super) requests: f64,
    pub(super) sectors: f64,
    pub(super) passes: f64,
    /// Sectors that L1 does not have.
    pub(super) misses: f64,
    /// Requests to L2.
    pub(super) to_l2: f64,
}

impl AccessSums {
    /// Adds `weight` times another's.
    pub(super) fn add(&mut self, more: &Self, weight: f64) {
        self.requests += weight * more.requests;
        self.sectors += weight * more.sectors;
        self.passes += weight * more.passes;
        self.misses += weight * more.misses;
        self.to_l2 += weight * more.to_l2;
    }
}

/// The share of each access of the source in each counter. `reads_result` and `sums` have a place for each access of
/// the program.
pub(super) fn shares(
    program: &Program,
    reads_result: &[bool],
    sums: &[AccessSums],
) -> Vec<AccessShares> {
    let mut all: Vec<AccessShares> = Vec::new();
    let mut totals: BTreeMap<&'static str, f64> = BTreeMap::new();
    for ((access, reads_result), sums) in program.accesses.iter().zip(reads_result).zip(sums) {
        let location = access.location.and_then(|it| {
            let place = program.locations.get(it as usize)?;
            (place.line > 0).then(|| place.clone())
        });
        let same = all.iter().position(|it| {
            (&it.location, it.kind, it.space) == (&location, access.kind, access.space)
        });
        let place = same.unwrap_or(all.len());
        if same.is_none() {
            all.push(AccessShares {
                location,
                kind: access.kind,
                space: access.space,
                shares: BTreeMap::new(),
            });
        }
        let counts = counts(access, *reads_result, *sums).into_iter();
        for (name, count) in counts.filter(|(_, count)| *count > 0.0) {
            *all[place].shares.entry(name).or_default() += count;
            *totals.entry(name).or_default() += count;
        }
    }
    for access in &mut all {
        for (name, share) in &mut access.shares {
            *share /= totals[name];
        }
    }
    all
}

/// The counts of an access, in each counter's unit. Waiting times are shared out by requests.
fn counts(access: &Access, reads_result: bool, sums: AccessSums) -> Vec<(&'static str, f64)> {
    let (requests, sectors, passes) = (sums.requests, sums.sectors, sums.passes);
    let load = access.kind == AccessKind::Load;
    let mut all = match access.space {
        Space::Global => global_counts(access.kind, reads_result, sums),
        Space::Local if access.kind.is_atomic() => vec![
            ("local_atomics", requests),
            ("chain_local_atomics", requests),
        ],
        Space::Local if load => vec![
            ("local_loads", requests),
            ("chain_local_memory", requests),
            ("local_load_passes", passes),
        ],
        Space::Local => vec![("local_stores", requests), ("local_store_passes", passes)],
        Space::Private if load => vec![
            ("private_loads", requests),
            ("chain_private", requests),
            ("private_load_sectors", sectors),
            ("l2_read_sectors", sums.misses),
        ],
        Space::Private => vec![
            ("private_stores", requests),
            ("private_store_sectors", sectors),
            ("l2_write_sectors", sectors),
        ],
        Space::Constant => {
            return vec![("other_instructions", requests), ("l1_passes", passes)];
        }
    };
    all.extend([
        ("memory_instructions", requests),
        ("l1_passes", passes),
        ("l2_requests", sums.to_l2),
        ("busiest_l2_requests", sums.to_l2),
    ]);
    all
}

/// The counts of an access to global memory, without those of all memories.
fn global_counts(
    kind: AccessKind,
    reads_result: bool,
    sums: AccessSums,
) -> Vec<(&'static str, f64)> {
    let (requests, sectors, misses) = (sums.requests, sums.sectors, sums.misses);
    match kind {
        AccessKind::Load => vec![
            ("global_loads", requests),
            ("global_load_requests", requests),
            ("chain_l1", requests),
            ("chain_l2", requests),
            ("chain_dram", requests),
            ("global_load_sectors", sectors),
            ("global_load_misses", misses),
            ("l2_read_sectors", misses),
            ("dram_read_sectors", misses),
        ],
        AccessKind::Store => vec![
            ("global_stores", requests),
            ("global_store_requests", requests),
            ("global_store_sectors", sectors),
            ("l2_write_sectors", sectors),
            ("dram_write_sectors", sectors),
        ],
        _ if reads_result => vec![
            ("global_atomic_requests", requests),
            ("chain_atomics", requests),
            ("global_atomic_sectors", sectors),
            ("l2_atomic_sectors", sectors),
            ("busiest_l2_atomic_sectors", sectors),
        ],
        _ => vec![
            ("global_reduction_requests", requests),
            ("global_reduction_sectors", sectors),
            ("l2_reduction_sectors", sectors),
            ("busiest_l2_reduction_sectors", sectors),
        ],
    }
}
