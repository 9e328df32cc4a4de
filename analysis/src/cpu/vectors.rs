//! What becomes vectors of neighbouring work-items, as PoCL and LLVM's loop vectoriser do it.
//!
//! PoCL makes a loop over the work-items of a work-group of each part of a kernel between two barriers, and puts it
//! inside of the kernel's own loops where all work-items go through these alike (its pass for implicit loop
//! barriers). LLVM vectorises only the innermost loops: a loop of the kernel that work-items leave one by one
//! stays inside, and then the work-items around it stay one by one.

use super::{loops::Loops, uniform::Varying};
use crate::run::{AccessKind, End, Operation, Program};

/// How blocks are executed.
#[derive(Clone, Debug)]
pub(super) struct Vectors {
    /// Of each block, whether neighbours go side by side.
    pub(super) blocks: Vec<bool>,
    /// Of each block, whether it begins a turn of a loop that all work-items of a work-group make together.
    pub(super) turns: Vec<bool>,
}

impl Vectors {
    pub(super) fn of(program: &Program) -> Self {
        let loops = Loops::of(program);
        let varying = Varying::of(program);
        let together = together(program, &loops, &varying);
        // What lies in one such loop, or in none, is one part.
        let part = |block: usize| {
            let found = loops.around(block).find(|at| together[*at]);
            found.unwrap_or(loops.all.len())
        };
        let mut one_by_one = vec![false; loops.all.len() + 1];
        for (at, block) in program.blocks.iter().enumerate() {
            let is_inside = loops.of_block[at].is_some_and(|it| !together[it]);
            one_by_one[part(at)] |= is_inside || !is_vectorisable(program, block);
        }
        let mut turns = vec![false; program.blocks.len()];
        for (one, _) in loops.all.iter().zip(&together).filter(|(_, it)| **it) {
            turns[one.header] = true;
        }
        Self {
            blocks: (0..program.blocks.len())
                .map(|at| !one_by_one[part(at)])
                .collect(),
            turns,
        }
    }
}

/// Of each loop, whether all work-items of a work-group make its turns together.
fn together(program: &Program, loops: &Loops, varying: &Varying) -> Vec<bool> {
    let mut found: Vec<bool> = Vec::new();
    let has_barrier = |block: &usize| {
        let mut all = program.blocks[*block].instructions.iter();
        all.any(|it| matches!(it.operation, Operation::Barrier))
    };
    for (at, one) in loops.all.iter().enumerate() {
        let children = (0..at).filter(|it| loops.all[*it].parent == Some(at));
        let (mut is_innermost, mut around) = (true, false);
        for child in children {
            is_innermost = false;
            around |= found[child];
        }
        let leaves = |block: &&usize| {
            let mut edges = program.blocks[**block].end.edges();
            edges.any(|edge| one.blocks.binary_search(&edge.to.place()).is_err())
        };
        let exits: Vec<usize> = one.blocks.iter().filter(leaves).copied().collect();
        let is_alike = !varying.blocks[one.header]
            && match exits.as_slice() {
                [exit] => program.blocks[*exit]
                    .end
                    .decides()
                    .is_none_or(|slot| !varying.slots[slot.0 as usize]),
                _ => false,
            };
        found.push(around || one.blocks.iter().any(has_barrier) || (is_innermost && is_alike));
    }
    found
}

/// Atomics, what is not known and choices among many stay one by one.
fn is_vectorisable(program: &Program, block: &crate::run::Block) -> bool {
    let plain = block.instructions.iter().all(|it| match &it.operation {
        Operation::Access(access) => matches!(
            program.accesses[access.0 as usize].kind,
            AccessKind::Load | AccessKind::Store
        ),
        Operation::Unknown(_) => false,
        _ => true,
    });
    plain && !matches!(block.end, End::Switch { .. })
}
