//! Loops, followed once for all iterations.

use std::{collections::BTreeSet, mem};

use super::{
    LoopText, Pointer, Value, Walker,
    loop_assumptions::Assumptions,
    loop_changes::{Amount, Change, Changes, ChangingVariable},
    loop_exit::{CurrentLoop, IterationResult},
};
use crate::{
    accesses::{
        Operation, Polynomial, Step,
        atom::{Atom, Carried},
    },
    ast::{Binary, Kind, Place, Type, VariableId},
};

/// The most times that a loop is followed to find out where its pointers may be, and which numbers it restores.
const MOST_ATTEMPTS: usize = 4;

impl Walker<'_> {
    /// Follows a loop once for all iterations. Assumptions about pointers are revised until an iteration does not
    /// contradict them.
    pub(super) fn walk_loop(&mut self, text: &LoopText<'_>) {
        let mut changes = Changes::new(self.unit, text);
        let pointees = self.variables.values().filter_map(|value| match value {
            Value::Address(id, _) | Value::Within(id, _) => Some(*id),
            _ => None,
        });
        changes.note_pointees(pointees);
        let header = text.condition.and_then(|it| self.header(it, &changes));
        let number = self.output.loops.len();
        let record = self.loop_record(header.as_ref(), &changes, text);
        self.output.loops.push(record);
        let current = CurrentLoop {
            number,
            text,
            header: header.as_ref(),
            changes: &changes,
        };
        let mut assumptions = self.assume_swaps(&changes);
        for attempt in 1.. {
            let before = self.snapshot();
            let result = self.walk_iteration(&current, &assumptions);
            let mut revised = self.revise(&assumptions);
            if attempt <= MOST_ATTEMPTS {
                revised.extend(self.restored_numbers(&result.changing, &changes));
            }
            if revised == assumptions {
                self.leave_loop(&current, result, &assumptions, before.returns);
                return;
            }
            self.restore(before);
            assumptions = if attempt < MOST_ATTEMPTS {
                revised
            } else {
                Assumptions::new()
            };
        }
    }

    /// Follows the body once, from the beginning of any iteration.
    fn walk_iteration(
        &mut self,
        current: &CurrentLoop<'_>,
        assumptions: &Assumptions,
    ) -> IterationResult {
        let text = current.text;
        let changing = self.begin_iteration(current, assumptions);
        let guards = self.guards.len();
        self.loops.push(current.number);
        let mut ends = BTreeSet::new();
        // The part of the condition that is not the bound.
        let tested = match current.header {
            Some(header) => header.rest,
            None => text.condition,
        };
        let is_early = current.changes.leaves || tested.is_some() || text.condition.is_none();
        if let Some(tested) = tested.filter(|_| !text.body_first) {
            let when = self.condition(tested);
            ends.extend(when.atoms());
            self.add_guard(when, &tested.span.begin);
        }
        let inside = self.guards.len();
        let outer_breaks = mem::take(&mut self.at_breaks);
        self.stmt(text.body);
        // What the loop leaves of its variables follows from its changes.
        self.at_breaks = outer_breaks;
        for guard in self.guards.get(inside..).unwrap_or_default() {
            ends.extend(guard.condition.atoms());
        }
        self.guards.truncate(inside);
        if let Some(step) = text.step {
            self.eval(step);
        }
        if let Some(tested) = tested.filter(|_| text.body_first) {
            ends.extend(self.condition(tested).atoms());
        }
        self.loops.pop();
        self.guards.truncate(guards);
        IterationResult {
            changing,
            is_early,
            ends,
        }
    }

    /// Sets variables that the loop changes to their values at the beginning of any iteration.
    fn begin_iteration(
        &mut self,
        current: &CurrentLoop<'_>,
        assumptions: &Assumptions,
    ) -> Vec<ChangingVariable> {
        let changes = current.changes;
        let place = &current.text.span.begin;
        let loop_variable = self.atoms().formula(Atom::Loop(current.number));
        let iterations = self.iterations_before(current.number, &loop_variable);
        let mut changing = Vec::new();
        for (variable, change) in &changes.variables {
            let variable = *variable;
            let Some(before) = self.variables.get(&variable).cloned() else {
                continue;
            };
            if current.header.is_some_and(|it| it.variable == variable) {
                let value = Value::Whole(loop_variable.clone());
                self.variables.insert(variable, value);
                continue;
            }
            let is_restored =
                matches!(before, Value::Whole(_)) && assumptions.contains_key(&variable);
            let step = if is_restored {
                Some(Polynomial::default())
            } else {
                self.sum_step(change, changes, place)
            };
            let stepped = match (&step, &iterations) {
                _ if is_restored => Some(before.clone()),
                (Some(step), Some(iterations)) => {
                    self.after_steps(&before, step, iterations, variable, place)
                }
                _ => None,
            };
            let (value, carried) = match stepped {
                Some(value) => (value, None),
                None => {
                    let (carried, mut value) = self.carry(current.number, variable, &before);
                    if let Value::Pointer(pointer) = &mut value
                        && let Some(assumption) = assumptions.get(&variable)
                    {
                        assumption.apply(pointer);
                    }
                    (value.clone(), Some((carried, value)))
                }
            };
            let is_stepped = carried.is_none();
            changing.push(ChangingVariable {
                variable,
                before,
                step: step.filter(|_| is_stepped),
                carried,
            });
            self.variables.insert(variable, value);
        }
        changing
    }

    /// Number of earlier iterations, as a formula of the loop's variable.
    fn iterations_before(
        &mut self,
        number: usize,
        loop_variable: &Polynomial,
    ) -> Option<Polynomial> {
        let own = &self.output.loops[number];
        let Step::Add(step) = &own.step else {
            return None;
        };
        let operands = vec![loop_variable.minus(own.lower.as_ref()?)?, step.clone()];
        Some(self.atoms().operation(Operation::Divide, operands))
    }

    /// The number that a change adds in every iteration.
    fn sum_step(
        &mut self,
        change: &Change<'_>,
        changes: &Changes<'_>,
        place: &Place,
    ) -> Option<Polynomial> {
        let Change::Step(by @ (Binary::Add | Binary::Subtract), amount) = change else {
            return None;
        };
        if matches!(amount, Amount::Expr(expr) if !changes.is_invariant(expr)) {
            return None;
        }
        let amount = self.amount(amount, place);
        match by {
            Binary::Subtract => amount.scaled(-1),
            _ => Some(amount),
        }
    }

    /// A variable after several iterations that each add `step`.
    pub(super) fn after_steps(
        &mut self,
        before: &Value,
        step: &Polynomial,
        iterations: &Polynomial,
        variable: VariableId,
        place: &Place,
    ) -> Option<Value> {
        let by = step.times(iterations)?;
        match (before, &self.unit.variables[variable].ty) {
            (Value::Whole(first), _) => first.plus(&by).map(Value::Whole),
            (Value::Pointer(_), Type::Pointer(_, pointee)) => {
                Some(self.offset_pointer(before.clone(), &by, pointee, place))
            }
            _ => None,
        }
    }

    /// A new carried variable: its number, and its value at an iteration's beginning.
    fn carry(&mut self, number: usize, variable: VariableId, before: &Value) -> (usize, Value) {
        let declared = &self.unit.variables[variable];
        let atoms = &mut self.output.atoms;
        atoms.carried.push(Carried {
            name: declared.name.to_string(),
            around: number,
            first: before.number(),
            next: None,
            roots: before.roots(),
        });
        let carried = atoms.carried.len() - 1;
        let atom = atoms.id(Atom::Carried(carried));
        let value = match (&declared.ty, before) {
            (ty, _) if ty.is_whole() && ty.scalar().is_some_and(|it| it.kind != Kind::Bool) => {
                Value::Whole(Polynomial::atom(atom))
            }
            (Type::Pointer(..), Value::Pointer(before)) => {
                Value::Pointer(Pointer::unknown(Polynomial::atom(atom), before.element))
            }
            _ => Value::Opaque(BTreeSet::from([atom])),
        };
        (carried, value)
    }

    /// Sets the values of carried variables at an iteration's end.
    pub(super) fn set_carried(&mut self, changing: &[ChangingVariable]) {
        for one in changing {
            let after = self.variables.get(&one.variable);
            let (Some((carried, _)), Some(after)) = (&one.carried, after) else {
                continue;
            };
            let entry = &mut self.output.atoms.carried[*carried];
            entry.roots.extend(after.roots());
            entry.next = after.number();
        }
    }
}
