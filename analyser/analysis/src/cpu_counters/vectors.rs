//! Blocks that become vectors of neighbouring work-items, by the rules of PoCL and of LLVM's loop vectoriser.
//!
//! PoCL makes a loop over the work-items of a work-group of each part of a kernel between two barriers: inside of the
//! kernel's own loops where these have a barrier, else around them. LLVM vectorises only innermost loops: where a loop
//! of the kernel is inside, its iterations are what may go side by side, and the work-items go one by one.

use super::{costs::is_call, vectorizable_loops::is_vectorizable};
use crate::run::{AccessKind, Block, End, Instruction, Operation, Program, Refusal, loops::Loops};

/// The things that go side by side in a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    Nothing,
    /// Neighbouring work-items.
    Items,
    /// Iterations of one work-item's loop.
    Iterations,
}

/// How blocks are executed.
#[derive(Clone, Debug)]
pub(super) struct Vectors {
    pub(super) blocks: Vec<Beside>,
    /// Whether each block begins an iteration of a loop that all work-items of a work-group make together.
    pub(super) iterations: Vec<bool>,
}

impl Vectors {
    pub(super) fn new(program: &Program) -> Result<Self, Refusal> {
        let loops = Loops::find(program, &mut 0)?;
        let has_barrier = loops_with_barriers(program, &loops);
        // What lies in one such loop, or in none, is one part.
        let part = |block: usize| {
            let outer = loops.around(block).find(|at| has_barrier[*at]);
            outer.unwrap_or(loops.all.len())
        };
        let mut one_by_one = vec![false; loops.all.len() + 1];
        for (at, block) in program.blocks.iter().enumerate() {
            let is_inside = loops.of_block[at].is_some_and(|it| !has_barrier[it]);
            one_by_one[part(at)] |= is_inside || !is_vectorizable_block(program, block);
        }
        let mut iterations = vec![false; program.blocks.len()];
        for (one, _) in loops.all.iter().zip(&has_barrier).filter(|(_, it)| **it) {
            iterations[one.header] = true;
        }
        let along: Vec<bool> = (0..loops.all.len())
            .map(|at| {
                let is_innermost = loops.all.iter().all(|it| it.parent != Some(at));
                is_innermost && !has_barrier[at] && is_vectorizable(program, &loops.all[at])
            })
            .collect();
        let beside = |at: usize| match (one_by_one[part(at)], loops.of_block[at]) {
            (false, _) => Beside::Items,
            (true, Some(innermost)) if along[innermost] => Beside::Iterations,
            (true, _) => Beside::Nothing,
        };
        Ok(Self {
            blocks: (0..program.blocks.len()).map(beside).collect(),
            iterations,
        })
    }
}

/// Whether each loop has a barrier: then all work-items of a work-group make its iterations together.
fn loops_with_barriers(program: &Program, loops: &Loops) -> Vec<bool> {
    let has_barrier = |block: &usize| {
        let mut all = program.blocks[*block].instructions.iter();
        all.any(Instruction::is_barrier)
    };
    let loops = loops.all.iter();
    loops.map(|it| it.blocks.iter().any(has_barrier)).collect()
}

/// Whether a block can become a vector: atomics, unknown operations and choices among many stay one by one.
fn is_vectorizable_block(program: &Program, block: &Block) -> bool {
    let plain = block.instructions.iter().all(|it| match &it.operation {
        Operation::Access(access) => matches!(
            program.accesses[access.0 as usize].kind,
            AccessKind::Load | AccessKind::Store
        ),
        Operation::Call(_) | Operation::Unknown(_) => false,
        _ => true,
    });
    plain && !is_call(program, block) && !matches!(block.end, End::Switch { .. })
}
