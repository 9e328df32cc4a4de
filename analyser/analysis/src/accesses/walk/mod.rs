//! Follows a kernel's text. Values are polynomials where they can be.

mod arithmetic;
mod builtin;
mod call;
mod condition;
mod elements;
mod expr;
mod loop_assumptions;
mod loop_changes;
mod loop_exit;
mod loop_header;
mod loops;
mod memory;
mod place;
mod real;
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
use crate::ast::{Expr, Function, Kind, Place, Space, Span, Stmt, Type, Unit, VariableId};

/// The most expressions and statements to follow. The largest kernels that people write need some ten thousand.
const MOST_WORK: usize = 300_000;
/// The most bytes of a structure with arrays that is passed by value and followed; larger ones are tables.
const MOST_STRUCT_BYTES: u64 = 1 << 10;
const MOST_CALLS: usize = 16;

type Variables = HashMap<VariableId, Value>;

/// A loop of the source.
struct LoopText<'e> {
    condition: Option<&'e Expr>,
    step: Option<&'e Expr>,
    body: &'e Stmt,
    /// Whether it is a `do … while`.
    body_first: bool,
    span: &'e Span,
}

pub(super) struct Walker<'u> {
    unit: &'u Unit,
    output: Accesses,
    variables: HashMap<VariableId, Value>,
    arrays: HashMap<VariableId, usize>,
    /// Values of structures with arrays that were passed by value, if nothing changes them.
    struct_arguments: HashMap<VariableId, Value>,
    /// Loops around the current statement, outermost first.
    loops: Vec<usize>,
    guards: Vec<Guard>,
    /// Number of guards when the function was called.
    call_guards: usize,
    calls: Vec<(Arc<str>, Place)>,
    /// Values that the current function returns, and on which condition.
    returns: Vec<(Condition, Value)>,
    /// Variables at each `break` of the innermost loop or switch.
    at_breaks: Vec<Variables>,
    work: usize,
}

/// Records all accesses of a kernel, without dimensions and classes.
pub(super) fn walk(unit: &Unit, function: &Function) -> Accesses {
    let mut walker = Walker {
        unit,
        output: Accesses {
            function: function.name.to_string(),
            ..Accesses::default()
        },
        variables: HashMap::new(),
        arrays: HashMap::new(),
        struct_arguments: HashMap::new(),
        loops: Vec::new(),
        guards: Vec::new(),
        call_guards: 0,
        calls: Vec::new(),
        returns: Vec::new(),
        at_breaks: Vec::new(),
        work: 0,
    };
    for (index, parameter) in function.parameters.iter().enumerate() {
        let value = walker.parameter(index, *parameter);
        walker.bind(function, *parameter, value);
    }
    walker.stmt(&function.body);
    walker.output
}

impl Walker<'_> {
    fn parameter(&mut self, index: usize, id: VariableId) -> Value {
        let variable = &self.unit.variables[id];
        self.output.parameters.push(variable.name.to_string());
        match &variable.ty {
            Type::Pointer(space, pointee) => {
                let array = self.array(id, *space, pointee, Vec::new());
                self.output.arrays[array].parameter = Some(index);
                let bytes = self.output.arrays[array].element_bytes;
                let mut pointer = Pointer::to(array, bytes);
                pointer.enter(bytes);
                Value::Pointer(pointer)
            }
            by_value => self.argument(index, 0, by_value),
        }
    }

    fn bind(&mut self, function: &Function, id: VariableId, value: Value) {
        let ty = &self.unit.variables[id].ty;
        self.struct_arguments.remove(&id);
        if ty.has_array()
            && matches!(value, Value::Parts(_))
            && !loop_changes::may_change(self.unit, &function.body, id)
        {
            self.struct_arguments.insert(id, value.clone());
        }
        self.variables.insert(id, value);
    }

    /// The value of a parameter that is passed by value, or of a part of it.
    fn argument(&mut self, parameter: usize, offset: u64, ty: &Type) -> Value {
        let parts: Vec<(u64, Type)> = match ty {
            Type::Scalar(scalar) if ty.is_whole() => {
                let signed = scalar.kind == Kind::Signed;
                let atom = Atom::Scalar(parameter, offset, scalar.bytes, signed);
                return Value::Whole(self.atoms().formula(atom));
            }
            Type::Scalar(scalar) if scalar.bytes >= 4 => {
                return Value::Real(Real::Argument(parameter, offset, scalar.bytes));
            }
            Type::Vector(scalar, lanes) => {
                let places = (0..u64::from(*lanes)).map(|lane| lane * u64::from(scalar.bytes));
                places.map(|at| (at, Type::Scalar(*scalar))).collect()
            }
            Type::Array(inner, length)
                if ty
                    .bytes()
                    .is_some_and(|it| (*length..=MOST_STRUCT_BYTES).contains(&it)) =>
            {
                let bytes = inner.bytes().unwrap_or(1);
                let places = (0..*length).map(|index| index * bytes);
                places.map(|at| (at, Type::clone(inner))).collect()
            }
            Type::Record(record) if !ty.has_array() || record.bytes <= MOST_STRUCT_BYTES => {
                let fields = record.fields.iter();
                fields.map(|it| (it.offset, it.ty.clone())).collect()
            }
            _ => return Value::nothing(),
        };
        let mut values = BTreeMap::new();
        for (at, part_type) in parts {
            let value = self.argument(parameter, offset.saturating_add(at), &part_type);
            value::insert_part(&mut values, at, value);
        }
        Value::Parts(values)
    }

    fn array(
        &mut self,
        variable: VariableId,
        space: Space,
        element: &Type,
        lengths: Vec<u64>,
    ) -> usize {
        let declared = &self.unit.variables[variable];
        self.output.arrays.push(Array {
            name: declared.name.to_string(),
            space,
            element: element.clone(),
            element_bytes: element.bytes().unwrap_or(1).max(1),
            lengths,
            parameter: None,
            variable,
            span: declared.span.clone(),
        });
        self.arrays.insert(variable, self.output.arrays.len() - 1);
        self.output.arrays.len() - 1
    }

    fn atoms(&mut self) -> &mut Atoms {
        &mut self.output.atoms
    }

    /// A whole number that is not followed.
    fn unknown(&mut self, reason: &str, place: &Place, roots: BTreeSet<usize>) -> Polynomial {
        self.atoms().computed(reason, place, roots)
    }

    /// A value of this type that is not followed.
    fn unfollowed(
        &mut self,
        reason: &str,
        ty: &Type,
        place: &Place,
        roots: BTreeSet<usize>,
    ) -> Value {
        if ty.is_whole() {
            Value::Whole(self.unknown(reason, place, roots))
        } else {
            Value::Opaque(roots)
        }
    }

    fn add_gap(&mut self, reason: &str, place: &Place) {
        let gap = Gap {
            place: place.clone(),
            reason: reason.to_owned(),
        };
        if !self.output.gaps.contains(&gap) {
            self.output.gaps.push(gap);
        }
    }

    /// Counts a step. Returns whether there may be more.
    fn has_budget(&mut self, place: &Place) -> bool {
        self.work += 1;
        if self.work == MOST_WORK {
            self.add_gap("too long: what comes after is not followed", place);
        }
        self.work < MOST_WORK
    }

    fn add_guard(&mut self, condition: Condition, place: &Place) {
        if condition.decided() != Some(true) {
            self.guards.push(Guard {
                condition,
                depth: self.loops.len(),
                place: place.clone(),
            });
        }
    }
}
