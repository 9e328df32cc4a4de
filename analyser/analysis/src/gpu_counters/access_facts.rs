//! Facts about accesses that the text alone tells.

use crate::{
    llvm::{AtomicOp, Binary},
    run::{AccessKind, Operation, Program},
    uniform::Varying,
};

/// Whether somebody reads the result of each access.
pub(super) fn reads_result(program: &Program) -> Vec<bool> {
    let mut is_read = vec![false; program.slots as usize];
    for block in &program.blocks {
        for slot in block.instructions.iter().flat_map(|it| &it.operands) {
            is_read[slot.0 as usize] = true;
        }
        for (_, from) in block.end.edges().flat_map(|edge| &edge.copies) {
            is_read[from.0 as usize] = true;
        }
        if let Some(slot) = block.end.decides() {
            is_read[slot.0 as usize] = true;
        }
    }
    let mut reads_result = vec![false; program.accesses.len()];
    for (access, instruction) in program.access_instructions() {
        let mut results = instruction.results.iter();
        reads_result[access.0 as usize] |= results.any(|slot| is_read[slot.0 as usize]);
    }
    reads_result
}

/// Whether each access is an atomic on one place for all of a warp, as the text tells, so that a compiler lets one lane
/// go to memory for all. Sums of different numbers only count if the address comes from no division of 64 bits, which
/// is a function with branches (an H200, driver 580.159.04: `colour_lookup`, `monte_carlo_pi`).
pub(super) fn one_lane_goes(program: &Program) -> Vec<bool> {
    let varying = Varying::new(program);
    let mut is_divided = vec![false; program.slots as usize];
    for instruction in program.instructions() {
        let divides = matches!(
            instruction.operation,
            Operation::Integer(
                Binary::UDiv | Binary::SDiv | Binary::URem | Binary::SRem,
                64
            )
        );
        let mut operands = instruction.operands.iter();
        if divides || operands.any(|slot| is_divided[slot.0 as usize]) {
            let results = instruction.results.iter();
            results.for_each(|slot| is_divided[slot.0 as usize] = true);
        }
    }
    let mut one_lane_goes = vec![false; program.accesses.len()];
    for (access, instruction) in program.access_instructions() {
        let is_alike = |at: usize| {
            let operand = instruction.operands.get(at);
            operand.is_some_and(|slot| !varying.slots[slot.0 as usize])
        };
        one_lane_goes[access.0 as usize] = match program.accesses[access.0 as usize].kind {
            AccessKind::Atomic(AtomicOp::Exchange | AtomicOp::FAdd) => false,
            AccessKind::Atomic(AtomicOp::Add | AtomicOp::Sub) => {
                let place = instruction.operands.first();
                let is_undivided = place.is_some_and(|slot| !is_divided[slot.0 as usize]);
                is_alike(0) && (is_alike(1) || is_undivided)
            }
            AccessKind::Atomic(_) => is_alike(0),
            _ => false,
        };
    }
    one_lane_goes
}
