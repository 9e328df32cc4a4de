//! What is counted of a launch, by provider `analysis`'s names.

use std::collections::BTreeMap;

use super::{
    buffers::Buffers,
    chain::LATE,
    occupancy::Occupancy,
    pipes::PIPE_NAMES,
    sample::Compared,
    sectors::SECTOR,
    sums::{LEVELS, Sum, Totals},
};
use crate::counts::{REVISION, order::DEPENDENCE};

/// Sums that are counters as they are.
const NAMED: [(Sum, &str); 24] = [
    (Sum::GlobalLoads, "global_loads"),
    (Sum::GlobalStores, "global_stores"),
    (Sum::GlobalLoadRequests, "global_load_requests"),
    (Sum::GlobalStoreRequests, "global_store_requests"),
    (Sum::GlobalLoadSectors, "global_load_sectors"),
    (Sum::GlobalStoreSectors, "global_store_sectors"),
    (Sum::AtomicRequests, "global_atomic_requests"),
    (Sum::AtomicSectors, "global_atomic_sectors"),
    (Sum::ReductionRequests, "global_reduction_requests"),
    (Sum::ReductionSectors, "global_reduction_sectors"),
    (Sum::LocalLoads, "local_loads"),
    (Sum::LocalStores, "local_stores"),
    (Sum::LocalAtomics, "local_atomics"),
    (Sum::LocalLoadPasses, "local_load_passes"),
    (Sum::LocalStorePasses, "local_store_passes"),
    (Sum::L1Passes, "l1_passes"),
    (Sum::PrivateLoads, "private_loads"),
    (Sum::PrivateStores, "private_stores"),
    (Sum::PrivateLoadSectors, "private_load_sectors"),
    (Sum::PrivateStoreSectors, "private_store_sectors"),
    (Sum::Uniform, "uniform_accesses"),
    (Sum::Contiguous, "contiguous_accesses"),
    (Sum::Gathered, "gathered_accesses"),
    (Sum::ItemInstructions, "item_instructions"),
];

/// Of all the launch; `bytes` are its buffers', `compared` what work-groups share of them.
pub(super) fn counters(
    totals: &Totals,
    occupancy: &Occupancy,
    bytes: &[usize],
    compared: &Compared,
) -> BTreeMap<String, f64> {
    let (sums, gpu) = (&totals.sums, occupancy.gpu);
    let mut counters = BTreeMap::new();
    let mut put = |name: &str, value: f64| {
        counters.insert(name.to_owned(), value);
    };
    put(REVISION.0, REVISION.1);
    put(DEPENDENCE, 0.0);
    let (groups, warps_of_group) = (occupancy.groups as f64, occupancy.warps as f64);
    put("warps", groups * warps_of_group);
    let instructions: f64 = sums.pipes.iter().sum();
    put("instructions", instructions);
    for (count, name) in sums.pipes.iter().zip(PIPE_NAMES) {
        put(name, *count);
    }
    for (cycles, (name, _, _)) in sums.clocks.iter().zip(&LATE) {
        put(name, *cycles);
    }
    for (count, (_, name)) in sums.levels.iter().zip(LEVELS) {
        put(name, *count);
    }
    for (sum, name) in NAMED {
        put(name, sums[sum]);
    }
    let buffers = Buffers::of(totals, occupancy, bytes, compared);
    let misses = buffers.l1_misses(sums[Sum::Misses]);
    put("global_load_misses", misses);
    // What lies in the other part of L2 is counted in both.
    let parts = f64::from(gpu.l2_parts.max(1));
    let in_parts = 1.0 + (parts - 1.0) / parts;
    let missed_share = misses / sums[Sum::Misses].max(1.0);
    let lines = sums[Sum::MissedLines] * missed_share + sums[Sum::OtherLines];
    put("l2_requests", in_parts * lines);
    put(
        "l2_read_sectors",
        in_parts * (misses + sums[Sum::PrivateMisses]),
    );
    // L1 writes through, private memory too.
    let stores =
        sums[Sum::GlobalStoreSectors] + sums[Sum::PrivateStoreSectors] - sums[Sum::JoinedSectors];
    put("l2_write_sectors", in_parts * stores);
    let (atomics, reductions) = (sums[Sum::AtomicSectors], sums[Sum::ReductionSectors]);
    put("l2_atomic_sectors", in_parts * atomics);
    put("l2_reduction_sectors", in_parts * reductions);
    // Sectors are spread over slices evenly, but for one that everybody wants.
    let slices = f64::from(gpu.l2_slices.max(1));
    let busiest = totals.atomics.values().copied().fold(0.0, f64::max);
    let share = |of: f64| {
        if atomics + reductions > 0.0 {
            (busiest * of / (atomics + reductions)).max(of / slices)
        } else {
            0.0
        }
    };
    put("busiest_l2_atomic_sectors", share(atomics));
    put("busiest_l2_reduction_sectors", share(reductions));
    put(
        "busiest_l2_requests",
        (in_parts * lines / slices).max(share(atomics) + share(reductions)),
    );
    let l2 = gpu.l2_bytes as f64 / SECTOR as f64;
    let dram = buffers.dram_sectors(l2);
    put(
        "dram_read_sectors",
        dram.reads
            .min(misses + sums[Sum::PrivateMisses] + dram.writes),
    );
    put(
        "dram_write_sectors",
        dram.writes.min(stores + atomics + reductions),
    );
    put("distinct_read_sectors", buffers.distinct_reads);
    put("distinct_written_sectors", buffers.distinct_writes);
    put("work_group_limit", f64::from(gpu.groups));
    put("warp_limit", occupancy.by_warps().max(1) as f64);
    put(
        "local_memory_limit",
        occupancy.by_local_memory().max(1) as f64,
    );
    let multiprocessors = f64::from(gpu.multiprocessors.max(1));
    put(
        "waves",
        groups / (multiprocessors * occupancy.capacity as f64),
    );
    // Warps of work-groups go to four schedulers in turn.
    let on_one = (groups / multiprocessors).ceil();
    let mean = instructions / (groups * warps_of_group);
    let busiest = mean * (on_one * warps_of_group / 4.0).ceil();
    put("busiest_instructions", busiest.max(totals.longest_warp));
    counters
}
