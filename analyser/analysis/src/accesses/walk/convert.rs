//! Conversions from type to type.

use super::{Walker, value::Value};
use crate::{
    accesses::{Calculation, Operation, Polynomial, atom::Atom, wrapped_to},
    ast::{Kind, Place, Scalar, Type},
};

impl Walker<'_> {
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
                Value::Whole(self.atoms().of(cut))
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
        if to.bytes >= 4
            || is_small
            || value
                .as_constant()
                .is_some_and(|it| wrapped_to(it, to) == it)
        {
            return value;
        }
        let wrap = Operation::Wrap(to.bytes, to.kind == Kind::Signed);
        self.atoms().operation(wrap, vec![value])
    }

    pub(super) fn reinterpret(&mut self, value: Value, from: &Type, to: &Type) -> Value {
        match (value, to) {
            (Value::Pointer(mut pointer), Type::Pointer(_, of)) => {
                // It counts other units than those of its dimensions from here on. `void` has no unit yet.
                if let Some(bytes) = of.bytes()
                    && !matches!(from, Type::Pointer(_, own) if own.bytes() == of.bytes())
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
