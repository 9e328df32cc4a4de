//! Formulas at a point: a work-item, and an iteration of each loop around it.

use std::collections::BTreeSet;

use super::geometry::Geometry;
use crate::accesses::{
    Accesses, AtomId, Polynomial,
    alternation::{Alternation, Other, alternation},
    atom::{Atom, Condition, Id, all_hold},
};

/// The point at which a formula is evaluated.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Point {
    pub(super) group: [i64; 3],
    pub(super) local: [i64; 3],
    /// The value of each loop's variable.
    pub(super) loops: Vec<i64>,
    /// The number of earlier iterations of each loop.
    pub(super) iterations: Vec<u64>,
}

impl Point {
    fn id(&self, id: Id, dimension: u8, geometry: &Geometry) -> Option<i64> {
        let at = usize::from(dimension);
        let (group, local) = (self.group.get(at)?, self.local.get(at)?);
        match id {
            Id::Global => {
                let first = group.checked_mul(*geometry.local.get(at)?)?;
                first.checked_add(*local)
            }
            Id::Local => Some(*local),
            Id::Group => Some(*group),
            _ => geometry.launch_constant(&Atom::Id(id, dimension)),
        }
    }
}

/// A prepared formula: its terms, and the atoms that it needs, each after those that it is made of.
pub(super) struct Formula {
    terms: Vec<(Vec<AtomId>, i64)>,
    order: Vec<AtomId>,
}

pub(super) enum Predicate {
    AtLeastZero(Formula),
    Zero(Formula),
    NotZero(Formula),
    All(Vec<Predicate>),
    Any(Vec<Predicate>),
    Opaque,
}

/// Values of atoms at a point.
pub(super) struct Values<'a> {
    all: &'a Accesses,
    geometry: &'a Geometry,
    values: Vec<Option<i64>>,
}

impl Formula {
    pub(super) fn new(all: &Accesses, polynomial: &Polynomial) -> Self {
        Self {
            terms: polynomial
                .terms()
                .map(|(factors, number)| (factors.to_vec(), number))
                .collect(),
            order: evaluation_order(all, polynomial.atoms()),
        }
    }
}

/// The atoms that `roots` need, in ascending order. An atom has a larger number than those that it is made of; loops
/// and carried variables are looked up instead.
fn evaluation_order(all: &Accesses, roots: BTreeSet<AtomId>) -> Vec<AtomId> {
    let mut open: Vec<AtomId> = roots.into_iter().collect();
    let mut needed = BTreeSet::new();
    while let Some(atom) = open.pop() {
        if !needed.insert(atom) {
            continue;
        }
        match all.atoms.get(atom) {
            Atom::Operation(_, operands) => {
                open.extend(operands.iter().flat_map(Polynomial::atoms))
            }
            Atom::Select(condition, yes, no) => {
                open.extend(condition.atoms());
                open.extend(yes.atoms());
                open.extend(no.atoms());
            }
            _ => {}
        }
    }
    needed.into_iter().collect()
}

impl Predicate {
    pub(super) fn new(all: &Accesses, condition: &Condition) -> Self {
        let formula = |it| Formula::new(all, it);
        match condition {
            Condition::AtLeastZero(it) => Self::AtLeastZero(formula(it)),
            Condition::Zero(it) => Self::Zero(formula(it)),
            Condition::NotZero(it) => Self::NotZero(formula(it)),
            Condition::All(each) => Self::All(each.iter().map(|it| Self::new(all, it)).collect()),
            Condition::Any(each) => Self::Any(each.iter().map(|it| Self::new(all, it)).collect()),
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

    /// A formula's value; none where it is not known, or does not fit 64 bits.
    pub(super) fn value(&mut self, formula: &Formula, point: &Point) -> Option<i64> {
        for atom in &formula.order {
            self.values[*atom] = self.atom(*atom, point);
        }
        let terms = formula.terms.iter();
        let terms = terms.map(|(factors, number)| (factors.as_slice(), *number));
        sum(terms, |atom| self.values[atom])
    }

    /// Whether a condition holds; none where that is not known.
    pub(super) fn holds(&mut self, predicate: &Predicate, point: &Point) -> Option<bool> {
        match predicate {
            Predicate::AtLeastZero(it) => Some(self.value(it, point)? >= 0),
            Predicate::Zero(it) => Some(self.value(it, point)? == 0),
            Predicate::NotZero(it) => Some(self.value(it, point)? != 0),
            Predicate::All(each) => all_hold(each.iter().map(|it| self.holds(it, point))),
            Predicate::Any(each) => {
                let none = all_hold(each.iter().map(|it| Some(!self.holds(it, point)?)));
                none.map(|it| !it)
            }
            Predicate::Opaque => None,
        }
    }

    fn polynomial(&self, formula: &Polynomial) -> Option<i64> {
        sum(formula.terms(), |atom| self.values[atom])
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
            Atom::Id(id, dimension) => point.id(*id, *dimension, self.geometry),
            constant @ (Atom::Scalar(..) | Atom::Cut(..)) => {
                self.geometry.launch_constant(constant)
            }
            Atom::Loop(number) => point.loops.get(*number).copied(),
            Atom::Operation(operation, operands) => {
                let mut values = [0; 2];
                for (value, operand) in values.iter_mut().zip(operands) {
                    *value = self.polynomial(operand)?;
                }
                operation.apply(values.get(..operands.len())?)
            }
            Atom::Select(condition, yes, no) => {
                self.polynomial(if self.condition(condition)? { yes } else { no })
            }
            Atom::Carried(carried) => self.alternating(*carried, point),
            Atom::Loaded(..) | Atom::Computed(_) => None,
        }
    }

    fn alternating(&self, carried: usize, point: &Point) -> Option<i64> {
        let Alternation { first, other } = alternation(&self.all.atoms, carried)?;
        let iterations = point
            .iterations
            .get(self.all.atoms.carried[carried].around)?;
        let value = |atom| match self.all.atoms.get(atom) {
            Atom::Id(id, dimension) => point.id(*id, *dimension, self.geometry),
            Atom::Loop(number) => point.loops.get(*number).copied(),
            atom => self.geometry.launch_constant(atom),
        };
        let fixed = |formula: &Polynomial| sum(formula.terms(), value);
        let first = fixed(&first)?;
        if iterations % 2 == 0 {
            return Some(first);
        }
        match other {
            Other::Sum(sum) => fixed(&sum)?.checked_sub(first),
            Other::Bits(bits) => Some(first ^ fixed(&bits)?),
            Other::Swap(other) => fixed(&other),
        }
    }
}

fn sum<'t>(
    mut terms: impl Iterator<Item = (&'t [AtomId], i64)>,
    value: impl Fn(AtomId) -> Option<i64>,
) -> Option<i64> {
    terms.try_fold(0_i64, |sum, (factors, number)| {
        let mut factors = factors.iter();
        let term = factors.try_fold(number, |product, it| product.checked_mul(value(*it)?))?;
        sum.checked_add(term)
    })
}
