//! Guards and loops as bounds of what varies.

use super::{
    domain::Domain,
    linear::{Linear, Slot},
};
use crate::accesses::{Loop, Polynomial, Step, atom::Condition};

impl Domain<'_> {
    /// Narrows the bounds to where a condition holds; none where that is no narrower bounds.
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

    /// What varies in a formula in which one thing does, its factor, and the number that is added.
    fn only_slot(&self, formula: &Polynomial) -> Option<(Slot, i128, i128)> {
        let sum = self.linear(formula)?;
        let mut by = sum.by.iter();
        match (by.next(), by.next()) {
            (Some((slot, by)), None) => Some((*slot, *by, sum.constant)),
            _ => None,
        }
    }

    /// Adds the passes of a loop; none where it does not run equally often for all.
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
        let slot = Slot::Pass(number);
        self.ranges.insert(slot, (0, count - 1));
        let mut value = lower;
        value.add(&Linear::slot(slot), step)?;
        self.loops.insert(number, value);
        Some(())
    }
}
