//! Uniformity: which values and blocks are the same for all work-items of a work-group, by the text alone.

use std::collections::HashMap;

use crate::{
    llvm::Space,
    run::{AccessKind, Id, Operation, Program, Slot},
};

/// The slots and blocks in which the work-items of a work-group may differ.
#[derive(Clone, Debug)]
pub(crate) struct Varying {
    /// Whether the values of each slot may differ.
    pub(crate) slots: Vec<bool>,
    /// Whether some work-items may come to each block and others not.
    pub(crate) blocks: Vec<bool>,
}

impl Varying {
    pub(crate) fn new(program: &Program) -> Self {
        let mut varying = Self {
            slots: vec![false; program.slots as usize],
            blocks: vec![false; program.blocks.len()],
        };
        while varying.propagate(program) {}
        varying
    }

    /// Propagates once through the program. Returns whether anything has changed.
    fn propagate(&mut self, program: &Program) -> bool {
        let mut changed = false;
        for block in &program.blocks {
            for instruction in &block.instructions {
                let mut operands = instruction.operands.iter();
                let varies = is_source(program, &instruction.operation)
                    || operands.any(|slot| self.slots[slot.0 as usize]);
                for result in instruction.results.iter().filter(|_| varies) {
                    changed |= !std::mem::replace(&mut self.slots[result.0 as usize], true);
                }
            }
            for (to, from) in block.end.edges().flat_map(|edge| &edge.copies) {
                if self.slots[from.0 as usize] {
                    changed |= !std::mem::replace(&mut self.slots[to.0 as usize], true);
                }
            }
        }
        for (at, block) in program.blocks.iter().enumerate() {
            let Some(decides) = block.end.decides() else {
                continue;
            };
            if self.slots[decides.0 as usize] {
                let meets = block.meets.map(crate::run::BlockId::place);
                changed |= self.diverge(program, at, meets);
            }
        }
        changed
    }

    /// Marks the blocks behind `at`, where work-items diverge, up to the block where they meet. Returns whether
    /// anything has changed.
    fn diverge(&mut self, program: &Program, at: usize, meets: Option<usize>) -> bool {
        let mut changed = false;
        let mut visited = vec![false; program.blocks.len()];
        let mut next = vec![at];
        // What edges copy on the way, and from where.
        let mut sources: HashMap<Slot, Slot> = HashMap::new();
        let mut differs: Vec<Slot> = Vec::new();
        while let Some(from) = next.pop() {
            for edge in program.blocks[from].end.edges() {
                let to = edge.to.place();
                for (slot, source) in &edge.copies {
                    if *sources.entry(*slot).or_insert(*source) != *source {
                        differs.push(*slot);
                    }
                }
                if Some(to) != meets && !std::mem::replace(&mut visited[to], true) {
                    changed |= !std::mem::replace(&mut self.blocks[to], true);
                    next.push(to);
                }
            }
        }
        // They leave a loop one after the other, so nothing that it changes is the same for all.
        if visited[at] {
            differs.extend(sources.into_keys());
        }
        for slot in differs {
            changed |= !std::mem::replace(&mut self.slots[slot.0 as usize], true);
        }
        changed
    }
}

fn is_source(program: &Program, operation: &Operation) -> bool {
    match operation {
        Operation::Place(id) => matches!(
            id,
            Id::GlobalId | Id::LocalId | Id::GlobalLinearId | Id::LocalLinearId
        ),
        // Private memory is each work-item's own, and an atomic operation returns something else to each.
        Operation::Access(access) => {
            let access = &program.accesses[access.0 as usize];
            access.space == Space::Private
                || !matches!(access.kind, AccessKind::Load | AccessKind::Store)
        }
        Operation::Call(_) | Operation::Unknown(_) => true,
        _ => false,
    }
}
