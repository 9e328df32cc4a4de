//! Places: the memory or variable that an expression names, and pointers to it.

use std::collections::BTreeSet;

use super::{Pointer, Value, Walker};
use crate::{
    accesses::{AtomId, Polynomial},
    ast::{Expr, ExprKind, Place, Space, Type, Unary, VariableId},
};

/// The target of an assignment or a load.
pub(super) struct Target {
    pub(super) location: Location,
    /// The type of what lies there; for components, the vector's.
    pub(super) ty: Type,
    /// The components, if not all.
    pub(super) lanes: Option<Vec<u8>>,
}

pub(super) enum Location {
    Memory(Pointer),
    /// A variable, this many bytes into it.
    Variable(VariableId, u64),
    /// Somewhere in a variable, depending on these atoms.
    Within(VariableId, BTreeSet<AtomId>),
    /// A value, which lies nowhere.
    Value(Value),
}

impl Walker<'_> {
    /// The memory or variable in which a variable lies. Arrays, structures with arrays, and local and constant
    /// variables are in memory.
    pub(super) fn variable_location(&mut self, id: VariableId) -> Location {
        let variable = &self.unit.variables[id];
        let in_memory =
            variable.ty.has_array() || matches!(variable.space, Space::Local | Space::Constant);
        if !in_memory {
            return Location::Variable(id, 0);
        }
        let array = self.arrays.get(&id).copied();
        let array = array.unwrap_or_else(|| {
            let (element, lengths) = variable.ty.lengths();
            self.array(id, variable.space, element, lengths)
        });
        Location::Memory(Pointer::to(array, self.output.arrays[array].element_bytes))
    }

    /// The place that an expression names.
    pub(super) fn target(&mut self, expr: &Expr) -> Target {
        let whole = |location| Target {
            location,
            ty: expr.ty.clone(),
            lanes: None,
        };
        if !self.has_budget(&expr.span.begin) {
            return whole(Location::Value(Value::nothing()));
        }
        match &expr.kind {
            ExprKind::Variable(id) => whole(self.variable_location(*id)),
            ExprKind::Unary(Unary::Dereference, pointer) => {
                let value = self.eval(pointer);
                whole(self.dereference(value))
            }
            ExprKind::Index(pointer, index) => {
                let pointer = self.eval(pointer);
                let index = self.eval(index);
                let index = self.whole(index, &expr.span.begin);
                let moved = self.offset_pointer(pointer, &index, &expr.ty, &expr.span.begin);
                whole(self.dereference(moved))
            }
            ExprKind::Member(inner, offset) => {
                let inner = self.target(inner);
                let by = Polynomial::constant(i64::try_from(*offset).unwrap_or(i64::MAX));
                match inner.location {
                    Location::Memory(mut pointer) => {
                        pointer.offset = self.sum(&pointer.offset, &by, &expr.span.begin);
                        pointer.field += &field_text(&inner.ty, *offset, &expr.ty);
                        whole(Location::Memory(pointer))
                    }
                    Location::Variable(id, at) => {
                        whole(Location::Variable(id, at.saturating_add(*offset)))
                    }
                    within @ Location::Within(..) => whole(within),
                    Location::Value(value) => {
                        let part = self.part(&value, *offset, &expr.ty, &expr.span.begin);
                        whole(Location::Value(part))
                    }
                }
            }
            ExprKind::Components(vector, lanes) => {
                let vector = self.target(vector);
                match (lanes, &vector.lanes) {
                    // Components of components, or unknown ones, count as the whole.
                    (None, _) | (_, Some(_)) => vector,
                    (Some(lanes), None) => Target {
                        lanes: Some(lanes.clone()),
                        ..vector
                    },
                }
            }
            _ => {
                let value = self.eval(expr);
                whole(Location::Value(value))
            }
        }
    }

    fn dereference(&mut self, value: Value) -> Location {
        match value {
            Value::Pointer(pointer) => Location::Memory(pointer),
            Value::Address(id, at) => Location::Variable(id, at),
            Value::Within(id, by) => Location::Within(id, by),
            other => {
                let reason = "a pointer that is not followed";
                let offset = self.unknown(reason, &Place::default(), other.roots());
                Location::Memory(Pointer::unknown(offset, 1))
            }
        }
    }

    /// A pointer moved by a number of elements of what it points to.
    pub(super) fn offset_pointer(
        &mut self,
        pointer: Value,
        by: &Polynomial,
        pointee: &Type,
        place: &Place,
    ) -> Value {
        let bytes = pointee
            .bytes()
            .and_then(|it| i64::try_from(it).ok())
            .unwrap_or(1);
        match pointer {
            Value::Pointer(mut pointer) => {
                let step = self.scaled(by, bytes, place);
                pointer.offset = self.sum(&pointer.offset, &step, place);
                if let Some(last) = pointer.subscripts.last_mut() {
                    last.index = self.sum(&last.index, by, place);
                }
                Value::Pointer(pointer)
            }
            Value::Address(id, at) => {
                let by_bytes = by.as_constant().and_then(|it| it.checked_mul(bytes));
                match by_bytes.and_then(|it| at.checked_add_signed(it)) {
                    Some(at) => Value::Address(id, at),
                    None => Value::Within(id, by.atoms()),
                }
            }
            Value::Within(id, atoms) => Value::Within(id, &atoms | &by.atoms()),
            other => Value::Opaque(&other.roots() | &by.atoms()),
        }
    }

    /// An array as the pointer to its first element.
    pub(super) fn decay(&mut self, array: &Expr) -> Value {
        let target = self.target(array);
        match target.location {
            Location::Memory(mut pointer) => {
                if let Type::Array(inner, _) = &target.ty {
                    pointer.enter(inner.bytes().unwrap_or(1));
                    pointer.element = inner.lengths().0.bytes().unwrap_or(1).max(1);
                }
                Value::Pointer(pointer)
            }
            Location::Variable(id, at) => Value::Address(id, at),
            Location::Within(id, by) => Value::Within(id, by),
            Location::Value(value) => value,
        }
    }

    /// The value of `&target`.
    pub(super) fn address_of(&mut self, target: &Expr) -> Value {
        match self.target(target).location {
            Location::Memory(pointer) => Value::Pointer(pointer),
            Location::Variable(id, at) => Value::Address(id, at),
            Location::Within(id, by) => Value::Within(id, by),
            Location::Value(value) => Value::Opaque(value.roots()),
        }
    }

    pub(super) fn scaled(&mut self, value: &Polynomial, by: i64, place: &Place) -> Polynomial {
        match value.scaled(by) {
            Some(scaled) => scaled,
            None => self.unknown("too large a number", place, value.atoms()),
        }
    }
}

/// The field at an offset of a structure or a union, as `.field`.
fn field_text(ty: &Type, offset: u64, field_type: &Type) -> String {
    let Type::Record(record) = ty else {
        return String::new();
    };
    let mut fields = record.fields.iter();
    let field = fields.find(|it| it.offset == offset && it.ty == *field_type);
    field.map_or_else(String::new, |it| format!(".{}", it.name))
}
