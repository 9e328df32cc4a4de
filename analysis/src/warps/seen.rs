//! What warps are seen to do, by work-group.

use std::collections::BTreeMap;

use kerncast_suite::{LaunchArgument, Step};

use super::{
    Gpu, LANES,
    chain::{CLOCKS, Chain, Costs, LATE},
    pipes::{PIPES, Pipe, cost, function, requests},
    sectors::{SECTOR, lines, passes, sectors},
};
use crate::{
    llvm::Space,
    reuse::Distances,
    run::{
        AccessId, AccessKind, BUFFER_SHIFT, BlockId, Observer, Operation, Program, Real, Shape,
        Warp,
    },
};

/// Sectors that are kept before they are looked at in order.
const MOST_PENDING: usize = 1 << 20;
/// A warp's instructions of a loop's body that is unrolled.
const SHORT: f64 = 40.0;
/// Its loads.
const FEW_LOADS: usize = 4;
/// Bytes of a lane that a request has at most.
const REQUEST: u64 = 16;
/// Lines that L1 looks up in a pass.
const TAGS: f64 = 4.0;
/// Warps of a work-group whose chains are followed.
const CHAINED: u32 = 4;
/// Levels of caches, bytes, beyond which loads are counted whatever the device.
const LEVELS: [(u64, &str); 3] = [
    (8 << 10, "load_sectors_beyond_8k"),
    (32 << 10, "load_sectors_beyond_32k"),
    (128 << 10, "load_sectors_beyond_128k"),
];

/// Sums over warps, in the order of [`NAMES`].
#[derive(Clone, Debug, Default)]
pub(super) struct Totals {
    sums: Vec<f64>,
    /// Distinct sectors that are read, and written, by buffer.
    touched: BTreeMap<u64, Touched>,
    /// Requests for atomics by sector: those for one wait for each other.
    atomics: BTreeMap<u64, f64>,
    /// Instructions of the longest warp.
    longest_warp: f64,
}

#[derive(Clone, Copy, Debug)]
struct Touched {
    read: f64,
    written: f64,
    lowest: u64,
    highest: u64,
}

impl Totals {
    /// `count` ÷ `among` times another's.
    pub(super) fn add(&mut self, other: &Self, count: f64, among: f64) {
        let weight = count / among;
        self.sums.resize(other.sums.len(), 0.0);
        for (sum, more) in self.sums.iter_mut().zip(&other.sums) {
            // In this order what is alike in all stays whole.
            *sum += count * more / among;
        }
        for (sector, more) in &other.atomics {
            *self.atomics.entry(*sector).or_default() += weight * more;
        }
        for (buffer, more) in &other.touched {
            let sum = self.touched.entry(*buffer).or_insert(Touched {
                read: 0.0,
                written: 0.0,
                ..*more
            });
            sum.read += weight * more.read;
            sum.written += weight * more.written;
            sum.lowest = sum.lowest.min(more.lowest);
            sum.highest = sum.highest.max(more.highest);
        }
        self.longest_warp = self.longest_warp.max(other.longest_warp);
    }
}

/// What is summed up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sum {
    Pipe(usize),
    GlobalLoads,
    GlobalStores,
    GlobalLoadRequests,
    GlobalStoreRequests,
    GlobalLoadSectors,
    GlobalStoreSectors,
    AtomicRequests,
    AtomicSectors,
    ReductionRequests,
    ReductionSectors,
    LocalLoads,
    LocalStores,
    LocalAtomics,
    LocalLoadPasses,
    LocalStorePasses,
    L1Passes,
    PrivateLoads,
    PrivateStores,
    PrivateLoadSectors,
    PrivateStoreSectors,
    Uniform,
    Contiguous,
    Gathered,
    Misses,
    Level(usize),
    L2Requests,
    Clock(usize),
    ItemInstructions,
}

const SUMS: usize = 27 + PIPES + CLOCKS + LEVELS.len();

impl Sum {
    fn place(self) -> usize {
        match self {
            Self::Pipe(at) => at,
            Self::Clock(at) => PIPES + at,
            Self::Level(at) => PIPES + CLOCKS + at,
            other => PIPES + CLOCKS + LEVELS.len() + other.number(),
        }
    }

    fn number(self) -> usize {
        match self {
            Self::GlobalLoads => 1,
            Self::GlobalStores => 2,
            Self::GlobalLoadRequests => 3,
            Self::GlobalStoreRequests => 4,
            Self::GlobalLoadSectors => 5,
            Self::GlobalStoreSectors => 6,
            Self::AtomicRequests => 7,
            Self::AtomicSectors => 8,
            Self::ReductionRequests => 9,
            Self::ReductionSectors => 10,
            Self::LocalLoads => 11,
            Self::LocalStores => 12,
            Self::LocalAtomics => 13,
            Self::LocalLoadPasses => 14,
            Self::LocalStorePasses => 15,
            Self::L1Passes => 16,
            Self::PrivateLoads => 17,
            Self::PrivateStores => 18,
            Self::PrivateLoadSectors => 19,
            Self::PrivateStoreSectors => 20,
            Self::Uniform => 21,
            Self::Contiguous => 22,
            Self::Gathered => 23,
            Self::Misses => 24,
            Self::L2Requests => 25,
            Self::ItemInstructions => 26,
            Self::Pipe(_) | Self::Clock(_) | Self::Level(_) => 0,
        }
    }
}

/// Names of what is in [`Sum`] beside pipes, clocks and levels.
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

const PIPE_NAMES: [&str; PIPES] = [
    "alu_instructions",
    "fma_instructions",
    "fp64_instructions",
    "special_instructions",
    "memory_instructions",
    "other_instructions",
    "branches",
];

/// A request, in the order of its warp: a place among pending sectors and how many.
#[derive(Clone, Copy)]
struct Request {
    from: u32,
    count: u32,
    load: bool,
}

pub(super) struct Seen<'a> {
    program: &'a Program,
    gpu: Gpu,
    /// What of L1 a work-group has for itself.
    share: u64,
    shape: Shape,
    local_bytes: u64,
    costs: Vec<Costs>,
    /// Whether somebody reads what an access returns.
    returns: Vec<bool>,
    sums: Vec<f64>,
    instructions: Vec<f64>,
    chains: Vec<Chain>,
    every: u32,
    distances: Distances,
    pending: Vec<u64>,
    requests: Vec<Vec<Request>>,
    paused: Vec<bool>,
    touched: BTreeMap<u64, Touched>,
    atomics: BTreeMap<u64, f64>,
    written: std::collections::HashSet<u64>,
    asked: Vec<u64>,
    words: Vec<u64>,
}

impl<'a> Seen<'a> {
    pub(super) fn new(program: &'a Program, step: &Step, gpu: Gpu, shape: &Shape) -> Self {
        let mut constants = vec![false; program.slots as usize];
        for (slot, _) in &program.constants {
            constants[slot.0 as usize] = true;
        }
        let costs = program
            .blocks
            .iter()
            .map(|block| block_costs(program, block, &constants));
        let mut read = vec![false; program.slots as usize];
        for block in &program.blocks {
            for slot in block.instructions.iter().flat_map(|it| &it.operands) {
                read[slot.0 as usize] = true;
            }
            for (_, from) in block.end.edges().flat_map(|edge| &edge.copies) {
                read[from.0 as usize] = true;
            }
            if let Some(slot) = block.end.decides() {
                read[slot.0 as usize] = true;
            }
        }
        let mut returns = vec![false; program.accesses.len()];
        for instruction in program.blocks.iter().flat_map(|block| &block.instructions) {
            if let Operation::Access(access) = instruction.operation {
                returns[access.0 as usize] |=
                    instruction.results.iter().any(|slot| read[slot.0 as usize]);
            }
        }
        let given = step.arguments.iter().map(|argument| match argument {
            LaunchArgument::Local(bytes) => *bytes as u64,
            _ => 0,
        });
        let local_bytes = program.local_bytes + given.sum::<u64>();
        let resident = resident(gpu, shape, local_bytes);
        let warps = u32::try_from(shape.items().div_ceil(LANES as u64)).unwrap_or(u32::MAX);
        // What local memory leaves, among those that are there at once.
        let l1 = gpu
            .l1_bytes
            .saturating_sub(resident * local_bytes)
            .max(16 << 10);
        Self {
            program,
            gpu,
            share: l1 / resident.max(1),
            shape: *shape,
            local_bytes,
            costs: costs.collect(),
            returns,
            sums: vec![0.0; SUMS],
            instructions: vec![0.0; warps as usize],
            chains: Vec::new(),
            every: warps.div_ceil(CHAINED).max(1),
            distances: Distances::new(),
            pending: Vec::new(),
            requests: vec![Vec::new(); warps as usize],
            paused: vec![false; warps as usize],
            touched: BTreeMap::new(),
            atomics: BTreeMap::new(),
            written: std::collections::HashSet::new(),
            asked: Vec::new(),
            words: Vec::new(),
        }
    }

    fn add(&mut self, sum: Sum, amount: f64) {
        self.sums[sum.place()] += amount;
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
        for (clock, cycles) in cycles.into_iter().enumerate() {
            self.add(Sum::Clock(clock), cycles);
        }
        let longest = self.instructions.iter().copied().fold(0.0, f64::max);
        self.instructions.fill(0.0);
        self.paused.fill(false);
        self.distances = Distances::new();
        self.written.clear();
        Totals {
            sums: std::mem::replace(&mut self.sums, vec![0.0; SUMS]),
            touched: std::mem::take(&mut self.touched),
            longest_warp: longest,
            atomics: std::mem::take(&mut self.atomics),
        }
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
        for at in from..from + count {
            let sector = self.pending[at];
            let distance = self.distances.ask(sector);
            let buffer = sector >> (BUFFER_SHIFT - 5);
            let touched = self.touched.entry(buffer).or_insert(Touched {
                read: 0.0,
                written: 0.0,
                lowest: sector,
                highest: sector,
            });
            touched.lowest = touched.lowest.min(sector);
            touched.highest = touched.highest.max(sector);
            if request.load {
                if distance.is_none() {
                    touched.read += 1.0;
                }
                let bytes = distance.map_or(u64::MAX, |it| it.saturating_mul(SECTOR));
                for (level, (size, _)) in LEVELS.iter().enumerate() {
                    if bytes >= *size {
                        self.sums[Sum::Level(level).place()] += 1.0;
                    }
                }
                if bytes >= self.share {
                    self.sums[Sum::Misses.place()] += 1.0;
                    if missed_line != sector / 4 {
                        missed_line = sector / 4;
                        missed_lines += 1;
                    }
                }
            } else if self.written.insert(sector) {
                touched.written += 1.0;
            }
        }
        if !request.load {
            missed_lines =
                u32::try_from(lines(&self.pending[from..from + count])).unwrap_or(u32::MAX);
        }
        self.sums[Sum::L2Requests.place()] += f64::from(missed_lines);
    }

    fn keep(&mut self, warp: Warp, load: bool) {
        let from = self.pending.len();
        self.pending.extend_from_slice(&self.asked);
        if let Some(requests) = self.requests.get_mut(warp.index as usize)
            && let (Ok(from), Ok(count)) = (u32::try_from(from), u32::try_from(self.asked.len()))
        {
            requests.push(Request { from, count, load });
        }
        if self.pending.len() > MOST_PENDING {
            self.flush();
        }
    }

    /// By provider `analysis`'s names.
    pub(super) fn counters(&self, totals: &Totals, bytes: &[usize]) -> BTreeMap<String, f64> {
        let sum = |sum: Sum| totals.sums.get(sum.place()).copied().unwrap_or(0.0);
        let mut counters = BTreeMap::new();
        let mut put = |name: &str, value: f64| {
            counters.insert(name.to_owned(), value);
        };
        let groups = self.shape.all_groups() as f64;
        let warps_of_group = self.shape.items().div_ceil(LANES as u64) as f64;
        put("warps", groups * warps_of_group);
        let instructions: f64 = (0..PIPES).map(|at| sum(Sum::Pipe(at))).sum();
        put("instructions", instructions);
        for (at, name) in PIPE_NAMES.iter().enumerate() {
            put(name, sum(Sum::Pipe(at)));
        }
        for (at, (name, _, _)) in LATE.iter().enumerate() {
            put(name, sum(Sum::Clock(at)));
        }
        for (at, (_, name)) in LEVELS.iter().enumerate() {
            put(name, sum(Sum::Level(at)));
        }
        for (one, name) in NAMED {
            put(name, sum(one));
        }
        let misses = sum(Sum::Misses);
        put("global_load_misses", misses);
        // What lies in the other part of L2 is counted in both.
        let parts = f64::from(self.gpu.l2_parts.max(1));
        let in_parts = 1.0 + (parts - 1.0) / parts;
        put("l2_requests", in_parts * sum(Sum::L2Requests));
        put("l2_read_sectors", in_parts * misses);
        put("l2_write_sectors", in_parts * sum(Sum::GlobalStoreSectors));
        put("l2_atomic_sectors", sum(Sum::AtomicSectors));
        put("l2_reduction_sectors", sum(Sum::ReductionSectors));
        // Sectors are spread over slices evenly, but for one that everybody wants.
        let slices = f64::from(self.gpu.l2_slices.max(1));
        let wanted = totals.atomics.values().copied().fold(0.0, f64::max);
        let (atomics, reductions) = (sum(Sum::AtomicSectors), sum(Sum::ReductionSectors));
        let share = |of: f64| match atomics + reductions > 0.0 {
            true => (wanted * of / (atomics + reductions)).max(of / slices),
            false => 0.0,
        };
        put("busiest_l2_atomic_sectors", share(atomics));
        put("busiest_l2_reduction_sectors", share(reductions));
        put(
            "busiest_l2_requests",
            (in_parts * sum(Sum::L2Requests) / slices).max(share(atomics) + share(reductions)),
        );
        let (mut read, mut written) = (0.0, 0.0);
        for (buffer, touched) in &totals.touched {
            let of_buffer = usize::try_from(*buffer)
                .ok()
                .and_then(|it| bytes.get(it.checked_sub(1)?));
            let all = of_buffer.map_or(f64::INFINITY, |bytes| bytes.div_ceil(32) as f64);
            let between = (touched.highest - touched.lowest + 1) as f64;
            // Groups that share sectors were counted with them each.
            read += touched.read.min(all).min(between.max(1.0));
            written += touched.written.min(all).min(between.max(1.0));
        }
        let l2 = self.gpu.l2_bytes as f64 / SECTOR as f64;
        // What does not fit is fetched again by each wave of work-groups, as far as it is asked for again.
        let dram = if read + written <= l2 {
            read.min(misses.max(read))
        } else {
            read.max(misses * (1.0 - l2 / (read + written)))
        };
        put("dram_read_sectors", dram.min(misses));
        put("dram_write_sectors", (written - 0.5 * l2).max(0.0));
        put("distinct_read_sectors", read);
        put("distinct_written_sectors", written);
        let gpu = self.gpu;
        let resident = resident(gpu, &self.shape, self.local_bytes) as f64;
        put("work_group_limit", f64::from(gpu.groups));
        put(
            "warp_limit",
            (f64::from(gpu.warps) / warps_of_group).floor().max(1.0),
        );
        let of_one = (self.local_bytes + 1024) as f64;
        put(
            "local_memory_limit",
            (gpu.local_bytes as f64 / of_one).floor().max(1.0),
        );
        let multiprocessors = f64::from(gpu.multiprocessors.max(1));
        put("waves", groups / (multiprocessors * resident));
        // Warps of work-groups go to four schedulers in turn.
        let on_one = (groups / multiprocessors).ceil();
        let mean = instructions / (groups * warps_of_group);
        let busiest = mean * (on_one * warps_of_group / 4.0).ceil();
        put("busiest_instructions", busiest.max(totals.longest_warp));
        counters
    }
}

/// Work-groups that a multiprocessor holds at once.
fn resident(gpu: Gpu, shape: &Shape, local_bytes: u64) -> u64 {
    let warps = shape.items().div_ceil(LANES as u64).max(1);
    let by_warps = u64::from(gpu.warps) / warps;
    let by_local = gpu.local_bytes / (local_bytes + 1024);
    by_warps.min(u64::from(gpu.groups)).min(by_local).max(1)
}

fn block_costs(program: &Program, block: &crate::run::Block, constants: &[bool]) -> Costs {
    let mut each: Vec<_> = block
        .instructions
        .iter()
        .map(|it| cost(program, it, constants))
        .collect();
    // Functions are known by their names: what all those of a block take is shared by its calls.
    let calls: Vec<(usize, bool)> = block
        .instructions
        .iter()
        .enumerate()
        .filter_map(|(at, it)| match it.operation {
            Operation::Math1(_, real) | Operation::Math2(_, real) => {
                Some((at, real == Real::Double))
            }
            _ => None,
        })
        .collect();
    let is_double = calls.iter().any(|(_, double)| *double);
    let (mut named, mut sum) = (0.0, [0.0; PIPES]);
    let mut latency = 0.0;
    for counted in &block.counted {
        let name = &program.names[counted.name as usize];
        let Some(plain) = called(name) else {
            continue;
        };
        let cost = function(plain, is_double);
        let count = f64::from(counted.count);
        named += count;
        latency += count * cost.latency;
        for (sum, more) in sum.iter_mut().zip(cost.instructions) {
            *sum += count * more;
        }
    }
    if named > 0.0 && !calls.is_empty() {
        // Of vectors each element is a call.
        let elements = (calls.len() as f64 / named).max(1.0);
        for (at, _) in &calls {
            each[*at].latency = latency / named;
            for (one, all) in each[*at].instructions.iter_mut().zip(sum) {
                *one = all * elements / calls.len() as f64;
            }
        }
    }
    let mut instructions = [0.0; PIPES];
    for cost in &each {
        for (sum, more) in instructions.iter_mut().zip(cost.instructions) {
            *sum += more;
        }
    }
    if block.end.decides().is_some() {
        instructions[Pipe::Branch as usize] += 1.0;
    }
    // Short, without anything that what it loads may have to wait for.
    let alone = block.instructions.iter().all(|it| match it.operation {
        Operation::Access(access) => program.accesses[access.0 as usize].kind == AccessKind::Load,
        Operation::Barrier | Operation::Math1(..) | Operation::Math2(..) => false,
        _ => true,
    });
    let loads = block
        .instructions
        .iter()
        .filter(|it| matches!(it.operation, Operation::Access(_)));
    let short = instructions.iter().sum::<f64>() <= SHORT && loads.count() <= FEW_LOADS;
    Costs {
        each,
        instructions,
        unrolls: alone && short,
    }
}

/// The function of a call that is counted as one of floating-point numbers.
fn called(name: &str) -> Option<&str> {
    let function = name.strip_prefix("call ")?.trim_end_matches("()");
    if let Some(rest) = function.strip_prefix("_Z") {
        let digits = rest.find(|it: char| !it.is_ascii_digit())?;
        let length: usize = rest[..digits].parse().ok()?;
        return rest.get(digits..digits + length);
    }
    Some(function)
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
            self.sums[Sum::Pipe(at).place()] += count;
            all += count;
        }
        self.sums[Sum::ItemInstructions.place()] += all * lanes.len() as f64;
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

    fn access(&mut self, warp: Warp, access: AccessId, lanes: &[u16], addresses: &[u64]) {
        if addresses.is_empty() {
            return;
        }
        let returns = self.returns[access.0 as usize];
        let access = &self.program.accesses[access.0 as usize];
        let requests = requests(access);
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
                    self.add(of_sectors, self.asked.len() as f64);
                    let all_lines = lines(&self.asked) as f64;
                    let mut words = std::mem::take(&mut self.words);
                    let by_banks = passes(&places, lanes, of_part, &mut words) as f64;
                    self.words = words;
                    let passes = match atomic {
                        true => lanes.len() as f64,
                        false => by_banks.max((all_lines / TAGS).ceil()),
                    };
                    self.add(Sum::L1Passes, passes);
                    self.keep(warp, load);
                    part += REQUEST;
                }
                if atomic {
                    for &address in addresses {
                        *self.atomics.entry(address / SECTOR).or_default() += 1.0;
                    }
                }
                self.pattern(addresses, bytes);
            }
            Space::Local => {
                let mut words = std::mem::take(&mut self.words);
                let taken = passes(addresses, lanes, bytes, &mut words) as f64;
                self.words = words;
                self.add(Sum::L1Passes, taken);
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
