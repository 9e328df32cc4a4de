//! What makes a program slower than its counters tell.

use std::collections::{HashMap, HashSet};

use crate::{
    llvm::{AtomicOp, Binary},
    run::{AccessKind, Edge, End, Instruction, Operation, Program, Slot, loops::Loops},
    uniform::Varying,
};

/// What a program does whose time hangs on the numbers that it meets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hazards {
    /// It goes on by a `switch` over what it reads from memory: processors guess the way, and lose time where they guess
    /// wrongly.
    pub switches: bool,
    /// What it divides whole numbers by: by 0 the result is undefined, and many CPUs raise an exception each time.
    pub divides_by: Origin,
    /// It goes round a loop until an atomic operation says that others have come so far, or that none came between: how
    /// often depends on who runs at the same time.
    pub waits: bool,
}

/// Where a number comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Anywhere else.
    #[default]
    Other,
    /// It is read from memory.
    Read,
    /// Bits or a remainder of a number that is: it may be 0 where that is not.
    PartOfRead,
}

/// Of a program.
#[must_use]
pub fn hazards(program: &Program) -> Hazards {
    let all = || program.blocks.iter().flat_map(|block| &block.instructions);
    let made: HashMap<Slot, &Instruction> = all()
        .flat_map(|it| it.results.iter().map(move |result| (*result, it)))
        .collect();
    let ends = program.blocks.iter().map(|block| &block.end);
    // A way that all take is guessed.
    let varying = Varying::of(program);
    let switches = ends
        .filter_map(|end| match end {
            End::Switch { value, .. } => Some(value),
            _ => None,
        })
        .filter(|value| varying.slots[value.0 as usize])
        .any(|value| origin(program, &made, *value) != Origin::Other);
    let divisors = all().filter_map(|it| match &it.operation {
        Operation::Integer(Binary::UDiv | Binary::SDiv | Binary::URem | Binary::SRem, _) => {
            it.operands.get(1)
        }
        _ => None,
    });
    let divisors = divisors.map(|by| origin(program, &made, *by));
    Hazards {
        switches,
        divides_by: divisors.max().unwrap_or_default(),
        waits: waits(program),
    }
}

/// Whether what an atomic operation finds decides that a loop ends. A sum is no such operation unless it adds 0: a queue
/// gives each lane another place.
fn waits(program: &Program) -> bool {
    let zeros = program.constants.iter().filter(|(_, bits)| *bits == 0);
    let zeros: HashSet<Slot> = zeros.map(|(slot, _)| *slot).collect();
    let mut flows: HashMap<Slot, Vec<Slot>> = HashMap::new();
    let mut next: Vec<Slot> = Vec::new();
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
            let asks = match program.accesses[access.0 as usize].kind {
                AccessKind::Load | AccessKind::Store => false,
                AccessKind::Atomic(AtomicOp::Add | AtomicOp::Sub) => {
                    operands.get(1).is_some_and(|slot| zeros.contains(slot))
                }
                AccessKind::Atomic(_) | AccessKind::CompareExchange => true,
            };
            next.extend(results.iter().filter(|_| asks));
        }
        for (to, from) in block.end.edges().flat_map(|edge| &edge.copies) {
            flows.entry(*from).or_default().push(*to);
        }
    }
    let mut found: HashSet<Slot> = HashSet::new();
    while let Some(slot) = next.pop() {
        if found.insert(slot) {
            next.extend(flows.get(&slot).into_iter().flatten());
        }
    }
    let Ok(loops) = Loops::of(program, &mut 0) else {
        return !found.is_empty();
    };
    program.blocks.iter().enumerate().any(|(at, block)| {
        let stays = |edge: &Edge, around: usize| {
            let blocks = &loops.all[around].blocks;
            blocks.binary_search(&edge.to.place()).is_ok()
        };
        let ends = |around: usize| {
            block.end.edges().any(|edge| stays(edge, around))
                && !block.end.edges().all(|edge| stays(edge, around))
        };
        block.end.decides().is_some_and(|by| found.contains(&by)) && loops.around(at).any(ends)
    })
}

/// What a number is made of.
fn origin(program: &Program, made: &HashMap<Slot, &Instruction>, mut slot: Slot) -> Origin {
    let mut found = Origin::Read;
    // A loop's variable may be made of itself.
    for _ in 0..made.len() {
        let Some(by) = made.get(&slot) else {
            return Origin::Other;
        };
        match by.operation {
            Operation::Access(access) => {
                return match program.accesses[access.0 as usize].kind {
                    AccessKind::Load => found,
                    _ => Origin::Other,
                };
            }
            Operation::Copy | Operation::Mask(_) | Operation::SignExtend(..) => {}
            Operation::Integer(
                Binary::And | Binary::LShr | Binary::AShr | Binary::URem | Binary::SRem,
                _,
            ) => found = Origin::PartOfRead,
            _ => return Origin::Other,
        }
        match by.operands.first() {
            Some(of) => slot = *of,
            None => return Origin::Other,
        }
    }
    Origin::Other
}
