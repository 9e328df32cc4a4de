//! Formulas at a point: a work-item, and a pass of each loop around it.

use std::collections::BTreeSet;

use kerncast_suite::{LaunchArgument, Step};

use crate::accesses::{
    Accesses, AtomId, Polynomial,
    atom::{Atom, Condition, Id, all_hold, wrapped},
    class::{Alternating, Other, alternating},
};

/// What a launch says: sizes, and numbers passed by value.
#[derive(Clone, Debug, PartialEq)]
pub struct Geometry {
    /// Work-items, by dimension.
    pub global: [i64; 3],
    /// A work-group's.
    pub local: [i64; 3],
    /// Dimensions.
    pub dimensions: i64,
    /// By parameter: bytes of a number passed by value.
    pub scalars: Vec<Option<Vec<u8>>>,
}

/// Where a formula is looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Point {
    pub(super) group: [i64; 3],
    pub(super) local: [i64; 3],
    /// By loop: its variable's value.
    pub(super) loops: Vec<i64>,
    /// By loop: passes before.
    pub(super) passes: Vec<u64>,
}

impl Geometry {
    /// Of one launch.
    pub fn of(step: &Step) -> Self {
        let sizes = |of: &[usize]| {
            let mut sizes = [1; 3];
            for (size, said) in sizes.iter_mut().zip(of) {
                *size = i64::try_from(*said).unwrap_or(i64::MAX).max(1);
            }
            sizes
        };
        let scalar = |argument: &LaunchArgument| match argument {
            LaunchArgument::Scalar(bytes) => Some(bytes.clone()),
            _ => None,
        };
        Self {
            global: sizes(&step.global),
            local: sizes(&step.local),
            dimensions: i64::try_from(step.global.len()).unwrap_or(3),
            scalars: step.arguments.iter().map(scalar).collect(),
        }
    }

    /// Work-groups, by dimension.
    pub fn groups(&self) -> [i64; 3] {
        [0, 1, 2].map(|it| (self.global[it] / self.local[it]).max(1))
    }

    /// A number passed by value.
    fn scalar(&self, parameter: usize, at: u64, bytes: u8, signed: bool) -> Option<i64> {
        let own = self.passed(parameter, at, bytes)?;
        let mut whole = [0; 8];
        whole.get_mut(..own.len())?.copy_from_slice(own);
        Some(wrapped(i64::from_le_bytes(whole), bytes, signed))
    }

    /// Its bytes.
    pub(super) fn passed(&self, parameter: usize, at: u64, bytes: u8) -> Option<&[u8]> {
        let all = self.scalars.get(parameter)?.as_ref()?;
        let begin = usize::try_from(at).ok()?;
        all.get(begin..begin.checked_add(bytes.into())?)
    }

    /// A value that is the same for the whole launch.
    pub(crate) fn fixed(&self, atom: &Atom) -> Option<i64> {
        match atom {
            Atom::Scalar(parameter, at, bytes, signed) => {
                self.scalar(*parameter, *at, *bytes, *signed)
            }
            Atom::Cut(of, bytes, signed) => self.cut(of, *bytes, *signed),
            Atom::Id(id, dimension) => {
                let at = usize::from(*dimension);
                match id {
                    Id::GlobalSize => self.global.get(at).copied(),
                    Id::LocalSize => self.local.get(at).copied(),
                    Id::Groups => self.groups().get(at).copied(),
                    Id::Dimensions => Some(self.dimensions),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn id(&self, id: Id, dimension: u8, point: &Point) -> Option<i64> {
        let at = usize::from(dimension);
        let (group, local) = (point.group.get(at)?, point.local.get(at)?);
        match id {
            Id::Global => group.checked_mul(*self.local.get(at)?)?.checked_add(*local),
            Id::Local => Some(*local),
            Id::Group => Some(*group),
            _ => self.fixed(&Atom::Id(id, dimension)),
        }
    }
}

/// A formula made ready: atoms that it needs in the order in which they need each other.
pub(super) struct Formula {
    terms: Vec<(Vec<AtomId>, i64)>,
    order: Vec<AtomId>,
}

/// A condition made ready.
pub(super) enum Test {
    AtLeastZero(Formula),
    Zero(Formula),
    NotZero(Formula),
    All(Vec<Test>),
    Any(Vec<Test>),
    Opaque,
}

/// Values of atoms at a point.
pub(super) struct Values<'a> {
    all: &'a Accesses,
    geometry: &'a Geometry,
    values: Vec<Option<i64>>,
}

impl Formula {
    pub(super) fn of(all: &Accesses, polynomial: &Polynomial) -> Self {
        Self {
            terms: polynomial
                .terms()
                .map(|(factors, number)| (factors.to_vec(), number))
                .collect(),
            order: needed(all, polynomial.atoms()),
        }
    }
}

/// An atom has a larger number than those that it is made of, but for loops and what they carry, which are looked up.
fn needed(all: &Accesses, roots: BTreeSet<AtomId>) -> Vec<AtomId> {
    let mut open: Vec<AtomId> = roots.into_iter().collect();
    let mut found = BTreeSet::new();
    while let Some(atom) = open.pop() {
        if !found.insert(atom) {
            continue;
        }
        match all.atoms.get(atom) {
            Atom::Operation(_, of) => open.extend(of.iter().flat_map(Polynomial::atoms)),
            Atom::Select(condition, yes, no) => {
                open.extend(condition.atoms());
                open.extend(yes.atoms());
                open.extend(no.atoms());
            }
            _ => {}
        }
    }
    found.into_iter().collect()
}

impl Test {
    pub(super) fn of(all: &Accesses, condition: &Condition) -> Self {
        let formula = |it| Formula::of(all, it);
        match condition {
            Condition::AtLeastZero(it) => Self::AtLeastZero(formula(it)),
            Condition::Zero(it) => Self::Zero(formula(it)),
            Condition::NotZero(it) => Self::NotZero(formula(it)),
            Condition::All(each) => Self::All(each.iter().map(|it| Self::of(all, it)).collect()),
            Condition::Any(each) => Self::Any(each.iter().map(|it| Self::of(all, it)).collect()),
            Condition::Opaque(_) => Self::Opaque,
        }
    }
}

impl<'a> Values<'a> {
    pub(super) fn new(all: &'a Accesses, geometry: &'a Geometry) -> Self {
        Self {
            all,
            geometry,
            values: vec![None; all.atoms.len()],
        }
    }

    /// None where it is not known, or can't be held.
    pub(super) fn of(&mut self, formula: &Formula, point: &Point) -> Option<i64> {
        for atom in &formula.order {
            self.values[*atom] = self.atom(*atom, point);
        }
        self.sum(
            formula
                .terms
                .iter()
                .map(|(factors, number)| (factors.as_slice(), *number)),
        )
    }

    /// None where it is not known.
    pub(super) fn holds(&mut self, test: &Test, point: &Point) -> Option<bool> {
        match test {
            Test::AtLeastZero(it) => Some(self.of(it, point)? >= 0),
            Test::Zero(it) => Some(self.of(it, point)? == 0),
            Test::NotZero(it) => Some(self.of(it, point)? != 0),
            Test::All(each) => all_hold(each.iter().map(|it| self.holds(it, point))),
            Test::Any(each) => {
                let none = all_hold(each.iter().map(|it| Some(!self.holds(it, point)?)));
                none.map(|it| !it)
            }
            Test::Opaque => None,
        }
    }

    fn polynomial(&self, of: &Polynomial) -> Option<i64> {
        self.sum(of.terms())
    }

    fn sum<'t>(&self, mut terms: impl Iterator<Item = (&'t [AtomId], i64)>) -> Option<i64> {
        terms.try_fold(0_i64, |sum, (factors, number)| {
            let term = factors.iter().try_fold(number, |product, atom| {
                product.checked_mul(self.values[*atom]?)
            })?;
            sum.checked_add(term)
        })
    }

    fn condition(&self, condition: &Condition) -> Option<bool> {
        match condition {
            Condition::AtLeastZero(it) => Some(self.polynomial(it)? >= 0),
            Condition::Zero(it) => Some(self.polynomial(it)? == 0),
            Condition::NotZero(it) => Some(self.polynomial(it)? != 0),
            Condition::All(each) => each
                .iter()
                .try_fold(true, |all, it| Some(all && self.condition(it)?)),
            Condition::Any(each) => each
                .iter()
                .try_fold(false, |any, it| Some(any || self.condition(it)?)),
            Condition::Opaque(_) => None,
        }
    }

    fn atom(&self, atom: AtomId, point: &Point) -> Option<i64> {
        match self.all.atoms.get(atom) {
            Atom::Id(id, dimension) => self.geometry.id(*id, *dimension, point),
            fixed @ (Atom::Scalar(..) | Atom::Cut(..)) => self.geometry.fixed(fixed),
            Atom::Loop(of) => point.loops.get(*of).copied(),
            Atom::Operation(operation, of) => {
                let mut values = [0; 2];
                for (value, of) in values.iter_mut().zip(of) {
                    *value = self.polynomial(of)?;
                }
                operation.of(values.get(..of.len())?)
            }
            Atom::Select(condition, yes, no) => match self.condition(condition)? {
                true => self.polynomial(yes),
                false => self.polynomial(no),
            },
            Atom::Carried(carried) => self.alternating(*carried, point),
            Atom::Loaded(..) | Atom::Computed(_) => None,
        }
    }

    fn alternating(&self, carried: usize, point: &Point) -> Option<i64> {
        let Alternating { first, other } = alternating(&self.all.atoms, carried)?;
        let passes = point.passes.get(self.all.atoms.carried[carried].of)?;
        let fixed = |of: &Polynomial| {
            of.terms().try_fold(0_i64, |sum, (factors, number)| {
                let value = |atom: &AtomId| match self.all.atoms.get(*atom) {
                    Atom::Id(id, dimension) => self.geometry.id(*id, *dimension, point),
                    Atom::Loop(of) => point.loops.get(*of).copied(),
                    atom => self.geometry.fixed(atom),
                };
                let term = factors
                    .iter()
                    .try_fold(number, |product, atom| product.checked_mul(value(atom)?))?;
                sum.checked_add(term)
            })
        };
        let first = fixed(&first)?;
        if passes % 2 == 0 {
            return Some(first);
        }
        match other {
            Other::Sum(sum) => fixed(&sum)?.checked_sub(first),
            Other::Bits(bits) => Some(first ^ fixed(&bits)?),
            Other::Swap(other) => fixed(&other),
        }
    }
}
