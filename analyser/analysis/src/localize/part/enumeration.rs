//! Enumerates an access's places in the first work-group, if all work-groups have the same places.

use std::collections::BTreeSet;

use crate::{
    accesses::{Accesses, Atom, AtomId, Condition, Id, Polynomial, launch::Geometry},
    localize::{Formulas, Reason},
};

/// The deepest nesting of formulas in formulas.
const MOST_FORMULA_DEPTH: usize = 8;

/// The atoms that may decide an access's places: local ids, loops with such bounds, and numbers.
#[derive(Clone, Copy)]
pub(super) struct Enumeration<'f> {
    pub(super) formulas: &'f Formulas,
    /// Loops around the access.
    pub(super) nest: &'f [usize],
    /// Whether numbers that the launch passes may decide them, too.
    pub(super) with_scalars: bool,
}

impl Enumeration<'_> {
    pub(super) fn allows(&self, atom: AtomId) -> bool {
        self.allows_within(atom, MOST_FORMULA_DEPTH)
    }

    fn allows_within(&self, atom: AtomId, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        match self.formulas.all.atoms.get(atom) {
            Atom::Id(Id::Local | Id::LocalSize, _) => true,
            Atom::Scalar(_, 0, ..) => self.with_scalars,
            Atom::Loop(loop_index) => self.allows_loop(*loop_index),
            Atom::Operation(_, operands) => {
                let mut atoms = operands.iter().flat_map(Polynomial::atoms);
                atoms.all(|it| self.allows_within(it, depth))
            }
            _ => false,
        }
    }

    fn allows_loop(&self, loop_index: usize) -> bool {
        let around = &self.formulas.all.loops[loop_index];
        let (lower, upper) = (around.lower.as_ref(), around.upper.as_ref());
        let parts = [lower, upper, Some(around.step.amount())];
        let is_shared = |part: &Polynomial| {
            part.atoms().iter().all(|atom| {
                // Loops are numbered as they begin: bounds are of loops outside.
                let mut loops = self.formulas.all.loops_of(*atom).into_iter();
                loops.all(|outer| outer < loop_index) && self.allows(*atom)
            })
        };
        self.nest.contains(&loop_index) && parts.iter().all(|it| it.is_some_and(is_shared))
    }

    fn allows_condition(&self, condition: &Condition) -> bool {
        !condition.is_opaque() && condition.atoms().iter().all(|atom| self.allows(*atom))
    }

    /// The values of a formula in the first work-group where an access is made: one for each work-item and iteration of
    /// the loops that it, or `more`, depends on. Conditions that something else decides are taken to hold.
    ///
    /// # Errors
    /// Something else decides the formula.
    pub(super) fn places(
        &self,
        access: usize,
        at: &Polynomial,
        more: BTreeSet<AtomId>,
        geometry: &Geometry,
    ) -> Result<Vec<i64>, Reason> {
        let mut all = self.formulas.all.clone();
        let mut probe = all.accesses[access].clone();
        let mut open = more;
        open.extend(at.atoms());
        probe
            .guards
            .retain(|it| self.allows_condition(&it.condition));
        for guard in &probe.guards {
            open.extend(guard.condition.atoms());
        }
        let needed = loops(&all, open);
        if !needed
            .iter()
            .all(|loop_index| self.allows_loop(*loop_index))
        {
            return Err(Reason::SizeDepends);
        }
        let dropped: Vec<usize> = (0..probe.loops.len())
            .filter(|it| !needed.contains(&probe.loops[*it]))
            .collect();
        for guard in &mut probe.guards {
            guard.depth -= dropped.iter().filter(|it| **it < guard.depth).count();
        }
        probe.loops.retain(|loop_index| needed.contains(loop_index));
        probe.index = at.clone();
        probe.offset = at.clone();
        all.accesses.push(probe);
        let mut places = Vec::new();
        let [x, y, z] = geometry.local;
        for item in 0..x * y * z {
            let local = [item % x, item / x % y, item / x / y];
            let gone = all.offsets_at_most(all.accesses.len() - 1, geometry, [0; 3], local);
            places.extend(gone.ok_or(Reason::SizeDepends)?.0);
        }
        Ok(places)
    }
}

/// The loops that these atoms depend on.
fn loops(all: &Accesses, mut open: BTreeSet<AtomId>) -> BTreeSet<usize> {
    let mut needed = BTreeSet::new();
    while let Some(atom) = open.pop_first() {
        let loops = all.loops_of(atom).into_iter();
        for own in loops.chain(all.carrying_loops(atom)) {
            if needed.insert(own) {
                open.extend(all.loops[own].bound_atoms());
            }
        }
    }
    needed
}
