//! Formulas of a kernel's indices and bounds, as tiles and parts need them.

mod extremes;
mod launch_values;
mod split;

pub(crate) use self::{
    launch_values::{LaunchValue, LaunchValues},
    split::{Scope, Split, Strip},
};

use crate::accesses::{Accesses, Atom, AtomId, Id, Loop, Operation, Polynomial};

/// The deepest nesting of formulas in formulas.
pub(crate) const MOST_FORMULA_DEPTH: usize = 12;

/// A kernel's accesses with global ids as group and local ids, and work-group sizes as numbers.
pub(crate) struct Formulas {
    pub(crate) all: Accesses,
    /// Number of work-items of a work-group, by dimension; 0 where it differs from size to size.
    pub(crate) local: [i64; 3],
    /// Whether the author's conditions may hold only because a number wraps around (`wraparound.rs`).
    pub(crate) wraps: bool,
    /// Values that all launches have in common (`launch_values.rs`).
    pub(crate) values: LaunchValues,
}

impl Formulas {
    pub(crate) fn new(all: &Accesses, local: [i64; 3], values: &LaunchValues) -> Self {
        let mut formulas = Self {
            all: all.clone(),
            local,
            wraps: false,
            values: values.clone(),
        };
        for loop_index in 0..formulas.all.loops.len() {
            let Loop { lower, upper, .. } = formulas.all.loops[loop_index].clone();
            formulas.all.loops[loop_index].lower =
                lower.map(|it| formulas.normal(&it).unwrap_or(it));
            formulas.all.loops[loop_index].upper =
                upper.map(|it| formulas.normal(&it).unwrap_or(it));
        }
        formulas
    }

    /// The formula with global ids as `group * size + local`; none where it gets too large.
    pub(crate) fn normal(&mut self, formula: &Polynomial) -> Option<Polynomial> {
        self.replace(formula, &mut |_, _| None, MOST_FORMULA_DEPTH)
    }

    /// The formula as [`normal`](Self::normal) gives it, with a loop's variable as a strip's first value and an offset
    /// in the strip.
    pub(crate) fn within(&mut self, formula: &Polynomial, scope: Scope) -> Option<Polynomial> {
        let Some(strip) = scope.strip() else {
            return Some(formula.clone());
        };
        let mut by = |all: &mut Accesses, atom: AtomId| {
            if all.atoms.get(atom) != &Atom::Loop(strip.original) {
                return None;
            }
            let first = all.atoms.formula(Atom::Loop(strip.outer));
            first.plus(&all.atoms.formula(Atom::Loop(strip.inner)))
        };
        self.replace(formula, &mut by, MOST_FORMULA_DEPTH)
    }

    pub(crate) fn replace(
        &mut self,
        formula: &Polynomial,
        by: &mut impl FnMut(&mut Accesses, AtomId) -> Option<Polynomial>,
        depth: usize,
    ) -> Option<Polynomial> {
        let depth = depth.checked_sub(1)?;
        formula.substituted(|atom| self.replace_atom(atom, by, depth))
    }

    fn replace_atom(
        &mut self,
        atom: AtomId,
        by: &mut impl FnMut(&mut Accesses, AtomId) -> Option<Polynomial>,
        depth: usize,
    ) -> Option<Polynomial> {
        if let Some(other) = by(&mut self.all, atom) {
            return Some(other);
        }
        if let Some(LaunchValue::Equal(value)) = self.values.get(&atom) {
            return Some(Polynomial::constant(*value));
        }
        match self.all.atoms.get(atom).clone() {
            Atom::Id(Id::Global, dimension) => {
                let size = *self.local.get(usize::from(dimension))?;
                if size == 0 {
                    return None;
                }
                let group = self.all.atoms.formula(Atom::Id(Id::Group, dimension));
                let local = self.all.atoms.id(Atom::Id(Id::Local, dimension));
                let local = self.replace_atom(local, by, depth)?;
                group.scaled(size)?.plus(&local)
            }
            Atom::Id(Id::Local, dimension)
                if self.local.get(usize::from(dimension)) == Some(&1) =>
            {
                Some(Polynomial::default())
            }
            Atom::Id(Id::LocalSize, dimension) => match *self.local.get(usize::from(dimension))? {
                0 => Some(Polynomial::atom(atom)),
                size => Some(Polynomial::constant(size)),
            },
            Atom::Operation(operation, operands) => {
                let operands: Option<Vec<Polynomial>> = operands
                    .iter()
                    .map(|it| self.replace(it, by, depth))
                    .collect();
                self.operation(operation, operands?)
            }
            _ => Some(Polynomial::atom(atom)),
        }
    }

    /// An operation, without the terms that a remainder is certain to drop.
    fn operation(&mut self, operation: Operation, operands: Vec<Polynomial>) -> Option<Polynomial> {
        if let (Operation::Divide | Operation::Remainder, [dividend, by]) =
            (operation, operands.as_slice())
            && let Some((rows, rest)) = self.in_rows(dividend, by)
        {
            let operands = vec![rows, by.clone()];
            let rows = self.all.atoms.operation(operation, operands);
            return match operation {
                Operation::Divide => Some(rows),
                _ => rows.plus(&rest),
            };
        }
        if let (Operation::Remainder, [dividend, by]) = (operation, operands.as_slice())
            && let Some(by) = by.as_constant().filter(|by| *by > 0)
            && self.is_no_less_than_zero(dividend)
        {
            let terms = dividend.terms().filter(|(_, number)| number % by != 0);
            let terms = terms.map(|(factors, number)| (factors.to_vec(), number % by));
            let rest = Polynomial::from_terms(terms)?;
            if let Some((least, most)) = self.bounds(&rest, None)
                && least >= 0
                && most < i128::from(by)
            {
                return Some(rest);
            }
            let by = Polynomial::constant(by);
            return Some(self.all.atoms.operation(operation, vec![rest, by]));
        }
        Some(self.all.atoms.operation(operation, operands))
    }

    /// Splits a number that is divided by a multiple of a work-group's length: into multiples of that length, and a
    /// rest. The rest changes no quotient, and stays itself in the remainder.
    fn in_rows(&self, formula: &Polynomial, by: &Polynomial) -> Option<(Polynomial, Polynomial)> {
        let multiple_of = |atom: &AtomId| match self.values.get(atom) {
            Some(LaunchValue::Multiple(factor)) => *factor,
            _ => 1,
        };
        let is_row = |length: i64| {
            let mut terms = by.terms();
            let is = |(factors, number): (&[AtomId], i64)| {
                number % length == 0 || factors.iter().any(|it| multiple_of(it) % length == 0)
            };
            length > 1 && terms.all(is)
        };
        let length = self.local.into_iter().find(|length| is_row(*length))?;
        if !self.is_no_less_than_zero(formula) {
            return None;
        }
        let (mut rows, mut rest) = (Vec::new(), Vec::new());
        for (factors, number) in formula.terms() {
            match number % length {
                0 => rows.push((factors.to_vec(), number)),
                _ => rest.push((factors.to_vec(), number)),
            }
        }
        let (rows, rest) = (Polynomial::from_terms(rows)?, Polynomial::from_terms(rest)?);
        let (least, most) = self.bounds(&rest, None)?;
        let is_within = least >= 0 && most < i128::from(length) && rest != Polynomial::default();
        is_within.then_some((rows, rest))
    }

    /// Whether a formula is a sum of ids with factors of 0 or more.
    fn is_no_less_than_zero(&self, formula: &Polynomial) -> bool {
        formula.terms().all(|(factors, number)| {
            let is_id = |atom: &AtomId| matches!(self.all.atoms.get(*atom), Atom::Id(..));
            number >= 0 && factors.iter().all(is_id)
        })
    }
}
