//! The values of variables after a loop.

use std::collections::BTreeSet;

use super::{
    LoopText, Pointer, Value, Walker,
    loop_assumptions::Assumptions,
    loop_changes::{Changes, ChangingVariable},
    loop_header::Header,
};
use crate::{
    accesses::{
        Operation, Polynomial, Step,
        alternation::{Alternation, Other, alternation},
        atom::Condition,
    },
    ast::Place,
};

pub(super) struct CurrentLoop<'e> {
    pub(super) number: usize,
    pub(super) text: &'e LoopText<'e>,
    pub(super) header: Option<&'e Header<'e>>,
    pub(super) changes: &'e Changes<'e>,
}

/// The findings of following a loop's body once.
pub(super) struct IterationResult {
    pub(super) changing: Vec<ChangingVariable>,
    /// Whether something else than the bound may end the loop.
    pub(super) is_early: bool,
    /// Atoms that decide whether it does.
    pub(super) ends: BTreeSet<usize>,
}

impl Walker<'_> {
    /// Sets variables to their values after a loop. `returns`: those before the loop.
    pub(super) fn leave_loop(
        &mut self,
        current: &CurrentLoop<'_>,
        result: IterationResult,
        assumptions: &Assumptions,
        returns: usize,
    ) {
        let place = &current.text.span.begin;
        self.set_carried(&result.changing);
        let own = &mut self.output.loops[current.number];
        own.ends_early = result.is_early.then(|| result.ends.clone());
        let own = own.clone();
        let mut bounds = result.ends;
        bounds.extend(own.bound_atoms());
        let trips = own.trips.filter(|_| !result.is_early);
        let trips = trips.map(|trips| self.at_least(trips, 0));
        if let Some(header) = current.header {
            let last = match (&own.lower, &own.step, &trips) {
                (Some(lower), Step::Add(step), Some(trips)) => {
                    step.times(trips).and_then(|it| lower.plus(&it))
                }
                _ => None,
            };
            let last = last.unwrap_or_else(|| {
                self.unknown("what a loop leaves of its variable", place, bounds.clone())
            });
            self.variables.insert(header.variable, Value::Whole(last));
        }
        for one in result.changing {
            let last = self.after_loop(&one, trips.as_ref(), place);
            let last = last.unwrap_or_else(|| self.unknown_after_loop(&one, &bounds, place));
            self.variables.insert(one.variable, last);
        }
        for (variable, assumption) in assumptions {
            if let Some(Value::Pointer(pointer)) = self.variables.get_mut(variable) {
                assumption.apply(pointer);
            }
        }
        if self.returns.len() > returns {
            // Work-items that returned inside do not come here.
            let inside = self.returns.get(returns..).unwrap_or_default();
            let roots = inside.iter().flat_map(|(when, _)| when.atoms()).collect();
            self.add_guard(Condition::Opaque(roots), place);
        }
    }

    /// A variable after `trips` iterations; none where they are unknown, or it neither steps nor alternates.
    fn after_loop(
        &mut self,
        one: &ChangingVariable,
        trips: Option<&Polynomial>,
        place: &Place,
    ) -> Option<Value> {
        let step = one.step.as_ref();
        step.and_then(|step| self.after_steps(&one.before, step, trips?, one.variable, place))
            .or_else(|| self.after_alternating(one, trips?))
    }

    /// A variable that alternates, after `trips` iterations.
    fn after_alternating(&mut self, one: &ChangingVariable, trips: &Polynomial) -> Option<Value> {
        let (carried, value) = one.carried.as_ref()?;
        let Alternation { first, other } = alternation(&self.output.atoms, *carried)?;
        let atoms = &mut self.output.atoms;
        let other = match other {
            Other::Sum(sum) => sum.minus(&first)?,
            Other::Bits(bits) => atoms.operation(Operation::Xor, vec![first.clone(), bits]),
            Other::Swap(other) => other,
        };
        let odd = atoms.operation(
            Operation::Remainder,
            vec![trips.clone(), Polynomial::constant(2)],
        );
        let last = self.select(
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

    /// The value of a variable after a loop, if only the atoms are known that it may come from.
    fn unknown_after_loop(
        &mut self,
        one: &ChangingVariable,
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
            Value::Pointer(before) => Value::Pointer(Pointer::unknown(
                self.unknown(&format!("where `{name}` points after a loop"), place, roots),
                before.element,
            )),
            _ if declared.ty.is_whole() => {
                let reason = format!("what `{name}` is after a loop");
                Value::Whole(self.unknown(&reason, place, roots))
            }
            _ => Value::Opaque(roots),
        }
    }
}
