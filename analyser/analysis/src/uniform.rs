//! What is alike for all work-items of a work-group, as far as the text tells.

use std::collections::HashMap;

use crate::{
    llvm::Space,
    run::{AccessKind, Id, Operation, Program, Slot},
};

/// What is not.
#[derive(Clone, Debug)]
pub(crate) struct Varying {
    /// Of each slot.
    pub(crate) slots: Vec<bool>,
    /// Of each block, whether work-items may come there that others do not.
    pub(crate) blocks: Vec<bool>,
}

impl Varying {
    pub(crate) fn of(program: &Program) -> Self {
        let mut found = Self {
            slots: vec![false; program.slots as usize],
            blocks: vec![false; program.blocks.len()],
        };
        while found.follow(program) {}
        found
    }

    /// Whether anything new was found.
    fn follow(&mut self, program: &Program) -> bool {
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
                changed |= self.part(program, at, meets);
            }
        }
        changed
    }

    /// Work-items part behind a block, until they meet.
    fn part(&mut self, program: &Program, at: usize, meets: Option<usize>) -> bool {
        let mut changed = false;
        let mut seen = vec![false; program.blocks.len()];
        let mut next = vec![at];
        // What is taken over on the ways, and from where.
        let mut taken: HashMap<Slot, Slot> = HashMap::new();
        let mut differs: Vec<Slot> = Vec::new();
        while let Some(from) = next.pop() {
            for edge in program.blocks[from].end.edges() {
                let to = edge.to.place();
                for (slot, source) in &edge.copies {
                    if *taken.entry(*slot).or_insert(*source) != *source {
                        differs.push(*slot);
                    }
                }
                if Some(to) != meets && !std::mem::replace(&mut seen[to], true) {
                    changed |= !std::mem::replace(&mut self.blocks[to], true);
                    next.push(to);
                }
            }
        }
        // They leave a loop one after the other: nothing that its turns change is alike.
        if seen[at] {
            differs.extend(taken.into_keys());
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
        // A work-item's own memory, and what only one of them finds.
        Operation::Access(access) => {
            let access = &program.accesses[access.0 as usize];
            access.space == Space::Private
                || !matches!(access.kind, AccessKind::Load | AccessKind::Store)
        }
        Operation::Call(_) | Operation::Unknown(_) => true,
        _ => false,
    }
}
