//! Requests to global and private memory, looked at in the order in which warps make them by turns.

use std::ops::Range;

use super::{L1, L2, WarpObserver};
use crate::{
    gpu_counters::{
        caches::Misses,
        sectors::{LINE, SECTOR, count_lines},
        sums::{PRIVATE, Sum, Touched},
    },
    llvm::Space,
    run::{AccessId, AccessKind, BUFFER_SHIFT, Warp},
};

/// The most sectors that wait before they are looked at in order.
const MOST_PENDING: usize = 1 << 20;
/// The most lines of a store that L1 joins with another: an H200's by ncu.
const JOINED_LINES: u64 = 8;

/// A request, in the order of its warp: a place among pending sectors and how many.
#[derive(Clone, Copy)]
pub(super) struct Request {
    access: AccessId,
    from: u32,
    count: u32,
    kind: AccessKind,
    /// Bytes that all lanes access.
    bytes: u32,
    /// The warp's turn that it belongs to.
    turn: u32,
}

impl Request {
    fn range(self) -> Range<usize> {
        let from = self.from as usize;
        from..from + self.count as usize
    }
}

impl WarpObserver<'_> {
    /// Queues the sectors collected last as a request of `bytes` bytes.
    pub(super) fn enqueue(&mut self, warp: Warp, access: AccessId, bytes: u64) {
        let from = self.pending.len();
        self.pending.extend_from_slice(&self.sectors);
        let state = &mut self.warps[warp.index as usize];
        if let (Ok(from), Ok(count)) = (u32::try_from(from), u32::try_from(self.sectors.len())) {
            let at = &mut state.position;
            at.turn = at.turn.wrapping_add(u32::from(!at.is_unrolled));
            state.requests.push(Request {
                access,
                from,
                count,
                kind: self.program.accesses[access.0 as usize].kind,
                turn: at.turn,
                bytes: u32::try_from(bytes).unwrap_or(u32::MAX),
            });
        }
        if self.pending.len() > MOST_PENDING {
            self.flush();
        }
    }

    /// Looks at pending requests: warps take turns, each with a request, or with those of as many iterations of a loop
    /// as a compiler makes one of.
    pub(super) fn flush(&mut self) {
        let mut next = vec![0; self.warps.len()];
        let mut has_more = true;
        while has_more {
            has_more = false;
            for (warp, next) in next.iter_mut().enumerate() {
                let Some(first) = self.warps[warp].requests.get(*next).copied() else {
                    continue;
                };
                has_more = true;
                let mut request = Some(first);
                while let Some(one) = request.filter(|it| it.turn == first.turn) {
                    self.process(warp, one);
                    *next += 1;
                    request = self.warps[warp].requests.get(*next).copied();
                }
            }
        }
        self.warps.iter_mut().for_each(|it| it.requests.clear());
        self.pending.clear();
    }

    fn process(&mut self, warp: usize, request: Request) {
        let (mut missed_line, mut lines) = (u64::MAX, 0);
        let mut misses = 0.0;
        for at in request.range() {
            let sector = self.pending[at];
            if self.touch(sector, request) {
                misses += 1.0;
                let line = sector * SECTOR / LINE;
                lines += u64::from(line != missed_line);
                missed_line = line;
            }
        }
        let lines_sum = if request.kind == AccessKind::Load {
            self.warps[warp].last_store.clear();
            Sum::MissedLines
        } else {
            lines = count_lines(&self.sectors_for_l2(warp, request));
            Sum::OtherLines
        };
        self.add(lines_sum, lines as f64);
        let sums = &mut self.accesses[request.access.0 as usize];
        sums.misses += misses;
        sums.to_l2 += lines as f64;
    }

    /// Takes a sector through the caches. Returns whether it is a load that L1 misses.
    fn touch(&mut self, sector: u64, request: Request) -> bool {
        let Misses { first, beyond } = self.caches.request(sector);
        let buffer = sector >> (BUFFER_SHIFT - 5);
        let touched = self.touched.entry(buffer).or_insert(Touched {
            lowest: sector,
            ..Touched::default()
        });
        touched.lowest = touched.lowest.min(sector);
        touched.highest = touched.highest.max(sector);
        if request.kind == AccessKind::Store {
            touched.stored_bytes += f64::from(request.bytes) / f64::from(request.count);
        }
        if request.kind != AccessKind::Load {
            if self.written_sectors.insert(sector) {
                touched.writes += 1.0;
            } else if beyond[L2] {
                touched.repeated_writes += 1.0;
            }
            return false;
        }
        if !first && beyond[L2] {
            touched.repeated_reads += 1.0;
        }
        if buffer != PRIVATE {
            touched.reads += f64::from(u8::from(first));
            for (level, beyond) in self.sums.levels.iter_mut().zip(beyond) {
                *level += f64::from(u8::from(beyond));
            }
        }
        if beyond[L1] {
            let misses = match buffer {
                PRIVATE => Sum::PrivateMisses,
                _ => Sum::Misses,
            };
            self.add(misses, 1.0);
        }
        beyond[L1]
    }

    /// Sectors that go to L2. L1 joins a warp's stores to the same sector if it waits for nothing in between.
    fn sectors_for_l2(&mut self, warp: usize, request: Request) -> Vec<u64> {
        let all = &self.pending[request.range()];
        let space = self.program.accesses[request.access.0 as usize].space;
        if request.kind != AccessKind::Store || space != Space::Global {
            return all.to_vec();
        }
        let last = &mut self.warps[warp].last_store;
        if count_lines(all) > JOINED_LINES {
            last.clear();
            return all.to_vec();
        }
        let is_new = |sector: &&u64| last.binary_search(sector).is_err();
        let new: Vec<u64> = all.iter().filter(is_new).copied().collect();
        self.sums[Sum::JoinedSectors] += (all.len() - new.len()) as f64;
        last.clear();
        last.extend_from_slice(all);
        new
    }
}
