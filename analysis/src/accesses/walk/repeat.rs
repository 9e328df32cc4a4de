//! Loops: walked once for all passes.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Walker,
    assigned::{Amount, By, Change, Changes},
    stmt::Variables,
    value::{Pointer, Value},
};
use crate::{
    accesses::{
        Loop, Operation, Polynomial, Step,
        atom::{Atom, Carried, Condition},
        class::{Alternating, Other, alternating},
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

/// What was found before a loop's body was walked.
struct State {
    variables: Variables,
    accesses: usize,
    loops: usize,
    barriers: usize,
    gaps: usize,
    guards: usize,
    returned: usize,
}

/// What pointers that a loop sets are taken to be at the beginning of any pass; whether they are shows at its end.
#[derive(Clone, PartialEq)]
struct Assumed {
    arrays: BTreeSet<usize>,
    /// Where it is always the same.
    offset: Option<Polynomial>,
}

/// By variable.
type Assumptions = BTreeMap<VariableId, Assumed>;

/// Loops are walked so often to find out where their pointers may be.
const MOST_ATTEMPTS: usize = 4;

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
            let (changing, is_early, ends) = self.walk_passes(&passes, &assumed);
            let better = self.contradicted(&assumed);
            if better == assumed {
                self.leave(
                    &passes,
                    changing,
                    is_early,
                    &ends,
                    &assumed,
                    before.returned,
                );
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

    /// Pointers that the loop sets, which are taken to be swapped with each other.
    fn assumed(&self, changes: &Changes<'_>) -> Assumptions {
        let mut pointers: Vec<(VariableId, &Pointer)> = Vec::new();
        for (variable, change) in &changes.variables {
            if let (Change::Other, Some(Value::Pointer(pointer))) =
                (change, self.variables.get(variable))
                && pointer.array.is_some()
            {
                pointers.push((*variable, pointer));
            }
        }
        let arrays: BTreeSet<usize> = pointers
            .iter()
            .flat_map(|(_, pointer)| pointer.arrays())
            .collect();
        let are_alike = self.are_alike(&arrays);
        let first = pointers.first().map(|(_, pointer)| pointer.offset.clone());
        let is_same = pointers
            .iter()
            .all(|(_, pointer)| Some(&pointer.offset) == first.as_ref());
        let each = pointers.iter().map(|(variable, pointer)| {
            let assumed = Assumed {
                arrays: if are_alike {
                    arrays.clone()
                } else {
                    pointer.arrays()
                },
                offset: Some(pointer.offset.clone()).filter(|_| is_same),
            };
            (*variable, assumed)
        });
        each.collect()
    }

    /// What is to be assumed after what a pass left.
    fn contradicted(&self, assumed: &Assumptions) -> Assumptions {
        let mut better = Assumptions::new();
        for (variable, own) in assumed {
            let Some(Value::Pointer(after)) = self.variables.get(variable) else {
                continue;
            };
            let mut arrays = own.arrays.clone();
            arrays.extend(after.arrays());
            if after.array.is_none() || !self.are_alike(&arrays) {
                continue;
            }
            let offset = own.offset.clone().filter(|offset| *offset == after.offset);
            better.insert(*variable, Assumed { arrays, offset });
        }
        better
    }

    fn state(&self) -> State {
        State {
            variables: self.variables.clone(),
            accesses: self.found.accesses.len(),
            loops: self.found.loops.len(),
            barriers: self.found.barriers.len(),
            gaps: self.found.gaps.len(),
            guards: self.guards.len(),
            returned: self.returned.len(),
        }
    }

    fn restore(&mut self, state: State) {
        self.variables = state.variables;
        self.found.accesses.truncate(state.accesses);
        self.found.loops.truncate(state.loops);
        self.found.barriers.truncate(state.barriers);
        self.found.gaps.truncate(state.gaps);
        self.guards.truncate(state.guards);
        self.returned.truncate(state.returned);
    }

    /// Walks the body once; what changes, whether something else than the bound may end the loop, and what.
    fn walk_passes(
        &mut self,
        passes: &Passes<'_>,
        assumed: &Assumptions,
    ) -> (Vec<Changing>, bool, BTreeSet<usize>) {
        let (header, condition) = (passes.header, passes.condition);
        let changing = self.begin(
            passes.of,
            header,
            passes.changes,
            assumed,
            &passes.span.begin,
        );
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
        self.stmt(passes.body);
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
        changing: Vec<Changing>,
        is_early: bool,
        ends: &BTreeSet<usize>,
        assumed: &Assumptions,
        returned: usize,
    ) {
        let place = &passes.span.begin;
        self.end_passes(&changing);
        if is_early {
            self.found.loops[passes.of].ends_early = Some(ends.clone());
        }
        self.after(passes.of, passes.header, changing, is_early, ends, place);
        for (variable, assumed) in assumed {
            if let Some(Value::Pointer(pointer)) = self.variables.get_mut(variable) {
                let mut arrays = assumed.arrays.clone();
                pointer.array = arrays.pop_first();
                pointer.also = arrays;
                if let Some(offset) = &assumed.offset {
                    pointer.offset = offset.clone();
                }
            }
        }
        if self.returned.len() > returned {
            // Whoever returned inside does not come here.
            let since = self.returned.get(returned..).unwrap_or_default();
            let roots = since.iter().flat_map(|(when, _)| when.atoms()).collect();
            self.guard(Condition::Opaque(roots), place);
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
    fn described(
        &mut self,
        header: Option<&Header<'_>>,
        changes: &Changes<'_>,
        body_first: bool,
        span: &Span,
    ) -> Loop {
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
                self.atoms()
                    .operation(Operation::Divide, vec![rounded_up, size])
            }
        };
        Some(match body_first {
            true => self
                .atoms()
                .operation(Operation::Maximum, vec![trips, Polynomial::constant(1)]),
            false => trips,
        })
    }

    /// Sets what the loop changes to what it is at the beginning of any pass.
    fn begin(
        &mut self,
        of: usize,
        header: Option<&Header<'_>>,
        changes: &Changes<'_>,
        assumed: &Assumptions,
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
                    let (carried, mut value) = self.carry(of, variable, &before);
                    if let (Value::Pointer(pointer), Some(assumed)) =
                        (&mut value, assumed.get(&variable))
                    {
                        let mut arrays = assumed.arrays.clone();
                        pointer.array = arrays.pop_first();
                        pointer.also = arrays;
                        if let Some(offset) = &assumed.offset {
                            pointer.offset = offset.clone();
                        }
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
            (Type::Pointer(..), Value::Pointer(_)) => Value::Pointer(Pointer {
                array: None,
                also: BTreeSet::new(),
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
                Value::Pointer(next) => Some(next.offset.clone()),
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
    fn alternated(&mut self, one: &Changing, trips: &Polynomial) -> Option<Value> {
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
                also: BTreeSet::new(),
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
