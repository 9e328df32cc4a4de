//! Loops: walked once for all passes.

use std::collections::BTreeSet;

use super::{
    Walker,
    assigned::{Amount, By, Change, Changes},
    value::{Pointer, Value},
};
use crate::{
    accesses::{
        Loop, Operation, Polynomial, Step,
        atom::{Atom, Carried, Condition},
    },
    ast::{Binary, Expr, ExprKind, Kind, Place, Span, Stmt, Type, VariableId},
};

/// `x < bound`, of a variable that the loop steps.
struct Header<'u> {
    variable: VariableId,
    operation: Binary,
    bound: &'u Expr,
    /// What else must hold.
    rest: Option<&'u Expr>,
}

/// A variable that changes while the loop runs.
struct Changing {
    variable: VariableId,
    before: Value,
    /// By so much a pass.
    step: Option<Polynomial>,
    /// Its number among the carried ones, and what it is at a pass's beginning.
    carried: Option<(usize, Value)>,
}

impl Walker<'_> {
    pub(super) fn repeat(
        &mut self,
        condition: Option<&Expr>,
        step: Option<&Expr>,
        body: &Stmt,
        body_first: bool,
        span: &Span,
    ) {
        let changes = Changes::of(self.unit, condition, step, body);
        let header = condition.and_then(|it| self.header(it, &changes));
        let of = self.found.loops.len();
        let described = self.described(header.as_ref(), &changes, body_first, span);
        self.found.loops.push(described);
        let changing = self.begin(of, header.as_ref(), &changes, &span.begin);
        let (guards, returned) = (self.guards.len(), self.returned.len());
        self.nest.push(of);
        let mut ends = BTreeSet::new();
        let mut is_early = changes.leaves;
        let tested = match &header {
            Some(header) => header.rest,
            None => condition,
        };
        is_early |= tested.is_some() || condition.is_none();
        if let Some(tested) = tested.filter(|_| !body_first) {
            let when = self.condition(tested);
            ends.extend(when.atoms());
            self.guard(when, &tested.span.begin);
        }
        let inside = self.guards.len();
        self.stmt(body);
        for left in self.guards.get(inside..).unwrap_or_default() {
            ends.extend(left.condition.atoms());
        }
        self.guards.truncate(inside);
        if let Some(step) = step {
            self.eval(step);
        }
        if let Some(tested) = tested.filter(|_| body_first) {
            ends.extend(self.condition(tested).atoms());
        }
        self.nest.pop();
        self.guards.truncate(guards);
        self.end_passes(&changing);
        if is_early {
            self.found.loops[of].ends_early = Some(ends.clone());
        }
        self.after(of, header.as_ref(), changing, is_early, &ends, &span.begin);
        if self.returned.len() > returned {
            // Whoever returned inside does not come here.
            let since = self.returned.get(returned..).unwrap_or_default();
            let roots = since.iter().flat_map(|(when, _)| when.atoms()).collect();
            self.guard(Condition::Opaque(roots), &span.begin);
        }
    }

    fn header<'e>(&self, condition: &'e Expr, changes: &Changes<'_>) -> Option<Header<'e>> {
        let mut condition = condition;
        while let ExprKind::Convert(of) = &condition.kind {
            condition = of;
        }
        let ExprKind::Binary(operation, left, right) = &condition.kind else {
            return None;
        };
        if *operation == Binary::And {
            // The first part that is a bound; the other may end the loop early.
            let first = self.header(left, changes).filter(|it| it.rest.is_none());
            return match first {
                Some(header) => Some(Header {
                    rest: Some(right),
                    ..header
                }),
                None => {
                    let second = self.header(right, changes).filter(|it| it.rest.is_none())?;
                    Some(Header {
                        rest: Some(left),
                        ..second
                    })
                }
            };
        }
        let steps = |expr: &Expr| {
            let mut inmost = expr;
            while let ExprKind::Convert(of) | ExprKind::Load(of) = &inmost.kind {
                inmost = of;
            }
            let ExprKind::Variable(variable) = inmost.kind else {
                return None;
            };
            let is_whole = self.unit.variables[variable].of.is_whole();
            let is_stepped = match changes.variables.get(&variable)? {
                Change::Step(_, Amount::Expr(amount)) => changes.leaves_alone(amount),
                Change::Step(_, Amount::Number(_)) => true,
                Change::Other => false,
            };
            let is_known = matches!(self.variables.get(&variable), Some(Value::Whole(_)));
            (is_whole && is_stepped && is_known).then_some(variable)
        };
        let turned = match operation {
            Binary::Less => Binary::Greater,
            Binary::LessOrEqual => Binary::GreaterOrEqual,
            Binary::Greater => Binary::Less,
            Binary::GreaterOrEqual => Binary::LessOrEqual,
            Binary::NotEqual => Binary::NotEqual,
            _ => return None,
        };
        let (variable, operation, bound) = match (steps(left), steps(right)) {
            (Some(variable), _) if !changes.touches(right) => (variable, *operation, right),
            (_, Some(variable)) if !changes.touches(left) => (variable, turned, left),
            _ => return None,
        };
        Some(Header {
            variable,
            operation,
            bound,
            rest: None,
        })
    }

    /// What is known of a loop before its body is walked. Its bound is looked at here: the loop does not change it.
    fn described(&mut self, header: Option<&Header<'_>>, changes: &Changes<'_>, body_first: bool, span: &Span) -> Loop {
        let mut described = Loop {
            name: None,
            span: span.clone(),
            lower: None,
            upper: None,
            rises: true,
            until_equal: false,
            step: Step::Add(Polynomial::constant(1)),
            trips: None,
            body_first,
            ends_early: None,
        };
        let Some(header) = header else {
            described.lower = Some(Polynomial::default());
            return described;
        };
        let place = &header.bound.span.begin;
        let Some(Value::Whole(lower)) = self.variables.get(&header.variable).cloned() else {
            return described;
        };
        let bound = self.eval(header.bound);
        let bound = self.whole(bound, place);
        let one = Polynomial::constant(1);
        let upper = match header.operation {
            Binary::LessOrEqual => self.sum(&bound, &one, place),
            Binary::GreaterOrEqual => self.sum(&bound, &Polynomial::constant(-1), place),
            _ => bound,
        };
        described.name = Some(self.unit.variables[header.variable].name.to_string());
        described.rises = !matches!(header.operation, Binary::Greater | Binary::GreaterOrEqual);
        described.until_equal = header.operation == Binary::NotEqual;
        described.step = self.step_of(&changes.variables[&header.variable], place);
        described.trips = self.trips(&described.step, &lower, &upper, header, body_first, place);
        described.lower = Some(lower);
        described.upper = Some(upper);
        described
    }

    fn amount(&mut self, amount: &Amount<'_>, place: &Place) -> Polynomial {
        match amount {
            Amount::Number(number) => Polynomial::constant(*number),
            Amount::Expr(expr) => {
                let value = self.eval(expr);
                self.whole(value, place)
            }
        }
    }

    fn step_of(&mut self, change: &Change<'_>, place: &Place) -> Step {
        let Change::Step(by, amount) = change else {
            return Step::Add(Polynomial::default());
        };
        let amount = self.amount(amount, place);
        match by {
            By::Add => Step::Add(amount),
            By::Subtract => Step::Add(amount.scaled(-1).unwrap_or(amount)),
            By::Multiply => Step::Multiply(amount),
            By::Other(operation) => Step::By(*operation, amount),
        }
    }

    /// How often, where the bound lies ahead.
    fn trips(
        &mut self,
        step: &Step,
        lower: &Polynomial,
        upper: &Polynomial,
        header: &Header<'_>,
        body_first: bool,
        place: &Place,
    ) -> Option<Polynomial> {
        let Step::Add(step) = step else {
            return None;
        };
        // A step that is no number is taken to be above 0: below it the loop would not end.
        let down = step.as_constant().is_some_and(|step| step < 0);
        let fits = match header.operation {
            Binary::Less | Binary::LessOrEqual => !down,
            Binary::Greater | Binary::GreaterOrEqual => down,
            _ => true,
        };
        if !fits || step.as_constant() == Some(0) {
            return None;
        }
        let (from, to) = if down { (upper, lower) } else { (lower, upper) };
        let span = to.minus(from)?;
        let size = if down { step.scaled(-1)? } else { step.clone() };
        let trips = match size.as_constant() {
            Some(1) => span,
            _ => {
                let more = size.minus(&Polynomial::constant(1))?;
                let rounded_up = self.sum(&span, &more, place);
                self.atoms().operation(Operation::Divide, vec![rounded_up, size])
            }
        };
        Some(match body_first {
            true => self.atoms().operation(Operation::Maximum, vec![trips, Polynomial::constant(1)]),
            false => trips,
        })
    }

    /// Sets what the loop changes to what it is at the beginning of any pass.
    fn begin(
        &mut self,
        of: usize,
        header: Option<&Header<'_>>,
        changes: &Changes<'_>,
        place: &Place,
    ) -> Vec<Changing> {
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
            let step = self.sum_step(change, changes, place);
            let stepped = match (&step, &passes) {
                (Some(step), Some(passes)) => self.stepped(&before, step, passes, variable, place),
                _ => None,
            };
            let (value, carried) = match stepped {
                Some(value) => (value, None),
                None => {
                    let (carried, value) = self.carry(of, variable, &before);
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
    fn passes(&mut self, of: usize, own: &Polynomial) -> Option<Polynomial> {
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

    fn sum_step(&mut self, change: &Change<'_>, changes: &Changes<'_>, place: &Place) -> Option<Polynomial> {
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

    fn stepped(
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
            (Value::Pointer(_), Type::Pointer(_, of)) => Some(self.moved(before.clone(), &by, of, place)),
            _ => None,
        }
    }

    fn carry(&mut self, of: usize, variable: VariableId, before: &Value) -> (usize, Value) {
        let declared = &self.unit.variables[variable];
        let first = match before {
            Value::Whole(first) => Some(first.clone()),
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
            (Type::Pointer(..), Value::Pointer(_)) => Value::Pointer(Pointer {
                array: None,
                offset: Polynomial::atom(atom),
                subscripts: Vec::new(),
            }),
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
                _ => None,
            };
            let roots = after.roots();
            let entry = &mut self.found.atoms.carried[*carried];
            entry.roots.extend(roots);
            entry.next = next;
        }
    }

    /// What the loop leaves behind.
    fn after(
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
        let trips = trips.filter(|_| !is_early).map(|trips| match trips.as_constant() {
            Some(trips) => Polynomial::constant(trips.max(0)),
            None => self.atoms().operation(Operation::Maximum, vec![trips, Polynomial::default()]),
        });
        if let Some(header) = header {
            let last = match (&lower, &step, &trips) {
                (Some(lower), Step::Add(step), Some(trips)) => step.times(trips).and_then(|it| lower.plus(&it)),
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
                (Some(step), Some(trips)) => self.stepped(&one.before, step, trips, one.variable, place),
                _ => None,
            };
            let last = last.unwrap_or_else(|| self.left(&one, &bounds, place));
            self.variables.insert(one.variable, last);
        }
    }

    /// A variable after a loop, where all that is known is what it may come from.
    fn left(&mut self, one: &Changing, bounds: &BTreeSet<usize>, place: &Place) -> Value {
        let mut roots = bounds.clone();
        roots.extend(one.before.roots());
        if let Some((_, value)) = &one.carried {
            roots.extend(value.roots());
        }
        let declared = &self.unit.variables[one.variable];
        let name = &declared.name;
        match &one.before {
            Value::Pointer(_) => Value::Pointer(Pointer {
                array: None,
                offset: self.unknown(&format!("where `{name}` points after a loop"), place, roots),
                subscripts: Vec::new(),
            }),
            _ if declared.of.is_whole() => {
                let reason = format!("what `{name}` is after a loop");
                Value::Whole(self.unknown(&reason, place, roots))
            }
            _ => Value::Opaque(roots),
        }
    }
}
