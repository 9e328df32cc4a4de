//! Sectors that a launch's work-groups ask for together, buffer by buffer: a work-group finds what another has fetched.

use super::{Compared, Occupancy, Totals, neighbours::Shares, sectors::SECTOR, sums::PRIVATE};
use crate::sampling::CountedLaunch;

/// The share of L2 that written sectors fill at most, and the share that written and read sectors fill together while
/// both come: an H200's by ncu, for launches that write more than L2 holds.
const MOST_WRITTEN_SHARE: f64 = 0.46;
const MOST_FILLED_SHARE: f64 = 0.74;
/// The share of L2 up to which it still has everything that was asked for since. Of more than all of L2 it has nothing
/// (an H200's by ncu: matrices of 32 MB and of 64 MB that each row of work-groups goes through).
const FULLY_KEPT_SHARE: f64 = 0.58;

/// A launch's sectors of one buffer.
struct Buffer {
    /// Distinct sectors that anybody reads.
    distinct_reads: f64,
    /// Distinct sectors that each work-group reads, added up.
    reads: f64,
    /// Sectors that are read again when L2 no longer has them.
    repeated_reads: f64,
    /// Distinct sectors that anybody writes.
    distinct_writes: f64,
    /// Distinct sectors that each work-group writes, added up.
    writes: f64,
    /// Sectors that are written again when L2 no longer has them.
    repeated_writes: f64,
    /// The share of the written sectors' bytes that is not stored.
    partial: f64,
    /// Shares of sectors that work-groups have in common.
    shares: Shares,
}

/// Sums over buffers.
pub(super) struct Buffers<'a> {
    occupancy: &'a Occupancy,
    each: Vec<Buffer>,
    /// Distinct sectors that are read, and distinct sectors that are written.
    pub(super) distinct_reads: f64,
    pub(super) distinct_writes: f64,
    /// The share of a work-group's sectors that another one on its multiprocessor asks for at the same time.
    on_one: f64,
}

/// Sectors from and to DRAM.
pub(super) struct Dram {
    pub(super) reads: f64,
    pub(super) writes: f64,
}

impl<'a> Buffers<'a> {
    /// Sums up the sectors of all buffers. `compared`: the sectors that work-groups share.
    pub(super) fn new(
        totals: &Totals,
        occupancy: &'a Occupancy,
        launch: &CountedLaunch<'_, '_>,
        compared: &Compared,
    ) -> Self {
        let mut buffers = Self {
            occupancy,
            each: Vec::new(),
            distinct_reads: 0.0,
            distinct_writes: 0.0,
            on_one: compared.on_one,
        };
        for (buffer, touched) in &totals.touched {
            let all = launch.units(*buffer, SECTOR);
            let between = (touched.highest - touched.lowest + 1) as f64;
            // Groups that share sectors were counted with them each.
            let mut most = all.min(between.max(1.0));
            let none = || Shares {
                distinct: 1.0,
                ..Shares::default()
            };
            let mut shares = compared.shares.get(buffer).cloned().unwrap_or_else(none);
            if *buffer == PRIVATE {
                // A work-group has that of the one that was there before.
                let resident = occupancy.resident_everywhere();
                let fresh = (resident as f64 / occupancy.groups as f64).min(1.0);
                most = touched.writes * fresh;
                shares.before.insert(resident, 1.0 - fresh);
                shares.distinct = fresh;
            }
            let it = Buffer {
                distinct_reads: (touched.reads * shares.distinct).min(most),
                reads: touched.reads,
                repeated_reads: touched.repeated_reads,
                distinct_writes: (touched.writes * shares.distinct).min(most),
                writes: touched.writes,
                repeated_writes: touched.repeated_writes,
                partial: (1.0 - touched.stored_bytes / SECTOR as f64 / touched.writes.max(1.0))
                    .max(0.0),
                shares,
            };
            if *buffer != PRIVATE {
                buffers.distinct_reads += it.distinct_reads;
                buffers.distinct_writes += it.distinct_writes;
            }
            buffers.each.push(it);
        }
        buffers
    }

    /// Sectors that L1 does not have. `l1_misses`: those that it would not have for work-groups one by one. Work-groups
    /// that are on a multiprocessor at once ask for what they share at about the same time.
    pub(super) fn l1_misses(&self, l1_misses: f64) -> f64 {
        let resident = self.occupancy.resident() as f64;
        let others = (1.0 - self.on_one) * (resident - 1.0);
        (l1_misses - self.shared_on_one())
            .max(0.0)
            .min(l1_misses * (1.0 + others) / resident)
    }

    /// Number of reads of sectors that others on the same multiprocessor have fetched before, if L1 holds what its
    /// work-groups ask for at once, else 0. If each of g work-groups asks for the share x of n sectors,
    /// n · (1 − (1 − x)^g) are fetched.
    fn shared_on_one(&self) -> f64 {
        let occupancy = self.occupancy;
        let groups = occupancy.groups.max(1) as f64;
        let active = occupancy.active() as f64;
        let on_one = groups / active;
        let resident = occupancy.resident() as f64;
        let asked_at_once = |it: &Buffer| it.distinct_reads.min(resident * it.reads / groups);
        let sectors: f64 = self.each.iter().map(asked_at_once).sum();
        if sectors * SECTOR as f64 > occupancy.l1_bytes() as f64 {
            return 0.0;
        }
        let shared = |it: &Buffer| {
            let share = it.reads / groups / it.distinct_reads.max(1.0);
            let fetched = it.distinct_reads * (1.0 - (1.0 - share.min(1.0)).powf(on_one));
            (it.reads - active * fetched).max(0.0)
        };
        self.each.iter().map(shared).sum()
    }

    /// Number of work-groups for which L2, with `l2` sectors, keeps a sector that nobody asks for again: until as many
    /// others have been asked for (Che, Tung and Wang, Hierarchical Web Caching Systems, 2002).
    fn l2_lifetime(&self, l2: f64) -> f64 {
        let groups = self.occupancy.groups.max(1) as f64;
        let asked_for = |during: f64| -> f64 {
            let sectors = |it: &Buffer| {
                let new = it.reads.max(it.writes) * it.shares.new_share() / groups;
                let all = it.all().max(1.0);
                if new * groups > 1.01 * all {
                    // By chance.
                    all * (1.0 - (-during * new / all).exp())
                } else {
                    during * new
                }
            };
            self.each.iter().map(sectors).sum()
        };
        let (mut low, mut high) = (0.0, groups);
        if asked_for(high) <= l2 {
            return f64::INFINITY;
        }
        for _ in 0..40 {
            let middle = f64::midpoint(low, high);
            if asked_for(middle) <= l2 {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Sectors from and to DRAM, if L2 holds `l2` sectors.
    pub(super) fn dram_sectors(&self, l2: f64) -> Dram {
        let groups = self.occupancy.groups.max(1) as f64;
        let resident = self.occupancy.resident_everywhere() as f64;
        let all: f64 = self.each.iter().map(Buffer::all).sum();
        let missed = |sectors: f64| {
            let of_l2 = sectors.min(all) / l2.max(1.0);
            ((of_l2 - FULLY_KEPT_SHARE) / (1.0 - FULLY_KEPT_SHARE)).clamp(0.0, 1.0)
        };
        let between = |distance: f64| -> f64 {
            let sectors = self.each.iter().map(|it| it.asked_for(distance, groups));
            sectors.sum()
        };
        let lifetime = self.l2_lifetime(l2);
        let mut dram = Dram {
            reads: 0.0,
            writes: 0.0,
        };
        let mut distinct_writes = 0.0;
        for it in &self.each {
            let of_shares = it.shares.before.iter();
            let missed_of_shares: f64 = of_shares
                .map(|(distance, share)| share * missed(between(*distance as f64)))
                .sum();
            // What is new to a neighbour, and more than there is: others asked for it at any time before.
            let by_chance = |first: f64, distinct: f64| {
                let new = first * it.shares.new_share();
                if new <= distinct {
                    return 0.0;
                }
                let each = new / groups / distinct.max(1.0);
                (new - distinct) * (-lifetime * each).exp()
            };
            let chance_writes = by_chance(it.writes, it.distinct_writes);
            // Of a sector that is written in part the rest is read.
            let alone = chance_writes + it.distinct_writes * it.shares.new_share();
            dram.reads += it.distinct_reads
                + by_chance(it.reads, it.distinct_reads)
                + it.reads * missed_of_shares
                + it.repeated_reads * missed(between(resident))
                + it.partial * alone;
            dram.writes += it.distinct_writes
                + chance_writes
                + it.writes * missed_of_shares
                + it.repeated_writes * missed(between(resident));
            distinct_writes += it.distinct_writes;
        }
        let reads = dram.reads / dram.writes.max(1.0);
        let unwritten = (MOST_WRITTEN_SHARE * l2).min(MOST_FILLED_SHARE * l2 / (1.0 + reads));
        dram.writes -= unwritten.min(distinct_writes);
        dram
    }
}

impl Buffer {
    /// Sectors that are asked for while `distance` of all work-groups go by, each counted if none of these has asked
    /// for it before.
    fn asked_for(&self, distance: f64, groups: f64) -> f64 {
        let before = self.shares.before.iter();
        let within = before.filter(|(at, _)| (**at as f64) < distance);
        let new = 1.0 - within.map(|(_, share)| share).sum::<f64>();
        let of_group = self.reads.max(self.writes) / groups;
        (of_group * (1.0 + distance * new.max(0.0))).min(self.all())
    }

    /// Sectors that anybody asks for; a sector that is both read and written counts once.
    fn all(&self) -> f64 {
        self.distinct_reads.max(self.distinct_writes)
    }
}
