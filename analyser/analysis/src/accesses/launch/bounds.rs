//! Between which numbers formulas lie, and what that says of conditions.

use super::{
    domain::{DEEPEST, Domain, Range},
    linear::Linear,
};
use crate::accesses::{
    Operation, Polynomial,
    atom::{Atom, Condition, all_hold},
};

impl Domain<'_> {
    /// The least and the greatest value. Each of what varies does so by itself, so both are taken.
    pub(super) fn bounds(&self, sum: &Linear) -> Option<Range> {
        let (mut least, mut most) = (sum.constant, sum.constant);
        for (slot, by) in &sum.by {
            let (low, high) = self.ranges.get(slot)?;
            let (one, other) = (low.checked_mul(*by)?, high.checked_mul(*by)?);
            least = least.checked_add(one.min(other))?;
            most = most.checked_add(one.max(other))?;
        }
        Some((least, most))
    }

    /// Bounds of a formula. If it is no sum of what varies, its terms are taken to vary by themselves.
    fn range(&self, formula: &Polynomial, depth: usize) -> Option<Range> {
        if let Some(linear) = self.linear_within(formula, depth) {
            return self.bounds(&linear);
        }
        let (mut least, mut most) = (0_i128, 0_i128);
        for (factors, number) in formula.terms() {
            let mut term = (i128::from(number), i128::from(number));
            for factor in factors {
                let (low, high) = self.atom_range(*factor, depth)?;
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

    fn atom_range(&self, atom: usize, depth: usize) -> Option<Range> {
        if let Some(linear) = self.linear_atom(atom, depth) {
            return self.bounds(&linear);
        }
        let depth = depth.checked_sub(1)?;
        match self.all.atoms.get(atom) {
            Atom::Select(_, yes, no) => {
                let (yes, no) = (self.range(yes, depth)?, self.range(no, depth)?);
                Some((yes.0.min(no.0), yes.1.max(no.1)))
            }
            Atom::Operation(operation, operands) => {
                let [left, right] = operands.as_slice() else {
                    return None;
                };
                let (left, right) = (self.range(left, depth)?, self.range(right, depth)?);
                operation_range(*operation, left, right)
            }
            _ => None,
        }
    }

    /// Whether a condition holds everywhere or nowhere; none where neither is certain.
    pub(super) fn decide(&self, condition: &Condition) -> Option<bool> {
        match condition {
            Condition::AtLeastZero(it) => match self.range(it, DEEPEST)? {
                (least, _) if least >= 0 => Some(true),
                (_, most) if most < 0 => Some(false),
                _ => None,
            },
            Condition::Zero(it) => match self.range(it, DEEPEST)? {
                (0, 0) => Some(true),
                (least, most) if least > 0 || most < 0 => Some(false),
                _ => None,
            },
            Condition::NotZero(it) => self.decide(&Condition::Zero(it.clone())).map(|it| !it),
            Condition::All(each) => all_hold(each.iter().map(|it| self.decide(it))),
            Condition::Any(_) => self.decide(&condition.negated()).map(|it| !it),
            Condition::Opaque(_) => None,
        }
    }
}

/// Between which numbers an operation's value lies; none where that is not simple.
fn operation_range(
    operation: Operation,
    (low, high): Range,
    (least, most): Range,
) -> Option<Range> {
    let by = (least == most).then_some(least);
    Some(match (operation, by) {
        (Operation::Divide, Some(by @ 1..)) => (low / by, high / by),
        (Operation::ShiftRight, Some(by @ 0..=62)) => (low >> by, high >> by),
        (Operation::Remainder, Some(by @ 1..)) if low >= 0 && high < by => (low, high),
        (Operation::Remainder, Some(by @ 1..)) if low >= 0 => (0, by - 1),
        (Operation::And, _) if low >= 0 && least >= 0 => (0, high.min(most)),
        (Operation::Minimum, _) => (low.min(least), high.min(most)),
        (Operation::Maximum, _) => (low.max(least), high.max(most)),
        _ => return None,
    })
}
