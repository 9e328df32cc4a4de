//! Counters of a launch, by provider `analysis`'s names.

use std::collections::BTreeMap;

use super::{
    Compared, Occupancy, Totals,
    buffers::Buffers,
    chain::CLOCK_DELAYS,
    pipes::PIPE_NAMES,
    sectors::SECTOR,
    sums::{LEVELS, SUM_COUNTERS, Sum},
};
use crate::sampling::{CountedLaunch, DEPENDENCE, REVISION};

/// A launch's counters. `compared`: the sectors that work-groups share.
pub(super) fn counters(
    totals: &Totals,
    occupancy: &Occupancy,
    launch: &CountedLaunch<'_, '_>,
    compared: &Compared,
    dependence: f64,
) -> BTreeMap<String, f64> {
    let sums = &totals.sums;
    let (groups, warps_of_group) = (occupancy.groups as f64, occupancy.warps as f64);
    let instructions: f64 = sums.pipes.iter().sum();
    let mut counters = vec![
        REVISION,
        (DEPENDENCE, dependence),
        ("warps", groups * warps_of_group),
        ("instructions", instructions),
    ];
    counters.extend(PIPE_NAMES.into_iter().zip(sums.pipes));
    let clocks = CLOCK_DELAYS.iter().zip(sums.clocks);
    counters.extend(clocks.map(|((name, _, _), cycles)| (*name, cycles)));
    let levels = LEVELS.iter().zip(sums.levels);
    counters.extend(levels.map(|((_, name), count)| (*name, count)));
    counters.extend(SUM_COUNTERS.iter().map(|(sum, name)| (*name, sums[*sum])));
    counters.extend(beyond_l1(totals, occupancy, launch, compared));
    let multiprocessors = f64::from(occupancy.gpu.multiprocessors.max(1));
    // Warps of work-groups go to four schedulers in turn.
    let on_one = (groups / multiprocessors).ceil();
    let mean = instructions / (groups * warps_of_group);
    let busiest = mean * (on_one * warps_of_group / 4.0).ceil();
    let by_local_memory = occupancy.by_local_memory().max(1) as f64;
    let at_once = multiprocessors * occupancy.capacity as f64;
    counters.extend([
        ("work_group_limit", f64::from(occupancy.gpu.groups)),
        ("warp_limit", occupancy.by_warps().max(1) as f64),
        ("local_memory_limit", by_local_memory),
        ("waves", groups / at_once),
        ("busiest_instructions", busiest.max(totals.longest_warp)),
    ]);
    let named = counters.into_iter();
    named
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// The counters of L2 and DRAM.
fn beyond_l1(
    totals: &Totals,
    occupancy: &Occupancy,
    launch: &CountedLaunch<'_, '_>,
    compared: &Compared,
) -> [(&'static str, f64); 13] {
    let (sums, gpu) = (&totals.sums, occupancy.gpu);
    let buffers = Buffers::new(totals, occupancy, launch, compared);
    let misses = buffers.l1_misses(sums[Sum::Misses]);
    // What lies in the other part of L2 is counted in both.
    let parts = f64::from(gpu.l2_parts.max(1));
    let in_parts = 1.0 + (parts - 1.0) / parts;
    let missed_share = misses / sums[Sum::Misses].max(1.0);
    let lines = sums[Sum::MissedLines] * missed_share + sums[Sum::OtherLines];
    // L1 writes through, private memory too.
    let stores =
        sums[Sum::GlobalStoreSectors] + sums[Sum::PrivateStoreSectors] - sums[Sum::JoinedSectors];
    let (atomics, reductions) = (sums[Sum::AtomicSectors], sums[Sum::ReductionSectors]);
    // Sectors are spread over slices evenly, but for one that everybody wants.
    let slices = f64::from(gpu.l2_slices.max(1));
    let busiest = totals.atomics.values().copied().fold(0.0, f64::max);
    let share = |sectors: f64| {
        if atomics + reductions > 0.0 {
            (busiest * sectors / (atomics + reductions)).max(sectors / slices)
        } else {
            0.0
        }
    };
    let busiest_requests = (in_parts * lines / slices).max(share(atomics) + share(reductions));
    let dram = buffers.dram_sectors(gpu.l2_bytes as f64 / SECTOR as f64);
    let reads = misses + sums[Sum::PrivateMisses];
    let dram_reads = dram.reads.min(reads + dram.writes);
    let dram_writes = dram.writes.min(stores + atomics + reductions);
    [
        ("global_load_misses", misses),
        ("l2_requests", in_parts * lines),
        ("l2_read_sectors", in_parts * reads),
        ("l2_write_sectors", in_parts * stores),
        ("l2_atomic_sectors", in_parts * atomics),
        ("l2_reduction_sectors", in_parts * reductions),
        ("busiest_l2_atomic_sectors", share(atomics)),
        ("busiest_l2_reduction_sectors", share(reductions)),
        ("busiest_l2_requests", busiest_requests),
        ("dram_read_sectors", dram_reads),
        ("dram_write_sectors", dram_writes),
        ("distinct_read_sectors", buffers.distinct_reads),
        ("distinct_written_sectors", buffers.distinct_writes),
    ]
}
