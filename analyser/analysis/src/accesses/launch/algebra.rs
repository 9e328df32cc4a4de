//! Footprints without going through them: an index that is a sum of ids and passes, each between two bounds.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Level, Quality,
    progression::{Progression, different},
    value::Geometry,
};
use crate::accesses::{
    Access, Accesses, Loop, Operation, Polynomial, Step,
    atom::{Atom, Condition, Id, all_hold},
};

/// Whose footprint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Of {
    /// A work-item: its work-group's and its own ids.
    Item([i64; 3], [i64; 3]),
    /// A work-group.
    Group([i64; 3]),
    /// All.
    Launch,
}

/// What varies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Slot {
    Global(u8),
    Group(u8),
    Local(u8),
    /// A loop's passes.
    Pass(usize),
}

/// A number, and so many times what varies.
#[derive(Clone, Debug, Default, PartialEq)]
struct Linear {
    constant: i128,
    by: BTreeMap<Slot, i128>,
}

/// What varies, between which bounds (both included), and what loop variables are of it.
struct Space<'a> {
    all: &'a Accesses,
    geometry: &'a Geometry,
    of: Of,
    ranges: BTreeMap<Slot, (i128, i128)>,
    loops: BTreeMap<usize, Linear>,
    at_most: bool,
    /// Nothing happens.
    is_empty: bool,
}

/// Formulas in formulas.
const DEEPEST: usize = 12;

/// None where bounds depend on each other, or the index is no such sum.
pub(super) fn level(all: &Accesses, geometry: &Geometry, access: &Access, of: Of) -> Option<Level> {
    space(all, geometry, access, of)?.measured(access)
}

/// The least and the greatest byte that it begins at, or that it never happens; none where that is not known for
/// sure.
pub(super) fn extent(
    all: &Accesses,
    geometry: &Geometry,
    access: &Access,
    of: Of,
) -> Option<Option<(i64, i64)>> {
    let space = space(all, geometry, access, of)?;
    if space.at_most {
        return None;
    }
    if space.is_empty {
        return Some(None);
    }
    let (least, most) = space.bounds(&space.linear(&access.offset, DEEPEST)?)?;
    Some(Some((
        i64::try_from(least).ok()?,
        i64::try_from(most).ok()?,
    )))
}

/// Whether a condition holds for all work-items of a launch, or for none; none where neither is sure.
pub(super) fn decided(all: &Accesses, geometry: &Geometry, condition: &Condition) -> Option<bool> {
    let mut space = Space::new(all, geometry, Of::Launch);
    space.ids(&condition.atoms());
    space.decided(condition)
}

/// Where it happens.
fn space<'a>(
    all: &'a Accesses,
    geometry: &'a Geometry,
    access: &Access,
    of: Of,
) -> Option<Space<'a>> {
    let mut space = Space::new(all, geometry, of);
    space.ids(&atoms(all, access));
    for depth in 0..=access.loops.len() {
        for guard in access.guards.iter().filter(|guard| guard.depth == depth) {
            space.holds(&guard.condition)?;
        }
        if let Some(of) = access.loops.get(depth) {
            space.runs(*of)?;
        }
    }
    Some(space)
}

/// All that an access hangs on.
fn atoms(all: &Accesses, access: &Access) -> BTreeSet<usize> {
    let mut atoms = access.index.atoms();
    for of in access.loops.iter().map(|of| &all.loops[*of]) {
        let bounds = [&of.lower, &of.upper].into_iter().flatten();
        atoms.extend(bounds.flat_map(Polynomial::atoms));
    }
    let guards = access.guards.iter();
    atoms.extend(guards.flat_map(|guard| guard.condition.atoms()));
    atoms
}

impl Linear {
    fn number(value: i128) -> Self {
        Self {
            constant: value,
            by: BTreeMap::new(),
        }
    }

    fn slot(slot: Slot) -> Self {
        Self {
            constant: 0,
            by: BTreeMap::from([(slot, 1)]),
        }
    }

    fn as_number(&self) -> Option<i128> {
        self.by.is_empty().then_some(self.constant)
    }

    fn add(&mut self, other: &Self, times: i128) -> Option<()> {
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

impl<'a> Space<'a> {
    fn new(all: &'a Accesses, geometry: &'a Geometry, of: Of) -> Self {
        Self {
            all,
            geometry,
            of,
            ranges: BTreeMap::new(),
            loops: BTreeMap::new(),
            at_most: false,
            is_empty: false,
        }
    }

    /// Ids vary between 0 and their sizes; where only whole global ids are asked for, they vary as such.
    fn ids(&mut self, atoms: &BTreeSet<usize>) {
        let used = self.used(atoms);
        let groups = self.geometry.groups();
        for dimension in 0..3_u8 {
            let at = usize::from(dimension);
            let local = (0, i128::from(self.geometry.local[at]) - 1);
            match self.of {
                Of::Item(..) => {}
                Of::Group(_) => {
                    self.ranges.insert(Slot::Local(dimension), local);
                }
                Of::Launch if used[at] => {
                    self.ranges.insert(Slot::Local(dimension), local);
                    self.ranges
                        .insert(Slot::Group(dimension), (0, i128::from(groups[at]) - 1));
                }
                Of::Launch => {
                    let all = i128::from(groups[at]) * i128::from(self.geometry.local[at]);
                    self.ranges.insert(Slot::Global(dimension), (0, all - 1));
                }
            }
        }
    }

    /// By dimension: whether a local or a group's id is used by itself.
    fn used(&self, atoms: &BTreeSet<usize>) -> [bool; 3] {
        let mut used = [false; 3];
        for atom in self.all.behind(atoms) {
            if let Atom::Id(Id::Local | Id::Group, dimension) = self.all.atoms.get(atom)
                && let Some(used) = used.get_mut(usize::from(*dimension))
            {
                *used = true;
            }
        }
        used
    }

    fn linear(&self, of: &Polynomial, left: usize) -> Option<Linear> {
        let mut sum = Linear::default();
        for (factors, number) in of.terms() {
            let mut product = Linear::number(number.into());
            for factor in factors {
                let factor = self.atom(*factor, left)?;
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

    fn atom(&self, atom: usize, left: usize) -> Option<Linear> {
        let left = left.checked_sub(1)?;
        match self.all.atoms.get(atom) {
            Atom::Id(id @ (Id::Global | Id::Local | Id::Group), dimension) => {
                self.id(*id, *dimension)
            }
            fixed @ (Atom::Id(..) | Atom::Scalar(..) | Atom::Cut(..)) => {
                Some(Linear::number(self.geometry.fixed(fixed)?.into()))
            }
            Atom::Loop(of) => self.loops.get(of).cloned(),
            Atom::Operation(operation, of) => {
                let of: Vec<Linear> = of
                    .iter()
                    .map(|it| self.linear(it, left))
                    .collect::<Option<_>>()?;
                self.operation(*operation, &of)
            }
            Atom::Select(condition, yes, no) => match self.decided(condition)? {
                true => self.linear(yes, left),
                false => self.linear(no, left),
            },
            Atom::Loaded(..) | Atom::Carried(_) | Atom::Computed(_) => None,
        }
    }

    fn id(&self, id: Id, dimension: u8) -> Option<Linear> {
        let at = usize::from(dimension);
        let own = |slot: Slot, fixed: Option<&i64>| match fixed {
            Some(fixed) => Linear::number((*fixed).into()),
            None => Linear::slot(slot),
        };
        let (group, local) = match &self.of {
            Of::Item(group, local) => (Some(group), Some(local)),
            Of::Group(group) => (Some(group), None),
            Of::Launch => (None, None),
        };
        let group = own(Slot::Group(dimension), group.and_then(|it| it.get(at)));
        let local = own(Slot::Local(dimension), local.and_then(|it| it.get(at)));
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

    /// Of numbers, or where the bounds decide.
    fn operation(&self, operation: Operation, of: &[Linear]) -> Option<Linear> {
        let numbers: Option<Vec<i64>> = of
            .iter()
            .map(|it| i64::try_from(it.as_number()?).ok())
            .collect();
        if let Some(numbers) = numbers {
            return Some(Linear::number(operation.of(&numbers)?.into()));
        }
        let [left, right] = of else {
            return None;
        };
        let mut between = left.clone();
        between.add(right, -1)?;
        let (least, most) = self.bounds(&between)?;
        match (operation, least >= 0, most <= 0) {
            (Operation::Minimum, true, _) | (Operation::Maximum, _, true) => Some(right.clone()),
            (Operation::Minimum, _, true) | (Operation::Maximum, true, _) => Some(left.clone()),
            _ => None,
        }
    }

    /// The least and the most that it takes; each of what varies by itself, so both are taken.
    fn bounds(&self, of: &Linear) -> Option<(i128, i128)> {
        let (mut least, mut most) = (of.constant, of.constant);
        for (slot, by) in &of.by {
            let (low, high) = self.ranges.get(slot)?;
            let (one, other) = (low.checked_mul(*by)?, high.checked_mul(*by)?);
            least = least.checked_add(one.min(other))?;
            most = most.checked_add(one.max(other))?;
        }
        Some((least, most))
    }

    /// Between which numbers it lies: of a sum that is no linear one, as if its terms varied by themselves.
    fn range(&self, of: &Polynomial, left: usize) -> Option<(i128, i128)> {
        if let Some(linear) = self.linear(of, left) {
            return self.bounds(&linear);
        }
        let (mut least, mut most) = (0_i128, 0_i128);
        for (factors, number) in of.terms() {
            let mut term = (i128::from(number), i128::from(number));
            for factor in factors {
                let (low, high) = self.range_of_atom(*factor, left)?;
                let ends = [(term.0, low), (term.0, high), (term.1, low), (term.1, high)];
                let products = ends.map(|(one, other)| one.checked_mul(other));
                let products: Vec<i128> = products.into_iter().collect::<Option<_>>()?;
                term = (*products.iter().min()?, *products.iter().max()?);
            }
            least = least.checked_add(term.0)?;
            most = most.checked_add(term.1)?;
        }
        Some((least, most))
    }

    fn range_of_atom(&self, atom: usize, left: usize) -> Option<(i128, i128)> {
        if let Some(linear) = self.atom(atom, left) {
            return self.bounds(&linear);
        }
        let left = left.checked_sub(1)?;
        match self.all.atoms.get(atom) {
            Atom::Select(_, yes, no) => {
                let (yes, no) = (self.range(yes, left)?, self.range(no, left)?);
                Some((yes.0.min(no.0), yes.1.max(no.1)))
            }
            Atom::Operation(operation, of) => {
                let [one, other] = of.as_slice() else {
                    return None;
                };
                range_of(*operation, self.range(one, left)?, self.range(other, left)?)
            }
            _ => None,
        }
    }

    /// Whether it holds everywhere or nowhere.
    fn decided(&self, condition: &Condition) -> Option<bool> {
        let bounds = |it| self.range(it, DEEPEST);
        match condition {
            Condition::AtLeastZero(it) => match bounds(it)? {
                (least, _) if least >= 0 => Some(true),
                (_, most) if most < 0 => Some(false),
                _ => None,
            },
            Condition::Zero(it) => match bounds(it)? {
                (0, 0) => Some(true),
                (least, most) if least > 0 || most < 0 => Some(false),
                _ => None,
            },
            Condition::NotZero(it) => self.decided(&Condition::Zero(it.clone())).map(|it| !it),
            Condition::All(each) => all_hold(each.iter().map(|it| self.decided(it))),
            Condition::Any(_) => self.decided(&condition.negated()).map(|it| !it),
            Condition::Opaque(_) => None,
        }
    }

    /// Narrows the bounds to where it holds; none where that is no narrower bounds.
    fn holds(&mut self, condition: &Condition) -> Option<()> {
        match self.decided(condition) {
            Some(true) => return Some(()),
            Some(false) => {
                self.is_empty = true;
                return Some(());
            }
            None => {}
        }
        match condition {
            Condition::AtLeastZero(it) => self.at_least_zero(it),
            Condition::Zero(it) => {
                self.at_least_zero(it)?;
                self.at_least_zero(&it.scaled(-1)?)
            }
            Condition::NotZero(it) => self.not_zero(it),
            Condition::All(each) => each.iter().try_for_each(|it| self.holds(it)),
            Condition::Any(each) => {
                let mut open = each.iter().filter(|it| self.decided(it) != Some(false));
                match (open.next(), open.next()) {
                    (Some(only), None) => self.holds(&only.clone()),
                    _ => None,
                }
            }
            Condition::Opaque(_) => {
                self.at_most = true;
                Some(())
            }
        }
    }

    fn at_least_zero(&mut self, of: &Polynomial) -> Option<()> {
        let (slot, by, constant) = self.single(of)?;
        let range = self.ranges.get_mut(&slot)?;
        match by > 0 {
            true => {
                range.0 = range
                    .0
                    .max((-constant).div_euclid(by) + i128::from((-constant).rem_euclid(by) != 0))
            }
            false => range.1 = range.1.min(constant.div_euclid(-by)),
        }
        self.is_empty |= range.0 > range.1;
        Some(())
    }

    fn not_zero(&mut self, of: &Polynomial) -> Option<()> {
        let (slot, by, constant) = self.single(of)?;
        let range = self.ranges.get_mut(&slot)?;
        let hole = -constant / by;
        if hole * by != -constant || hole < range.0 || hole > range.1 {
            return Some(());
        }
        match hole {
            hole if hole == range.0 => range.0 += 1,
            hole if hole == range.1 => range.1 -= 1,
            _ => return None,
        }
        self.is_empty |= range.0 > range.1;
        Some(())
    }

    /// Of one thing that varies.
    fn single(&self, of: &Polynomial) -> Option<(Slot, i128, i128)> {
        let of = self.linear(of, DEEPEST)?;
        let mut by = of.by.iter();
        match (by.next(), by.next()) {
            (Some((slot, by)), None) => Some((*slot, *by, of.constant)),
            _ => None,
        }
    }

    /// A loop that runs equally often for all.
    fn runs(&mut self, index: usize) -> Option<()> {
        let of: &Loop = &self.all.loops[index];
        self.at_most |= of.ends_early.is_some();
        let Step::Add(by) = &of.step else {
            return None;
        };
        let by = self
            .linear(by, DEEPEST)?
            .as_number()
            .filter(|by| *by != 0)?;
        let lower = self.linear(of.lower.as_ref()?, DEEPEST)?;
        let mut span = self.linear(of.upper.as_ref()?, DEEPEST)?;
        span.add(&lower, -1)?;
        let (least, most) = self.bounds(&span)?;
        if !of.until_equal && of.rises != (by > 0) {
            return None;
        }
        let trips = |span: i128| match by > 0 {
            true => (span + by - 1).div_euclid(by).max(0),
            false => (-span - by - 1).div_euclid(-by).max(0),
        };
        if of.until_equal && (least != most || least % by != 0 || least / by < 0) {
            return None;
        }
        let (few, many) = (trips(least).min(trips(most)), trips(least).max(trips(most)));
        if few != many {
            return None;
        }
        let trips = if of.body_first { many.max(1) } else { many };
        self.is_empty |= trips == 0;
        let slot = Slot::Pass(index);
        self.ranges.insert(slot, (0, trips - 1));
        let mut value = lower;
        value.add(&Linear::slot(slot), by)?;
        self.loops.insert(index, value);
        Some(())
    }

    fn measured(&self, access: &Access) -> Option<Level> {
        let quality = if self.at_most {
            Quality::AtMost
        } else {
            Quality::Exact
        };
        if self.is_empty {
            return Some(Level {
                accesses: 0,
                elements: 0,
                items: 0,
                quality,
            });
        }
        let index = self.linear(&access.index, DEEPEST)?;
        let count = |(low, high): (i128, i128)| u64::try_from(high - low + 1).ok();
        let mut progressions = Vec::new();
        for (slot, by) in &index.by {
            progressions.push(Progression {
                step: i64::try_from(*by).ok()?,
                count: count(*self.ranges.get(slot)?)?,
            });
        }
        progressions.push(Progression {
            step: 1,
            count: super::width(access),
        });
        let (mut accesses, mut items) = (1_u64, 1_u64);
        for (slot, range) in &self.ranges {
            accesses = accesses.checked_mul(count(*range)?)?;
            if !matches!(slot, Slot::Pass(_)) {
                items = items.checked_mul(count(*range)?)?;
            }
        }
        Some(Level {
            accesses,
            elements: different(&progressions)?,
            items,
            quality,
        })
    }
}

/// Between which numbers an operation's value lies; none where that is not simple.
fn range_of(
    operation: Operation,
    (low, high): (i128, i128),
    (least, most): (i128, i128),
) -> Option<(i128, i128)> {
    let by = (least == most).then_some(least);
    Some(match (operation, by) {
        (Operation::Divide, Some(by @ 1..)) => (low / by, high / by),
        (Operation::ShiftRight, Some(by @ 0..=62)) => (low >> by, high >> by),
        (Operation::Remainder, Some(by @ 1..)) if low >= 0 => match high < by {
            true => (low, high),
            false => (0, by - 1),
        },
        (Operation::And, _) if low >= 0 && least >= 0 => (0, high.min(most)),
        (Operation::Minimum, _) => (low.min(least), high.min(most)),
        (Operation::Maximum, _) => (low.max(least), high.max(most)),
        _ => return None,
    })
}
