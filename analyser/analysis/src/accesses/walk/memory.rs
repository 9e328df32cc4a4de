//! Places: what is read and written there.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Walker, elements,
    value::{Pointer, Subscript, Value, put},
};
use crate::{
    accesses::{Access, AtomId, Class, Does, Pointing, Polynomial, atom::Atom},
    ast::{Expr, ExprKind, Place, Scalar, Space, Span, Type, Unary, VariableId},
};

/// What an assignment writes to, and a load reads.
pub(super) struct Target {
    pub(super) at: At,
    /// What lies there; of components the vector.
    of: Type,
    /// Which components, where not all.
    lanes: Option<Vec<u8>>,
}

/// Where something lies.
pub(super) enum At {
    Memory(Pointer),
    Variable(VariableId, u64),
    /// Somewhere in it, by these atoms.
    Within(VariableId, BTreeSet<AtomId>),
    /// In no memory.
    Value(Value),
}

impl Walker<'_> {
    /// A variable as it is first seen; arrays, structures with arrays and local memory lie in memory.
    pub(super) fn variable(&mut self, id: VariableId) -> At {
        let variable = &self.unit.variables[id];
        let in_memory =
            variable.of.has_array() || matches!(variable.space, Space::Local | Space::Constant);
        if !in_memory {
            return At::Variable(id, 0);
        }
        let array = self.arrays.get(&id).copied();
        let array = array.unwrap_or_else(|| {
            let (of, lengths) = variable.of.lengths();
            self.array(id, variable.space, of, lengths)
        });
        At::Memory(Pointer::to(array, self.found.arrays[array].element_bytes))
    }

    pub(super) fn target(&mut self, expr: &Expr) -> Target {
        let whole = |at| Target {
            at,
            of: expr.of.clone(),
            lanes: None,
        };
        if !self.works(&expr.span.begin) {
            return whole(At::Value(Value::nothing()));
        }
        match &expr.kind {
            ExprKind::Variable(id) => whole(self.variable(*id)),
            ExprKind::Unary(Unary::Dereference, pointer) => {
                let value = self.eval(pointer);
                whole(self.pointed(value))
            }
            ExprKind::Index(pointer, index) => {
                let pointer = self.eval(pointer);
                let index = self.eval(index);
                let index = self.whole(index, &expr.span.begin);
                let moved = self.moved(pointer, &index, &expr.of, &expr.span.begin);
                whole(self.pointed(moved))
            }
            ExprKind::Member(of, offset) => {
                let of = self.target(of);
                let by = Polynomial::constant(i64::try_from(*offset).unwrap_or(i64::MAX));
                match of.at {
                    At::Memory(mut pointer) => {
                        pointer.offset = self.sum(&pointer.offset, &by, &expr.span.begin);
                        pointer.field += &named(&of.of, *offset, &expr.of);
                        whole(At::Memory(pointer))
                    }
                    At::Variable(id, at) => whole(At::Variable(id, at.saturating_add(*offset))),
                    within @ At::Within(..) => whole(within),
                    At::Value(value) => {
                        let part = self.part(&value, *offset, &expr.of, &expr.span.begin);
                        whole(At::Value(part))
                    }
                }
            }
            ExprKind::Components(of, lanes) => {
                let of = self.target(of);
                match (lanes, &of.lanes) {
                    // Components of components, or none that we can tell: the whole.
                    (None, _) | (_, Some(_)) => of,
                    (Some(lanes), None) => Target {
                        lanes: Some(lanes.clone()),
                        ..of
                    },
                }
            }
            _ => {
                let value = self.eval(expr);
                whole(At::Value(value))
            }
        }
    }

    fn pointed(&mut self, value: Value) -> At {
        match value {
            Value::Pointer(pointer) => At::Memory(pointer),
            Value::Address(id, at) => At::Variable(id, at),
            Value::Within(id, by) => At::Within(id, by),
            other => {
                let (why, roots) = ("a pointer that is not followed", other.roots());
                At::Memory(Pointer::lost(
                    self.unknown(why, &Place::default(), roots),
                    1,
                ))
            }
        }
    }

    /// A pointer to `of`, so many of them further.
    pub(super) fn moved(
        &mut self,
        pointer: Value,
        by: &Polynomial,
        of: &Type,
        place: &Place,
    ) -> Value {
        let bytes = of
            .bytes()
            .and_then(|it| i64::try_from(it).ok())
            .unwrap_or(1);
        match pointer {
            Value::Pointer(mut pointer) => {
                let step = by.scaled(bytes);
                let step = match step {
                    Some(step) => step,
                    None => self.unknown("too large a number", place, by.atoms()),
                };
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

    /// A place of an array as the pointer to its first element.
    pub(super) fn decayed(&mut self, of: &Expr) -> Value {
        let target = self.target(of);
        match target.at {
            At::Memory(mut pointer) => {
                if let Type::Array(inner, _) = &target.of {
                    pointer.enter(inner.bytes().unwrap_or(1));
                    pointer.element = inner.lengths().0.bytes().unwrap_or(1).max(1);
                }
                Value::Pointer(pointer)
            }
            At::Variable(id, at) => Value::Address(id, at),
            At::Within(id, by) => Value::Within(id, by),
            At::Value(value) => value,
        }
    }

    /// `&place`.
    pub(super) fn address(&mut self, of: &Expr) -> Value {
        match self.target(of).at {
            At::Memory(pointer) => Value::Pointer(pointer),
            At::Variable(id, at) => Value::Address(id, at),
            At::Within(id, by) => Value::Within(id, by),
            At::Value(value) => Value::Opaque(value.roots()),
        }
    }

    /// What was passed by value, where it is known which part of it.
    fn passed(&mut self, pointer: &Pointer, of: &Type, place: &Place) -> Option<Value> {
        let variable = self.found.arrays[pointer.array?].variable;
        let at = u64::try_from(pointer.offset.as_constant()?).ok()?;
        let whole = self
            .passed
            .get(&variable)
            .filter(|_| pointer.also.is_empty())?;
        Some(self.part(&whole.clone(), at, of, place))
    }

    pub(super) fn load(&mut self, target: &Target, span: &Span) -> Value {
        if let At::Memory(pointer) = &target.at
            && let Some(value) = self.passed(pointer, &target.of, &span.begin)
        {
            let known = Target {
                at: At::Value(value),
                of: target.of.clone(),
                lanes: target.lanes.clone(),
            };
            return self.load(&known, span);
        }
        let (at, of) = (&target.at, &target.of);
        match (at, &target.lanes, of) {
            (At::Memory(pointer), Some(lanes), Type::Vector(scalar, _)) => {
                let (first, bytes) = extent(lanes, *scalar);
                let pointer = self.further(pointer, first, &span.begin);
                let access = self.record(pointer, Does::Load, bytes, span);
                let one = |walker: &mut Self, lane: u8| {
                    let at = u64::from(lane) * u64::from(scalar.bytes) - first;
                    walker.loaded(access, at, &Type::Scalar(*scalar))
                };
                self.gathered(lanes, *scalar, one)
            }
            (At::Memory(pointer), _, of) => {
                let bytes = whole_bytes(of);
                let access = self.record(pointer.clone(), Does::Load, bytes, span);
                self.loaded(access, 0, of)
            }
            (At::Variable(id, at), Some(lanes), Type::Vector(scalar, _)) => {
                let value = self.value_of(*id);
                let one = |walker: &mut Self, lane: u8| {
                    let at = at.saturating_add(u64::from(lane) * u64::from(scalar.bytes));
                    walker.part(&value, at, &Type::Scalar(*scalar), &span.begin)
                };
                self.gathered(lanes, *scalar, one)
            }
            (At::Variable(id, at), _, of) => {
                let value = self.value_of(*id);
                match (at, &self.unit.variables[*id].of) {
                    (0, own) if own == of => value,
                    _ => self.part(&value, *at, of, &span.begin),
                }
            }
            (At::Within(id, by), ..) => Value::Opaque(&self.value_of(*id).roots() | by),
            (At::Value(value), Some(lanes), Type::Vector(scalar, _)) => {
                let one = |walker: &mut Self, lane: u8| {
                    let at = u64::from(lane) * u64::from(scalar.bytes);
                    walker.part(value, at, &Type::Scalar(*scalar), &span.begin)
                };
                self.gathered(lanes, *scalar, one)
            }
            (At::Value(value), ..) => value.clone(),
        }
    }

    fn value_of(&self, id: VariableId) -> Value {
        self.variables
            .get(&id)
            .cloned()
            .unwrap_or_else(Value::nothing)
    }

    /// One component by itself, several as a vector.
    fn gathered(
        &mut self,
        lanes: &[u8],
        scalar: Scalar,
        one: impl Fn(&mut Self, u8) -> Value,
    ) -> Value {
        if let [lane] = lanes {
            return one(self, *lane);
        }
        let mut parts = BTreeMap::new();
        for (lane, at) in lanes.iter().zip(0_u64..) {
            let part = one(self, *lane);
            parts.insert(at * u64::from(scalar.bytes), part);
        }
        Value::Parts(parts)
    }

    /// What an access read, as a value.
    pub(super) fn loaded(&mut self, access: usize, at: u64, of: &Type) -> Value {
        match of {
            Type::Vector(scalar, lanes) => {
                let mut parts = BTreeMap::new();
                for lane in 0..u64::from(*lanes) {
                    let own = lane * u64::from(scalar.bytes);
                    let part = self.loaded(access, at.saturating_add(own), &Type::Scalar(*scalar));
                    parts.insert(own, part);
                }
                Value::Parts(parts)
            }
            of => {
                let atom = self.atoms().id(Atom::Loaded(access, at));
                match of.is_whole() {
                    true => Value::Whole(Polynomial::atom(atom)),
                    false => Value::Opaque(BTreeSet::from([atom])),
                }
            }
        }
    }

    pub(super) fn store(&mut self, target: Target, value: Value, span: &Span) {
        match (target.at, target.lanes, &target.of) {
            (At::Memory(pointer), Some(lanes), Type::Vector(scalar, _)) => {
                let (first, bytes) = extent(&lanes, *scalar);
                let pointer = self.further(&pointer, first, &span.begin);
                self.record(pointer, Does::Store, bytes, span);
            }
            (At::Memory(pointer), _, of) => {
                let bytes = whole_bytes(of);
                self.record(pointer, Does::Store, bytes, span);
            }
            (At::Variable(id, at), Some(lanes), Type::Vector(scalar, _)) => {
                for (place, lane) in lanes.iter().enumerate() {
                    let size = u64::from(scalar.bytes);
                    let from = if lanes.len() == 1 {
                        0
                    } else {
                        place as u64 * size
                    };
                    let part = self.part(&value, from, &Type::Scalar(*scalar), &span.begin);
                    self.set(id, at.saturating_add(u64::from(*lane) * size), part);
                }
            }
            (At::Variable(id, at), _, of) => {
                self.points(id, &value, span);
                let own = &self.unit.variables[id].of;
                match at == 0 && own == of {
                    true => {
                        self.variables.insert(id, value);
                    }
                    false => self.set(id, at, value),
                }
            }
            (At::Within(id, by), ..) => {
                let roots = &self.value_of(id).roots() | &value.roots();
                self.variables.insert(id, Value::Opaque(&roots | &by));
            }
            (At::Value(_), ..) => {}
        }
    }

    /// Keeps where a pointer variable is pointed to.
    pub(super) fn points(&mut self, variable: VariableId, value: &Value, span: &Span) {
        if let Value::Pointer(pointer) = value {
            let pointing = Pointing {
                variable,
                arrays: pointer.arrays(),
                offset: pointer.offset.clone(),
                span: span.clone(),
                is_own: self.calls.is_empty(),
            };
            self.found.pointers.push(pointing);
        }
    }

    /// Sets a part of a variable.
    fn set(&mut self, id: VariableId, at: u64, value: Value) {
        let mut parts = match self.variables.remove(&id) {
            Some(Value::Parts(parts)) => parts,
            Some(other) if !other.roots().is_empty() => {
                // Of the other parts only what they come from is known.
                let roots = &other.roots() | &value.roots();
                self.variables.insert(id, Value::Opaque(roots));
                return;
            }
            _ => BTreeMap::new(),
        };
        put(&mut parts, at, value);
        self.variables.insert(id, Value::Parts(parts));
    }

    fn further(&mut self, pointer: &Pointer, bytes: u64, place: &Place) -> Pointer {
        let by = Polynomial::constant(i64::try_from(bytes).unwrap_or(i64::MAX));
        Pointer {
            offset: self.sum(&pointer.offset, &by, place),
            ..pointer.clone()
        }
    }

    /// Adds an access; its place among all.
    pub(super) fn record(
        &mut self,
        pointer: Pointer,
        does: Does,
        bytes: u64,
        span: &Span,
    ) -> usize {
        let (array, offset, subscripts) = (pointer.array, pointer.offset, pointer.subscripts);
        let of = array.map(|array| &self.found.arrays[array]);
        let declared = of.map_or(1, |of| of.element_bytes);
        // An argument's one dimension may be several of a formula.
        let is_said = of.is_some_and(|of| subscripts.len() > usize::from(of.parameter.is_some()));
        let subscripts = Some(subscripts).filter(|it| is_said && leads_to(it, &offset, declared));
        let subscripts = subscripts.unwrap_or_default();
        let element = if array.is_some() { pointer.element } else { 1 };
        let (index, element_bytes, within) =
            elements::counted(&mut self.found.atoms, &offset, bytes, [element, declared]);
        let step = |it: &Subscript| i64::try_from(it.bytes / element_bytes).unwrap_or(i64::MAX);
        let strides = subscripts.iter().map(|it| Polynomial::constant(step(it)));
        let strides = strides.collect();
        let (subscripts, fields): (Vec<_>, Vec<_>) = subscripts
            .into_iter()
            .map(|it| (it.index, it.field))
            .unzip();
        self.found.accesses.push(Access {
            array,
            also: pointer.also.into_iter().collect(),
            does,
            bytes,
            offset,
            index,
            element_bytes,
            within,
            subscripts,
            fields,
            strides,
            loops: self.nest.clone(),
            guards: self.guards.clone(),
            span: span.clone(),
            calls: self.calls.iter().map(|(_, place)| place.clone()).collect(),
            class: Class::Unknown,
            reasons: Vec::new(),
            depends_on: BTreeSet::new(),
            happens_by: BTreeSet::new(),
        });
        self.found.accesses.len() - 1
    }
}

/// Whether the dimensions of the text are all that led to a place in elements of so many bytes, but for fields.
fn leads_to(subscripts: &[Subscript], offset: &Polynomial, element: u64) -> bool {
    let left = subscripts.iter().try_fold(offset.clone(), |left, it| {
        left.minus(&it.index.scaled(i64::try_from(it.bytes).ok()?)?)
    });
    let left = left
        .and_then(|it| it.as_constant())
        .and_then(|it| u64::try_from(it).ok());
    let outermost = subscripts.first().map_or(0, |it| it.bytes);
    left.is_some_and(|left| left < outermost.max(element))
}

/// `.field`, of a structure or a union.
fn named(of: &Type, offset: u64, field: &Type) -> String {
    let Type::Record(record) = of else {
        return String::new();
    };
    let mut fields = record.fields.iter();
    let found = fields.find(|it| it.offset == offset && it.of == *field);
    found.map_or_else(String::new, |it| format!(".{}", it.name))
}

/// From the first of these components to the last: where it begins, and its bytes.
fn extent(lanes: &[u8], scalar: Scalar) -> (u64, u64) {
    let first = lanes.iter().min().copied().unwrap_or_default();
    let last = lanes.iter().max().copied().unwrap_or_default();
    let size = u64::from(scalar.bytes);
    (
        u64::from(first) * size,
        (u64::from(last - first) + 1) * size,
    )
}

fn whole_bytes(of: &Type) -> u64 {
    match of {
        // It takes the room of four, and three are read.
        Type::Vector(scalar, 3) => 3 * u64::from(scalar.bytes),
        of => of.bytes().unwrap_or(1).max(1),
    }
}
