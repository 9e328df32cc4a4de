//! What a launch's work-groups ask for together, buffer by buffer: what one has fetched others find.

use super::{
    Compared,
    neighbours::Shares,
    residence::Residence,
    sectors::SECTOR,
    sums::{PRIVATE, Totals},
};

/// Of L2, the share that written sectors fill at most, and the share that they and what is read fill together while both
/// come: an H200's by ncu, of launches that write more than it has.
const WRITTEN_AT_MOST: f64 = 0.46;
const WRITTEN_AND_READ: f64 = 0.74;
/// Of L2, the share up to which it still has all that was asked for since; of more than L2 it has nothing (an H200's by
/// ncu: matrices of 32 MB and of 64 MB that each row of work-groups goes through).
const KEPT_WHOLE: f64 = 0.58;

/// Of one buffer, in sectors.
struct Buffer {
    /// Read by anybody.
    distinct: f64,
    /// Read by each work-group, added up: of its own each once.
    read: f64,
    /// Read again when L2 no longer has it.
    again: f64,
    /// Written by anybody.
    distinct_written: f64,
    /// Written by each work-group, added up: of its own each once.
    written: f64,
    /// Written again when L2 no longer has it.
    rewritten: f64,
    /// The share of what is written that is not stored.
    partial: f64,
    /// What work-groups share.
    shares: Shares,
}

/// Sums over buffers.
pub(super) struct Buffers<'a> {
    residence: &'a Residence,
    each: Vec<Buffer>,
    /// Distinct sectors that are read, and written.
    pub(super) read: f64,
    pub(super) written: f64,
    /// The share of its sectors that a work-group finds others at once on its multiprocessor to ask for, too.
    on_one: f64,
}

/// Sectors from and to DRAM.
pub(super) struct Dram {
    pub(super) read: f64,
    pub(super) written: f64,
}

impl<'a> Buffers<'a> {
    /// `bytes` are the buffers', `compared` what work-groups share of them.
    pub(super) fn of(
        totals: &Totals,
        residence: &'a Residence,
        bytes: &[usize],
        compared: &Compared,
    ) -> Self {
        let mut buffers = Self {
            residence,
            each: Vec::new(),
            read: 0.0,
            written: 0.0,
            on_one: compared.on_one,
        };
        for (buffer, touched) in &totals.touched {
            let of_buffer = usize::try_from(*buffer)
                .ok()
                .and_then(|it| bytes.get(it.checked_sub(1)?));
            let all = of_buffer.map_or(f64::INFINITY, |bytes| bytes.div_ceil(32) as f64);
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
                let at_once = residence.at_once_of_all();
                let kept = (at_once as f64 / residence.groups as f64).min(1.0);
                most = touched.written * kept;
                shares.before.insert(at_once, 1.0 - kept);
                shares.distinct = kept;
            }
            let it = Buffer {
                distinct: (touched.read * shares.distinct).min(most),
                read: touched.read,
                again: touched.again,
                distinct_written: (touched.written * shares.distinct).min(most),
                written: touched.written,
                rewritten: touched.rewritten,
                partial: (1.0 - touched.bytes / SECTOR as f64 / touched.written.max(1.0)).max(0.0),
                shares,
            };
            if *buffer != PRIVATE {
                buffers.read += it.distinct;
                buffers.written += it.distinct_written;
            }
            buffers.each.push(it);
        }
        buffers
    }

    /// Of so many sectors that L1 does not have for a work-group by itself, those that it does not have for others
    /// either: who are there at once ask for what they share at about the same time.
    pub(super) fn missed(&self, missed: f64) -> f64 {
        let together = self.residence.together() as f64;
        let others = (1.0 - self.on_one) * (together - 1.0);
        (missed - self.held())
            .max(0.0)
            .min(missed * (1.0 + others) / together)
    }

    /// Where L1 holds what all work-groups of a multiprocessor ask for at once, those that come later find what others
    /// have fetched: of n sectors of which each of g work-groups asks for the share x, n · (1 − (1 − x)^g) are fetched.
    fn held(&self) -> f64 {
        let residence = self.residence;
        let groups = residence.groups.max(1) as f64;
        let active = residence.active() as f64;
        let on_one = groups / active;
        let together = residence.together() as f64;
        let at_once = |it: &Buffer| it.distinct.min(together * it.read / groups);
        let sectors: f64 = self.each.iter().map(at_once).sum();
        if sectors * SECTOR as f64 > residence.l1_bytes() as f64 {
            return 0.0;
        }
        let shared = |it: &Buffer| {
            let share = it.read / groups / it.distinct.max(1.0);
            let fetched = it.distinct * (1.0 - (1.0 - share.min(1.0)).powf(on_one));
            (it.read - active * fetched).max(0.0)
        };
        self.each.iter().map(shared).sum()
    }

    /// For how many work-groups L2 of so many sectors keeps what nobody asks for again: until so many others have been
    /// asked for (Che, Tung and Wang, Hierarchical Web Caching Systems, 2002).
    fn kept(&self, l2: f64) -> f64 {
        let groups = self.residence.groups.max(1) as f64;
        let asked_for = |during: f64| -> f64 {
            let of = |it: &Buffer| {
                let new = it.read.max(it.written) * it.shares.new_share() / groups;
                let all = it.all().max(1.0);
                if new * groups > 1.01 * all {
                    // By chance.
                    all * (1.0 - (-during * new / all).exp())
                } else {
                    during * new
                }
            };
            self.each.iter().map(of).sum()
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

    /// Where L2 has so many sectors.
    pub(super) fn of_dram(&self, l2: f64) -> Dram {
        let groups = self.residence.groups.max(1) as f64;
        let at_once = self.residence.at_once_of_all() as f64;
        let all: f64 = self.each.iter().map(Buffer::all).sum();
        let missed = |sectors: f64| {
            let of_l2 = sectors.min(all) / l2.max(1.0);
            ((of_l2 - KEPT_WHOLE) / (1.0 - KEPT_WHOLE)).clamp(0.0, 1.0)
        };
        let between = |distance: f64| -> f64 {
            let of = self.each.iter().map(|it| it.asked_for(distance, groups));
            of.sum()
        };
        let kept = self.kept(l2);
        let mut dram = Dram {
            read: 0.0,
            written: 0.0,
        };
        let mut distinct_written = 0.0;
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
                (new - distinct) * (-kept * each).exp()
            };
            let written = by_chance(it.written, it.distinct_written);
            // Of a sector that is written in part the rest is read.
            let alone = written + it.distinct_written * it.shares.new_share();
            dram.read += it.distinct
                + by_chance(it.read, it.distinct)
                + it.read * missed_of_shares
                + it.again * missed(between(at_once))
                + it.partial * alone;
            dram.written += it.distinct_written
                + written
                + it.written * missed_of_shares
                + it.rewritten * missed(between(at_once));
            distinct_written += it.distinct_written;
        }
        let reads = dram.read / dram.written.max(1.0);
        let left = (WRITTEN_AT_MOST * l2).min(WRITTEN_AND_READ * l2 / (1.0 + reads));
        dram.written -= left.min(distinct_written);
        dram
    }
}

impl Buffer {
    /// Sectors that are asked for while so many of all work-groups go by: of each those that none of them has asked for
    /// before.
    fn asked_for(&self, distance: f64, groups: f64) -> f64 {
        let before = self.shares.before.iter();
        let within = before.filter(|(at, _)| (**at as f64) < distance);
        let new = 1.0 - within.map(|(_, share)| share).sum::<f64>();
        let of_group = self.read.max(self.written) / groups;
        (of_group * (1.0 + distance * new.max(0.0))).min(self.all())
    }

    /// Sectors that anybody asks for; what is both read and written lies there once.
    fn all(&self) -> f64 {
        self.distinct.max(self.distinct_written)
    }
}
