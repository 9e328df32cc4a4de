//! What warps are seen to do, by work-group.

use std::{borrow::Cow, collections::BTreeMap};

use foldhash::HashSet;

use super::{
    accesses::{AccessCounts, Done, shares},
    blocks::costs,
    caches::{Caches, Missed},
    chain::{CLOCKS, Chain, Costs},
    known::{returns, united},
    neighbours::Footprint,
    pipes::{at_once, requests},
    residence::Residence,
    sectors::{LINE, SECTOR, WORD, lines, passes, sectors, turns},
    sums::{LEVELS, OF_SLICE, PRIVATE, Sum, Sums, Totals, Touched},
};
use crate::{
    llvm::Space,
    run::{AccessId, AccessKind, BUFFER_SHIFT, BlockId, Observer, Program, Warp},
};

/// Sectors that are kept before they are looked at in order.
const MOST_PENDING: usize = 1 << 20;
/// Lines, or sectors of atomics, that L1 looks up in a pass.
const TAGS: f64 = 4.0;
/// Lines of a store that L1 joins with another: an H200's by ncu.
const JOINED_LINES: u64 = 8;
/// Cycles of a multiprocessor for each further place of constant memory that a warp's lanes read, and for what its cache
/// for constants has lost: tables of 256 bytes, 4 KB and 32 KB, read at random places on an H200, take 2.1, 7.3 and 29.
/// Both have no counter of their own.
const OF_CONSTANT: f64 = 2.0;
const OF_LOST_CONSTANT: f64 = 29.0;
/// That cache, in lines.
const CONSTANT_LINE: u64 = 64;
const CONSTANT_LINES: usize = 52;
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
    kind: AccessKind,
    /// Bytes of all lanes.
    bytes: u32,
    /// Which of the warp's turns it is of.
    turn: u32,
}

/// Where a warp is: a block that it has gone through so many times as one, in one of its turns.
#[derive(Clone, Copy)]
struct At {
    block: BlockId,
    times: u32,
    is_unrolled: bool,
    turn: u32,
}

pub(super) struct Seen<'a> {
    program: &'a Program,
    costs: Vec<Costs>,
    /// Whether somebody reads what an access returns.
    returns: Vec<bool>,
    /// Whether an atomic is the same for all of a warp, as the text tells: compilers let one lane go for all.
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
    /// Where each warp is.
    places: Vec<At>,
    touched: BTreeMap<u64, Touched>,
    atomics: BTreeMap<u64, f64>,
    written: HashSet<u64>,
    /// Sectors of each warp's last store to global memory.
    stored: Vec<Vec<u64>>,
    asked: Vec<u64>,
    words: Vec<u64>,
    /// Lines of constant memory that have been read, and those of them that their cache has, the latest last.
    constants: HashSet<u64>,
    kept_constants: Vec<u64>,
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
            places: vec![
                At {
                    block: BlockId(u32::MAX),
                    times: 0,
                    is_unrolled: false,
                    turn: 0
                };
                warps as usize
            ],
            touched: BTreeMap::new(),
            atomics: BTreeMap::new(),
            written: HashSet::default(),
            stored: vec![Vec::new(); warps as usize],
            asked: Vec::new(),
            words: Vec::new(),
            constants: HashSet::default(),
            kept_constants: Vec::new(),
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
        self.stored.iter_mut().for_each(Vec::clear);
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

    /// Looks at pending requests: warps take turns, each with a request, or with those of as many turns of a loop as a
    /// compiler makes one of.
    fn flush(&mut self) {
        let mut next = vec![0; self.requests.len()];
        let mut left = true;
        while left {
            left = false;
            for (warp, next) in next.iter_mut().enumerate() {
                let Some(first) = self.requests[warp].get(*next).copied() else {
                    continue;
                };
                left = true;
                let mut request = Some(first);
                while let Some(one) = request.filter(|it| it.turn == first.turn) {
                    self.look(warp, one);
                    *next += 1;
                    request = self.requests[warp].get(*next).copied();
                }
            }
        }
        for requests in &mut self.requests {
            requests.clear();
        }
        self.pending.clear();
    }

    fn look(&mut self, warp: usize, request: Request) {
        let (from, count) = (request.from as usize, request.count as usize);
        let load = request.kind == AccessKind::Load;
        let (mut missed_line, mut missed_lines) = (u64::MAX, 0_u32);
        let mut misses = 0.0;
        for at in from..from + count {
            let sector = self.pending[at];
            let Missed { first, beyond } = self.caches.ask(sector);
            let buffer = sector >> (BUFFER_SHIFT - 5);
            let touched = self.touched.entry(buffer).or_insert(Touched {
                read: 0.0,
                again: 0.0,
                written: 0.0,
                rewritten: 0.0,
                bytes: 0.0,
                lowest: sector,
                highest: sector,
            });
            touched.lowest = touched.lowest.min(sector);
            touched.highest = touched.highest.max(sector);
            if request.kind == AccessKind::Store {
                touched.bytes += f64::from(request.bytes) / f64::from(request.count);
            }
            if load {
                if !first && beyond[L2] {
                    touched.again += 1.0;
                }
                if buffer != PRIVATE {
                    touched.read += f64::from(u8::from(first));
                    for (level, beyond) in self.sums.levels.iter_mut().zip(beyond) {
                        *level += f64::from(u8::from(beyond));
                    }
                }
                if beyond[L1] {
                    let of = match buffer {
                        PRIVATE => Sum::PrivateMisses,
                        _ => Sum::Misses,
                    };
                    self.sums[of] += 1.0;
                    misses += 1.0;
                    if missed_line != sector / 4 {
                        missed_line = sector / 4;
                        missed_lines += 1;
                    }
                }
            } else if self.written.insert(sector) {
                touched.written += 1.0;
            } else if beyond[L2] {
                touched.rewritten += 1.0;
            }
        }
        let sum = if load {
            Sum::MissedLines
        } else {
            Sum::OtherLines
        };
        if load {
            self.stored[warp].clear();
        } else {
            let sent = self.sent(warp, request);
            missed_lines = u32::try_from(lines(&sent)).unwrap_or(u32::MAX);
        }
        self.sums[sum] += f64::from(missed_lines);
        let done = &mut self.done[request.access.0 as usize];
        done.misses += misses;
        done.to_l2 += f64::from(missed_lines);
    }

    /// Sectors that go to L2. L1 joins a warp's stores to the same sector where it waits for nothing in between.
    fn sent(&mut self, warp: usize, request: Request) -> Vec<u64> {
        let from = request.from as usize;
        let asked = &self.pending[from..from + request.count as usize];
        let space = self.program.accesses[request.access.0 as usize].space;
        if request.kind != AccessKind::Store || space != Space::Global {
            return asked.to_vec();
        }
        let last = &mut self.stored[warp];
        if lines(asked) > JOINED_LINES {
            last.clear();
            return asked.to_vec();
        }
        let is_new = |sector: &&u64| last.binary_search(sector).is_err();
        let sent: Vec<u64> = asked.iter().filter(is_new).copied().collect();
        self.sums[Sum::JoinedSectors] += (asked.len() - sent.len()) as f64;
        last.clear();
        last.extend_from_slice(asked);
        sent
    }

    fn keep(&mut self, warp: Warp, access: AccessId, bytes: u64) {
        let from = self.pending.len();
        self.pending.extend_from_slice(&self.asked);
        if let Some(requests) = self.requests.get_mut(warp.index as usize)
            && let Some(at) = self.places.get_mut(warp.index as usize)
            && let (Ok(from), Ok(count)) = (u32::try_from(from), u32::try_from(self.asked.len()))
        {
            at.turn = at.turn.wrapping_add(u32::from(!at.is_unrolled));
            requests.push(Request {
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
}

/// Addresses so many bytes further.
fn moved(addresses: &[u64], by: u64) -> Cow<'_, [u64]> {
    match by {
        0 => addresses.into(),
        _ => addresses.iter().map(|it| it + by).collect(),
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
        if let Some(at) = self.places.get_mut(warp.index as usize) {
            let goes_on = at.block == block && at.times < costs.unrolls;
            at.times = if goes_on { at.times + 1 } else { 1 };
            at.turn = at.turn.wrapping_add(u32::from(!goes_on));
            at.block = block;
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
        let returns = self.returns[id.0 as usize];
        let access = &self.program.accesses[id.0 as usize];
        let (requests, at_once) = (requests(access), at_once(access));
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
                let mut part = 0;
                while part == 0 || part < bytes {
                    let places = &moved(addresses, part);
                    let of_part = (bytes - part).min(at_once);
                    let mut asked = std::mem::take(&mut self.asked);
                    sectors(places, of_part, &mut asked);
                    self.asked = asked;
                    let mut asked = self.asked.len() as f64;
                    if atomic {
                        asked = self.atomic(places, id);
                    }
                    self.add(of_sectors, asked);
                    let all_lines = lines(&self.asked) as f64;
                    let mut words = std::mem::take(&mut self.words);
                    let by_banks = passes(places, lanes, of_part, &mut words) as f64;
                    self.words = words;
                    let passes = if atomic {
                        1.0 + asked / TAGS
                    } else {
                        by_banks.max((all_lines / TAGS).ceil())
                    };
                    self.add(Sum::L1Passes, passes);
                    let done = &mut self.done[id.0 as usize];
                    done.sectors += asked;
                    done.passes += passes;
                    self.keep(warp, id, of_part * places.len() as u64);
                    part += at_once;
                }
                self.pattern(addresses, bytes);
            }
            Space::Local => {
                let mut words = std::mem::take(&mut self.words);
                let parts = (0..bytes.max(1)).step_by(usize::try_from(at_once).unwrap_or(1));
                let taken = parts.map(|part| {
                    passes(
                        &moved(addresses, part),
                        lanes,
                        (bytes - part).min(at_once),
                        &mut words,
                    ) as f64
                });
                let taken = taken.sum();
                self.words = words;
                self.add(Sum::L1Passes, taken);
                self.done[id.0 as usize].passes += taken;
                if atomic {
                    self.add(Sum::LocalAtomics, requests);
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
                self.ask_private(warp, lanes, addresses, bytes);
                let found = self.asked.len() as f64;
                let (count, of_sectors) = if load {
                    (Sum::PrivateLoads, Sum::PrivateLoadSectors)
                } else {
                    (Sum::PrivateStores, Sum::PrivateStoreSectors)
                };
                self.add(count, requests);
                self.add(of_sectors, found);
                let passes = requests.max((lines(&self.asked) as f64 / TAGS).ceil());
                self.add(Sum::L1Passes, passes);
                let done = &mut self.done[id.0 as usize];
                done.sectors += found;
                done.passes += passes;
                self.keep(warp, id, bytes * addresses.len() as u64);
            }
            Space::Constant => {
                // One place after the other.
                self.words.clear();
                self.words.extend_from_slice(addresses);
                self.words.sort_unstable();
                self.words.dedup();
                let further = self.constants();
                self.add(Sum::L1Passes, further);
                self.done[id.0 as usize].passes += further;
            }
        }
    }

    fn barrier(&mut self, warp: Warp) {
        if let Some(paused) = self.paused.get_mut(warp.index as usize) {
            *paused = true;
        }
    }
}

impl Seen<'_> {
    /// What a request to constant memory takes of its places in `words`; where there is one, warps share its line.
    fn constants(&mut self) -> f64 {
        let further = (self.words.len() - 1) as f64;
        if further == 0.0 {
            return 0.0;
        }
        let mut lost = 0.0;
        for place in &self.words {
            let line = place / CONSTANT_LINE;
            let kept = self.kept_constants.iter().position(|it| *it == line);
            let is_first = self.constants.insert(line);
            lost += f64::from(u8::from(kept.is_none() && !is_first));
            let is_full = self.kept_constants.len() == CONSTANT_LINES;
            if let Some(at) = kept.or(is_full.then_some(0)) {
                self.kept_constants.remove(at);
            }
            self.kept_constants.push(line);
        }
        OF_CONSTANT * further + OF_LOST_CONSTANT * lost
    }

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

    /// Sectors of a warp's private memory, which is interleaved: the same word of all lanes makes a line.
    fn ask_private(&mut self, warp: Warp, lanes: &[u16], addresses: &[u64], bytes: u64) {
        let lines = self.program.private_bytes.div_ceil(WORD);
        let start = (PRIVATE << BUFFER_SHIFT) / LINE + u64::from(warp.index) * lines;
        self.asked.clear();
        for (lane, address) in lanes.iter().zip(addresses) {
            let words = address / WORD..=(address + bytes.max(1) - 1) / WORD;
            let sector = u64::from(lane / 8);
            let of_words = words.map(|word| (start + word) * (LINE / SECTOR) + sector);
            self.asked.extend(of_words);
        }
        self.asked.sort_unstable();
        self.asked.dedup();
    }

    /// What the work-group has asked for so far, but its private memory.
    pub(super) fn footprint(&mut self) -> Footprint {
        self.flush();
        let mut footprint = Footprint::new();
        for sector in self.caches.asked() {
            let buffer = sector >> (BUFFER_SHIFT - 5);
            if buffer != PRIVATE {
                footprint.entry(buffer).or_default().push(sector);
            }
        }
        footprint
            .values_mut()
            .for_each(|sectors| sectors.sort_unstable());
        footprint
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
