//! What is known of accesses beforehand.

use crate::{
    llvm::AtomicOp,
    run::{AccessId, AccessKind, Instruction, Operation, Program},
    uniform::Varying,
};

/// Of each access whether somebody reads what it returns.
pub(super) fn returns(program: &Program) -> Vec<bool> {
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
    for (access, instruction) in accesses(program) {
        let mut results = instruction.results.iter();
        returns[access.0 as usize] |= results.any(|slot| read[slot.0 as usize]);
    }
    returns
}

/// Of each access whether it is an atomic whose place is the same for all of a warp, as the text tells, and that a
/// compiler can do for all lanes before one of them goes to memory.
pub(super) fn united(program: &Program) -> Vec<bool> {
    let varying = Varying::of(program);
    let mut united = vec![false; program.accesses.len()];
    for (access, instruction) in accesses(program) {
        let place = instruction.operands.first();
        let of_all = place.is_some_and(|slot| !varying.slots[slot.0 as usize]);
        let kind = program.accesses[access.0 as usize].kind;
        united[access.0 as usize] = of_all
            && matches!(kind, AccessKind::Atomic(op) if !matches!(op, AtomicOp::Exchange | AtomicOp::FAdd));
    }
    united
}

fn accesses(program: &Program) -> impl Iterator<Item = (AccessId, &Instruction)> {
    let instructions = program.blocks.iter().flat_map(|block| &block.instructions);
    instructions.filter_map(|it| match it.operation {
        Operation::Access(access) => Some((access, it)),
        _ => None,
    })
}
