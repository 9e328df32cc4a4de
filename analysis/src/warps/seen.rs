//! What warps are seen to do, by work-group.

use std::collections::{BTreeMap, HashSet};

use super::{
    accesses::{AccessCounts, Done, shares},
    blocks::costs,
    caches::{Caches, Missed},
    chain::{CLOCKS, Chain, Costs},
    known::{returns, united},
    pipes::requests,
    residence::Residence,
    sectors::{SECTOR, lines, passes, sectors, turns},
    sums::{LEVELS, OF_SLICE, Sum, Sums, Totals, Touched},
};
use crate::{
    llvm::Space,
    run::{AccessId, AccessKind, BUFFER_SHIFT, BlockId, Observer, Program, Warp},
};

/// Sectors that are kept before they are looked at in order.
const MOST_PENDING: usize = 1 << 20;
/// Bytes of a lane that a request has at most.
const REQUEST: u64 = 16;
/// Lines, or sectors of atomics, that L1 looks up in a pass.
const TAGS: f64 = 4.0;
/// Among the caches' sizes, behind [`LEVELS`]: a work-group's share of L1, and of L2.
const L1: usize = LEVELS.len();
const L2: usize = L1 + 1;
const CACHES: usize = L2 + 1;
/// Warps of a work-group whose chains are followed.
const CHAINED: u32 = 4;

/// A request, in the order of its warp: a place among pending sectors and how many.
#[derive(Clone, Copy)]
struct Request {
    access: AccessId,
    from: u32,
    count: u32,
    load: bool,
}

pub(super) struct Seen<'a> {
    program: &'a Program,
    costs: Vec<Costs>,
    /// Whether somebody reads what an access returns.
    returns: Vec<bool>,
    /// Whether an atomic's place is the same for all of a warp, as the text tells: compilers let one lane go for all.
    united: Vec<bool>,
    sums: Sums,
    /// What each access did.
    done: Vec<Done>,
    instructions: Vec<f64>,
    chains: Vec<Chain>,
    every: u32,
    caches: Caches<CACHES>,
    pending: Vec<u64>,
    requests: Vec<Vec<Request>>,
    paused: Vec<bool>,
    touched: BTreeMap<u64, Touched>,
    atomics: BTreeMap<u64, f64>,
    written: HashSet<u64>,
    asked: Vec<u64>,
    words: Vec<u64>,
}

impl<'a> Seen<'a> {
    pub(super) fn new(program: &'a Program, residence: &Residence) -> Self {
        let mut sizes = [0; CACHES];
        for (size, (level, _)) in sizes.iter_mut().zip(LEVELS) {
            *size = level;
        }
        sizes[L1] = residence.l1_bytes() / residence.together();
        sizes[L2] = residence.l2_share();
        let warps = u32::try_from(residence.warps).unwrap_or(u32::MAX);
        Self {
            program,
            costs: costs(program),
            returns: returns(program),
            united: united(program),
            sums: Sums::default(),
            done: vec![Done::default(); program.accesses.len()],
            instructions: vec![0.0; warps as usize],
            chains: Vec::new(),
            every: warps.div_ceil(CHAINED).max(1),
            caches: Caches::new(sizes),
            pending: Vec::new(),
            requests: vec![Vec::new(); warps as usize],
            paused: vec![false; warps as usize],
            touched: BTreeMap::new(),
            atomics: BTreeMap::new(),
            written: HashSet::new(),
            asked: Vec::new(),
            words: Vec::new(),
        }
    }

    fn add(&mut self, sum: Sum, amount: f64) {
        self.sums[sum] += amount;
    }

    /// What the work-group has done.
    pub(super) fn end_group(&mut self) -> Totals {
        self.flush();
        let followed = self.instructions.len().div_ceil(self.every as usize).max(1);
        let weight = self.instructions.len() as f64 / followed as f64;
        let mut cycles = [0.0; CLOCKS];
        for chain in &mut self.chains {
            for (sum, more) in cycles.iter_mut().zip(chain.cycles()) {
                *sum += weight * more;
            }
            chain.begin();
        }
        self.sums.clocks = cycles;
        let longest = self.instructions.iter().copied().fold(0.0, f64::max);
        self.instructions.fill(0.0);
        self.paused.fill(false);
        self.caches.empty();
        self.written.clear();
        Totals {
            sums: std::mem::take(&mut self.sums),
            touched: std::mem::take(&mut self.touched),
            longest_warp: longest,
            atomics: std::mem::take(&mut self.atomics),
            accesses: self.done.iter_mut().map(std::mem::take).collect(),
        }
    }

    /// Which access does how much of all that.
    pub(super) fn shares(&self, totals: &Totals) -> Vec<AccessCounts> {
        shares(self.program, &self.returns, &totals.accesses)
    }

    /// Looks at pending requests, the first of each warp, then the second: warps take turns.
    fn flush(&mut self) {
        let longest = self.requests.iter().map(Vec::len).max().unwrap_or(0);
        for at in 0..longest {
            for warp in 0..self.requests.len() {
                if let Some(request) = self.requests[warp].get(at).copied() {
                    self.look(request);
                }
            }
        }
        for requests in &mut self.requests {
            requests.clear();
        }
        self.pending.clear();
    }

    fn look(&mut self, request: Request) {
        let (from, count) = (request.from as usize, request.count as usize);
        let (mut missed_line, mut missed_lines) = (u64::MAX, 0_u32);
        let done = &mut self.done[request.access.0 as usize];
        for at in from..from + count {
            let sector = self.pending[at];
            let Missed { first, beyond } = self.caches.ask(sector);
            let buffer = sector >> (BUFFER_SHIFT - 5);
            let touched = self.touched.entry(buffer).or_insert(Touched {
                read: 0.0,
                again: 0.0,
                written: 0.0,
                lowest: sector,
                highest: sector,
            });
            touched.lowest = touched.lowest.min(sector);
            touched.highest = touched.highest.max(sector);
            if request.load {
                if first {
                    touched.read += 1.0;
                } else if beyond[L2] {
                    touched.again += 1.0;
                }
                for (level, beyond) in self.sums.levels.iter_mut().zip(beyond) {
                    *level += f64::from(u8::from(beyond));
                }
                if beyond[L1] {
                    self.sums[Sum::Misses] += 1.0;
                    done.misses += 1.0;
                    if missed_line != sector / 4 {
                        missed_line = sector / 4;
                        missed_lines += 1;
                    }
                }
            } else if self.written.insert(sector) {
                touched.written += 1.0;
            }
        }
        let sum = match request.load {
            true => Sum::MissedLines,
            false => Sum::OtherLines,
        };
        if !request.load {
            missed_lines =
                u32::try_from(lines(&self.pending[from..from + count])).unwrap_or(u32::MAX);
        }
        self.sums[sum] += f64::from(missed_lines);
        done.to_l2 += f64::from(missed_lines);
    }

    fn keep(&mut self, warp: Warp, access: AccessId, load: bool) {
        let from = self.pending.len();
        self.pending.extend_from_slice(&self.asked);
        if let Some(requests) = self.requests.get_mut(warp.index as usize)
            && let (Ok(from), Ok(count)) = (u32::try_from(from), u32::try_from(self.asked.len()))
        {
            requests.push(Request {
                access,
                from,
                count,
                load,
            });
        }
        if self.pending.len() > MOST_PENDING {
            self.flush();
        }
    }
}

impl Observer for Seen<'_> {
    fn block(&mut self, warp: Warp, block: BlockId, lanes: &[u16]) {
        if self.paused.get(warp.index as usize) == Some(&true) {
            self.flush();
            self.paused.fill(false);
        }
        let program = self.program;
        let costs = &self.costs[block.0 as usize];
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
        let returns = self.returns[id.0 as usize];
        let access = &self.program.accesses[id.0 as usize];
        let requests = requests(access);
        self.done[id.0 as usize].requests += requests;
        let bytes = access.bytes;
        let atomic = !matches!(access.kind, AccessKind::Load | AccessKind::Store);
        let load = access.kind == AccessKind::Load;
        match access.space {
            Space::Global => {
                let (first, requested, of_sectors) = match (atomic, load) {
                    (true, _) if returns => (None, Sum::AtomicRequests, Sum::AtomicSectors),
                    (true, _) => (None, Sum::ReductionRequests, Sum::ReductionSectors),
                    (false, true) => (
                        Some(Sum::GlobalLoads),
                        Sum::GlobalLoadRequests,
                        Sum::GlobalLoadSectors,
                    ),
                    (false, false) => (
                        Some(Sum::GlobalStores),
                        Sum::GlobalStoreRequests,
                        Sum::GlobalStoreSectors,
                    ),
                };
                if let Some(first) = first {
                    self.add(first, requests);
                }
                self.add(requested, requests);
                // A request has 16 bytes of each lane at most.
                let mut part = 0;
                while part == 0 || part < bytes {
                    let places: Vec<u64> = addresses.iter().map(|it| it + part).collect();
                    let of_part = (bytes - part).min(REQUEST);
                    let mut asked = std::mem::take(&mut self.asked);
                    sectors(&places, of_part, &mut asked);
                    self.asked = asked;
                    let mut asked = self.asked.len() as f64;
                    if atomic {
                        asked = self.atomic(&places, id);
                    }
                    self.add(of_sectors, asked);
                    let all_lines = lines(&self.asked) as f64;
                    let mut words = std::mem::take(&mut self.words);
                    let by_banks = passes(&places, lanes, of_part, &mut words) as f64;
                    self.words = words;
                    let passes = match atomic {
                        true => 1.0 + asked / TAGS,
                        false => by_banks.max((all_lines / TAGS).ceil()),
                    };
                    self.add(Sum::L1Passes, passes);
                    let done = &mut self.done[id.0 as usize];
                    done.sectors += asked;
                    done.passes += passes;
                    self.keep(warp, id, load);
                    part += REQUEST;
                }
                self.pattern(addresses, bytes);
            }
            Space::Local => {
                let mut words = std::mem::take(&mut self.words);
                let taken = passes(addresses, lanes, bytes, &mut words) as f64;
                self.words = words;
                self.add(Sum::L1Passes, taken);
                self.done[id.0 as usize].passes += taken;
                if atomic {
                    let turns = most_alike(addresses, &mut self.words);
                    self.add(Sum::LocalAtomics, turns);
                } else if load {
                    self.add(Sum::LocalLoads, requests);
                    self.add(Sum::LocalLoadPasses, taken);
                } else {
                    self.add(Sum::LocalStores, requests);
                    self.add(Sum::LocalStorePasses, taken);
                }
                self.pattern(addresses, bytes);
            }
            Space::Private => {
                // Interleaved, so that lanes that ask for the same place ask for neighbours.
                let places = {
                    self.words.clear();
                    self.words.extend(addresses.iter().map(|it| it / 4));
                    self.words.sort_unstable();
                    self.words.dedup();
                    self.words.len() as f64
                };
                let of_lanes = (lanes.len() as f64 / 8.0).ceil();
                let found = bytes.div_ceil(4) as f64 * places.max(of_lanes);
                let (count, of_sectors) = match load {
                    true => (Sum::PrivateLoads, Sum::PrivateLoadSectors),
                    false => (Sum::PrivateStores, Sum::PrivateStoreSectors),
                };
                self.add(count, requests);
                self.add(of_sectors, found);
                self.add(Sum::L1Passes, requests);
                let done = &mut self.done[id.0 as usize];
                done.sectors += found;
                done.passes += requests;
            }
            Space::Constant => {}
        }
    }

    fn barrier(&mut self, warp: Warp) {
        if let Some(paused) = self.paused.get_mut(warp.index as usize) {
            *paused = true;
        }
    }
}

/// How many lanes want the place that most want: atomics wait for each other.
fn most_alike(addresses: &[u64], sorted: &mut Vec<u64>) -> f64 {
    sorted.clear();
    sorted.extend_from_slice(addresses);
    sorted.sort_unstable();
    sorted
        .chunk_by(|one, other| one == other)
        .map(<[u64]>::len)
        .max()
        .unwrap_or(0) as f64
}

impl Seen<'_> {
    /// Sectors that an atomic goes to, as often as it does.
    fn atomic(&mut self, addresses: &[u64], id: AccessId) -> f64 {
        let active = if self.united[id.0 as usize] {
            1
        } else {
            addresses.len()
        };
        let mut sum = 0.0;
        for (sector, turns) in turns(&addresses[..active], &mut self.words) {
            let of_slice = self.atomics.entry(sector * SECTOR / OF_SLICE).or_default();
            *of_slice += turns as f64;
            sum += turns as f64;
        }
        sum
    }

    /// Whether neighbours ask for the same, for neighbours, or for anything.
    fn pattern(&mut self, addresses: &[u64], bytes: u64) {
        let mut steps = addresses
            .windows(2)
            .map(|pair| pair[1].wrapping_sub(pair[0]));
        let first = steps.next().unwrap_or(0);
        let even = steps.all(|step| step == first);
        let pattern = match (even, first) {
            (true, 0) => Sum::Uniform,
            (true, step) if step == bytes => Sum::Contiguous,
            _ => Sum::Gathered,
        };
        self.add(pattern, 1.0);
    }
}
