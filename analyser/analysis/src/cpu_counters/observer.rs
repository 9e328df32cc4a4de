//! Sums over the work-items of a work-group, neighbours side by side.

use std::collections::BTreeMap;

use super::{
    LANES,
    branches::Branches,
    chain::Chain,
    costs::{Costs, block_costs},
    lines::{LINE, Lines},
    sums::{SUMS, Sum, Totals},
    vectors::{Beside, Vectors},
};
use crate::{
    llvm::Space,
    run::{AccessId, AccessKind, BlockId, Observer, Program, Refusal, Warp},
    sampling::{GroupObserver, even_step},
    uniform::Varying,
};

/// Bytes of a vector.
const VECTOR_BYTES: u64 = 32;
/// Number of micro-operations that a CPU looks ahead: within them one work-item's waits hide behind the next ones'
/// work.
const LOOKAHEAD: f64 = 300.0;
/// One warp in this many has its chain followed.
const WARPS_PER_CHAIN: u32 = 4;

/// Sums over the chains that are followed.
#[derive(Default)]
struct ChainSums {
    /// Cycles that do not hide, and loads in them.
    cycles: f64,
    loads: f64,
    /// Work-items of the chains.
    items: f64,
}

/// Sums up a work-group's work-items while they run.
pub(super) struct ItemObserver<'a> {
    program: &'a Program,
    vectors: Vectors,
    costs: Vec<Costs>,
    /// Number of values that iterations of a loop take over, by the block where they begin.
    carried: Vec<f64>,
    /// How the work-items or iterations of the last executed block go side by side.
    beside: Beside,
    lines: Lines,
    branches: Branches,
    /// The chain of the warp that is followed.
    chain: Chain,
    followed: Option<u32>,
    /// Instructions of a work-item on that chain, and of all its lanes.
    item_instructions: f64,
    lane_instructions: f64,
    chains: ChainSums,
    sums: [f64; SUMS],
    items: f64,
    atomics: BTreeMap<u64, f64>,
    places: Vec<u64>,
}

impl<'a> ItemObserver<'a> {
    /// An observer of work-groups of `items` work-items.
    ///
    /// # Errors
    /// The program's branches are too tangled.
    pub(super) fn new(program: &'a Program, items: usize) -> Result<Self, Refusal> {
        let varying = Varying::new(program);
        let costs = program.blocks.iter().map(|block| {
            block_costs(program, block, |it| {
                let mut results = it.results.iter();
                results.all(|slot| !varying.slots[slot.0 as usize])
            })
        });
        let mut carried = vec![0.0; program.blocks.len()];
        for edge in program.blocks.iter().flat_map(|it| it.end.edges()) {
            let copies = edge.copies.iter();
            let varies = copies.filter(|(slot, _)| varying.slots[slot.0 as usize]);
            carried[edge.to.place()] = varies.count() as f64;
        }
        Ok(Self {
            vectors: Vectors::new(program)?,
            costs: costs.collect(),
            carried,
            beside: Beside::Nothing,
            lines: Lines::new(),
            branches: Branches::new(program.blocks.len(), items.next_multiple_of(LANES)),
            chain: Chain::new(program.slots),
            followed: None,
            item_instructions: 0.0,
            lane_instructions: 0.0,
            chains: ChainSums::default(),
            sums: [0.0; SUMS],
            items: items as f64,
            atomics: BTreeMap::new(),
            places: Vec::new(),
            program,
        })
    }

    /// Forgets caches, before work-groups from somewhere else in the launch.
    pub(super) fn forget(&mut self) {
        self.lines.forget();
    }

    fn add(&mut self, sum: Sum, amount: f64) {
        self.sums[sum as usize] += amount;
    }

    fn end_chain(&mut self) {
        if self.followed.take().is_none() {
            return;
        }
        let (cycles, loads) = self.chain.end();
        let one = std::mem::take(&mut self.item_instructions);
        let all = std::mem::take(&mut self.lane_instructions);
        if one <= 0.0 {
            return;
        }
        // Lanes that stand aside have shorter chains.
        let active = (all / (one * LANES as f64)).min(1.0);
        let shows = (one * active / LOOKAHEAD).min(1.0);
        let lanes = LANES as f64;
        self.chains.cycles += cycles * active * shows * lanes;
        self.chains.loads += loads * active * shows * lanes;
        self.chains.items += lanes;
    }

    /// Counts the memory instructions that an access becomes, by where its lanes' addresses lie.
    fn count_access(&mut self, kind: AccessKind, space: Space, addresses: &[u64], bytes: u64) {
        let load = kind == AccessKind::Load;
        let lanes = addresses.len() as f64;
        let one_by_one = bytes.div_ceil(VECTOR_BYTES).max(1) as f64;
        let sum = if load { Sum::Loads } else { Sum::Stores };
        let vectors = (lanes * bytes as f64 / VECTOR_BYTES as f64).max(1.0);
        let moved = match (self.beside, even_step(addresses)) {
            (Beside::Nothing, ..) => lanes * one_by_one,
            (Beside::Iterations, ..) => vectors,
            (Beside::Items, Some(0)) => one_by_one,
            (Beside::Items, Some(step)) if step == bytes => vectors,
            _ => {
                let scattered = if load { Sum::Gathered } else { Sum::Scattered };
                self.add(scattered, lanes);
                lanes * one_by_one
            }
        };
        self.add(sum, moved);
        self.add(Sum::Instructions, moved);
        match space {
            Space::Private => self.add(Sum::PrivateAccesses, moved),
            Space::Local => self.add(Sum::LocalAccesses, moved),
            Space::Global | Space::Constant => {}
        }
    }
}

impl GroupObserver for ItemObserver<'_> {
    type Totals = Totals;

    fn end_group(&mut self) -> Totals {
        self.end_chain();
        let chains = std::mem::take(&mut self.chains);
        if chains.items > 0.0 {
            self.add(Sum::Chain, chains.cycles * self.items / chains.items);
            self.add(Sum::SerialLoads, chains.loads * self.items / chains.items);
        }
        self.branches.begin();
        let (misses, touched) = self.lines.end();
        let levels = [
            [Sum::Streamed32K, Sum::Streamed256K, Sum::Streamed2M],
            [Sum::Strayed32K, Sum::Strayed256K, Sum::Strayed2M],
        ];
        for (sums, count) in levels.into_iter().zip([misses.streamed, misses.strayed]) {
            for (sum, count) in sums.into_iter().zip(count) {
                self.add(sum, count);
            }
        }
        let sums = std::mem::take(&mut self.sums);
        Totals {
            longest: sums[Sum::Instructions as usize],
            sums,
            touched,
            atomics: std::mem::take(&mut self.atomics),
        }
    }
}

impl Observer for ItemObserver<'_> {
    fn block(&mut self, warp: Warp, block: BlockId, lanes: &[u16]) {
        let at = block.place();
        let beside = self.vectors.blocks[at];
        for lane in lanes {
            let lane = warp.index as usize * LANES + usize::from(*lane);
            let wrong = self.branches.enter(self.program, lane, block);
            if wrong.is_some_and(|before| self.vectors.blocks[before] == Beside::Nothing) {
                self.add(Sum::Mispredictions, 1.0);
            }
        }
        let costs = &self.costs[at];
        let count = lanes.len() as f64;
        let (cost, times) = match beside {
            Beside::Items => (costs.packed, 1.0),
            Beside::Iterations => (costs.packed, count / LANES as f64),
            Beside::Nothing => (costs.one, count),
        };
        let (one, all) = (costs.one.all(), times * cost.all());
        self.add(Sum::ItemInstructions, count * one);
        self.add(Sum::Instructions, all);
        self.add(Sum::Integers, times * cost.integers);
        self.add(Sum::Floats, times * cost.floats);
        self.add(Sum::Divider, times * cost.divider);
        self.add(Sum::Branches, times * cost.branches);
        let sum = match beside {
            Beside::Items => Sum::VectorInstructions,
            Beside::Iterations => Sum::IterationInstructions,
            Beside::Nothing => Sum::ScalarInstructions,
        };
        self.add(sum, all);
        self.add(Sum::Functions, times * cost.functions);
        if self.vectors.iterations[at] {
            self.add(Sum::Iterations, count * (1.0 + self.carried[at]));
        }
        if beside == Beside::Nothing && warp.index.is_multiple_of(WARPS_PER_CHAIN) {
            if self.followed != Some(warp.index) {
                self.end_chain();
                self.followed = Some(warp.index);
            }
            self.item_instructions += one;
            self.lane_instructions += count * one;
            self.chain
                .walk(self.program, block, &self.costs[at].latencies);
        }
        self.beside = beside;
    }

    fn access(&mut self, _: Warp, access: AccessId, _: &[u16], addresses: &[u64]) {
        let access = &self.program.accesses[access.0 as usize];
        if access.kind.is_atomic() {
            let lanes = addresses.len() as f64;
            if access.space == Space::Local {
                self.add(Sum::LocalAtomics, lanes);
            } else {
                self.add(Sum::Atomics, lanes);
                for address in addresses {
                    *self.atomics.entry(address / LINE).or_default() += 1.0;
                }
            }
            self.add(Sum::Instructions, lanes);
        } else {
            if access.kind == AccessKind::Load && access.space == Space::Global {
                self.add(Sum::GlobalLoads, addresses.len() as f64);
            }
            self.count_access(access.kind, access.space, addresses, access.bytes);
        }
        if access.space != Space::Global {
            return;
        }
        let mut places = std::mem::take(&mut self.places);
        places.clear();
        for address in addresses {
            let last = (address + access.bytes.max(1) - 1) / LINE;
            places.extend(address / LINE..=last);
        }
        places.dedup();
        for line in &places {
            self.lines.request(*line, access.kind.writes());
        }
        self.places = places;
    }

    fn barrier(&mut self, _: Warp) {
        self.add(Sum::Barriers, LANES as f64);
    }
}
