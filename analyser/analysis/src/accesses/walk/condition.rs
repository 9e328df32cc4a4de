//! Conditions: when expressions are not 0.

use std::{collections::BTreeSet, mem};

use super::{Walker, value::Value};
use crate::{
    accesses::{
        Polynomial,
        atom::{Atom, Condition},
    },
    ast::{Binary, Expr, ExprKind, Kind, Unary},
};

impl Walker<'_> {
    /// A condition as a number: 1 or 0.
    pub(super) fn truth(&mut self, condition: Condition) -> Value {
        let (one, zero) = (Polynomial::constant(1), Polynomial::default());
        Value::Whole(match condition.decided() {
            Some(true) => one,
            Some(false) => zero,
            None => self
                .atoms()
                .formula(Atom::Select(Box::new(condition), one, zero)),
        })
    }

    /// The condition that an expression is not 0.
    pub(super) fn condition(&mut self, expr: &Expr) -> Condition {
        let place = &expr.span.begin;
        if !self.has_budget(place) {
            return Condition::Opaque(BTreeSet::new());
        }
        match &expr.kind {
            ExprKind::Unary(Unary::Not, inner) => self.condition(inner).negated(),
            ExprKind::Convert(inner) if is_condition(inner) => self.condition(inner),
            ExprKind::Binary(operation @ (Binary::And | Binary::Or), left, right) => {
                let left = self.condition(left);
                let guards = self.guards.len();
                let is_and = *operation == Binary::And;
                let reached = if is_and { left.clone() } else { left.negated() };
                self.add_guard(reached.clone(), place);
                let before = self.variables.clone();
                let right = self.condition(right);
                self.guards.truncate(guards);
                let after = mem::take(&mut self.variables);
                self.variables = self.merge(&reached, after, before);
                if is_and {
                    Condition::All(vec![left, right])
                } else {
                    Condition::Any(vec![left, right])
                }
            }
            ExprKind::Binary(operation, left, right) if is_logical(*operation) => {
                let unsigned = left.ty.scalar().is_some_and(|it| it.kind == Kind::Unsigned);
                match (self.eval(left), self.eval(right)) {
                    (Value::Whole(left), Value::Whole(right)) => {
                        self.compare(*operation, &left, &right, unsigned)
                    }
                    (left, right) => Condition::Opaque(&left.roots() | &right.roots()),
                }
            }
            _ => match self.eval(expr) {
                Value::Whole(value) => self.not_zero(value),
                other => Condition::Opaque(other.roots()),
            },
        }
    }

    /// The condition that a number is not 0; for a condition as a number, that condition.
    pub(super) fn not_zero(&self, value: Polynomial) -> Condition {
        let atom = value.as_atom().map(|it| self.output.atoms.get(it));
        match atom {
            Some(Atom::Select(condition, yes, no))
                if yes.as_constant() == Some(1) && no.as_constant() == Some(0) =>
            {
                Condition::clone(condition)
            }
            _ => Condition::NotZero(value),
        }
    }

    fn compare(
        &mut self,
        operation: Binary,
        left: &Polynomial,
        right: &Polynomial,
        unsigned: bool,
    ) -> Condition {
        // Each comparison as `large - small - gap`, which is at least 0.
        let (small, large, gap) = match operation {
            Binary::Less => (left, right, 1),
            Binary::LessOrEqual => (left, right, 0),
            Binary::Greater => (right, left, 1),
            Binary::GreaterOrEqual => (right, left, 0),
            _ => (left, right, 0),
        };
        let difference = large.minus(small);
        let difference = difference.and_then(|it| it.minus(&Polynomial::constant(gap)));
        let Some(difference) = difference else {
            return Condition::Opaque(&left.atoms() | &right.atoms());
        };
        match operation {
            Binary::Equal => Condition::Zero(difference),
            Binary::NotEqual => Condition::NotZero(difference),
            // Unsigned numbers below 0 are large ones: `(uint)(x - 1) < n`.
            _ if unsigned && small.terms().any(|(_, number)| number < 0) => Condition::All(vec![
                Condition::AtLeastZero(difference),
                Condition::AtLeastZero(small.clone()),
            ]),
            _ => Condition::AtLeastZero(difference),
        }
    }
}

pub(super) fn is_logical(operation: Binary) -> bool {
    matches!(
        operation,
        Binary::And
            | Binary::Or
            | Binary::Less
            | Binary::LessOrEqual
            | Binary::Greater
            | Binary::GreaterOrEqual
            | Binary::Equal
            | Binary::NotEqual
    )
}

fn is_condition(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Binary(operation, ..) => is_logical(*operation),
        ExprKind::Unary(Unary::Not, _) => true,
        ExprKind::Convert(inner) => is_condition(inner),
        _ => false,
    }
}
