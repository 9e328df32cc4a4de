//! Loops: walked once for all passes.

use std::{collections::BTreeSet, mem};

use super::{
    Walker,
    after::Changing,
    assigned::{Amount, By, Change, Changes},
    assumed::Assumptions,
    header::Header,
    value::{Pointer, Value},
};
use crate::{
    accesses::{
        Loop, Operation, Polynomial, Step,
        atom::{Atom, Carried, Condition},
    },
    ast::{Expr, Kind, Place, Span, Stmt, Type, VariableId},
};

/// A loop that is walked.
struct Passes<'u> {
    of: usize,
    header: Option<&'u Header<'u>>,
    changes: &'u Changes<'u>,
    condition: Option<&'u Expr>,
    step: Option<&'u Expr>,
    body: &'u Stmt,
    body_first: bool,
    span: &'u Span,
}

/// Loops are walked so often to find out where their pointers may be, and what they put back.
const MOST_ATTEMPTS: usize = 4;

impl Walker<'_> {
    pub(super) fn repeat(
        &mut self,
        condition: Option<&Expr>,
        step: Option<&Expr>,
        body: &Stmt,
        body_first: bool,
        span: &Span,
    ) {
        let mut changes = Changes::of(self.unit, condition, step, body);
        let pointees = self.variables.values().filter_map(|value| match value {
            Value::Address(id, _) | Value::Within(id, _) => Some(*id),
            _ => None,
        });
        changes.set_pointees(pointees);
        let header = condition.and_then(|it| self.header(it, &changes));
        let of = self.found.loops.len();
        let described = self.described(header.as_ref(), &changes, body_first, span);
        self.found.loops.push(described);
        let mut assumed = self.assumed(&changes);
        let passes = Passes {
            of,
            header: header.as_ref(),
            changes: &changes,
            condition,
            step,
            body,
            body_first,
            span,
        };
        for attempt in 1.. {
            let before = self.state();
            let walked = self.walk_passes(&passes, &assumed);
            let mut better = self.contradicted(&assumed);
            if attempt <= MOST_ATTEMPTS {
                better.extend(self.put_back(&walked.0, &changes));
            }
            if better == assumed {
                self.leave(&passes, walked, &assumed, before.returned);
                return;
            }
            self.restore(before);
            assumed = if attempt < MOST_ATTEMPTS {
                better
            } else {
                Assumptions::new()
            };
        }
    }

    /// Walks the body once; what changes, whether something else than the bound may end the loop, and what.
    fn walk_passes(
        &mut self,
        passes: &Passes<'_>,
        assumed: &Assumptions,
    ) -> (Vec<Changing>, bool, BTreeSet<usize>) {
        let (header, condition) = (passes.header, passes.condition);
        let changing = self.begin(passes, assumed);
        let guards = self.guards.len();
        self.nest.push(passes.of);
        let mut ends = BTreeSet::new();
        let tested = match header {
            Some(header) => header.rest,
            None => condition,
        };
        let is_early = passes.changes.leaves || tested.is_some() || condition.is_none();
        if let Some(tested) = tested.filter(|_| !passes.body_first) {
            let when = self.condition(tested);
            ends.extend(when.atoms());
            self.guard(when, &tested.span.begin);
        }
        let inside = self.guards.len();
        let outer = mem::take(&mut self.broken);
        self.stmt(passes.body);
        // What a loop leaves of its variables is told by its changes.
        self.broken = outer;
        for left in self.guards.get(inside..).unwrap_or_default() {
            ends.extend(left.condition.atoms());
        }
        self.guards.truncate(inside);
        if let Some(step) = passes.step {
            self.eval(step);
        }
        if let Some(tested) = tested.filter(|_| passes.body_first) {
            ends.extend(self.condition(tested).atoms());
        }
        self.nest.pop();
        self.guards.truncate(guards);
        (changing, is_early, ends)
    }

    fn leave(
        &mut self,
        passes: &Passes<'_>,
        (changing, is_early, ends): (Vec<Changing>, bool, BTreeSet<usize>),
        assumed: &Assumptions,
        returned: usize,
    ) {
        let place = &passes.span.begin;
        self.end_passes(&changing);
        if is_early {
            self.found.loops[passes.of].ends_early = Some(ends.clone());
        }
        self.after(passes.of, passes.header, changing, is_early, &ends, place);
        for (variable, assumed) in assumed {
            if let Some(Value::Pointer(pointer)) = self.variables.get_mut(variable) {
                assumed.set(pointer);
            }
        }
        if self.returned.len() > returned {
            // Whoever returned inside does not come here.
            let since = self.returned.get(returned..).unwrap_or_default();
            let roots = since.iter().flat_map(|(when, _)| when.atoms()).collect();
            self.guard(Condition::Opaque(roots), place);
        }
    }

    /// Sets what the loop changes to what it is at the beginning of any pass.
    fn begin(&mut self, passes: &Passes<'_>, assumed: &Assumptions) -> Vec<Changing> {
        let (of, header, changes) = (passes.of, passes.header, passes.changes);
        let place = &passes.span.begin;
        let own = self.atoms().of(Atom::Loop(of));
        let passes = self.passes(of, &own);
        let mut changing = Vec::new();
        for (variable, change) in &changes.variables {
            let variable = *variable;
            let Some(before) = self.variables.get(&variable).cloned() else {
                continue;
            };
            if header.is_some_and(|it| it.variable == variable) {
                self.variables.insert(variable, Value::Whole(own.clone()));
                continue;
            }
            let is_put_back = matches!(before, Value::Whole(_)) && assumed.contains_key(&variable);
            let step = match is_put_back {
                true => Some(Polynomial::default()),
                false => self.sum_step(change, changes, place),
            };
            let stepped = match (&step, &passes) {
                _ if is_put_back => Some(before.clone()),
                (Some(step), Some(passes)) => self.stepped(&before, step, passes, variable, place),
                _ => None,
            };
            let (value, carried) = match stepped {
                Some(value) => (value, None),
                None => {
                    let (carried, mut value) = self.carry(of, variable, &before);
                    if let (Value::Pointer(pointer), Some(assumed)) =
                        (&mut value, assumed.get(&variable))
                    {
                        assumed.set(pointer);
                    }
                    (value.clone(), Some((carried, value)))
                }
            };
            let is_stepped = carried.is_none();
            changing.push(Changing {
                variable,
                before,
                step: step.filter(|_| is_stepped),
                carried,
            });
            self.variables.insert(variable, value);
        }
        changing
    }

    /// How many passes came before, from the loop's own variable.
    pub(super) fn passes(&mut self, of: usize, own: &Polynomial) -> Option<Polynomial> {
        let (lower, step) = match &self.found.loops[of] {
            Loop {
                lower: Some(lower),
                step: Step::Add(step),
                ..
            } => (lower.clone(), step.clone()),
            _ => return None,
        };
        let since = own.minus(&lower)?;
        Some(self.atoms().operation(Operation::Divide, vec![since, step]))
    }

    fn sum_step(
        &mut self,
        change: &Change<'_>,
        changes: &Changes<'_>,
        place: &Place,
    ) -> Option<Polynomial> {
        let Change::Step(by @ (By::Add | By::Subtract), amount) = change else {
            return None;
        };
        if matches!(amount, Amount::Expr(expr) if !changes.leaves_alone(expr)) {
            return None;
        }
        let amount = self.amount(amount, place);
        match by {
            By::Subtract => amount.scaled(-1),
            _ => Some(amount),
        }
    }

    pub(super) fn stepped(
        &mut self,
        before: &Value,
        step: &Polynomial,
        passes: &Polynomial,
        variable: VariableId,
        place: &Place,
    ) -> Option<Value> {
        let by = step.times(passes)?;
        match (before, &self.unit.variables[variable].of) {
            (Value::Whole(first), _) => first.plus(&by).map(Value::Whole),
            (Value::Pointer(_), Type::Pointer(_, of)) => {
                Some(self.moved(before.clone(), &by, of, place))
            }
            _ => None,
        }
    }

    fn carry(&mut self, of: usize, variable: VariableId, before: &Value) -> (usize, Value) {
        let declared = &self.unit.variables[variable];
        let first = match before {
            Value::Whole(first) => Some(first.clone()),
            Value::Pointer(pointer) => Some(pointer.offset.clone()),
            _ => None,
        };
        let atoms = &mut self.found.atoms;
        atoms.carried.push(Carried {
            name: declared.name.to_string(),
            of,
            first,
            next: None,
            roots: before.roots(),
        });
        let carried = atoms.carried.len() - 1;
        let atom = atoms.id(Atom::Carried(carried));
        let value = match (&declared.of, before) {
            (of, _) if of.is_whole() && of.scalar().is_some_and(|it| it.kind != Kind::Bool) => {
                Value::Whole(Polynomial::atom(atom))
            }
            (Type::Pointer(..), Value::Pointer(before)) => {
                Value::Pointer(Pointer::lost(Polynomial::atom(atom), before.element))
            }
            _ => Value::Opaque(BTreeSet::from([atom])),
        };
        (carried, value)
    }

    /// What is carried from a pass to the next.
    fn end_passes(&mut self, changing: &[Changing]) {
        for one in changing {
            let Some((carried, _)) = &one.carried else {
                continue;
            };
            let Some(after) = self.variables.get(&one.variable) else {
                continue;
            };
            let next = match after {
                Value::Whole(next) => Some(next.clone()),
                Value::Pointer(next) => Some(next.offset.clone()),
                _ => None,
            };
            let roots = after.roots();
            let entry = &mut self.found.atoms.carried[*carried];
            entry.roots.extend(roots);
            entry.next = next;
        }
    }
}
