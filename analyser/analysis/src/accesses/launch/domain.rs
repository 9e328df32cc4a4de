//! The domain of an access: what varies between which bounds, and formulas as sums of that.

use std::collections::{BTreeMap, BTreeSet};

use super::geometry::Geometry;
use crate::accesses::{
    Access, Accesses, Operation, Polynomial,
    atom::{Atom, Id},
};

/// The work-items whose accesses are looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Level {
    /// One work-item: the ids of its work-group, and its own within.
    Item([i64; 3], [i64; 3]),
    /// One work-group, by its ids.
    Group([i64; 3]),
    Launch,
}

/// The least and the greatest value, both included.
pub(crate) type Bounds = (i128, i128);

/// Bounds of the product of two numbers.
pub(crate) fn product_bounds(one: Bounds, other: Bounds) -> Option<Bounds> {
    let ends = [one.0, one.1].map(|it| [it.checked_mul(other.0), it.checked_mul(other.1)]);
    let ends: Vec<i128> = ends.into_iter().flatten().collect::<Option<_>>()?;
    Some((*ends.iter().min()?, *ends.iter().max()?))
}

/// Something that varies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slot {
    Global(u8),
    Group(u8),
    Local(u8),
    Iteration(usize),
}

/// A linear sum: a number, and slots times their factors.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Linear {
    pub(super) constant: i128,
    pub(super) by: BTreeMap<Slot, i128>,
}

/// The slots of an access, and loop variables as sums of them.
pub(super) struct Domain<'a> {
    pub(super) all: &'a Accesses,
    geometry: &'a Geometry,
    level: Level,
    pub(super) ranges: BTreeMap<Slot, Bounds>,
    pub(super) loops: BTreeMap<usize, Linear>,
    /// Whether conditions on data, or loops that may end early, may leave out some points.
    pub(super) at_most: bool,
    pub(super) is_empty: bool,
}

pub(super) const MOST_FORMULA_DEPTH: usize = 12;

impl<'a> Domain<'a> {
    pub(super) fn new(all: &'a Accesses, geometry: &'a Geometry, level: Level) -> Self {
        Self {
            all,
            geometry,
            level,
            ranges: BTreeMap::new(),
            loops: BTreeMap::new(),
            at_most: false,
            is_empty: false,
        }
    }

    /// The domain of an access; none where its guards and loops do not give each slot bounds of its own.
    pub(super) fn for_access(
        all: &'a Accesses,
        geometry: &'a Geometry,
        access: &Access,
        level: Level,
    ) -> Option<Self> {
        let mut domain = Self::new(all, geometry, level);
        domain.add_ids(&atoms(all, access));
        for depth in 0..=access.loops.len() {
            for guard in access.guards.iter().filter(|guard| guard.depth == depth) {
                domain.narrow(&guard.condition)?;
            }
            if let Some(number) = access.loops.get(depth) {
                domain.add_loop(*number)?;
            }
        }
        Some(domain)
    }

    /// Adds ids, which vary between 0 and their sizes. If the formulas use whole global ids alone, these vary as such.
    pub(super) fn add_ids(&mut self, atoms: &BTreeSet<usize>) {
        let uses_parts = self.uses_local_or_group_id(atoms);
        let groups = self.geometry.groups();
        for dimension in 0..3_u8 {
            let at = usize::from(dimension);
            let local = (0, i128::from(self.geometry.local[at]) - 1);
            match self.level {
                Level::Item(..) => {}
                Level::Group(_) => {
                    self.ranges.insert(Slot::Local(dimension), local);
                }
                Level::Launch if uses_parts[at] => {
                    self.ranges.insert(Slot::Local(dimension), local);
                    self.ranges
                        .insert(Slot::Group(dimension), (0, i128::from(groups[at]) - 1));
                }
                Level::Launch => {
                    let items = i128::from(groups[at]) * i128::from(self.geometry.local[at]);
                    self.ranges.insert(Slot::Global(dimension), (0, items - 1));
                }
            }
        }
    }

    fn uses_local_or_group_id(&self, atoms: &BTreeSet<usize>) -> [bool; 3] {
        let mut uses = [false; 3];
        for atom in self.all.closure(atoms) {
            if let Atom::Id(Id::Local | Id::Group, dimension) = self.all.atoms.get(atom)
                && let Some(uses) = uses.get_mut(usize::from(*dimension))
            {
                *uses = true;
            }
        }
        uses
    }

    /// A formula as a sum of slots; none where it is no such sum.
    pub(super) fn linear(&self, formula: &Polynomial) -> Option<Linear> {
        self.linear_within(formula, MOST_FORMULA_DEPTH)
    }

    pub(super) fn linear_within(&self, formula: &Polynomial, depth: usize) -> Option<Linear> {
        let mut sum = Linear::default();
        for (factors, number) in formula.terms() {
            let mut product = Linear::number(number.into());
            for factor in factors {
                let factor = self.linear_atom(*factor, depth)?;
                let (varying, number) = match (product.as_number(), factor.as_number()) {
                    (Some(number), _) => (factor, number),
                    (None, Some(number)) => (product, number),
                    (None, None) => return None,
                };
                product = Linear::default();
                product.add(&varying, number)?;
            }
            sum.add(&product, 1)?;
        }
        Some(sum)
    }

    pub(super) fn linear_atom(&self, atom: usize, depth: usize) -> Option<Linear> {
        let depth = depth.checked_sub(1)?;
        match self.all.atoms.get(atom) {
            Atom::Id(id @ (Id::Global | Id::Local | Id::Group), dimension) => {
                self.linear_id(*id, *dimension)
            }
            constant @ (Atom::Id(..) | Atom::Scalar(..) | Atom::Cut(..)) => Some(Linear::number(
                self.geometry.launch_constant(constant)?.into(),
            )),
            Atom::Loop(number) => self.loops.get(number).cloned(),
            Atom::Operation(operation, operands) => {
                let operands = operands.iter().map(|it| self.linear_within(it, depth));
                let operands: Vec<Linear> = operands.collect::<Option<_>>()?;
                self.linear_operation(*operation, &operands)
            }
            Atom::Select(condition, yes, no) => {
                let branch = if self.decide(condition)? { yes } else { no };
                self.linear_within(branch, depth)
            }
            Atom::Loaded(..) | Atom::Carried(_) | Atom::Computed(_) => None,
        }
    }

    fn linear_id(&self, id: Id, dimension: u8) -> Option<Linear> {
        let at = usize::from(dimension);
        let fixed_or = |fixed: Option<&i64>, slot: Slot| match fixed {
            Some(fixed) => Linear::number((*fixed).into()),
            None => Linear::slot(slot),
        };
        let (group, local) = match &self.level {
            Level::Item(group, local) => (Some(group), Some(local)),
            Level::Group(group) => (Some(group), None),
            Level::Launch => (None, None),
        };
        let group = fixed_or(group.and_then(|it| it.get(at)), Slot::Group(dimension));
        let local = fixed_or(local.and_then(|it| it.get(at)), Slot::Local(dimension));
        match id {
            Id::Global if self.ranges.contains_key(&Slot::Global(dimension)) => {
                Some(Linear::slot(Slot::Global(dimension)))
            }
            Id::Global => {
                let mut sum = local;
                sum.add(&group, (*self.geometry.local.get(at)?).into())?;
                Some(sum)
            }
            Id::Local => Some(local),
            _ => Some(group),
        }
    }

    /// An operation of numbers, or a minimum or maximum that the bounds decide.
    fn linear_operation(&self, operation: Operation, operands: &[Linear]) -> Option<Linear> {
        let numbers: Option<Vec<i64>> = operands
            .iter()
            .map(|it| i64::try_from(it.as_number()?).ok())
            .collect();
        if let Some(numbers) = numbers {
            return Some(Linear::number(operation.apply(&numbers)?.into()));
        }
        let [left, right] = operands else {
            return None;
        };
        let mut difference = left.clone();
        difference.add(right, -1)?;
        let (least, most) = self.bounds(&difference)?;
        match (operation, least >= 0, most <= 0) {
            (Operation::Minimum, true, _) | (Operation::Maximum, _, true) => Some(right.clone()),
            (Operation::Minimum, _, true) | (Operation::Maximum, true, _) => Some(left.clone()),
            _ => None,
        }
    }
}

/// All atoms that an access depends on.
fn atoms(all: &Accesses, access: &Access) -> BTreeSet<usize> {
    let mut atoms = access.index.atoms();
    for around in access.loops.iter().map(|number| &all.loops[*number]) {
        atoms.extend(around.bound_atoms());
    }
    let guards = access.guards.iter();
    atoms.extend(guards.flat_map(|guard| guard.condition.atoms()));
    atoms
}

impl Linear {
    pub(super) fn number(value: i128) -> Self {
        Self {
            constant: value,
            ..Self::default()
        }
    }

    pub(super) fn slot(slot: Slot) -> Self {
        Self {
            constant: 0,
            by: BTreeMap::from([(slot, 1)]),
        }
    }

    pub(super) fn as_number(&self) -> Option<i128> {
        self.by.is_empty().then_some(self.constant)
    }

    pub(super) fn add(&mut self, other: &Self, times: i128) -> Option<()> {
        self.constant = self
            .constant
            .checked_add(other.constant.checked_mul(times)?)?;
        for (slot, by) in &other.by {
            let own = self.by.entry(*slot).or_default();
            *own = own.checked_add(by.checked_mul(times)?)?;
            if *own == 0 {
                self.by.remove(slot);
            }
        }
        Some(())
    }
}
