//! What a launch's work-groups ask for together, buffer by buffer: what one has fetched others find.

use super::{residence::Residence, sectors::SECTOR, sums::Totals};

/// Of one buffer, in sectors.
struct Buffer {
    /// Read by anybody.
    distinct: f64,
    /// Read by each work-group, added up: of its own each once.
    read: f64,
    /// Read again when L2 no longer has it.
    again: f64,
}

/// Sums over buffers.
pub(super) struct Buffers {
    each: Vec<Buffer>,
    /// Distinct sectors that are read, and written.
    pub(super) read: f64,
    pub(super) written: f64,
    /// Sectors that a work-group asks for the first time, but L1 has for another that was there before.
    pub(super) shared: f64,
}

impl Buffers {
    /// `bytes` are the buffers'.
    pub(super) fn of(totals: &Totals, residence: &Residence, bytes: &[usize]) -> Self {
        let mut buffers = Self {
            each: Vec::new(),
            read: 0.0,
            written: 0.0,
            shared: 0.0,
        };
        for (buffer, touched) in &totals.touched {
            let of_buffer = usize::try_from(*buffer)
                .ok()
                .and_then(|it| bytes.get(it.checked_sub(1)?));
            let all = of_buffer.map_or(f64::INFINITY, |bytes| bytes.div_ceil(32) as f64);
            let between = (touched.highest - touched.lowest + 1) as f64;
            // Groups that share sectors were counted with them each.
            let most = all.min(between.max(1.0));
            let distinct = touched.read.min(most);
            buffers.read += distinct;
            buffers.written += touched.written.min(most);
            buffers.each.push(Buffer {
                distinct,
                read: touched.read,
                again: touched.again,
            });
        }
        buffers.shared = buffers.shared(residence);
        buffers
    }

    /// Where L1 holds what all work-groups of a multiprocessor ask for at once, those that come later find what others
    /// have fetched: of n sectors of which each of g work-groups asks for the share x, n · (1 − (1 − x)^g) are fetched.
    fn shared(&self, residence: &Residence) -> f64 {
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

    /// Sectors that a last cache of so many fetches: each once, and those that come again and do not fit. What comes
    /// again most often is kept first.
    pub(super) fn of_dram(&self, mut room: f64) -> f64 {
        let again = |it: &Buffer| (it.read - it.distinct + it.again) / it.distinct.max(1.0);
        let mut each: Vec<&Buffer> = self.each.iter().collect();
        each.sort_by(|one, other| again(other).total_cmp(&again(one)));
        room = (room - self.written).max(0.5 * room);
        let mut sectors = 0.0;
        for buffer in each {
            let kept = (room / buffer.distinct.max(1.0)).min(1.0);
            sectors += buffer.distinct * (1.0 + again(buffer) * (1.0 - kept));
            room = (room - buffer.distinct).max(0.0);
        }
        sectors
    }
}
