//! Loads and stores of variables, and of memory as recorded accesses.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Walker,
    elements::{ElementIndex, element_index},
    place::{Location, Target},
    value::{Pointer, Subscript, Value, insert_part},
};
use crate::{
    accesses::{Access, Class, Does, Pointing, Polynomial, atom::Atom},
    ast::{Place, Scalar, Span, Type, VariableId},
};

impl Walker<'_> {
    /// The part of a structure passed by value to which a pointer leads, where that is known.
    fn part_of_struct_argument(
        &mut self,
        pointer: &Pointer,
        ty: &Type,
        place: &Place,
    ) -> Option<Value> {
        let variable = self.output.arrays[pointer.array?].variable;
        let at = u64::try_from(pointer.offset.as_constant()?).ok()?;
        let whole = self.struct_arguments.get(&variable);
        let whole = whole.filter(|_| pointer.also.is_empty())?.clone();
        Some(self.part(&whole, at, ty, place))
    }

    pub(super) fn load(&mut self, target: &Target, span: &Span) -> Value {
        let (place, ty) = (&span.begin, &target.ty);
        let (value, begin) = match &target.location {
            Location::Memory(pointer) => match self.part_of_struct_argument(pointer, ty, place) {
                Some(value) => (value, 0),
                None => return self.load_memory(pointer, target, span),
            },
            Location::Variable(id, at) => (self.variable_value(*id), *at),
            Location::Within(id, by) => {
                return Value::Opaque(&self.variable_value(*id).roots() | by);
            }
            Location::Value(value) => (value.clone(), 0),
        };
        if let (Some(lanes), Type::Vector(scalar, _)) = (&target.lanes, ty) {
            return self.gather_lanes(lanes, *scalar, |walker, lane| {
                let at = begin.saturating_add(u64::from(lane) * u64::from(scalar.bytes));
                walker.part(&value, at, &Type::Scalar(*scalar), place)
            });
        }
        match &target.location {
            Location::Variable(id, at) if *at > 0 || self.unit.variables[*id].ty != *ty => {
                self.part(&value, *at, ty, place)
            }
            _ => value,
        }
    }

    fn load_memory(&mut self, pointer: &Pointer, target: &Target, span: &Span) -> Value {
        let (Some(lanes), Type::Vector(scalar, _)) = (&target.lanes, &target.ty) else {
            let bytes = access_bytes(&target.ty);
            let access = self.record_access(pointer.clone(), Does::Load, bytes, span);
            return self.loaded_value(access, 0, &target.ty);
        };
        let (first, bytes) = lane_extent(lanes, *scalar);
        let pointer = self.advance(pointer, first, &span.begin);
        let access = self.record_access(pointer, Does::Load, bytes, span);
        self.gather_lanes(lanes, *scalar, |walker, lane| {
            let at = u64::from(lane) * u64::from(scalar.bytes) - first;
            walker.loaded_value(access, at, &Type::Scalar(*scalar))
        })
    }

    fn variable_value(&self, id: VariableId) -> Value {
        self.variables
            .get(&id)
            .cloned()
            .unwrap_or_else(Value::nothing)
    }

    /// The value of several components as a vector; of one component by itself.
    fn gather_lanes(
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

    /// The value that an access read.
    pub(super) fn loaded_value(&mut self, access: usize, at: u64, ty: &Type) -> Value {
        match ty {
            Type::Vector(scalar, lanes) => {
                let mut parts = BTreeMap::new();
                for lane in 0..u64::from(*lanes) {
                    let own = lane * u64::from(scalar.bytes);
                    let part =
                        self.loaded_value(access, at.saturating_add(own), &Type::Scalar(*scalar));
                    parts.insert(own, part);
                }
                Value::Parts(parts)
            }
            ty => {
                let atom = self.atoms().id(Atom::Loaded(access, at));
                if ty.is_whole() {
                    Value::Whole(Polynomial::atom(atom))
                } else {
                    Value::Opaque(BTreeSet::from([atom]))
                }
            }
        }
    }

    pub(super) fn store(&mut self, target: Target, value: Value, span: &Span) {
        match (target.location, target.lanes, &target.ty) {
            (Location::Memory(pointer), Some(lanes), Type::Vector(scalar, _)) => {
                let (first, bytes) = lane_extent(&lanes, *scalar);
                let pointer = self.advance(&pointer, first, &span.begin);
                self.record_access(pointer, Does::Store, bytes, span);
            }
            (Location::Memory(pointer), _, ty) => {
                let bytes = access_bytes(ty);
                self.record_access(pointer, Does::Store, bytes, span);
            }
            (Location::Variable(id, at), Some(lanes), Type::Vector(scalar, _)) => {
                for (place, lane) in lanes.iter().enumerate() {
                    let size = u64::from(scalar.bytes);
                    let from = if lanes.len() == 1 {
                        0
                    } else {
                        place as u64 * size
                    };
                    let part = self.part(&value, from, &Type::Scalar(*scalar), &span.begin);
                    self.set_part(id, at.saturating_add(u64::from(*lane) * size), part);
                }
            }
            (Location::Variable(id, at), _, ty) => {
                self.record_pointer(id, &value, span);
                if at == 0 && self.unit.variables[id].ty == *ty {
                    self.variables.insert(id, value);
                } else {
                    self.set_part(id, at, value);
                }
            }
            (Location::Within(id, by), ..) => {
                let roots = &self.variable_value(id).roots() | &value.roots();
                self.variables.insert(id, Value::Opaque(&roots | &by));
            }
            (Location::Value(_), ..) => {}
        }
    }

    fn set_part(&mut self, id: VariableId, at: u64, value: Value) {
        let mut parts = match self.variables.remove(&id) {
            Some(Value::Parts(parts)) => parts,
            Some(other) if !other.roots().is_empty() => {
                // Of the other parts only their atoms are known.
                let roots = &other.roots() | &value.roots();
                self.variables.insert(id, Value::Opaque(roots));
                return;
            }
            _ => BTreeMap::new(),
        };
        insert_part(&mut parts, at, value);
        self.variables.insert(id, Value::Parts(parts));
    }

    fn advance(&mut self, pointer: &Pointer, bytes: u64, place: &Place) -> Pointer {
        let by = Polynomial::constant(i64::try_from(bytes).unwrap_or(i64::MAX));
        Pointer {
            offset: self.sum(&pointer.offset, &by, place),
            ..pointer.clone()
        }
    }

    /// Records the place to which a pointer variable is set.
    pub(super) fn record_pointer(&mut self, variable: VariableId, value: &Value, span: &Span) {
        if let Value::Pointer(pointer) = value {
            let pointing = Pointing {
                variable,
                arrays: pointer.arrays(),
                offset: pointer.offset.clone(),
                span: span.clone(),
                is_own: self.calls.is_empty(),
            };
            self.output.pointers.push(pointing);
        }
    }

    /// Records an access and returns its place among all.
    pub(super) fn record_access(
        &mut self,
        pointer: Pointer,
        does: Does,
        bytes: u64,
        span: &Span,
    ) -> usize {
        let (array, offset, subscripts) = (pointer.array, pointer.offset, pointer.subscripts);
        let accessed = array.map(|array| &self.output.arrays[array]);
        let declared = accessed.map_or(1, |it| it.element_bytes);
        // The one dimension of an argument may be several by its formula.
        let is_written =
            accessed.is_some_and(|it| subscripts.len() > usize::from(it.parameter.is_some()));
        let subscripts =
            Some(subscripts).filter(|it| is_written && cover_offset(it, &offset, declared));
        let subscripts = subscripts.unwrap_or_default();
        let element = if array.is_some() { pointer.element } else { 1 };
        let ElementIndex {
            index,
            element_bytes,
            within,
        } = element_index(&mut self.output.atoms, &offset, bytes, [element, declared]);
        let step = |it: &Subscript| i64::try_from(it.bytes / element_bytes).unwrap_or(i64::MAX);
        let strides = subscripts.iter().map(|it| Polynomial::constant(step(it)));
        let strides = strides.collect();
        let (subscripts, fields): (Vec<_>, Vec<_>) = subscripts
            .into_iter()
            .map(|it| (it.index, it.field))
            .unzip();
        self.output.accesses.push(Access {
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
            loops: self.loops.clone(),
            guards: self.guards.clone(),
            span: span.clone(),
            calls: self.calls.iter().map(|(_, place)| place.clone()).collect(),
            class: Class::Unknown,
            reasons: Vec::new(),
            depends_on: BTreeSet::new(),
            happens_by: BTreeSet::new(),
        });
        self.output.accesses.len() - 1
    }
}

/// The byte at which the first of these components begins, and the bytes from there to the last one's end.
fn lane_extent(lanes: &[u8], scalar: Scalar) -> (u64, u64) {
    let first = lanes.iter().min().copied().unwrap_or_default();
    let last = lanes.iter().max().copied().unwrap_or_default();
    let size = u64::from(scalar.bytes);
    (
        u64::from(first) * size,
        (u64::from(last - first) + 1) * size,
    )
}

/// Bytes that an access of a whole value reads or writes.
fn access_bytes(ty: &Type) -> u64 {
    match ty {
        // It takes the space of four, and three are read.
        Type::Vector(scalar, 3) => 3 * u64::from(scalar.bytes),
        ty => ty.bytes().unwrap_or(1).max(1),
    }
}

/// Whether an offset consists of subscripts and fields alone, in elements of `element` bytes.
fn cover_offset(subscripts: &[Subscript], offset: &Polynomial, element: u64) -> bool {
    let rest = subscripts.iter().try_fold(offset.clone(), |rest, it| {
        rest.minus(&it.index.scaled(i64::try_from(it.bytes).ok()?)?)
    });
    let rest = rest
        .and_then(|it| it.as_constant())
        .and_then(|it| u64::try_from(it).ok());
    let outermost = subscripts.first().map_or(0, |it| it.bytes);
    rest.is_some_and(|rest| rest < outermost.max(element))
}
