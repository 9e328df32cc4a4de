//! Sums over the warps of a work-group.

mod access;
mod requests;

use std::collections::BTreeMap;

use foldhash::HashSet;

use self::{access::WarpAccess, requests::Request};
use super::{
    access_facts::{one_lane_goes, reads_result},
    access_shares::{AccessShares, AccessSums, shares},
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

/// A warp's position: a block that it has gone through several times as one, and its turn to make requests.
#[derive(Clone, Copy, Default)]
struct Position {
    block: Option<BlockId>,
    times: u32,
    is_unrolled: bool,
    turn: u32,
}

/// What is known of a warp while its work-group runs.
#[derive(Clone, Default)]
struct WarpState {
    instructions: f64,
    /// Requests that wait to be looked at.
    requests: Vec<Request>,
    /// Whether it waits at a barrier.
    is_paused: bool,
    position: Position,
    /// Sectors of its last store to global memory.
    last_store: Vec<u64>,
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
    warps: Vec<WarpState>,
    chains: Vec<Chain>,
    /// One warp in this many has its chain followed.
    every: u32,
    caches: Caches<CACHES>,
    /// Sectors of the requests that wait to be looked at.
    pending: Vec<u64>,
    touched: BTreeMap<u64, Touched>,
    atomics: BTreeMap<u64, f64>,
    written_sectors: HashSet<u64>,
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
            warps: vec![WarpState::default(); warps as usize],
            chains: Vec::new(),
            every: warps.div_ceil(MOST_CHAINS).max(1),
            caches: Caches::new(sizes),
            pending: Vec::new(),
            touched: BTreeMap::new(),
            atomics: BTreeMap::new(),
            written_sectors: HashSet::default(),
            sectors: Vec::new(),
            words: Vec::new(),
            constants: ConstantCache::default(),
        }
    }

    fn add(&mut self, sum: Sum, amount: f64) {
        self.sums[sum] += amount;
    }

    /// Shares of each access in these totals.
    pub(super) fn shares(&self, totals: &Totals) -> Vec<AccessShares> {
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
        let followed = self.warps.len().div_ceil(self.every as usize).max(1);
        let weight = self.warps.len() as f64 / followed as f64;
        let mut cycles = [0.0; CLOCKS];
        for chain in self.chains.drain(..) {
            for (sum, more) in cycles.iter_mut().zip(chain.cycles()) {
                *sum += weight * more;
            }
        }
        self.sums.clocks = cycles;
        let mut longest_warp = 0.0;
        for warp in &mut self.warps {
            longest_warp = f64::max(longest_warp, std::mem::take(&mut warp.instructions));
            warp.is_paused = false;
            warp.last_store.clear();
        }
        self.caches.empty();
        self.written_sectors.clear();
        Totals {
            sums: std::mem::take(&mut self.sums),
            touched: std::mem::take(&mut self.touched),
            longest_warp,
            atomics: std::mem::take(&mut self.atomics),
            accesses: self.accesses.iter_mut().map(std::mem::take).collect(),
        }
    }
}

impl Observer for WarpObserver<'_> {
    fn block(&mut self, warp: Warp, block: BlockId, lanes: &[u16]) {
        if self.warps[warp.index as usize].is_paused {
            self.flush();
            self.warps.iter_mut().for_each(|it| it.is_paused = false);
        }
        let program = self.program;
        let costs = &self.costs[block.0 as usize];
        let state = &mut self.warps[warp.index as usize];
        let at = &mut state.position;
        let goes_on = at.block == Some(block) && at.times < costs.unrolls;
        at.times = if goes_on { at.times + 1 } else { 1 };
        at.turn = at.turn.wrapping_add(u32::from(!goes_on));
        at.block = Some(block);
        at.is_unrolled = costs.unrolls > 1;
        let mut all = 0.0;
        for (at, count) in costs.instructions.iter().enumerate() {
            self.sums.pipes[at] += count;
            all += count;
        }
        self.sums[Sum::ItemInstructions] += all * lanes.len() as f64;
        state.instructions += all;
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
        self.warps[warp.index as usize].is_paused = true;
    }
}
