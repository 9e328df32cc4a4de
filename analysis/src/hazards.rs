//! What makes a program slower than its counters tell.

use std::collections::HashMap;

use crate::{
    llvm::Binary,
    run::{AccessKind, End, Instruction, Operation, Program, Slot},
};

/// What a program does whose time hangs on the numbers that it meets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hazards {
    /// It goes on by a `switch` over what it reads from memory: processors guess the way, and lose time where they guess
    /// wrongly.
    pub switches: bool,
    /// What it divides whole numbers by: by 0 the result is undefined, and many CPUs raise an exception each time.
    pub divides_by: Origin,
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
    let switches = ends
        .filter_map(|end| match end {
            End::Switch { value, .. } => Some(value),
            _ => None,
        })
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
    }
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
