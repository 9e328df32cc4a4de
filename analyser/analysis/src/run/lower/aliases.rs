//! Replaces copies by what they copy. Every value is written in one place alone, so the two are the same.
//!
//! That holds in loops too. A lane on its way to a use passes the copy after it has last passed the instruction that is
//! copied. If there were a way around the copy, the copy would not dominate its use.

use crate::run::{Operation, Program, Slot};

pub(super) fn resolve(program: &mut Program) {
    let mut stands_for: Vec<u32> = (0..program.slots).collect();
    for block in &program.blocks {
        for instruction in &block.instructions {
            if let (Operation::Copy, [to], [from]) = (
                &instruction.operation,
                &*instruction.results,
                &*instruction.operands,
            ) {
                stands_for[to.0 as usize] = from.0;
            }
        }
    }
    // Each chain to its end; in code that is never reached a chain may bite its tail.
    let mut passed_for = vec![u32::MAX; stands_for.len()];
    for slot in 0..program.slots {
        let mut chain = Vec::new();
        let mut at = slot;
        while stands_for[at as usize] != at && passed_for[at as usize] != slot {
            passed_for[at as usize] = slot;
            chain.push(at);
            at = stands_for[at as usize];
        }
        for slot in chain {
            stands_for[slot as usize] = at;
        }
    }
    let resolve = |slot: &mut Slot| *slot = Slot(stands_for[slot.0 as usize]);
    for block in &mut program.blocks {
        block
            .instructions
            .retain(|instruction| !matches!(instruction.operation, Operation::Copy));
        for instruction in &mut block.instructions {
            instruction.operands.iter_mut().for_each(resolve);
        }
        match &mut block.end {
            crate::run::End::Branch { condition, .. } => resolve(condition),
            crate::run::End::Switch { value, .. } => resolve(value),
            _ => {}
        }
        for edge in block.end.edges_mut() {
            for (_, from) in &mut edge.copies {
                resolve(from);
            }
            edge.copies.retain(|(to, from)| to != from);
        }
    }
}
