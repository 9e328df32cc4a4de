//! Finds the loops of a kernel that LLVM makes vectors of, several iterations side by side. They are innermost, their
//! iterations are counted beforehand, they go along memory, and they add up nothing but whole numbers (for
//! floating-point numbers the order matters).

use std::collections::{HashMap, HashSet};

use super::costs::is_call;
use crate::{
    llvm::{Binary, Space},
    run::{AccessKind, End, Instruction, Operation, Program, Slot, bits::signed, loops::Loop},
};

/// Whether LLVM makes vectors of a loop, which has no other loop inside.
pub(super) fn is_vectorizable(program: &Program, one: &Loop) -> bool {
    let body = LoopBody::new(program, one);
    body.exit_is_counted() && body.carries_little() && body.goes_along()
}

/// How a number changes from iteration to iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// A constant that each iteration adds.
    By(i64),
    Otherwise,
}

struct LoopBody<'p> {
    program: &'p Program,
    one: &'p Loop,
    constants: HashMap<Slot, u64>,
    makers: HashMap<Slot, &'p Instruction>,
    /// The number of reads of each slot.
    reads: HashMap<Slot, usize>,
    /// Slots that the header takes over from the iteration before: `(to, from)`.
    carried: Vec<(Slot, Slot)>,
    steps: HashMap<Slot, Step>,
    /// Slots that the loop writes.
    written_slots: HashSet<Slot>,
}

impl<'p> LoopBody<'p> {
    fn new(program: &'p Program, one: &'p Loop) -> Self {
        let mut body = Self {
            program,
            one,
            constants: program.constants.iter().copied().collect(),
            makers: HashMap::new(),
            reads: HashMap::new(),
            carried: Vec::new(),
            steps: HashMap::new(),
            written_slots: HashSet::new(),
        };
        for block in one.blocks.iter().map(|at| &program.blocks[*at]) {
            for instruction in &block.instructions {
                for slot in &instruction.operands {
                    *body.reads.entry(*slot).or_default() += 1;
                }
                for slot in &instruction.results {
                    body.makers.insert(*slot, instruction);
                    body.written_slots.insert(*slot);
                }
            }
            for edge in block.end.edges() {
                let inside = one.blocks.binary_search(&edge.to.place()).is_ok();
                for (to, from) in edge.copies.iter().filter(|_| inside) {
                    body.written_slots.insert(*to);
                    *body.reads.entry(*from).or_default() += 1;
                    if edge.to.place() == one.header {
                        body.carried.push((*to, *from));
                    }
                }
            }
        }
        body.find_steps();
        body
    }

    fn find_steps(&mut self) {
        for (to, from) in self.carried.clone() {
            let step = match self.makers.get(&from) {
                Some(maker) => match (&maker.operation, maker.operands.as_slice()) {
                    (Operation::Integer(Binary::Add, bits), [one, other]) => {
                        let other = if one == &to { other } else { one };
                        let is_own = maker.operands.contains(&to);
                        let number = self.constants.get(other).filter(|_| is_own);
                        number.map(|it| signed(*it, *bits))
                    }
                    (Operation::Index(bits, scale), [one, other]) if one == &to => {
                        let number = self.constants.get(other);
                        number.map(|it| signed(*it, *bits).wrapping_mul(*scale))
                    }
                    (Operation::Offset(by), [one]) if one == &to => Some(*by),
                    _ => None,
                },
                None => None,
            };
            self.steps
                .insert(to, step.map_or(Step::Otherwise, Step::By));
        }
        // Blocks are nearly in order: a few passes find all.
        for _ in 0..3 {
            for block in &self.one.blocks {
                for instruction in &self.program.blocks[*block].instructions {
                    let step = self.step_of(instruction);
                    for slot in &instruction.results {
                        self.steps.insert(*slot, step);
                    }
                }
            }
        }
    }

    fn step(&self, slot: Slot) -> Step {
        if self.written_slots.contains(&slot) {
            self.steps.get(&slot).copied().unwrap_or(Step::Otherwise)
        } else {
            Step::By(0)
        }
    }

    fn step_of(&self, instruction: &Instruction) -> Step {
        let step = |at: usize| {
            instruction
                .operands
                .get(at)
                .map_or(Step::By(0), |it| self.step(*it))
        };
        let number = |at: usize| {
            let slot = instruction.operands.get(at)?;
            self.constants.get(slot).copied()
        };
        let all_still = (0..instruction.operands.len()).all(|at| step(at) == Step::By(0));
        let is_load = matches!(
            instruction.operation,
            Operation::Access(_) | Operation::Call(_) | Operation::Unknown(_)
        );
        if all_still && !is_load {
            return Step::By(0);
        }
        let (Step::By(one), Step::By(other)) = (step(0), step(1)) else {
            return Step::Otherwise;
        };
        let step_by = match &instruction.operation {
            Operation::Copy
            | Operation::Mask(_)
            | Operation::SignExtend(..)
            | Operation::Offset(_) => Some(one),
            Operation::Integer(Binary::Add, _) => one.checked_add(other),
            Operation::Integer(Binary::Sub, _) => one.checked_sub(other),
            Operation::Integer(Binary::Mul, bits) => match (number(0), number(1)) {
                (_, Some(by)) if other == 0 => one.checked_mul(signed(by, *bits)),
                (Some(by), _) if one == 0 => other.checked_mul(signed(by, *bits)),
                _ => None,
            },
            Operation::Integer(Binary::Shl, _) => number(1)
                .filter(|by| *by < 32)
                .and_then(|by| one.checked_mul(1 << by)),
            Operation::Index(_, scale) => {
                other.checked_mul(*scale).and_then(|it| it.checked_add(one))
            }
            _ => None,
        };
        step_by.map_or(Step::Otherwise, Step::By)
    }

    /// Whether there is one way out, by a comparison of a stepping number with one that does not change.
    fn exit_is_counted(&self) -> bool {
        let blocks = self.one.blocks.iter().map(|at| &self.program.blocks[*at]);
        let mut exits = blocks.filter(|block| {
            let mut edges = block.end.edges();
            edges.any(|edge| self.one.blocks.binary_search(&edge.to.place()).is_err())
        });
        let (Some(exit), None) = (exits.next(), exits.next()) else {
            return false;
        };
        let maker = exit.end.decides().and_then(|slot| self.makers.get(&slot));
        maker.is_some_and(|it| {
            let mut operands = it.operands.iter();
            matches!(it.operation, Operation::Compare(..))
                && operands.all(|slot| matches!(self.step(*slot), Step::By(_)))
        })
    }

    /// Whether iterations carry only steps, and sums, products and the like of whole numbers that nothing else reads.
    fn carries_little(&self) -> bool {
        self.carried.iter().all(|(to, from)| {
            if matches!(self.step(*to), Step::By(_)) || to == from {
                return true;
            }
            let maker = self.makers.get(from);
            maker.is_some_and(|it| {
                matches!(it.operation, Operation::Integer(..))
                    && it.operands.contains(to)
                    && self.reads.get(to) == Some(&1)
            })
        })
    }

    /// Whether memory is accessed only by loads and stores of neighbours, or loads of one place, and nothing is called.
    fn goes_along(&self) -> bool {
        let mut stays = 0;
        let mut all = 0;
        for block in self.one.blocks.iter().map(|at| &self.program.blocks[*at]) {
            if matches!(block.end, End::Switch { .. }) || is_call(self.program, block) {
                return false;
            }
            for instruction in &block.instructions {
                let access = match &instruction.operation {
                    Operation::Access(access) => &self.program.accesses[access.0 as usize],
                    Operation::Barrier | Operation::Call(_) | Operation::Unknown(_) => {
                        return false;
                    }
                    _ => continue,
                };
                let step = instruction
                    .operands
                    .first()
                    .map_or(Step::Otherwise, |it| self.step(*it));
                let bytes = i64::try_from(access.bytes).unwrap_or(i64::MAX);
                let along = matches!(step, Step::By(by) if by.abs() == bytes);
                let fits = match access.kind {
                    AccessKind::Load => along || step == Step::By(0),
                    AccessKind::Store => along,
                    _ => return false,
                };
                if access.space == Space::Private && !fits {
                    return false;
                }
                if access.kind == AccessKind::Store && !fits {
                    return false;
                }
                all += 1;
                stays += u32::from(!fits);
            }
        }
        // Gathering pays where most is not gathered.
        2 * stays <= all
    }
}
