//! A loop's head: its variable, its bounds and its step.

use super::{
    Walker,
    assigned::{Amount, By, Change, Changes},
    value::Value,
};
use crate::{
    accesses::{Loop, Operation, Polynomial, Step},
    ast::{Binary, Expr, ExprKind, Place, Span, VariableId, unconverted},
};

/// `x < bound`, of a variable that the loop steps.
pub(super) struct Header<'u> {
    pub(super) variable: VariableId,
    /// What is added to it before it is compared.
    pub(super) more: i64,
    pub(super) operation: Binary,
    pub(super) bound: &'u Expr,
    /// What else must hold.
    pub(super) rest: Option<&'u Expr>,
}

impl Walker<'_> {
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
        // `i + 4 <= n`, too.
        let with = |expr: &'e Expr| match &unconverted(expr).kind {
            ExprKind::Binary(Binary::Add, of, by) => match unconverted(by).kind {
                ExprKind::Integer(by) => Some((steps(of)?, by)),
                _ => None,
            },
            _ => Some((steps(expr)?, 0)),
        };
        let ((variable, more), operation, bound) = match (with(left), with(right)) {
            (Some(own), _) if !changes.touches(right) => (own, *operation, right),
            (_, Some(own)) if !changes.touches(left) => (own, turned, left),
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

    /// What is known of a loop before its body is walked. Its bound is looked at here: the loop does not change it.
    pub(super) fn described(
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
        let bound = self.sum(&bound, &Polynomial::constant(-header.more), place);
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

    pub(super) fn amount(&mut self, amount: &Amount<'_>, place: &Place) -> Polynomial {
        match amount {
            Amount::Number(number) => Polynomial::constant(*number),
            Amount::Expr(expr) => {
                let value = self.eval(expr);
                self.whole(value, place)
            }
        }
    }

    pub(super) fn step_of(&mut self, change: &Change<'_>, place: &Place) -> Step {
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
    pub(super) fn trips(
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
}
