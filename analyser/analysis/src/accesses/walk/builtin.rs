//! OpenCL's built-in functions: their values, and what they access.

use std::collections::BTreeSet;

use super::{Walker, real, value::Value};
use crate::{
    accesses::{
        Does, Id, Operation, Polynomial,
        atom::{Atom, Condition},
    },
    ast::{Expr, Place, Type},
};

impl Walker<'_> {
    /// The value of a function that the source does not define. `values`: those of its arguments.
    pub(super) fn builtin(
        &mut self,
        name: &str,
        values: Vec<Value>,
        arguments: &[Expr],
        expr: &Expr,
    ) -> Value {
        let place = &expr.span.begin;
        if let Some(id) = id(name) {
            let dimension = values.first().map_or(Some(0), |value| match value {
                Value::Whole(dimension) => dimension.as_constant(),
                _ => None,
            });
            return match dimension.and_then(|it| u8::try_from(it).ok()) {
                Some(dimension) if dimension < 3 => {
                    Value::Whole(self.atoms().formula(Atom::Id(id, dimension)))
                }
                _ => {
                    let reason = "an id of no dimension in particular";
                    Value::Whole(self.unknown(reason, place, BTreeSet::new()))
                }
            };
        }
        if name == "get_global_offset" {
            return Value::Whole(Polynomial::default());
        }
        if let Some(value) = self.memory_builtin(name, &values, arguments, expr) {
            return value;
        }
        if let Some(value) = self.integer_builtin(name, &values, arguments, &expr.ty, place) {
            return Value::Whole(value);
        }
        let is_scalar = values.len() == 1 && matches!(expr.ty, Type::Scalar(_));
        let rounding = real::rounding(name).filter(|_| is_scalar);
        let rounded = rounding.and_then(|it| self.calculate(it, &[&values[0]], &arguments[0].ty));
        if name.starts_with("convert_") && is_scalar {
            let value = rounded.or_else(|| values.into_iter().next());
            let value = value.unwrap_or_else(Value::nothing);
            return self.convert(value, &arguments[0].ty, &expr.ty, place);
        }
        rounded.unwrap_or_else(|| self.unfollowed_call(name, &values, arguments, expr))
    }

    /// Functions that read and write memory.
    fn memory_builtin(
        &mut self,
        name: &str,
        values: &[Value],
        arguments: &[Expr],
        expr: &Expr,
    ) -> Option<Value> {
        if let Some(suffix) = name.strip_prefix("vload") {
            return self.vector_access(Does::Load, suffix, (values, arguments), expr);
        }
        if let Some(suffix) = name.strip_prefix("vstore") {
            let (values, arguments) = (values.get(1..)?, arguments.get(1..)?);
            return self.vector_access(Does::Store, suffix, (values, arguments), expr);
        }
        if name == "atomic_work_item_fence" {
            return Some(Value::nothing());
        }
        if !name.starts_with("atomic_") && !name.starts_with("atom_") {
            return None;
        }
        let (Value::Pointer(pointer), Type::Pointer(_, pointee)) =
            (values.first()?, &arguments.first()?.ty)
        else {
            return None;
        };
        let bytes = pointee.bytes().unwrap_or(4);
        let access = self.record_access(pointer.clone(), Does::Atomic, bytes, &expr.span);
        Some(self.loaded_value(access, 0, &expr.ty))
    }

    /// `vload` or `vstore` with this suffix, by offset and pointer.
    fn vector_access(
        &mut self,
        does: Does,
        suffix: &str,
        (values, arguments): (&[Value], &[Expr]),
        expr: &Expr,
    ) -> Option<Value> {
        let place = &expr.span.begin;
        let [offset, pointer, ..] = values else {
            return None;
        };
        let (lanes, of_half) = lanes(suffix)?;
        let Type::Pointer(_, pointee) = &arguments[1].ty else {
            return None;
        };
        // `vloada_half3` steps by four, as an array of `half3` would.
        let is_aligned = of_half && suffix.starts_with('a');
        let step = if is_aligned {
            lanes.next_power_of_two()
        } else {
            lanes
        };
        let offset = self.whole(offset.clone(), place);
        let by = self.scaled(&offset, i64::try_from(step).unwrap_or(1), place);
        let moved = self.offset_pointer(pointer.clone(), &by, pointee, place);
        let Value::Pointer(pointer) = moved else {
            self.add_gap("a pointer that is not followed", place);
            return Some(Value::Opaque(moved.roots()));
        };
        let bytes = pointee.bytes().unwrap_or(1).saturating_mul(lanes);
        let access = self.record_access(pointer, does, bytes, &expr.span);
        Some(match does {
            Does::Load => self.loaded_value(access, 0, &expr.ty),
            _ => Value::nothing(),
        })
    }

    /// Functions of whole numbers.
    fn integer_builtin(
        &mut self,
        name: &str,
        values: &[Value],
        arguments: &[Expr],
        ty: &Type,
        place: &Place,
    ) -> Option<Polynomial> {
        if !ty.is_whole() || !arguments.iter().all(|it| it.ty.is_whole()) {
            return None;
        }
        let numbers = values.iter().map(|value| self.whole(value.clone(), place));
        let numbers: Vec<Polynomial> = numbers.collect();
        let atoms = &mut self.output.atoms;
        Some(match (name, numbers.as_slice()) {
            ("min", [a, b]) => atoms.operation(Operation::Minimum, vec![a.clone(), b.clone()]),
            ("max", [a, b]) => atoms.operation(Operation::Maximum, vec![a.clone(), b.clone()]),
            ("clamp", [x, low, high]) => {
                let raised = atoms.operation(Operation::Maximum, vec![x.clone(), low.clone()]);
                atoms.operation(Operation::Minimum, vec![raised, high.clone()])
            }
            ("abs", [x]) => {
                let negative = x.scaled(-1)?;
                atoms.operation(Operation::Maximum, vec![x.clone(), negative])
            }
            ("mul24", [a, b]) => a.times(b)?,
            ("mad24", [a, b, c]) => a.times(b)?.plus(c)?,
            ("select", [a, b, c]) => {
                let when = Condition::NotZero(c.clone());
                atoms.formula(Atom::Select(Box::new(when), b.clone(), a.clone()))
            }
            _ => return None,
        })
    }

    /// A call of any other function. What it may write through a pointer is unknown afterwards.
    fn unfollowed_call(
        &mut self,
        name: &str,
        values: &[Value],
        arguments: &[Expr],
        expr: &Expr,
    ) -> Value {
        let place = &expr.span.begin;
        let roots: BTreeSet<_> = values.iter().flat_map(Value::roots).collect();
        for (value, argument) in values.iter().zip(arguments) {
            match (value, &argument.ty) {
                (Value::Address(id, _) | Value::Within(id, _), _) => {
                    self.variables.insert(*id, Value::Opaque(roots.clone()));
                }
                (Value::Pointer(_), Type::Pointer(..))
                    if name != "printf" && name != "prefetch" =>
                {
                    let reason =
                        format!("`{name}` accesses memory by a pointer, which is not followed");
                    self.add_gap(&reason, place);
                }
                _ => {}
            }
        }
        self.unfollowed(&format!("`{name}` is not followed"), &expr.ty, place, roots)
    }
}

fn id(name: &str) -> Option<Id> {
    Some(match name {
        "get_global_id" => Id::Global,
        "get_local_id" => Id::Local,
        "get_group_id" => Id::Group,
        "get_global_size" => Id::GlobalSize,
        "get_local_size" | "get_enqueued_local_size" => Id::LocalSize,
        "get_num_groups" => Id::Groups,
        "get_work_dim" => Id::Dimensions,
        _ => return None,
    })
}

/// The count of numbers that a suffix of `vload` or `vstore` stands for, and whether they are halves: `4`, `a_half4`,
/// `_half_rte`.
fn lanes(suffix: &str) -> Option<(u64, bool)> {
    let (digits, of_half) = match suffix
        .strip_prefix('a')
        .unwrap_or(suffix)
        .strip_prefix("_half")
    {
        Some(rest) => (rest, true),
        None => (suffix, false),
    };
    let digits = digits.split('_').next().unwrap_or_default();
    match (digits, of_half) {
        ("", true) => Some((1, true)),
        (digits, _) => {
            let lanes = digits.parse().ok()?;
            matches!(lanes, 2 | 3 | 4 | 8 | 16).then_some((lanes, of_half))
        }
    }
}
