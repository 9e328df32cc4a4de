//! Hazards: what may make a program slower than its counters tell.

use std::collections::{HashMap, HashSet};

use crate::{
    llvm::{AtomicOp, Binary},
    run::{AccessKind, Edge, End, Instruction, Operation, Program, Slot, loops::Loops},
    uniform::Varying,
};

/// The properties of a program that make its time depend on its data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hazards {
    /// Whether it branches by a `switch` over numbers that it loads: processors predict the branch, and lose time if
    /// they are wrong.
    pub switches: bool,
    /// The origin of divisors of whole numbers. Division by 0 is undefined; many CPUs raise an exception each time.
    pub divides_by: Origin,
    /// Whether it repeats a loop until an atomic operation ends it: how often depends on the work-items that run at the
    /// same time.
    pub waits: bool,
}

/// The origin of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Anything else.
    #[default]
    Other,
    /// A load from memory.
    Read,
    /// Some bits or a remainder of a loaded number: it may be 0 when that number is not.
    PartOfRead,
}

/// The hazards of a program.
#[must_use]
pub fn hazards(program: &Program) -> Hazards {
    let definitions: HashMap<Slot, &Instruction> = program
        .instructions()
        .flat_map(|it| it.results.iter().map(move |result| (*result, it)))
        .collect();
    let ends = program.blocks.iter().map(|block| &block.end);
    // Branches that all work-items take alike are predicted.
    let varying = Varying::new(program);
    let switches = ends
        .filter_map(|end| match end {
            End::Switch { value, .. } => Some(value),
            _ => None,
        })
        .filter(|value| varying.slots[value.0 as usize])
        .any(|value| origin(program, &definitions, *value) != Origin::Other);
    let divisors = program.instructions().filter_map(|it| match &it.operation {
        Operation::Integer(Binary::UDiv | Binary::SDiv | Binary::URem | Binary::SRem, _) => {
            it.operands.get(1)
        }
        _ => None,
    });
    let origins = divisors.map(|by| origin(program, &definitions, *by));
    Hazards {
        switches,
        divides_by: origins.max().unwrap_or_default(),
        waits: has_spin_loop(program),
    }
}

/// Whether a loop ends by an atomic operation's result. Sums only count if they add 0: other sums are places in a
/// queue.
fn has_spin_loop(program: &Program) -> bool {
    let zeros = program.constants.iter().filter(|(_, bits)| *bits == 0);
    let zeros: HashSet<Slot> = zeros.map(|(slot, _)| *slot).collect();
    let mut flows: HashMap<Slot, Vec<Slot>> = HashMap::new();
    let mut open: Vec<Slot> = Vec::new();
    for block in &program.blocks {
        for Instruction {
            operation,
            operands,
            results,
            ..
        } in &block.instructions
        {
            let Operation::Access(access) = operation else {
                for from in operands {
                    flows.entry(*from).or_default().extend(results);
                }
                continue;
            };
            let may_wait = match program.accesses[access.0 as usize].kind {
                AccessKind::Load | AccessKind::Store => false,
                AccessKind::Atomic(AtomicOp::Add | AtomicOp::Sub) => {
                    operands.get(1).is_some_and(|slot| zeros.contains(slot))
                }
                AccessKind::Atomic(_) | AccessKind::CompareExchange => true,
            };
            open.extend(results.iter().filter(|_| may_wait));
        }
        for (to, from) in block.end.edges().flat_map(|edge| &edge.copies) {
            flows.entry(*from).or_default().push(*to);
        }
    }
    // Slots that the results flow into.
    let mut waited_for: HashSet<Slot> = HashSet::new();
    while let Some(slot) = open.pop() {
        if waited_for.insert(slot) {
            open.extend(flows.get(&slot).into_iter().flatten());
        }
    }
    let Ok(loops) = Loops::find(program, &mut 0) else {
        return !waited_for.is_empty();
    };
    program.blocks.iter().enumerate().any(|(at, block)| {
        let stays = |edge: &Edge, around: usize| {
            let blocks = &loops.all[around].blocks;
            blocks.binary_search(&edge.to.place()).is_ok()
        };
        let may_leave = |around: usize| {
            block.end.edges().any(|edge| stays(edge, around))
                && !block.end.edges().all(|edge| stays(edge, around))
        };
        let decides = block.end.decides();
        decides.is_some_and(|by| waited_for.contains(&by)) && loops.around(at).any(may_leave)
    })
}

/// Follows a number back through copies and masks to where it comes from.
fn origin(program: &Program, definitions: &HashMap<Slot, &Instruction>, mut slot: Slot) -> Origin {
    let mut origin = Origin::Read;
    // A loop's variable may be made of itself.
    for _ in 0..definitions.len() {
        let Some(definition) = definitions.get(&slot) else {
            return Origin::Other;
        };
        match definition.operation {
            Operation::Access(access) => {
                return match program.accesses[access.0 as usize].kind {
                    AccessKind::Load => origin,
                    _ => Origin::Other,
                };
            }
            Operation::Copy | Operation::Mask(_) | Operation::SignExtend(..) => {}
            Operation::Integer(
                Binary::And | Binary::LShr | Binary::AShr | Binary::URem | Binary::SRem,
                _,
            ) => origin = Origin::PartOfRead,
            _ => return Origin::Other,
        }
        match definition.operands.first() {
            Some(operand) => slot = *operand,
            None => return Origin::Other,
        }
    }
    Origin::Other
}
