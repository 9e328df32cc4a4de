//! The least and the greatest values of formulas.

use super::{Formulas, MOST_FORMULA_DEPTH};
use crate::accesses::{
    Atom, AtomId, Id, Operation, Polynomial, Step,
    launch::{Bounds, Geometry, product_bounds},
};

impl Formulas {
    /// The least and the largest value of a formula, over all launches, or at the sizes of one.
    pub(crate) fn bounds(&self, formula: &Polynomial, at: Option<&Geometry>) -> Option<Bounds> {
        self.bounds_within(formula, at, MOST_FORMULA_DEPTH)
    }

    fn bounds_within(
        &self,
        formula: &Polynomial,
        at: Option<&Geometry>,
        depth: usize,
    ) -> Option<Bounds> {
        let depth = depth.checked_sub(1)?;
        let (mut least, mut most) = (0_i128, 0_i128);
        for (factors, number) in formula.terms() {
            let mut term = (i128::from(number), i128::from(number));
            for atom in factors {
                term = product_bounds(term, self.bounds_of(*atom, at, depth)?)?;
            }
            least = least.checked_add(term.0)?;
            most = most.checked_add(term.1)?;
        }
        Some((least, most))
    }

    fn bounds_of(&self, atom: AtomId, at: Option<&Geometry>, depth: usize) -> Option<Bounds> {
        let one = |value: i64| (i128::from(value), i128::from(value));
        match self.all.atoms.get(atom) {
            Atom::Id(Id::Local, dimension) => {
                let dimension = usize::from(*dimension);
                let size = match *self.local.get(dimension)? {
                    0 => *at?.local.get(dimension)?,
                    size => size,
                };
                Some((0, i128::from(size - 1)))
            }
            Atom::Id(Id::Group, dimension) => {
                let groups = at?.groups();
                Some((0, i128::from(groups.get(usize::from(*dimension))? - 1)))
            }
            known @ (Atom::Scalar(..) | Atom::Id(..)) => at?.launch_constant(known).map(one),
            Atom::Loop(loop_index) => self.loop_bounds(*loop_index, at, depth),
            Atom::Operation(operation, operands) => {
                let bounds = operands.iter().map(|it| self.bounds_within(it, at, depth));
                operation_bounds(*operation, &bounds.collect::<Option<Vec<_>>>()?)
            }
            Atom::Select(_, yes, no) => {
                let yes = self.bounds_within(yes, at, depth)?;
                let no = self.bounds_within(no, at, depth)?;
                Some((yes.0.min(no.0), yes.1.max(no.1)))
            }
            _ => None,
        }
    }

    /// The values of a loop's variable.
    fn loop_bounds(
        &self,
        loop_index: usize,
        at: Option<&Geometry>,
        depth: usize,
    ) -> Option<Bounds> {
        let around = &self.all.loops[loop_index];
        let step = match &around.step {
            Step::Add(by) => by.as_constant()?,
            _ => return None,
        };
        if around.until_equal || around.body_first || around.rises != (step > 0) {
            return None;
        }
        let lower = self.bounds_within(around.lower.as_ref()?, at, depth)?;
        let upper = self.bounds_within(around.upper.as_ref()?, at, depth)?;
        Some(if !around.rises {
            ((upper.0 + 1).min(lower.1), lower.1)
        } else if lower.0 == lower.1 {
            // From one number on in steps the last iteration may end before the bound.
            let (most, step) = ((upper.1 - 1 - lower.0).max(0), i128::from(step));
            (lower.0, lower.0 + most / step * step)
        } else {
            (lower.0, (upper.1 - 1).max(lower.0))
        })
    }
}

/// Bounds of an operation's value; none where that is not simple.
fn operation_bounds(operation: Operation, operands: &[Bounds]) -> Option<Bounds> {
    match (operation, operands) {
        (Operation::Minimum, [a, b]) => Some((a.0.min(b.0), a.1.min(b.1))),
        (Operation::Maximum, [a, b]) => Some((a.0.max(b.0), a.1.max(b.1))),
        (Operation::Divide, [a, b]) if a.0 >= 0 && b.0 > 0 => Some((a.0 / b.1, a.1 / b.0)),
        (Operation::Remainder, [a, b]) if a.0 >= 0 && b.0 > 0 => Some((0, a.1.min(b.1 - 1))),
        (Operation::And, [a, b]) if a.0 >= 0 && b.0 >= 0 => Some((0, a.1.min(b.1))),
        (Operation::ShiftRight, [a, b]) if a.0 >= 0 && b.0 == b.1 => {
            let by = u32::try_from(b.0).ok().filter(|by| *by < 64)?;
            Some((a.0 >> by, a.1 >> by))
        }
        (Operation::Wrap(bytes, signed), [a]) => {
            let bits = 8 * u32::from(bytes);
            let (least, most) = if signed {
                (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1)
            } else {
                (0, (1_i128 << bits) - 1)
            };
            (a.0 >= least && a.1 <= most).then_some(*a)
        }
        _ => None,
    }
}
