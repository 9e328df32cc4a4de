//! A GPU's counters of a launch: whole warps of sampled work-groups are executed, with the address of each lane's
//! accesses.
//!
//! Give it LLVM text that clang has optimised for nvptx64 (`-O3`): then hoisted loads are counted once, and unrolled
//! loops wait less.

mod access_facts;
mod access_shares;
mod block_costs;
mod buffers;
mod caches;
mod chain;
mod constants;
mod counters;
mod functions;
mod fusion;
mod neighbours;
mod observer;
mod occupancy;
mod pipes;
mod sample;
mod sectors;
mod shared_addresses;
mod sums;
mod unrolling;

use std::collections::BTreeMap;

use kerncast_wire::Facts;

pub use access_shares::AccessShares;

use self::{
    counters::counters, observer::WarpObserver, occupancy::Occupancy, sample::Compared,
    sums::Totals,
};
use crate::{
    run::Refusal,
    sampling::{CountedLaunch, Extent, follow_groups},
};

/// Lanes of a warp.
pub const LANES: usize = 32;

/// The properties of a GPU that its counters depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gpu {
    /// Number of multiprocessors.
    pub multiprocessors: u32,
    /// Warps that a multiprocessor holds at once.
    pub warps: u32,
    /// Work-groups that a multiprocessor holds at once.
    pub groups: u32,
    /// Local memory of a multiprocessor, bytes.
    pub local_bytes: u64,
    /// Bytes that L1 and local memory of a multiprocessor share.
    pub l1_bytes: u64,
    /// Size of L2, bytes.
    pub l2_bytes: u64,
    /// Number of partitions of L2; a multiprocessor is near to one of them.
    pub l2_parts: u32,
    /// Number of slices of L2.
    pub l2_slices: u32,
}

impl From<&Facts> for Gpu {
    /// The GPU with these facts. Data sheets do not say how many parts and slices the last cache has: as many as
    /// Hopper's are assumed.
    fn from(facts: &Facts) -> Self {
        // One L2 for all of Hopper: what was counted before and is counted now are of one kind.
        if facts.architecture == "9.0" {
            return Self::hopper(facts.multiprocessors);
        }
        let kib = |size: u32| u64::from(size) << 10;
        Self {
            warps: facts.holds.warps,
            groups: facts.holds.work_groups,
            local_bytes: kib(facts.holds.local_kib),
            l1_bytes: kib(facts.holds.l1_kib),
            l2_bytes: kib(facts.l2_kib),
            ..Self::hopper(facts.multiprocessors)
        }
    }
}

impl Gpu {
    /// NVIDIA's Hopper with this many multiprocessors (CUDA programming guide, compute capability 9.0; H100's white
    /// paper).
    pub fn hopper(multiprocessors: u32) -> Self {
        Self {
            multiprocessors,
            warps: 64,
            groups: 32,
            local_bytes: 228 << 10,
            l1_bytes: 256 << 10,
            l2_bytes: 50 << 20,
            l2_parts: 2,
            l2_slices: 96,
        }
    }
}

/// A launch's counters.
#[derive(Clone, Debug, PartialEq)]
pub struct GpuCounts {
    /// Counters by the names of provider `analysis`.
    pub counters: BTreeMap<String, f64>,
    /// The part of the launch that was looked at.
    pub extent: Extent,
    /// Local memory of a work-group, bytes.
    pub local_bytes: u64,
    /// Shares of the source's accesses in the counters, in the order of the program.
    pub access_shares: Vec<AccessShares>,
}

/// Counts what a GPU would count of a launch.
///
/// # Errors
/// The kernel can't be followed: addresses depend on what nobody knows, or a single work-group takes too long.
pub fn count(launch: &CountedLaunch<'_, '_>, gpu: Gpu) -> Result<GpuCounts, Refusal> {
    let occupancy = Occupancy::new(launch, gpu);
    let mut compared = Compared::default();
    let new_observer = || Ok(WarpObserver::new(launch.program, &occupancy));
    let mut followed = follow_groups(launch, LANES, new_observer, |sampler| {
        let sample = sampler.sample_launch(&occupancy, launch.budget)?;
        compared = sampler.compare(&occupancy, sample.steps, launch.budget)?;
        Ok((sample.totals, sample.groups))
    })?;
    if followed.is_in_order {
        // Warps went one after the other, so which one finds work, and which finds it done, is not a device's.
        followed.totals.longest_warp = 0.0;
    }
    let (totals, dependence) = (&followed.totals, followed.dependence);
    Ok(GpuCounts {
        counters: counters(totals, &occupancy, launch, &compared, dependence),
        access_shares: followed.observer.shares(totals),
        extent: followed.extent,
        local_bytes: occupancy.local_bytes,
    })
}
