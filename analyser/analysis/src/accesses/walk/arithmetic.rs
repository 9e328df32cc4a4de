//! Arithmetic: of numbers, vectors and pointers.

use std::collections::BTreeMap;

use super::{
    Walker, real,
    value::{Pointer, Value},
};
use crate::{
    accesses::{Operation, Polynomial},
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

    /// A result; an unknown number where it is too large a formula.
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
                let zero = (Value::Whole(zero), operand.of.clone());
                let value = (value, operand.of.clone());
                let negative = self.binary(Binary::Subtract, zero, value, &expr.of, place);
                match (negative, expr.of.scalar()) {
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
        of: &Type,
        place: &Place,
    ) -> Value {
        let step = real::arithmetic(operation);
        if let Some(value) = step.and_then(|it| self.calculate(it, &[&left, &right], of)) {
            return value;
        }
        match (left, right) {
            (Value::Whole(left), Value::Whole(right))
                if of.scalar().is_some_and(|it| it.kind != Kind::Float) =>
            {
                let unsigned = |of: &Type| of.scalar().filter(|it| it.kind == Kind::Unsigned);
                let narrow = unsigned(&left_of).or(unsigned(&right_of));
                Value::Whole(self.integer_arithmetic(operation, left, right, narrow, place))
            }
            (Value::Whole(by), pointer) | (pointer, Value::Whole(by))
                if pointer.is_pointer() && matches!(operation, Binary::Add | Binary::Subtract) =>
            {
                let Type::Pointer(_, pointee) = of else {
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
            (left, right) if let Type::Vector(scalar, lanes) = of => self.by_lane(
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
        of: &Type,
        place: &Place,
    ) -> Value {
        let bytes = match of {
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
        let of = Type::Scalar(scalar);
        let mut parts = BTreeMap::new();
        for lane in 0..u64::from(lanes) {
            let at = lane * u64::from(scalar.bytes);
            let mut one = |value: &Value, own: &Type| match own {
                Type::Vector(..) => self.part(value, at, &of, place),
                _ => value.clone(),
            };
            let (left, right) = (one(&left, &left_of), one(&right, &right_of));
            let (left, right) = ((left, of.clone()), (right, of.clone()));
            let part = self.binary(operation, left, right, &of, place);
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
