//! Arithmetic of numbers, vectors and pointers, and conversions from type to type.

use std::collections::BTreeMap;

use super::{Pointer, Value, Walker, real};
use crate::{
    accesses::{Calculation, Operation, Polynomial, atom::Atom, wrapped_to},
    ast::{Binary, Expr, Kind, Place, Scalar, Type, Unary},
};

impl Walker<'_> {
    pub(super) fn sum(
        &mut self,
        left: &Polynomial,
        right: &Polynomial,
        place: &Place,
    ) -> Polynomial {
        let sum = left.plus(right);
        self.or_unknown(sum, left, right, place)
    }

    /// The result, or an unknown number if its formula is too large.
    fn or_unknown(
        &mut self,
        result: Option<Polynomial>,
        left: &Polynomial,
        right: &Polynomial,
        place: &Place,
    ) -> Polynomial {
        result.unwrap_or_else(|| {
            let roots = &left.atoms() | &right.atoms();
            self.unknown("too long a formula", place, roots)
        })
    }

    pub(super) fn unary(&mut self, operation: Unary, operand: &Expr, expr: &Expr) -> Value {
        let place = &expr.span.begin;
        match operation {
            Unary::Address => self.address_of(operand),
            Unary::Dereference => Value::nothing(),
            Unary::Not => {
                let condition = self.condition(operand);
                self.truth(condition.negated())
            }
            Unary::Minus | Unary::Complement => {
                let value = self.eval(operand);
                let zero = Polynomial::constant(if operation == Unary::Minus { 0 } else { -1 });
                let zero = (Value::Whole(zero), operand.ty.clone());
                let value = (value, operand.ty.clone());
                let negative = self.binary(Binary::Subtract, zero, value, &expr.ty, place);
                match (negative, expr.ty.scalar()) {
                    (Value::Whole(value), Some(scalar))
                        if operation == Unary::Complement && scalar.kind == Kind::Unsigned =>
                    {
                        let wrap = Operation::Wrap(scalar.bytes, false);
                        Value::Whole(self.atoms().operation(wrap, vec![value]))
                    }
                    (negative, _) => negative,
                }
            }
        }
    }

    /// An operation of two operands, each with its type; `of` is the result's.
    pub(super) fn binary(
        &mut self,
        operation: Binary,
        (left, left_of): (Value, Type),
        (right, right_of): (Value, Type),
        ty: &Type,
        place: &Place,
    ) -> Value {
        let step = real::arithmetic(operation);
        if let Some(value) = step.and_then(|it| self.calculate(it, &[&left, &right], ty)) {
            return value;
        }
        match (left, right) {
            (Value::Whole(left), Value::Whole(right))
                if ty.scalar().is_some_and(|it| it.kind != Kind::Float) =>
            {
                let unsigned = |ty: &Type| ty.scalar().filter(|it| it.kind == Kind::Unsigned);
                let narrow = unsigned(&left_of).or(unsigned(&right_of));
                Value::Whole(self.integer_arithmetic(operation, left, right, narrow, place))
            }
            (Value::Whole(by), pointer) | (pointer, Value::Whole(by))
                if pointer.is_pointer() && matches!(operation, Binary::Add | Binary::Subtract) =>
            {
                let Type::Pointer(_, pointee) = ty else {
                    return Value::Opaque(by.atoms());
                };
                let by = match operation {
                    Binary::Subtract => by.scaled(-1).unwrap_or(by),
                    _ => by,
                };
                self.offset_pointer(pointer, &by, pointee, place)
            }
            (Value::Pointer(left), Value::Pointer(right))
                if operation == Binary::Subtract
                    && left.array == right.array
                    && left.array.is_some() =>
            {
                self.pointer_difference(&left, &right, &left_of, place)
            }
            (left, right) if let Type::Vector(scalar, lanes) = ty => self.by_lane(
                operation,
                (left, left_of),
                (right, right_of),
                (*scalar, *lanes),
                place,
            ),
            (left, right) => Value::Opaque(&left.roots() | &right.roots()),
        }
    }

    /// Elements from the right pointer to the left one.
    fn pointer_difference(
        &mut self,
        left: &Pointer,
        right: &Pointer,
        ty: &Type,
        place: &Place,
    ) -> Value {
        let bytes = match ty {
            Type::Pointer(_, pointee) => pointee.bytes().unwrap_or(1),
            _ => 1,
        };
        let bytes = Polynomial::constant(i64::try_from(bytes).unwrap_or(1));
        let difference = left.offset.minus(&right.offset);
        let difference = self.or_unknown(difference, &left.offset, &right.offset, place);
        let operands = vec![difference, bytes];
        Value::Whole(self.atoms().operation(Operation::Divide, operands))
    }

    fn by_lane(
        &mut self,
        operation: Binary,
        (left, left_of): (Value, Type),
        (right, right_of): (Value, Type),
        (scalar, lanes): (Scalar, u8),
        place: &Place,
    ) -> Value {
        let ty = Type::Scalar(scalar);
        let mut parts = BTreeMap::new();
        for lane in 0..u64::from(lanes) {
            let at = lane * u64::from(scalar.bytes);
            let mut one = |value: &Value, own: &Type| match own {
                Type::Vector(..) => self.part(value, at, &ty, place),
                _ => value.clone(),
            };
            let (left, right) = (one(&left, &left_of), one(&right, &right_of));
            let (left, right) = ((left, ty.clone()), (right, ty.clone()));
            let part = self.binary(operation, left, right, &ty, place);
            parts.insert(at, part);
        }
        Value::Parts(parts)
    }

    fn integer_arithmetic(
        &mut self,
        operation: Binary,
        left: Polynomial,
        right: Polynomial,
        unsigned: Option<Scalar>,
        place: &Place,
    ) -> Polynomial {
        let simple = match operation {
            Binary::Add => left.plus(&right),
            Binary::Subtract => left.minus(&right),
            Binary::Multiply => left.times(&right),
            other => {
                let Some(operation) = integer_operation(other) else {
                    let roots = &left.atoms() | &right.atoms();
                    return self.unknown("arithmetic that is not followed", place, roots);
                };
                let mut both = vec![left, right];
                // What an unsigned number cuts off shows where it is divided.
                if let Some(scalar) = unsigned
                    && !matches!(operation, Operation::And | Operation::ShiftLeft)
                {
                    both = both
                        .into_iter()
                        .map(|it| self.wrap_unsigned(it, scalar))
                        .collect();
                }
                return self.atoms().operation(operation, both);
            }
        };
        self.or_unknown(simple, &left, &right, place)
    }

    /// Wraps an unsigned number that may have gone beyond what it holds.
    fn wrap_unsigned(&mut self, value: Polynomial, scalar: Scalar) -> Polynomial {
        let is_small = |(_, number): (&[usize], i64)| (0..1 << 16).contains(&number);
        if scalar.bytes >= 8 || value.terms().all(is_small) {
            return value;
        }
        let wrap = Operation::Wrap(scalar.bytes, false);
        self.atoms().operation(wrap, vec![value])
    }

    pub(super) fn convert(&mut self, value: Value, from: &Type, to: &Type, place: &Place) -> Value {
        match (value, to) {
            (Value::Whole(value), Type::Scalar(scalar)) if scalar.kind == Kind::Bool => {
                let condition = self.not_zero(value);
                self.truth(condition)
            }
            (Value::Whole(value), Type::Scalar(scalar)) if to.is_whole() => {
                Value::Whole(self.narrow(value, from, *scalar))
            }
            (Value::Real(real), Type::Scalar(scalar))
                if to.is_whole() && scalar.kind != Kind::Bool =>
            {
                let cut = Atom::Cut(real, scalar.bytes, scalar.kind == Kind::Signed);
                Value::Whole(self.atoms().formula(cut))
            }
            (value @ Value::Real(_), Type::Scalar(scalar)) if scalar.bytes == 8 => value,
            (value @ (Value::Whole(_) | Value::Real(_)), Type::Scalar(_)) if !to.is_whole() => {
                let narrow = self.calculate(Calculation::Narrow, &[&value], to);
                narrow.unwrap_or_else(|| Value::Opaque(value.roots()))
            }
            (value @ (Value::Real(_) | Value::Opaque(_)), to) if to.is_whole() => {
                let (why, roots) = ("converted from a number with a point", value.roots());
                Value::Whole(self.unknown(why, place, roots))
            }
            (
                value @ (Value::Whole(_) | Value::Real(_) | Value::Opaque(_)),
                Type::Vector(scalar, lanes),
            ) if matches!(from, Type::Scalar(_)) => {
                let one = self.convert(value, from, &Type::Scalar(*scalar), place);
                let places = (0..u64::from(*lanes)).map(|lane| lane * u64::from(scalar.bytes));
                Value::Parts(places.map(|at| (at, one.clone())).collect())
            }
            (value, Type::Pointer(..)) if value.is_pointer() => value,
            (value, _) => Value::Opaque(value.roots()),
        }
    }

    /// A whole number of fewer bytes than an `int`, which may wrap.
    fn narrow(&mut self, value: Polynomial, from: &Type, to: Scalar) -> Polynomial {
        let is_small = from
            .scalar()
            .is_some_and(|it| it.bytes <= to.bytes && it.kind == to.kind);
        let constant = value.as_constant();
        let is_held = constant.is_some_and(|it| wrapped_to(it, to) == it);
        if to.bytes >= 4 || is_small || is_held {
            return value;
        }
        let wrap = Operation::Wrap(to.bytes, to.kind == Kind::Signed);
        self.atoms().operation(wrap, vec![value])
    }

    pub(super) fn reinterpret(&mut self, value: Value, from: &Type, to: &Type) -> Value {
        match (value, to) {
            (Value::Pointer(mut pointer), Type::Pointer(_, pointee)) => {
                // It counts other units than those of its dimensions from here on. `void` has no unit yet.
                if let Some(bytes) = pointee.bytes()
                    && !matches!(from, Type::Pointer(_, own) if own.bytes() == pointee.bytes())
                {
                    pointer.element = bytes.max(1);
                    pointer.subscripts.clear();
                    if pointer.offset == Polynomial::default() {
                        pointer.enter(bytes);
                    }
                }
                Value::Pointer(pointer)
            }
            (value @ (Value::Address(..) | Value::Within(..)), _) => value,
            (Value::Whole(value), to) if to.is_whole() && to.bytes() == from.bytes() => {
                Value::Whole(value)
            }
            (value, to) => {
                let reason = "the bits of another number";
                self.unfollowed(reason, to, &Place::default(), value.roots())
            }
        }
    }
}

/// The operation of an operator of whole numbers that makes no polynomial.
pub(super) fn integer_operation(operation: Binary) -> Option<Operation> {
    Some(match operation {
        Binary::Divide => Operation::Divide,
        Binary::Remainder => Operation::Remainder,
        Binary::ShiftLeft => Operation::ShiftLeft,
        Binary::ShiftRight => Operation::ShiftRight,
        Binary::BitAnd => Operation::And,
        Binary::BitOr => Operation::Or,
        Binary::BitXor => Operation::Xor,
        _ => return None,
    })
}
