//! A loop's header: its variable, its bounds and its step.

use super::{
    LoopText, Value, Walker,
    arithmetic::integer_operation,
    loop_changes::{Amount, Change, Changes},
};
use crate::{
    accesses::{Loop, Operation, Polynomial, Step},
    ast::{Binary, Expr, ExprKind, Place, VariableId, unconverted},
};

/// A condition `x < bound` on a variable that the loop steps.
pub(super) struct Header<'u> {
    pub(super) variable: VariableId,
    /// The number that is added to the variable before it is compared.
    pub(super) more: i64,
    pub(super) operation: Binary,
    pub(super) bound: &'u Expr,
    /// The other part of a condition `x < bound && rest`.
    pub(super) rest: Option<&'u Expr>,
}

impl Walker<'_> {
    /// The header of a loop with this condition; none where no variable that steps is compared with a bound.
    pub(super) fn header<'e>(
        &self,
        condition: &'e Expr,
        changes: &Changes<'_>,
    ) -> Option<Header<'e>> {
        let condition = unconverted(condition);
        let ExprKind::Binary(operation, left, right) = &condition.kind else {
            return None;
        };
        if *operation == Binary::And {
            // The first part that is a bound; the other may end the loop early.
            let with_rest = |bound: &'e Expr, rest: &'e Expr| {
                let header = self.header(bound, changes).filter(|it| it.rest.is_none())?;
                Some(Header {
                    rest: Some(rest),
                    ..header
                })
            };
            return with_rest(left, right).or_else(|| with_rest(right, left));
        }
        let mirrored = match operation {
            Binary::Less => Binary::Greater,
            Binary::LessOrEqual => Binary::GreaterOrEqual,
            Binary::Greater => Binary::Less,
            Binary::GreaterOrEqual => Binary::LessOrEqual,
            Binary::NotEqual => Binary::NotEqual,
            _ => return None,
        };
        let left_variable = self.stepping_variable_and_number(left, changes);
        let right_variable = self.stepping_variable_and_number(right, changes);
        let ((variable, more), operation, bound) = match (left_variable, right_variable) {
            (Some(own), _) if !changes.reads_changed(right) => (own, *operation, right),
            (_, Some(own)) if !changes.reads_changed(left) => (own, mirrored, left),
            _ => return None,
        };
        Some(Header {
            variable,
            more,
            operation,
            bound,
            rest: None,
        })
    }

    /// The variable of an expression that is one, or `i + 4`, and the number that is added.
    fn stepping_variable_and_number(
        &self,
        expr: &Expr,
        changes: &Changes<'_>,
    ) -> Option<(VariableId, i64)> {
        let ExprKind::Binary(Binary::Add, variable, more) = &unconverted(expr).kind else {
            return Some((self.stepping_variable(expr, changes)?, 0));
        };
        let ExprKind::Integer(more) = unconverted(more).kind else {
            return None;
        };
        Some((self.stepping_variable(variable, changes)?, more))
    }

    /// The variable that an expression is, if it is a whole number that steps by the same amount in every iteration.
    fn stepping_variable(&self, expr: &Expr, changes: &Changes<'_>) -> Option<VariableId> {
        let mut inmost = expr;
        while let ExprKind::Convert(inner) | ExprKind::Load(inner) = &inmost.kind {
            inmost = inner;
        }
        let ExprKind::Variable(variable) = inmost.kind else {
            return None;
        };
        let is_whole = self.unit.variables[variable].ty.is_whole();
        let is_stepped = match changes.variables.get(&variable)? {
            Change::Step(_, Amount::Expr(amount)) => changes.is_invariant(amount),
            Change::Step(_, Amount::Number(_)) => true,
            Change::Other => false,
        };
        let is_number = matches!(self.variables.get(&variable), Some(Value::Whole(_)));
        (is_whole && is_stepped && is_number).then_some(variable)
    }

    /// A loop as it is recorded before its body is followed. Its bound is evaluated here: the loop does not change it.
    pub(super) fn loop_record(
        &mut self,
        header: Option<&Header<'_>>,
        changes: &Changes<'_>,
        text: &LoopText<'_>,
    ) -> Loop {
        let mut record = Loop {
            name: None,
            span: text.span.clone(),
            lower: None,
            upper: None,
            rises: true,
            until_equal: false,
            step: Step::Add(Polynomial::constant(1)),
            trips: None,
            body_first: text.body_first,
            ends_early: None,
        };
        let Some(header) = header else {
            record.lower = Some(Polynomial::default());
            return record;
        };
        let place = &header.bound.span.begin;
        let Some(Value::Whole(lower)) = self.variables.get(&header.variable).cloned() else {
            return record;
        };
        let bound = self.eval(header.bound);
        let bound = self.whole(bound, place);
        let bound = self.sum(&bound, &Polynomial::constant(-header.more), place);
        let upper = match header.operation {
            Binary::LessOrEqual => self.sum(&bound, &Polynomial::constant(1), place),
            Binary::GreaterOrEqual => self.sum(&bound, &Polynomial::constant(-1), place),
            _ => bound,
        };
        record.name = Some(self.unit.variables[header.variable].name.to_string());
        record.rises = !matches!(header.operation, Binary::Greater | Binary::GreaterOrEqual);
        record.until_equal = header.operation == Binary::NotEqual;
        record.step = self.loop_step(&changes.variables[&header.variable], place);
        let trips = self.trips(&record.step, &lower, &upper, header.operation, place);
        record.trips = trips.map(|trips| {
            if text.body_first {
                self.at_least(trips, 1)
            } else {
                trips
            }
        });
        record.lower = Some(lower);
        record.upper = Some(upper);
        record
    }

    /// The maximum of a formula and a number.
    pub(super) fn at_least(&mut self, formula: Polynomial, least: i64) -> Polynomial {
        let operands = vec![formula, Polynomial::constant(least)];
        self.atoms().operation(Operation::Maximum, operands)
    }

    pub(super) fn amount(&mut self, amount: &Amount<'_>, place: &Place) -> Polynomial {
        match amount {
            Amount::Number(number) => Polynomial::constant(*number),
            Amount::Expr(expr) => {
                let value = self.eval(expr);
                self.whole(value, place)
            }
        }
    }

    fn loop_step(&mut self, change: &Change<'_>, place: &Place) -> Step {
        let Change::Step(operation, amount) = change else {
            return Step::Add(Polynomial::default());
        };
        let amount = self.amount(amount, place);
        match (operation, integer_operation(*operation)) {
            (_, Some(operation)) => Step::By(operation, amount),
            (Binary::Multiply, None) => Step::Multiply(amount),
            (Binary::Subtract, None) => Step::Add(amount.scaled(-1).unwrap_or(amount)),
            (_, None) => Step::Add(amount),
        }
    }

    /// Number of iterations that the bound allows; none where the loop does not step towards it.
    fn trips(
        &mut self,
        step: &Step,
        lower: &Polynomial,
        upper: &Polynomial,
        comparison: Binary,
        place: &Place,
    ) -> Option<Polynomial> {
        let Step::Add(step) = step else {
            return None;
        };
        // A step that is no number is taken to be above 0.
        let down = step.as_constant().is_some_and(|step| step < 0);
        let fits = match comparison {
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
        if size.as_constant() == Some(1) {
            return Some(span);
        }
        let more = size.minus(&Polynomial::constant(1))?;
        let operands = vec![self.sum(&span, &more, place), size];
        Some(self.atoms().operation(Operation::Divide, operands))
    }
}
