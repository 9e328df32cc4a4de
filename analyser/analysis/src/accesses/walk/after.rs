//! What a loop leaves behind.

use std::collections::BTreeSet;

use super::{
    Walker,
    header::Header,
    value::{Pointer, Value},
};
use crate::{
    accesses::{
        Loop, Operation, Polynomial, Step,
        atom::Condition,
        class::{Alternating, Other, alternating},
    },
    ast::{Place, VariableId},
};

/// A variable that changes while the loop runs.
pub(super) struct Changing {
    pub(super) variable: VariableId,
    pub(super) before: Value,
    /// By so much a pass.
    pub(super) step: Option<Polynomial>,
    /// Its number among the carried ones, and what it is at a pass's beginning.
    pub(super) carried: Option<(usize, Value)>,
}

impl Walker<'_> {
    /// What the loop leaves behind.
    pub(super) fn after(
        &mut self,
        of: usize,
        header: Option<&Header<'_>>,
        changing: Vec<Changing>,
        is_early: bool,
        ends: &BTreeSet<usize>,
        place: &Place,
    ) {
        let Loop {
            lower,
            upper,
            step,
            trips,
            ..
        } = self.found.loops[of].clone();
        let mut bounds = ends.clone();
        for bound in [&lower, &upper].into_iter().flatten() {
            bounds.extend(bound.atoms());
        }
        let trips = trips
            .filter(|_| !is_early)
            .map(|trips| match trips.as_constant() {
                Some(trips) => Polynomial::constant(trips.max(0)),
                None => self
                    .atoms()
                    .operation(Operation::Maximum, vec![trips, Polynomial::default()]),
            });
        if let Some(header) = header {
            let last = match (&lower, &step, &trips) {
                (Some(lower), Step::Add(step), Some(trips)) => {
                    step.times(trips).and_then(|it| lower.plus(&it))
                }
                _ => None,
            };
            let last = match last {
                Some(last) => last,
                None => self.unknown("what a loop leaves of its variable", place, bounds.clone()),
            };
            self.variables.insert(header.variable, Value::Whole(last));
        }
        for one in changing {
            let last = match (&one.step, &trips) {
                (Some(step), Some(trips)) => {
                    self.stepped(&one.before, step, trips, one.variable, place)
                }
                _ => None,
            };
            let last = last.or_else(|| self.alternated(&one, trips.as_ref()?));
            let last = last.unwrap_or_else(|| self.left(&one, &bounds, place));
            self.variables.insert(one.variable, last);
        }
    }

    /// What goes back and forth, after so many passes.
    pub(super) fn alternated(&mut self, one: &Changing, trips: &Polynomial) -> Option<Value> {
        let (carried, value) = one.carried.as_ref()?;
        let Alternating { first, other } = alternating(&self.found.atoms, *carried)?;
        let atoms = &mut self.found.atoms;
        let other = match other {
            Other::Sum(sum) => sum.minus(&first)?,
            Other::Bits(bits) => atoms.operation(Operation::Xor, vec![first.clone(), bits]),
            Other::Swap(other) => other,
        };
        let odd = atoms.operation(
            Operation::Remainder,
            vec![trips.clone(), Polynomial::constant(2)],
        );
        let last = self.either(
            &Condition::NotZero(odd),
            Value::Whole(other),
            Value::Whole(first),
        );
        match (value, last) {
            (Value::Whole(_), last) => Some(last),
            (Value::Pointer(pointer), Value::Whole(offset)) => Some(Value::Pointer(Pointer {
                offset,
                ..pointer.clone()
            })),
            _ => None,
        }
    }

    /// A variable after a loop, where all that is known is what it may come from.
    pub(super) fn left(
        &mut self,
        one: &Changing,
        bounds: &BTreeSet<usize>,
        place: &Place,
    ) -> Value {
        let mut roots = bounds.clone();
        roots.extend(one.before.roots());
        if let Some((_, value)) = &one.carried {
            roots.extend(value.roots());
        }
        let declared = &self.unit.variables[one.variable];
        let name = &declared.name;
        match &one.before {
            Value::Pointer(before) => Value::Pointer(Pointer::lost(
                self.unknown(&format!("where `{name}` points after a loop"), place, roots),
                before.element,
            )),
            _ if declared.of.is_whole() => {
                let reason = format!("what `{name}` is after a loop");
                Value::Whole(self.unknown(&reason, place, roots))
            }
            _ => Value::Opaque(roots),
        }
    }
}
