//! The time of a warp's instructions alone, one after the other: once with all memory answering at once, and once with
//! each kind of memory answering late.

use kerncast_profilers::sass::{BRANCH, Chain as Late};

use super::pipes::{Answer, Cost, PIPE_CYCLES, PIPES, answer};
use crate::{
    llvm::Space,
    run::{Access, AccessKind, Block, BlockId, Program},
};

/// The clocks: the counter's name, the memory that answers late, and how late. The first has no late memory.
pub(super) const CLOCK_DELAYS: [(&str, Option<Answer>, Late); CLOCKS] = [
    ("chain", None, Late::Fixed),
    ("chain_local_memory", Some(Answer::Local), Late::LocalMemory),
    (
        "chain_local_atomics",
        Some(Answer::LocalAtomic),
        Late::LocalAtomics,
    ),
    ("chain_private", Some(Answer::Private), Late::Private),
    ("chain_l1", Some(Answer::Global), Late::L1),
    ("chain_l2", Some(Answer::Global), Late::L2),
    ("chain_dram", Some(Answer::Global), Late::Dram),
    ("chain_atomics", Some(Answer::GlobalAtomic), Late::Atomics),
];

pub(super) const CLOCKS: usize = 8;

/// The most loads under way at once: more have no registers.
const MOST_LOADS_IN_FLIGHT: usize = 16;

type Clocks = [f64; CLOCKS];

/// A warp's clocks, and the times at which its registers are ready.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    now: Clocks,
    ready: Vec<Clocks>,
    /// The times of the last store to each space and of the last load: accesses that may be to the same place keep
    /// their order.
    last_stores: [Clocks; 4],
    last_loads: [Clocks; 4],
    /// The block before, and how often it came in a row.
    before: (u32, u32),
    /// Cycles of iterations of a loop that go as one.
    iterations: (Clocks, Clocks),
}

/// Costs of a block, from the text alone.
#[derive(Clone, Debug, Default)]
pub(super) struct Costs {
    /// Cost of each instruction.
    pub(super) each: Vec<Cost>,
    /// Instructions of the block by pipe.
    pub(super) instructions: [f64; PIPES],
    /// Number of iterations of a loop that a compiler unrolls into one; 1 for what is no such loop.
    pub(super) unrolls: u32,
}

impl Chain {
    pub(super) fn new(slots: u32) -> Self {
        Self {
            now: [0.0; CLOCKS],
            ready: vec![[0.0; CLOCKS]; slots as usize],
            last_stores: [[0.0; CLOCKS]; 4],
            last_loads: [[0.0; CLOCKS]; 4],
            before: (u32::MAX, 0),
            iterations: ([0.0; CLOCKS], [0.0; CLOCKS]),
        }
    }

    /// Cycles so far.
    pub(super) fn cycles(&self) -> Clocks {
        self.now
    }

    /// Executes a block. Within it instructions go as early as their operands are ready, as a compiler orders them; a
    /// block begins when all instructions of the one before have been issued.
    pub(super) fn walk(&mut self, program: &Program, id: BlockId, costs: &Costs) {
        let block = &program.blocks[id.0 as usize];
        let unrolls = costs.unrolls;
        let (before, count) = self.before;
        let again = before == id.0 && !count.is_multiple_of(unrolls);
        let count = if before == id.0 { count + 1 } else { 1 };
        self.before = (id.0, count);
        // Iterations of a short loop are unrolled: what the next one loads need not wait for what this one does.
        let mut start = self.now;
        let (mut early, mut last) = if again {
            self.iterations
        } else {
            (start, start)
        };
        self.issue(program, block, costs, &mut early, &mut last);
        let issues: f64 = costs.instructions.iter().sum();
        let busy = PIPE_CYCLES.iter().zip(&costs.instructions);
        let busiest = busy
            .map(|(cycles, count)| cycles * count)
            .fold(issues, f64::max);
        let decides = block.end.decides();
        let goes_on = !count.is_multiple_of(unrolls) && block.end.edges().any(|edge| edge.to == id);
        if goes_on {
            if !again {
                self.iterations.0 = early;
            }
            self.iterations.1 = last;
            for now in &mut start {
                *now += busiest;
            }
            self.now = start;
        } else {
            for clock in 0..CLOCKS {
                self.now[clock] = f64::max(start[clock] + busiest, last[clock]);
                if let Some(slot) = decides {
                    self.now[clock] =
                        self.now[clock].max(self.ready[slot.0 as usize][clock]) + BRANCH;
                }
            }
        }
        block.copy_over_edges(&mut self.ready);
    }

    /// Issues a block's instructions, none before `early`, which many loads move; `last` becomes the latest issue.
    fn issue(
        &mut self,
        program: &Program,
        block: &Block,
        costs: &Costs,
        early: &mut Clocks,
        last: &mut Clocks,
    ) {
        let mut loads = 0;
        for (instruction, cost) in block.instructions.iter().zip(&costs.each) {
            let mut issued = *early;
            for operand in &instruction.operands {
                later(&mut issued, &self.ready[operand.0 as usize]);
            }
            let mut result = issued;
            if let Some(access) = program.access(instruction) {
                self.keep_order(access, &mut issued);
                let answers = answer(access);
                result = add_delay(issued, answers);
                if answers == Some(Answer::Global) {
                    loads += 1;
                    if loads % MOST_LOADS_IN_FLIGHT == 0 {
                        // No registers for more: what was loaded is used first.
                        later(early, &result);
                    }
                }
            }
            for clock in &mut result {
                *clock += cost.latency;
            }
            for slot in &instruction.results {
                self.ready[slot.0 as usize] = result;
            }
            later(last, &issued);
        }
    }

    /// Issues an access no earlier than those before it that may be to the same place, by kind and space.
    fn keep_order(&mut self, access: &Access, issued: &mut Clocks) {
        if access.space == Space::Constant {
            return;
        }
        let place = space(access.space);
        later(issued, &self.last_stores[place]);
        if access.kind == AccessKind::Load {
            later(&mut self.last_loads[place], issued);
        } else {
            later(issued, &self.last_loads[place]);
            self.last_stores[place] = *issued;
        }
    }
}

/// The time at which the result of what was issued is ready.
fn add_delay(mut issued: Clocks, answers: Option<Answer>) -> Clocks {
    for (clock, (_, answer, late)) in issued.iter_mut().zip(&CLOCK_DELAYS) {
        if answer.is_some() && *answer == answers {
            *clock += late.late_cycles();
        }
    }
    issued
}

fn later(one: &mut Clocks, other: &Clocks) {
    for (one, other) in one.iter_mut().zip(other) {
        *one = one.max(*other);
    }
}

fn space(space: Space) -> usize {
    match space {
        Space::Private => 0,
        Space::Global => 1,
        Space::Constant => 2,
        Space::Local => 3,
    }
}
