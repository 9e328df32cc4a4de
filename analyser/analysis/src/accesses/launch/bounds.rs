//! Bounds of formulas. Guards and loops bound what varies.

use super::domain::{Bounds, Domain, Linear, MOST_FORMULA_DEPTH, Slot, product_bounds};
use crate::accesses::{
    Loop, Operation, Polynomial, Step,
    atom::{Atom, Condition, all_hold},
};

impl Domain<'_> {
    /// The least and the greatest value. All slots vary by themselves, so both are reached.
    pub(super) fn bounds(&self, sum: &Linear) -> Option<Bounds> {
        let (mut least, mut most) = (sum.constant, sum.constant);
        for (slot, by) in &sum.by {
            let (low, high) = self.ranges.get(slot)?;
            let (one, other) = (low.checked_mul(*by)?, high.checked_mul(*by)?);
            least = least.checked_add(one.min(other))?;
            most = most.checked_add(one.max(other))?;
        }
        Some((least, most))
    }

    /// Bounds of a formula. If it is no sum of slots, its terms are taken to vary by themselves.
    fn range(&self, formula: &Polynomial, depth: usize) -> Option<Bounds> {
        if let Some(linear) = self.linear_within(formula, depth) {
            return self.bounds(&linear);
        }
        let (mut least, mut most) = (0_i128, 0_i128);
        for (factors, number) in formula.terms() {
            let mut term = (i128::from(number), i128::from(number));
            for factor in factors {
                term = product_bounds(term, self.atom_range(*factor, depth)?)?;
            }
            least = least.checked_add(term.0)?;
            most = most.checked_add(term.1)?;
        }
        Some((least, most))
    }

    fn atom_range(&self, atom: usize, depth: usize) -> Option<Bounds> {
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
            Condition::AtLeastZero(it) => match self.range(it, MOST_FORMULA_DEPTH)? {
                (least, _) if least >= 0 => Some(true),
                (_, most) if most < 0 => Some(false),
                _ => None,
            },
            Condition::Zero(it) => match self.range(it, MOST_FORMULA_DEPTH)? {
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

    /// Narrows the bounds to where a condition holds; none where the condition is no bound.
    pub(super) fn narrow(&mut self, condition: &Condition) -> Option<()> {
        if let Some(holds) = self.decide(condition) {
            self.is_empty |= !holds;
            return Some(());
        }
        match condition {
            Condition::AtLeastZero(it) => self.narrow_to_at_least_zero(it),
            Condition::Zero(it) => {
                self.narrow_to_at_least_zero(it)?;
                self.narrow_to_at_least_zero(&it.scaled(-1)?)
            }
            Condition::NotZero(it) => self.exclude_zero(it),
            Condition::All(each) => each.iter().try_for_each(|it| self.narrow(it)),
            Condition::Any(each) => {
                let mut open = each.iter().filter(|it| self.decide(it) != Some(false));
                match (open.next(), open.next()) {
                    (Some(only), None) => self.narrow(&only.clone()),
                    _ => None,
                }
            }
            Condition::Opaque(_) => {
                self.at_most = true;
                Some(())
            }
        }
    }

    fn narrow_to_at_least_zero(&mut self, formula: &Polynomial) -> Option<()> {
        let (slot, by, constant) = self.only_slot(formula)?;
        let range = self.ranges.get_mut(&slot)?;
        if by > 0 {
            let rounded_up = i128::from((-constant).rem_euclid(by) != 0);
            range.0 = range.0.max((-constant).div_euclid(by) + rounded_up);
        } else {
            range.1 = range.1.min(constant.div_euclid(-by));
        }
        self.is_empty |= range.0 > range.1;
        Some(())
    }

    fn exclude_zero(&mut self, formula: &Polynomial) -> Option<()> {
        let (slot, by, constant) = self.only_slot(formula)?;
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

    /// The slot of a formula with a single one, its factor, and the number that is added.
    fn only_slot(&self, formula: &Polynomial) -> Option<(Slot, i128, i128)> {
        let sum = self.linear(formula)?;
        let mut by = sum.by.iter();
        match (by.next(), by.next()) {
            (Some((slot, by)), None) => Some((*slot, *by, sum.constant)),
            _ => None,
        }
    }

    /// Adds the iterations of a loop; none where it does not run equally often for all.
    pub(super) fn add_loop(&mut self, number: usize) -> Option<()> {
        let around: &Loop = &self.all.loops[number];
        self.at_most |= around.ends_early.is_some();
        let Step::Add(step) = &around.step else {
            return None;
        };
        let step = self.linear(step)?.as_number().filter(|step| *step != 0)?;
        let lower = self.linear(around.lower.as_ref()?)?;
        let mut span = self.linear(around.upper.as_ref()?)?;
        span.add(&lower, -1)?;
        let (least, most) = self.bounds(&span)?;
        if !around.until_equal && around.rises != (step > 0) {
            return None;
        }
        if around.until_equal && (least != most || least % step != 0 || least / step < 0) {
            return None;
        }
        let trips = |span: i128| {
            let trips = if step > 0 {
                (span + step - 1).div_euclid(step)
            } else {
                (-span - step - 1).div_euclid(-step)
            };
            trips.max(0)
        };
        let mut count = trips(least);
        if count != trips(most) {
            return None;
        }
        if around.body_first {
            count = count.max(1);
        }
        self.is_empty |= count == 0;
        let slot = Slot::Iteration(number);
        self.ranges.insert(slot, (0, count - 1));
        let mut value = lower;
        value.add(&Linear::slot(slot), step)?;
        self.loops.insert(number, value);
        Some(())
    }
}

/// Bounds of an operation's value; none where that is not simple.
fn operation_range(
    operation: Operation,
    (low, high): Bounds,
    (least, most): Bounds,
) -> Option<Bounds> {
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
