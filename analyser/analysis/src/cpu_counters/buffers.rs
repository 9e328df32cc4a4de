//! Lines that a launch's work-groups ask for together, buffer by buffer.

use super::{lines::LINE, sums::Totals};
use crate::sampling::CountedLaunch;

struct Buffer {
    /// Number of distinct lines that anybody asks for.
    distinct: f64,
    /// Lines that a work-group asks for and the one before it did not: of a stream, and others.
    first: [f64; 2],
}

impl Buffer {
    /// The number of times that each line is asked for, 1 or more.
    fn times(&self) -> f64 {
        (self.first.iter().sum::<f64>() / self.distinct.max(1.0)).max(1.0)
    }
}

pub(super) struct Buffers {
    each: Vec<Buffer>,
    /// Distinct lines, and distinct lines that are written.
    pub(super) distinct_lines: f64,
    pub(super) written_lines: f64,
    /// Distinct lines of each work-group, added up.
    pub(super) group_lines: f64,
}

impl Buffers {
    /// Sums up the lines of all buffers.
    pub(super) fn new(totals: &Totals, launch: &CountedLaunch<'_, '_>) -> Self {
        let mut buffers = Self {
            each: Vec::new(),
            distinct_lines: 0.0,
            written_lines: 0.0,
            group_lines: 0.0,
        };
        for (buffer, touched) in &totals.touched {
            let all = launch.units(*buffer, LINE);
            // Groups that share lines were counted with them each.
            let distinct = touched.lines.min(all);
            buffers.distinct_lines += distinct;
            buffers.written_lines += touched.writes.min(all);
            buffers.group_lines += touched.lines;
            buffers.each.push(Buffer {
                distinct,
                first: touched.first,
            });
        }
        buffers
    }

    /// Number of lines that work-groups ask for first and that a cache of `size` bytes does not have: of a stream, and
    /// others. Caches are warm. A line that a launch asks for once was asked for one launch ago, all of the launch's
    /// lines back. A line that it asks for r times was asked for an r-th of them back, but all of the buffer's own.
    pub(super) fn first(&self, size: f64) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for (at, buffer) in self.each.iter().enumerate() {
            let times = buffer.times();
            let between = |(other, it): (usize, &Buffer)| {
                if other == at {
                    it.distinct
                } else {
                    it.distinct.min(it.distinct * it.times() / times)
                }
            };
            let lines = self.each.iter().enumerate().map(between).sum();
            for (sum, first) in sums.iter_mut().zip(buffer.first) {
                *sum += first * beyond(lines, size);
            }
        }
        sums
    }
}

/// The share of requests that a cache of `size` bytes does not have, if their lines were asked for `lines` lines ago.
pub(super) fn beyond(lines: f64, size: f64) -> f64 {
    ((lines * LINE as f64 / size).log2() + 0.5).clamp(0.0, 1.0)
}
