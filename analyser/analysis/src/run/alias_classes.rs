//! Classes of objects that an address may point to: addresses that come from one another are in one class (after
//! Steensgaard, Points-to Analysis in Almost Linear Time, 1996).

use super::{AccessId, Operation, Program, Slot};

pub(super) struct AliasClasses {
    parents: Vec<u32>,
    /// The class that each access goes to.
    pub(super) of_access: Vec<u32>,
}

impl AliasClasses {
    /// The classes of a program. `same`: pairs of arguments, by place, that are one buffer.
    pub(super) fn new(program: &Program, same: &[(usize, usize)]) -> Self {
        let mut all = Self {
            parents: (0..program.slots).collect(),
            of_access: Vec::new(),
        };
        let mut is_constant = vec![false; program.slots as usize];
        for (slot, _) in &program.constants {
            is_constant[slot.0 as usize] = true;
        }
        for object in &program.objects {
            is_constant[object.address.0 as usize] = false;
        }
        // A null pointer points to nothing, and a 0 to nothing either.
        let joins = |slot: Slot| !is_constant[slot.0 as usize];
        let mut unknown: Vec<Slot> = Vec::new();
        for block in &program.blocks {
            for instruction in &block.instructions {
                let from: &[Slot] = match &instruction.operation {
                    Operation::Index(..) | Operation::Offset(_) => {
                        instruction.operands.get(..1).unwrap_or_default()
                    }
                    Operation::Select | Operation::Pick => {
                        instruction.operands.get(1..).unwrap_or_default()
                    }
                    Operation::Access(_)
                    | Operation::Address
                    | Operation::Call(_)
                    | Operation::Unknown(_) => {
                        unknown.extend(&instruction.results);
                        &[]
                    }
                    _ => &[],
                };
                for result in &instruction.results {
                    for from in from.iter().filter(|slot| joins(**slot)) {
                        all.join(*result, *from);
                    }
                }
            }
            for edge in block.end.edges() {
                for (to, from) in edge.copies.iter().filter(|(_, from)| joins(*from)) {
                    all.join(*to, *from);
                }
            }
        }
        let argument = |place: usize| {
            let slots = program.arguments.get(place)?;
            (!slots.is_empty()).then_some(Slot(slots.start))
        };
        for (one, other) in same {
            if let (Some(one), Some(other)) = (argument(*one), argument(*other)) {
                all.join(one, other);
            }
        }
        all.join_unknown(program, &unknown);
        all
    }

    /// Joins the class of an address of unknown origin with all of its space.
    fn join_unknown(&mut self, program: &Program, unknown: &[Slot]) {
        let mut is_unknown = vec![false; program.slots as usize];
        for slot in unknown {
            is_unknown[self.find(*slot) as usize] = true;
        }
        let mut has_object = vec![false; program.slots as usize];
        for object in &program.objects {
            has_object[self.find(object.address) as usize] = true;
        }
        let addresses = addresses(program);
        let mut wild = Vec::new();
        for (access, address) in addresses.iter().enumerate() {
            let Some(address) = address else { continue };
            let class = self.find(*address) as usize;
            if is_unknown[class] || !has_object[class] {
                wild.push((program.accesses[access].space, *address));
            }
        }
        for (space, address) in wild {
            for object in program.objects.iter().filter(|it| it.space == space) {
                self.join(object.address, address);
            }
        }
        self.of_access = addresses
            .iter()
            .map(|address| address.map_or(u32::MAX, |address| self.find(address)))
            .collect();
    }

    fn join(&mut self, one: Slot, other: Slot) {
        let (one, other) = (self.find(one), self.find(other));
        self.parents[one as usize] = other;
    }

    /// The class of a slot.
    pub(super) fn find(&mut self, slot: Slot) -> u32 {
        let mut at = slot.0;
        while self.parents[at as usize] != at {
            let above = self.parents[at as usize];
            self.parents[at as usize] = self.parents[above as usize];
            at = above;
        }
        at
    }

    pub(super) fn of_access(&self, access: AccessId) -> u32 {
        self.of_access[access.0 as usize]
    }
}

/// The address of each access.
fn addresses(program: &Program) -> Vec<Option<Slot>> {
    let mut all = vec![None; program.accesses.len()];
    for (access, instruction) in program.access_instructions() {
        all[access.0 as usize] = instruction.operands.first().copied();
    }
    all
}
