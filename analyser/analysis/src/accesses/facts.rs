//! Facts about values, from all that their atoms are made of.

use std::collections::BTreeSet;

use super::{
    Accesses, Does, Guard,
    atom::{Atom, Id},
    polynomial::{AtomId, Polynomial},
};
use crate::ast::Space;

/// The sources of a value.
#[derive(Default)]
pub(super) struct Facts {
    pub(super) loads: BTreeSet<usize>,
    /// Numbers of [`Computed`](super::atom::Computed): values that are not followed.
    pub(super) computed: BTreeSet<usize>,
    /// Numbers of [`Carried`](super::atom::Carried): values that loops carry from iteration to iteration.
    pub(super) carried: BTreeSet<usize>,
    /// Whether the value may differ between work-items, work-groups or iterations of a loop.
    pub(super) has_ids: bool,
}

/// Atoms that decide whether, and how often, something inside these guards and loops happens.
pub(super) fn control_atoms(all: &Accesses, guards: &[Guard], loops: &[usize]) -> BTreeSet<AtomId> {
    let mut atoms: BTreeSet<AtomId> = guards.iter().flat_map(|it| it.condition.atoms()).collect();
    for around in loops.iter().map(|number| &all.loops[*number]) {
        atoms.extend(around.bound_atoms());
        atoms.extend(around.step.amount().atoms());
        atoms.extend(around.ends_early.iter().flatten());
    }
    atoms
}

impl Accesses {
    /// The sources of these atoms.
    pub(super) fn facts(&self, roots: &BTreeSet<AtomId>) -> Facts {
        let mut facts = Facts::default();
        for atom in self.closure(roots) {
            match self.atoms.get(atom) {
                Atom::Id(Id::Global | Id::Local | Id::Group, _) | Atom::Loop(_) => {
                    facts.has_ids = true;
                }
                Atom::Loaded(access, _) => {
                    facts.loads.insert(*access);
                }
                Atom::Computed(computed) => {
                    facts.computed.insert(*computed);
                }
                Atom::Carried(carried) => {
                    facts.carried.insert(*carried);
                }
                Atom::Id(..)
                | Atom::Scalar(..)
                | Atom::Cut(..)
                | Atom::Operation(..)
                | Atom::Select(..) => {}
            }
        }
        facts
    }

    /// These atoms, and all that their values are made of.
    pub(super) fn closure(&self, roots: &BTreeSet<AtomId>) -> BTreeSet<AtomId> {
        let mut open: Vec<AtomId> = roots.iter().copied().collect();
        let mut closure = BTreeSet::new();
        while let Some(atom) = open.pop() {
            if closure.insert(atom) {
                open.extend(self.operands(atom));
            }
        }
        closure
    }

    /// Loops whose variables an atom is made of.
    pub(crate) fn loops_of(&self, atom: AtomId) -> Vec<usize> {
        self.loops_by(atom, &|atom| match atom {
            Atom::Loop(number) => Some(*number),
            _ => None,
        })
    }

    /// Loops that carry an atom's value from iteration to iteration.
    pub(crate) fn carrying_loops(&self, atom: AtomId) -> Vec<usize> {
        self.loops_by(atom, &|atom| match atom {
            Atom::Carried(carried) => Some(self.atoms.carried[*carried].around),
            _ => None,
        })
    }

    fn loops_by(&self, atom: AtomId, number: &impl Fn(&Atom) -> Option<usize>) -> Vec<usize> {
        match self.atoms.get(atom) {
            Atom::Operation(..) | Atom::Select(..) => {
                let operands = self.operands(atom).into_iter();
                operands.flat_map(|it| self.loops_by(it, number)).collect()
            }
            other => number(other).into_iter().collect(),
        }
    }

    /// The atoms that an atom's value is directly made of.
    pub(super) fn operands(&self, atom: AtomId) -> BTreeSet<AtomId> {
        match self.atoms.get(atom) {
            Atom::Id(..) | Atom::Scalar(..) | Atom::Cut(..) | Atom::Loaded(..) => BTreeSet::new(),
            Atom::Loop(number) => {
                let own = &self.loops[*number];
                let mut atoms = own.step.amount().atoms();
                atoms.extend(own.lower.iter().flat_map(Polynomial::atoms));
                atoms
            }
            Atom::Operation(_, operands) => operands.iter().flat_map(Polynomial::atoms).collect(),
            Atom::Select(condition, yes, no) => {
                let either = &yes.atoms() | &no.atoms();
                &condition.atoms() | &either
            }
            Atom::Carried(carried) => self.atoms.carried[*carried].roots.clone(),
            Atom::Computed(computed) => self.atoms.computed[*computed].roots.clone(),
        }
    }
}

/// Whether the work-items of a work-group may differ in one of these atoms.
pub(super) fn varies(all: &Accesses, roots: &BTreeSet<AtomId>) -> bool {
    let mut open: Vec<AtomId> = roots.iter().copied().collect();
    let mut visited = vec![false; all.atoms.len()];
    while let Some(atom) = open.pop() {
        if std::mem::replace(&mut visited[atom], true) {
            continue;
        }
        match all.atoms.get(atom) {
            Atom::Id(Id::Global | Id::Local, _) => return true,
            Atom::Loaded(access, _) => {
                let access = &all.accesses[*access];
                let Some(array) = access.array else {
                    return true;
                };
                // Private memory is each work-item's own, and so is what an atomic operation returns.
                if all.arrays[array].space == Space::Private || access.does == Does::Atomic {
                    return true;
                }
                open.extend(access.offset.atoms());
            }
            // What a loop leaves depends on how many iterations there were.
            Atom::Carried(carried) => {
                let around = &all.loops[all.atoms.carried[*carried].around];
                open.extend(around.ends_early.iter().flatten());
            }
            _ => {}
        }
        open.extend(all.operands(atom));
    }
    false
}
