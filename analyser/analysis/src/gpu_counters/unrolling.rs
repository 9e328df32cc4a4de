//! Unrolling: a compiler makes one iteration of several, which needs the loop's counting only once.

use super::pipes::Cost;
use crate::{
    llvm::{
        Binary::{Add, Mul, Shl, Sub},
        Space,
    },
    run::{Access, AccessKind, Block, BlockId, Instruction, Operation, Program, Slot},
};

/// The most instructions of a warp in the body of a loop that is unrolled.
const MOST_BODY_INSTRUCTIONS: f64 = 40.0;
/// The most loads in such a body.
const MOST_LOADS: usize = 4;

/// Number of iterations of a block that a compiler makes one of: 1 for what is no such loop. The costs of what these
/// need once are divided among them.
pub(super) fn share_iterations(
    program: &Program,
    id: BlockId,
    constants: &[Option<u64>],
    each: &mut [Cost],
) -> u32 {
    let all: f64 = each.iter().map(Cost::all).sum();
    let block = &program.blocks[id.place()];
    let iteration = Iteration {
        program,
        block,
        id,
        constants,
    };
    if all > MOST_BODY_INSTRUCTIONS || !iteration.is_counted() || !is_apart(program, block) {
        return 1;
    }
    let is_shared = block
        .instructions
        .iter()
        .map(|it| iteration.is_overhead(it));
    let is_shared: Vec<bool> = is_shared.collect();
    let costs = each.iter().zip(&is_shared);
    let own: f64 = costs
        .map(|(it, is_shared)| if *is_shared { 0.0 } else { it.all() })
        .sum();
    // Machine code of the suite for an H200, 2026-11-28.
    let iterations = match own {
        _ if !iteration.is_by_a_number() => 4,
        ..=2.0 => 16,
        ..=8.0 => 8,
        _ => 4,
    };
    for (cost, _) in each.iter_mut().zip(is_shared).filter(|it| it.1) {
        for count in &mut cost.instructions {
            *count /= f64::from(iterations);
        }
    }
    iterations
}

/// Whether a block has nothing that its loads must wait for: stores are to other memory, and there are few accesses, no
/// atomics and no barriers.
fn is_apart(program: &Program, block: &Block) -> bool {
    let accesses = block.instructions.iter();
    let accesses: Vec<&Access> = accesses.filter_map(|it| program.access(it)).collect();
    let loaded = accesses.iter().filter(|it| it.kind == AccessKind::Load);
    let loaded: Vec<Space> = loaded.map(|it| it.space).collect();
    let are_apart = accesses.iter().all(|it| match it.kind {
        AccessKind::Load => true,
        AccessKind::Store => !loaded.contains(&it.space),
        AccessKind::Atomic(_) | AccessKind::CompareExchange => false,
    });
    let waits = block.instructions.iter().any(Instruction::is_barrier);
    are_apart && accesses.len() <= MOST_LOADS && !waits
}

/// A block that may follow itself.
struct Iteration<'a> {
    program: &'a Program,
    block: &'a Block,
    id: BlockId,
    constants: &'a [Option<u64>],
}

impl Iteration<'_> {
    /// Copies at the beginning of the next iteration: each slot, and what it takes over.
    fn copies(&self) -> impl Iterator<Item = &(Slot, Slot)> {
        let again = self.block.end.edges().filter(|edge| edge.to == self.id);
        again.flat_map(|edge| &edge.copies)
    }

    fn maker(&self, slot: Slot) -> Option<&Instruction> {
        let mut all = self.block.instructions.iter();
        all.find(|it| it.results.contains(&slot))
    }

    /// Whether each iteration adds the same to a slot.
    fn is_counter(&self, slot: Slot) -> bool {
        self.copies().any(|(to, from)| {
            let is_next = |it: &Instruction| {
                matches!(it.operation, Operation::Integer(Add | Sub, _))
                    && it.operands.contains(to)
                    && it
                        .operands
                        .iter()
                        .all(|slot| slot == to || self.is_step(*slot))
            };
            (slot == *to || slot == *from) && self.maker(*from).is_some_and(is_next)
        })
    }

    /// Whether the counters go on by constants of the text.
    fn is_by_a_number(&self) -> bool {
        let is_constant = |slot: &Slot| self.constants[slot.0 as usize].is_some();
        self.copies().all(|(to, from)| {
            let maker = self.maker(*from).filter(|_| self.is_counter(*to));
            maker.is_none_or(|it| {
                it.operands
                    .iter()
                    .all(|slot| slot == to || is_constant(slot))
            })
        })
    }

    /// Whether a compiler knows that a slot is above 0: a number, or a size of the launch.
    fn is_step(&self, slot: Slot) -> bool {
        self.constants[slot.0 as usize].is_some()
            || self
                .program
                .instructions()
                .any(|it| matches!(it.operation, Operation::Place(_)) && it.results.contains(&slot))
    }

    /// Whether a counter decides when the loop ends.
    fn is_counted(&self) -> bool {
        let decides = self.block.end.decides().and_then(|slot| self.maker(slot));
        decides.is_some_and(|it| {
            matches!(it.operation, Operation::Compare(..))
                && it.operands.iter().any(|slot| self.is_counter(*slot))
        })
    }

    /// Whether each iteration adds the same to a slot, as far as a sum of counters tells.
    fn goes_on(&self, slot: Slot) -> bool {
        let is_fixed = |slot: &Slot| self.constants[slot.0 as usize].is_some();
        match self.maker(slot) {
            None => self.is_counter(slot),
            Some(it) => match it.operation {
                Operation::SignExtend(32.., _) | Operation::Mask(32..) | Operation::Index(..) => {
                    it.operands.iter().any(|slot| self.goes_on(*slot))
                }
                Operation::Integer(Add | Sub | Mul | Shl, _) => {
                    let may_go_on = |slot: &&Slot| {
                        !is_fixed(slot) && (self.maker(**slot).is_some() || self.is_counter(**slot))
                    };
                    let mut changing = it.operands.iter().filter(may_go_on).peekable();
                    changing.peek().is_some() && changing.all(|slot| self.goes_on(*slot))
                }
                _ => false,
            },
        }
    }

    /// Whether iterations that go as one need an instruction once: its end, the next iteration's number, and addresses
    /// an iteration apart.
    fn is_overhead(&self, instruction: &Instruction) -> bool {
        let results = || instruction.results.iter();
        match &instruction.operation {
            Operation::Index(..) => results().any(|it| self.goes_on(*it)),
            Operation::Compare(..) => results().any(|it| self.block.end.decides() == Some(*it)),
            Operation::Integer(Add | Sub, _) => results().any(|it| self.is_counter(*it)),
            _ => false,
        }
    }
}
