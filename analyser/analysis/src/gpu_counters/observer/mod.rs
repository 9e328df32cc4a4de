//! Sums over the warps of a work-group.

mod access;
mod requests;

use std::collections::BTreeMap;

use foldhash::HashSet;

use self::{access::WarpAccess, requests::Request};
use super::{
    access_facts::{one_lane_goes, reads_result},
    accesses::{AccessCounts, AccessSums, shares},
    block_costs::costs,
    caches::Caches,
    chain::{CLOCKS, Chain, Costs},
    constants::ConstantCache,
    neighbours::Footprint,
    occupancy::Occupancy,
    pipes::request_count,
    sums::{LEVELS, PRIVATE, Sum, Sums, Totals, Touched},
};
use crate::{
    llvm::Space,
    run::{AccessId, BUFFER_SHIFT, BlockId, Observer, Program, Warp},
    sampling::GroupObserver,
};

/// Places of further caches behind [`LEVELS`]: a work-group's share of L1, and of L2.
const L1: usize = LEVELS.len();
const L2: usize = L1 + 1;
const CACHES: usize = L2 + 1;
/// The most warps of a work-group whose chains are followed.
const MOST_CHAINS: u32 = 4;

/// A warp's position: a block that it has gone through several times as one, in one of its turns.
#[derive(Clone, Copy, Default)]
struct Position {
    block: Option<BlockId>,
    times: u32,
    is_unrolled: bool,
    turn: u32,
}

/// Sums up a work-group's warps while they run.
pub(super) struct WarpObserver<'a> {
    program: &'a Program,
    costs: Vec<Costs>,
    /// Whether somebody reads the result of each access.
    reads_result: Vec<bool>,
    /// Whether each atomic is on one place for all of a warp, as the text tells: compilers let one lane go for all.
    one_lane_goes: Vec<bool>,
    sums: Sums,
    /// Sums of each access.
    accesses: Vec<AccessSums>,
    /// Instructions of each warp.
    instructions: Vec<f64>,
    chains: Vec<Chain>,
    /// One warp in this many has its chain followed.
    every: u32,
    caches: Caches<CACHES>,
    /// Sectors of the requests that wait to be looked at, by warp.
    pending: Vec<u64>,
    requests: Vec<Vec<Request>>,
    /// Warps that wait at a barrier.
    paused: Vec<bool>,
    positions: Vec<Position>,
    touched: BTreeMap<u64, Touched>,
    atomics: BTreeMap<u64, f64>,
    written_sectors: HashSet<u64>,
    /// Sectors of each warp's last store to global memory.
    last_stores: Vec<Vec<u64>>,
    /// Sectors of the request at hand, in order.
    sectors: Vec<u64>,
    /// Scratch space of the access at hand.
    words: Vec<u64>,
    constants: ConstantCache,
}
impl<'a> WarpObserver<'a> {
    pub(super) fn new(program: &'a Program, occupancy: &Occupancy) -> Self {
        let mut sizes = [0; CACHES];
        for (size, (level, _)) in sizes.iter_mut().zip(LEVELS) {
            *size = level;
        }
        sizes[L1] = occupancy.l1_bytes() / occupancy.resident();
        sizes[L2] = occupancy.l2_share();
        let warps = u32::try_from(occupancy.warps).unwrap_or(u32::MAX);
        Self {
            program,
            costs: costs(program),
            reads_result: reads_result(program),
            one_lane_goes: one_lane_goes(program),
            sums: Sums::default(),
            accesses: vec![AccessSums::default(); program.accesses.len()],
            instructions: vec![0.0; warps as usize],
            chains: Vec::new(),
            every: warps.div_ceil(MOST_CHAINS).max(1),
            caches: Caches::new(sizes),
            pending: Vec::new(),
            requests: vec![Vec::new(); warps as usize],
            paused: vec![false; warps as usize],
            positions: vec![Position::default(); warps as usize],
            touched: BTreeMap::new(),
            atomics: BTreeMap::new(),
            written_sectors: HashSet::default(),
            last_stores: vec![Vec::new(); warps as usize],
            sectors: Vec::new(),
            words: Vec::new(),
            constants: ConstantCache::default(),
        }
    }

    fn add(&mut self, sum: Sum, amount: f64) {
        self.sums[sum] += amount;
    }

    /// Shares of each access in these totals.
    pub(super) fn shares(&self, totals: &Totals) -> Vec<AccessCounts> {
        shares(self.program, &self.reads_result, &totals.accesses)
    }

    /// The sectors that the work-group has asked for so far, without private memory.
    pub(super) fn footprint(&mut self) -> Footprint {
        self.flush();
        let mut footprint = Footprint::new();
        for sector in self.caches.sectors() {
            let buffer = sector >> (BUFFER_SHIFT - 5);
            if buffer != PRIVATE {
                footprint.entry(buffer).or_default().push(sector);
            }
        }
        footprint.values_mut().for_each(|it| it.sort_unstable());
        footprint
    }
}

impl GroupObserver for WarpObserver<'_> {
    type Totals = Totals;

    fn end_group(&mut self) -> Totals {
        self.flush();
        let followed = self.instructions.len().div_ceil(self.every as usize).max(1);
        let weight = self.instructions.len() as f64 / followed as f64;
        let mut cycles = [0.0; CLOCKS];
        for chain in self.chains.drain(..) {
            for (sum, more) in cycles.iter_mut().zip(chain.cycles()) {
                *sum += weight * more;
            }
        }
        self.sums.clocks = cycles;
        let longest = self.instructions.iter().copied().fold(0.0, f64::max);
        self.instructions.fill(0.0);
        self.paused.fill(false);
        self.caches.empty();
        self.written_sectors.clear();
        self.last_stores.iter_mut().for_each(Vec::clear);
        Totals {
            sums: std::mem::take(&mut self.sums),
            touched: std::mem::take(&mut self.touched),
            longest_warp: longest,
            atomics: std::mem::take(&mut self.atomics),
            accesses: self.accesses.iter_mut().map(std::mem::take).collect(),
        }
    }
}

impl Observer for WarpObserver<'_> {
    fn block(&mut self, warp: Warp, block: BlockId, lanes: &[u16]) {
        if self.paused.get(warp.index as usize) == Some(&true) {
            self.flush();
            self.paused.fill(false);
        }
        let program = self.program;
        let costs = &self.costs[block.0 as usize];
        if let Some(at) = self.positions.get_mut(warp.index as usize) {
            let goes_on = at.block == Some(block) && at.times < costs.unrolls;
            at.times = if goes_on { at.times + 1 } else { 1 };
            at.turn = at.turn.wrapping_add(u32::from(!goes_on));
            at.block = Some(block);
            at.is_unrolled = costs.unrolls > 1;
        }
        let mut all = 0.0;
        for (at, count) in costs.instructions.iter().enumerate() {
            self.sums.pipes[at] += count;
            all += count;
        }
        self.sums[Sum::ItemInstructions] += all * lanes.len() as f64;
        if let Some(sum) = self.instructions.get_mut(warp.index as usize) {
            *sum += all;
        }
        if warp.index.is_multiple_of(self.every) {
            let at = (warp.index / self.every) as usize;
            while self.chains.len() <= at {
                self.chains.push(Chain::new(program.slots));
            }
            self.chains[at].walk(program, block, costs);
        }
    }

    fn access(&mut self, warp: Warp, id: AccessId, lanes: &[u16], addresses: &[u64]) {
        if addresses.is_empty() {
            return;
        }
        let access = &self.program.accesses[id.0 as usize];
        self.accesses[id.0 as usize].requests += request_count(access);
        let it = WarpAccess {
            warp,
            id,
            access,
            lanes,
            addresses,
        };
        match access.space {
            Space::Global => self.access_global(&it),
            Space::Local => self.access_local(&it),
            Space::Private => self.access_private(&it),
            Space::Constant => self.access_constant(&it),
        }
    }

    fn barrier(&mut self, warp: Warp) {
        if let Some(paused) = self.paused.get_mut(warp.index as usize) {
            *paused = true;
        }
    }
}
