//! Expressions: their values, and the accesses in them.

use std::{collections::BTreeMap, mem};

use super::{Value, Walker, condition::is_logical, place::Location, value::insert_part};
use crate::{
    accesses::{Polynomial, Real},
    ast::{Binary, Expr, ExprKind, Place, Type},
};

impl Walker<'_> {
    /// Evaluates an expression and records the accesses in it.
    pub(super) fn eval(&mut self, expr: &Expr) -> Value {
        let place = &expr.span.begin;
        if !self.has_budget(place) {
            return Value::nothing();
        }
        match &expr.kind {
            ExprKind::Integer(value) => Value::Whole(Polynomial::constant(*value)),
            ExprKind::Real(value) => Value::Real(Real::Number(value.to_bits())),
            // A place where a value is expected.
            ExprKind::Variable(_)
            | ExprKind::Index(..)
            | ExprKind::Member(..)
            | ExprKind::Components(..) => self.value_outside_memory(expr),
            ExprKind::Load(inner) => {
                let target = self.target(inner);
                self.load(&target, &inner.span)
            }
            ExprKind::Decay(array) => self.decay(array),
            ExprKind::Unary(operation, operand) => self.unary(*operation, operand, expr),
            ExprKind::Increment {
                by,
                is_postfix,
                target,
            } => self.increment(*by, *is_postfix, target, place),
            ExprKind::Binary(Binary::Comma, left, right) => {
                self.eval(left);
                self.eval(right)
            }
            ExprKind::Binary(operation, left, right) if is_logical(*operation) => {
                if matches!(expr.ty, Type::Vector(..)) {
                    let (left, right) = (self.eval(left), self.eval(right));
                    return Value::Opaque(&left.roots() | &right.roots());
                }
                let condition = self.condition(expr);
                self.truth(condition)
            }
            ExprKind::Binary(operation, left, right) => {
                let (left, right) = (self.operand(left), self.operand(right));
                self.binary(*operation, left, right, &expr.ty, place)
            }
            ExprKind::Assign(None, target, value) => self.assign(target, value),
            ExprKind::Assign(Some(operation), target, value) => {
                self.compound_assign(*operation, target, value, place)
            }
            ExprKind::Conditional(condition, yes, no) => self.conditional(condition, yes, no),
            ExprKind::Call(name, arguments) => self.call(name, arguments, expr),
            ExprKind::Convert(inner) => {
                let value = self.eval(inner);
                self.convert(value, &inner.ty, &expr.ty, place)
            }
            ExprKind::Reinterpret(inner) => {
                let value = self.eval(inner);
                self.reinterpret(value, &inner.ty, &expr.ty)
            }
            ExprKind::List(parts) => self.list(parts, &expr.ty, place),
            ExprKind::Other(reason, parts) => {
                let roots = parts.iter().flat_map(|it| self.eval(it).roots()).collect();
                self.unfollowed(reason, &expr.ty, place, roots)
            }
        }
    }

    /// The value of a place; none of what lies in memory.
    fn value_outside_memory(&mut self, expr: &Expr) -> Value {
        let target = self.target(expr);
        match target.location {
            Location::Memory(_) => Value::nothing(),
            _ => self.load(&target, &expr.span),
        }
    }

    fn assign(&mut self, target: &Expr, value: &Expr) -> Value {
        let value = self.eval(value);
        let place = self.target(target);
        self.store(place, value.clone(), &target.span);
        value
    }

    fn increment(&mut self, by: i64, is_postfix: bool, target: &Expr, place: &Place) -> Value {
        let by = Polynomial::constant(by);
        let destination = self.target(target);
        let before = self.load(&destination, &target.span);
        let after = match (&before, &target.ty) {
            (Value::Whole(value), _) => Value::Whole(self.sum(value, &by, place)),
            (Value::Pointer(_), Type::Pointer(_, pointee)) => {
                self.offset_pointer(before.clone(), &by, pointee, place)
            }
            (other, _) => Value::Opaque(other.roots()),
        };
        self.store(destination, after.clone(), &target.span);
        if is_postfix { before } else { after }
    }

    /// `x += y` and its like.
    fn compound_assign(
        &mut self,
        operation: Binary,
        target: &Expr,
        value: &Expr,
        place: &Place,
    ) -> Value {
        let value = self.operand(value);
        let destination = self.target(target);
        let before = self.load(&destination, &target.span);
        let before = (before, target.ty.clone());
        let after = self.binary(operation, before, value, &target.ty, place);
        self.store(destination, after.clone(), &target.span);
        after
    }

    fn operand(&mut self, expr: &Expr) -> (Value, Type) {
        (self.eval(expr), expr.ty.clone())
    }

    fn conditional(&mut self, condition: &Expr, yes: &Expr, no: &Expr) -> Value {
        let when = self.condition(condition);
        let place = &condition.span.begin;
        if let Some(holds) = when.decided() {
            return self.eval(if holds { yes } else { no });
        }
        let guards = self.guards.len();
        let before = self.variables.clone();
        self.add_guard(when.clone(), place);
        let yes_value = self.eval(yes);
        self.guards.truncate(guards);
        let after_yes = mem::replace(&mut self.variables, before);
        self.add_guard(when.negated(), place);
        let no_value = self.eval(no);
        self.guards.truncate(guards);
        let after_no = mem::take(&mut self.variables);
        self.variables = self.merge(&when, after_yes, after_no);
        self.select(&when, yes_value, no_value)
    }

    /// `{ a, b }` and `(float4)(a, b)`.
    fn list(&mut self, exprs: &[Expr], to: &Type, place: &Place) -> Value {
        let mut parts = BTreeMap::new();
        let mut next = 0_u64;
        for (index, one) in exprs.iter().enumerate() {
            let value = self.eval(one);
            let at = match to {
                Type::Record(record) => record.fields.get(index).map_or(0, |field| field.offset),
                _ => next,
            };
            // Two components of a vector may come as one.
            let bytes = match &one.ty {
                Type::Vector(scalar, lanes) => u64::from(*lanes) * u64::from(scalar.bytes),
                other => other.bytes().unwrap_or(1),
            };
            next = next.saturating_add(bytes);
            insert_part(&mut parts, at, value);
        }
        match to {
            Type::Vector(..) | Type::Record(_) => Value::Parts(parts),
            _ if exprs.len() == 1 => parts.remove(&0).unwrap_or_else(Value::nothing),
            _ => self.unfollowed("a list", to, place, Value::Parts(parts).roots()),
        }
    }
}
