//! Following a kernel's text: values are polynomials where they can be.

mod after;
mod assigned;
mod assumed;
mod builtin;
mod call;
mod elements;
mod expr;
mod header;
mod memory;
mod real;
mod repeat;
mod stmt;
mod value;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use self::value::{Pointer, Value};
use super::{
    Accesses, Array, Gap, Guard, Polynomial, Real,
    atom::{Atom, Atoms, Condition},
};
use crate::ast::{Function, Place, Space, Type, Unit, VariableId};

/// Expressions and statements that are looked at; the largest kernels that people write need some ten thousands.
const MOST_WORK: usize = 300_000;
/// Bytes of a structure with arrays that is passed by value: larger ones are tables.
const MOST_PASSED: u64 = 1 << 10;
/// Functions in each other.
const MOST_CALLS: usize = 16;

pub(super) struct Walker<'u> {
    unit: &'u Unit,
    found: Accesses,
    variables: HashMap<VariableId, Value>,
    arrays: HashMap<VariableId, usize>,
    /// Structures with arrays that were passed by value, and that nothing changes: their numbers.
    passed: HashMap<VariableId, Value>,
    /// Loops around what is looked at.
    nest: Vec<usize>,
    guards: Vec<Guard>,
    /// Guards that there were when the function was called.
    base: usize,
    calls: Vec<(Arc<str>, Place)>,
    /// Of the function that is walked: what it returns, and when.
    returned: Vec<(Condition, Value)>,
    /// Variables at each `break` of the innermost loop or switch.
    broken: Vec<stmt::Variables>,
    work: usize,
}

pub(super) fn walk(unit: &Unit, function: &Function) -> Accesses {
    let mut walker = Walker {
        unit,
        found: Accesses {
            function: function.name.to_string(),
            ..Accesses::default()
        },
        variables: HashMap::new(),
        arrays: HashMap::new(),
        passed: HashMap::new(),
        nest: Vec::new(),
        guards: Vec::new(),
        base: 0,
        calls: Vec::new(),
        returned: Vec::new(),
        broken: Vec::new(),
        work: 0,
    };
    for (index, parameter) in function.parameters.iter().enumerate() {
        let value = walker.parameter(index, *parameter);
        walker.bind(function, *parameter, value);
    }
    walker.stmt(&function.body);
    walker.found
}

impl Walker<'_> {
    fn parameter(&mut self, index: usize, id: VariableId) -> Value {
        let variable = &self.unit.variables[id];
        self.found.parameters.push(variable.name.to_string());
        match &variable.of {
            Type::Pointer(space, of) => {
                let array = self.array(id, *space, of, Vec::new());
                self.found.arrays[array].parameter = Some(index);
                let bytes = self.found.arrays[array].element_bytes;
                let mut pointer = Pointer::to(array, bytes);
                pointer.enter(bytes);
                Value::Pointer(pointer)
            }
            of => self.argument(index, 0, of),
        }
    }

    /// Gives a parameter its value.
    fn bind(&mut self, function: &Function, id: VariableId, value: Value) {
        let of = &self.unit.variables[id].of;
        self.passed.remove(&id);
        if of.has_array()
            && matches!(value, Value::Parts(_))
            && !assigned::is_changed(self.unit, &function.body, id)
        {
            self.passed.insert(id, value.clone());
        }
        self.variables.insert(id, value);
    }

    /// A number, a vector or a structure passed by value.
    fn argument(&mut self, parameter: usize, offset: u64, of: &Type) -> Value {
        match of {
            Type::Scalar(scalar) if of.is_whole() => {
                let signed = scalar.kind == crate::ast::Kind::Signed;
                let atom = Atom::Scalar(parameter, offset, scalar.bytes, signed);
                Value::Whole(self.atoms().of(atom))
            }
            Type::Scalar(scalar) if scalar.bytes >= 4 => {
                Value::Real(Real::Argument(parameter, offset, scalar.bytes))
            }
            Type::Vector(scalar, lanes) => {
                let of = Type::Scalar(*scalar);
                let places = (0..u64::from(*lanes)).map(|lane| lane * u64::from(scalar.bytes));
                let parts = places.map(|at| (at, self.argument(parameter, offset + at, &of)));
                Value::Parts(parts.collect())
            }
            Type::Array(inner, length)
                if of
                    .bytes()
                    .is_some_and(|it| (*length..=MOST_PASSED).contains(&it)) =>
            {
                let bytes = inner.bytes().unwrap_or(1);
                let mut parts = BTreeMap::new();
                for at in (0..*length).map(|index| index * bytes) {
                    value::put(&mut parts, at, self.argument(parameter, offset + at, inner));
                }
                Value::Parts(parts)
            }
            Type::Record(record) if !of.has_array() || record.bytes <= MOST_PASSED => {
                let mut parts = BTreeMap::new();
                for field in &record.fields {
                    let value =
                        self.argument(parameter, offset.saturating_add(field.offset), &field.of);
                    value::put(&mut parts, field.offset, value);
                }
                Value::Parts(parts)
            }
            _ => Value::Opaque(BTreeSet::new()),
        }
    }

    fn array(
        &mut self,
        variable: VariableId,
        space: Space,
        element: &Type,
        lengths: Vec<u64>,
    ) -> usize {
        let of = &self.unit.variables[variable];
        self.found.arrays.push(Array {
            name: of.name.to_string(),
            space,
            element: element.clone(),
            element_bytes: element.bytes().unwrap_or(1).max(1),
            lengths,
            parameter: None,
            variable,
            span: of.span.clone(),
        });
        self.arrays.insert(variable, self.found.arrays.len() - 1);
        self.found.arrays.len() - 1
    }

    fn atoms(&mut self) -> &mut Atoms {
        &mut self.found.atoms
    }

    /// What is not followed, as a number.
    fn unknown(&mut self, reason: &str, place: &Place, roots: BTreeSet<usize>) -> Polynomial {
        self.atoms().computed(reason, place, roots)
    }

    fn gap(&mut self, reason: &str, place: &Place) {
        let gap = Gap {
            place: place.clone(),
            reason: reason.to_owned(),
        };
        if !self.found.gaps.contains(&gap) {
            self.found.gaps.push(gap);
        }
    }

    /// Whether there is still time.
    fn works(&mut self, place: &Place) -> bool {
        self.work += 1;
        if self.work == MOST_WORK {
            self.gap("too long: what comes after is not followed", place);
        }
        self.work < MOST_WORK
    }

    fn guard(&mut self, condition: Condition, place: &Place) {
        if condition.decided() != Some(true) {
            self.guards.push(Guard {
                condition,
                depth: self.nest.len(),
                place: place.clone(),
            });
        }
    }
}
