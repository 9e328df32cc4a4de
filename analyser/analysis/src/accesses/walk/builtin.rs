//! OpenCL's functions: what they are worth, and what they access.

use super::{Walker, real, value::Value};
use crate::{
    accesses::{
        Does, Id, Operation, Polynomial,
        atom::{Atom, Condition},
    },
    ast::{Expr, Place, Type},
};

impl Walker<'_> {
    /// The value of an OpenCL function, its arguments evaluated.
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
                    Value::Whole(self.atoms().of(Atom::Id(id, dimension)))
                }
                _ => Value::Whole(self.unknown(
                    "an id of no dimension in particular",
                    place,
                    Default::default(),
                )),
            };
        }
        if name == "get_global_offset" {
            return Value::Whole(Polynomial::default());
        }
        if let Some(value) = self.of_memory(name, &values, arguments, expr) {
            return value;
        }
        if let Some(value) = self.of_whole(name, &values, arguments, &expr.of, place) {
            return Value::Whole(value);
        }
        let is_scalar = values.len() == 1 && matches!(expr.of, Type::Scalar(_));
        let rounding = real::rounding(name).filter(|_| is_scalar);
        let rounded = rounding.and_then(|it| self.calculated(it, &[&values[0]], &arguments[0].of));
        if name.starts_with("convert_") && is_scalar {
            let value = rounded.or_else(|| values.into_iter().next());
            let value = value.unwrap_or_else(Value::nothing);
            return self.converted(value, &arguments[0].of, &expr.of, place);
        }
        rounded.unwrap_or_else(|| self.elsewhere(name, &values, arguments, expr))
    }

    /// Functions that read and write memory.
    fn of_memory(
        &mut self,
        name: &str,
        values: &[Value],
        arguments: &[Expr],
        expr: &Expr,
    ) -> Option<Value> {
        let span = &expr.span;
        let loads = name.strip_prefix("vload");
        let stores = name.strip_prefix("vstore");
        if let Some(said) = loads.or(stores) {
            let at = if loads.is_some() { 0 } else { 1 };
            let [offset, pointer] = values.get(at..at + 2)? else {
                return None;
            };
            let (lanes, of_half) = lanes(said)?;
            let component = match &arguments[at + 1].of {
                Type::Pointer(_, of) => of.bytes().unwrap_or(1),
                _ => 1,
            };
            // `vloada_half3` steps by four, as an array of `half3` would.
            let is_aligned = of_half && said.starts_with('a');
            let step = if is_aligned {
                lanes.next_power_of_two()
            } else {
                lanes
            };
            let offset = self.whole(offset.clone(), &span.begin);
            let by = self.scaled(&offset, step, &span.begin);
            let Type::Pointer(_, pointee) = &arguments[at + 1].of else {
                return None;
            };
            let moved = self.moved(pointer.clone(), &by, pointee, &span.begin);
            let bytes = component.saturating_mul(lanes);
            let does = if loads.is_some() {
                Does::Load
            } else {
                Does::Store
            };
            return Some(match moved {
                Value::Pointer(pointer) => {
                    let access = self.record(pointer, does, bytes, span);
                    match loads {
                        Some(_) => self.loaded(access, 0, &expr.of),
                        None => Value::nothing(),
                    }
                }
                other => {
                    self.gap("a pointer that is not followed", &span.begin);
                    Value::Opaque(other.roots())
                }
            });
        }
        if name.starts_with("atomic_") || name.starts_with("atom_") {
            if name == "atomic_work_item_fence" {
                return Some(Value::nothing());
            }
            let (Value::Pointer(pointer), Type::Pointer(_, of)) =
                (values.first()?, &arguments.first()?.of)
            else {
                return None;
            };
            let access = self.record(pointer.clone(), Does::Atomic, of.bytes().unwrap_or(4), span);
            return Some(self.loaded(access, 0, &expr.of));
        }
        None
    }

    fn scaled(&mut self, value: &Polynomial, by: u64, place: &Place) -> Polynomial {
        match value.scaled(i64::try_from(by).unwrap_or(1)) {
            Some(scaled) => scaled,
            None => self.unknown("too large a number", place, value.atoms()),
        }
    }

    /// Functions of whole numbers.
    fn of_whole(
        &mut self,
        name: &str,
        values: &[Value],
        arguments: &[Expr],
        of: &Type,
        place: &Place,
    ) -> Option<Polynomial> {
        if !of.is_whole() || !arguments.iter().all(|it| it.of.is_whole()) {
            return None;
        }
        let numbers: Vec<Polynomial> = values
            .iter()
            .map(|value| self.whole(value.clone(), place))
            .collect();
        let atoms = &mut self.found.atoms;
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
                atoms.of(Atom::Select(Box::new(when), b.clone(), a.clone()))
            }
            _ => return None,
        })
    }

    /// Any other function: what it may write through a pointer is no longer known.
    fn elsewhere(
        &mut self,
        name: &str,
        values: &[Value],
        arguments: &[Expr],
        expr: &Expr,
    ) -> Value {
        let place = &expr.span.begin;
        let mut roots = std::collections::BTreeSet::new();
        for value in values {
            roots.extend(value.roots());
        }
        for (value, argument) in values.iter().zip(arguments) {
            match (value, &argument.of) {
                (Value::Address(id, _) | Value::Within(id, _), _) => {
                    self.variables.insert(*id, Value::Opaque(roots.clone()));
                }
                (Value::Pointer(_), Type::Pointer(..))
                    if name != "printf" && name != "prefetch" =>
                {
                    let reason =
                        format!("`{name}` accesses memory by a pointer, which is not followed");
                    self.gap(&reason, place);
                }
                _ => {}
            }
        }
        match expr.of.is_whole() {
            true => Value::Whole(self.unknown(&format!("`{name}` is not followed"), place, roots)),
            false => Value::Opaque(roots),
        }
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

/// Of `4`, `_half`, `_half4`, `a_half4`, `_half_rte`, `_half4_rtz`: how many, and whether they are halves.
fn lanes(said: &str) -> Option<(u64, bool)> {
    let (digits, of_half) = match said.strip_prefix('a').unwrap_or(said).strip_prefix("_half") {
        Some(rest) => (rest, true),
        None => (said, false),
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
