//! Axes of a launch along which a program's branches differ.

use std::collections::HashMap;

use super::{AccessKind, Id, Instruction, Operation, Program, Slot, alias_classes::AliasClasses};
use crate::llvm::Space;

/// The most passes through a program until nothing more is found; real programs take a few.
const MOST_PASSES: usize = 1000;

/// Axes of a launch along which something differs: a bit for each dimension of the place in a work-group, and for each
/// dimension of the work-group's place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Axes(u8);

impl Axes {
    const ALL: Self = Self(0o77);
    const LOCAL: Self = Self(0o7);

    fn local(dimension: u32) -> Self {
        Self(1 << dimension)
    }

    fn group(dimension: u32) -> Self {
        Self(8 << dimension)
    }

    fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether there are differences between work-items of a work-group along this dimension.
    pub fn has_local(self, dimension: usize) -> bool {
        self.0 >> dimension & 1 == 1
    }

    /// Whether there are differences between work-groups along this dimension.
    pub fn has_group(self, dimension: usize) -> bool {
        self.0 >> (dimension + 3) & 1 == 1
    }
}

/// Axes along which branches differ. Which of two values a slot takes over depends on the branch before it, but that is
/// among the branches anyway. `needed`: which of each block's instructions are looked at.
pub(super) fn branch_axes(program: &Program, classes: &AliasClasses, needed: &[Vec<bool>]) -> Axes {
    let mut search = Search {
        program,
        classes,
        constants: program.constants.iter().copied().collect(),
        slots: vec![Axes::default(); program.slots as usize],
        memory: HashMap::new(),
        changed: false,
    };
    for _ in 0..MOST_PASSES {
        search.changed = false;
        for (block, needed) in program.blocks.iter().zip(needed) {
            for (instruction, _) in block.instructions.iter().zip(needed).filter(|it| *it.1) {
                let axes = search.axes_of(instruction);
                for result in &instruction.results {
                    search.raise(*result, axes);
                }
            }
            for (to, from) in block.end.edges().flat_map(|edge| &edge.copies) {
                search.raise(*to, search.slots[from.0 as usize]);
            }
        }
        if !search.changed {
            let deciding = program.blocks.iter().filter_map(|it| it.end.decides());
            let axes = deciding.map(|slot| search.slots[slot.0 as usize]);
            return axes.fold(Axes::default(), Axes::with);
        }
    }
    Axes::ALL
}

struct Search<'a> {
    program: &'a Program,
    classes: &'a AliasClasses,
    constants: HashMap<Slot, u64>,
    slots: Vec<Axes>,
    /// Axes along which stored values differ, for each class of memory.
    memory: HashMap<u32, Axes>,
    /// Whether this pass has found more.
    changed: bool,
}

impl Search<'_> {
    fn raise(&mut self, slot: Slot, axes: Axes) {
        let now = &mut self.slots[slot.0 as usize];
        self.changed |= now.with(axes) != *now;
        *now = now.with(axes);
    }

    fn axes_of(&mut self, instruction: &Instruction) -> Axes {
        let operands = instruction.operands.iter();
        let axes = operands.map(|slot| self.slots[slot.0 as usize]);
        let axes = axes.fold(Axes::default(), Axes::with);
        match &instruction.operation {
            Operation::Place(id) => {
                let dimension = instruction.operands.first();
                let dimension = dimension.and_then(|slot| self.constants.get(slot));
                axes.with(axes_of(*id, dimension.copied()))
            }
            Operation::Access(access) => {
                let class = self.classes.of_access(*access);
                let access = &self.program.accesses[access.0 as usize];
                let memory = self.memory.entry(class).or_default();
                if access.kind.writes() {
                    let more = match access.space {
                        Space::Private => axes,
                        Space::Local => axes.with(Axes::LOCAL),
                        Space::Global | Space::Constant => Axes::ALL,
                    };
                    // Loads before it see it in the next pass.
                    self.changed |= memory.with(more) != *memory;
                    *memory = memory.with(more);
                }
                match access.kind {
                    AccessKind::Store => axes,
                    _ => axes.with(*memory),
                }
            }
            _ => axes,
        }
    }
}

fn axes_of(id: Id, dimension: Option<u64>) -> Axes {
    let one = |axes: fn(u32) -> Axes| match dimension {
        Some(dimension @ 0..=2) => axes(u32::try_from(dimension).unwrap_or(0)),
        Some(_) => Axes::default(),
        None => (0..3).fold(Axes::default(), |all, at| all.with(axes(at))),
    };
    match id {
        Id::GlobalId => one(Axes::local).with(one(Axes::group)),
        Id::LocalId => one(Axes::local),
        Id::GroupId => one(Axes::group),
        Id::GlobalLinearId => Axes::ALL,
        Id::LocalLinearId => Axes::LOCAL,
        Id::GlobalSize | Id::LocalSize | Id::NumGroups | Id::GlobalOffset | Id::WorkDim => {
            Axes::default()
        }
    }
}
