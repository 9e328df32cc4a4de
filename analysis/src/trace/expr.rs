//! Expressions of a run.

use std::collections::BTreeMap;

use super::{Event, Run, Value, stmt::End};
use crate::{
    accesses::{Does, wrapped, wrapped_to},
    ast::{Binary, Expr, ExprKind, Kind, Space, Span, Type, Unary, VariableId},
};

/// Where something lies, and what of it.
struct Target {
    at: At,
    of: Type,
    lanes: Option<Vec<u8>>,
}

enum At {
    Memory(Option<VariableId>, Option<i64>),
    Variable(VariableId, u64),
    Value(Value),
}

impl Run<'_> {
    pub(super) fn argument(&mut self, index: usize, parameter: VariableId) -> Value {
        let Type::Scalar(scalar) = self.unit.variables[parameter].of else {
            return match &self.unit.variables[parameter].of {
                Type::Pointer(..) => Value::Pointer(parameter, Some(0)),
                _ => Value::Unknown,
            };
        };
        let bytes = self.geometry.scalars.get(index).and_then(Option::as_deref);
        let mut whole = [0; 8];
        match bytes {
            Some(bytes) if scalar.kind != Kind::Float && bytes.len() <= 8 => {
                whole[..bytes.len()].copy_from_slice(bytes);
                Value::Whole(wrapped_to(i64::from_le_bytes(whole), scalar))
            }
            _ => Value::Unknown,
        }
    }

    /// None where it takes too long.
    pub(super) fn eval(&mut self, expr: &Expr) -> Option<Value> {
        self.left = self.left.checked_sub(1)?;
        Some(match &expr.kind {
            ExprKind::Integer(value) => Value::Whole(*value),
            ExprKind::Real(_) => Value::Unknown,
            ExprKind::Variable(_)
            | ExprKind::Index(..)
            | ExprKind::Member(..)
            | ExprKind::Components(..) => {
                let target = self.target(expr)?;
                match target.at {
                    At::Memory(..) => Value::Unknown,
                    _ => self.read(&target, &expr.span),
                }
            }
            ExprKind::Load(of) => {
                let target = self.target(of)?;
                self.read(&target, &of.span)
            }
            ExprKind::Decay(of) => match self.target(of)?.at {
                At::Memory(Some(array), offset) => Value::Pointer(array, offset),
                At::Variable(id, at) => Value::Address(id, at),
                _ => Value::Unknown,
            },
            ExprKind::Unary(Unary::Address, of) => match self.target(of)?.at {
                At::Memory(Some(array), offset) => Value::Pointer(array, offset),
                At::Variable(id, at) => Value::Address(id, at),
                _ => Value::Unknown,
            },
            ExprKind::Unary(operation, of) => {
                let value = self.eval(of)?;
                match (operation, value, &expr.of) {
                    (Unary::Minus, Value::Whole(value), Type::Scalar(of)) => {
                        Value::Whole(wrapped_to(value.wrapping_neg(), *of))
                    }
                    (Unary::Complement, Value::Whole(value), Type::Scalar(of)) => {
                        Value::Whole(wrapped_to(!value, *of))
                    }
                    (Unary::Not, Value::Whole(value), _) => Value::Whole(i64::from(value == 0)),
                    _ => Value::Unknown,
                }
            }
            ExprKind::Increment {
                by,
                is_postfix,
                target,
            } => {
                let place = self.target(target)?;
                let before = self.read(&place, &target.span);
                let after = self.binary(
                    Binary::Add,
                    &before,
                    &Value::Whole(*by),
                    &target.of,
                    &target.of,
                );
                self.write(place, after.clone(), &target.span);
                if *is_postfix { before } else { after }
            }
            ExprKind::Binary(Binary::And | Binary::Or, ..) => match self.holds(expr)? {
                Some(holds) => Value::Whole(i64::from(holds)),
                None => Value::Unknown,
            },
            ExprKind::Binary(Binary::Comma, left, right) => {
                self.eval(left)?;
                self.eval(right)?
            }
            ExprKind::Binary(operation, left, right) => {
                let (one, other) = (self.eval(left)?, self.eval(right)?);
                self.binary(*operation, &one, &other, &left.of, &expr.of)
            }
            ExprKind::Assign(None, target, value) => {
                let value = self.eval(value)?;
                let place = self.target(target)?;
                self.write(place, value.clone(), &target.span);
                value
            }
            ExprKind::Assign(Some(operation), target, value) => {
                let value = self.eval(value)?;
                let place = self.target(target)?;
                let before = self.read(&place, &target.span);
                let after = self.binary(*operation, &before, &value, &target.of, &target.of);
                self.write(place, after.clone(), &target.span);
                after
            }
            ExprKind::Conditional(condition, yes, no) => match self.holds(condition)? {
                Some(true) => self.eval(yes)?,
                Some(false) => self.eval(no)?,
                None => {
                    self.unsure += 1;
                    let before = self.variables.clone();
                    let one = self.eval(yes)?;
                    let after = std::mem::replace(&mut self.variables, before);
                    let other = self.eval(no)?;
                    self.forget_what_differs(after);
                    self.unsure -= 1;
                    if one == other { one } else { Value::Unknown }
                }
            },
            ExprKind::Call(name, arguments) => self.call(name, arguments, expr)?,
            ExprKind::Convert(of) => match (self.eval(of)?, &expr.of, of.of.is_whole()) {
                (Value::Whole(value), Type::Scalar(to), true) if to.kind != Kind::Float => {
                    Value::Whole(wrapped_to(value, *to))
                }
                (pointer @ (Value::Pointer(..) | Value::Address(..)), Type::Pointer(..), _) => {
                    pointer
                }
                (value @ Value::Whole(_), Type::Vector(to, lanes), true)
                    if to.kind != Kind::Float =>
                {
                    let places = (0..u64::from(*lanes)).map(|lane| lane * u64::from(to.bytes));
                    Value::Parts(places.map(|at| (at, value.clone())).collect())
                }
                _ => Value::Unknown,
            },
            ExprKind::Reinterpret(of) => match self.eval(of)? {
                pointer @ (Value::Pointer(..) | Value::Address(..)) => pointer,
                value @ Value::Whole(_) if expr.of.is_whole() && of.of.is_whole() => value,
                _ => Value::Unknown,
            },
            ExprKind::List(of) => {
                let (mut parts, mut at) = (BTreeMap::new(), 0);
                for one in of {
                    parts.insert(at, self.eval(one)?);
                    at += one.of.bytes().unwrap_or(1);
                }
                match &expr.of {
                    Type::Vector(_, lanes) if usize::from(*lanes) == of.len() => {
                        Value::Parts(parts)
                    }
                    _ => Value::Unknown,
                }
            }
            ExprKind::Other(_, of) => {
                for one in of {
                    self.eval(one)?;
                }
                Value::Unknown
            }
        })
    }

    /// Whether a condition holds, where that is known. The outer none: it takes too long.
    pub(super) fn holds(&mut self, expr: &Expr) -> Option<Option<bool>> {
        if let ExprKind::Binary(operation @ (Binary::And | Binary::Or), left, right) = &expr.kind {
            let decisive = *operation == Binary::Or;
            let left = self.holds(left)?;
            if left == Some(decisive) {
                return Some(left);
            }
            self.unsure += usize::from(left.is_none());
            let right = self.holds(right)?;
            self.unsure -= usize::from(left.is_none());
            return Some(match (left, right) {
                (_, Some(right)) if right == decisive => Some(decisive),
                (Some(_), Some(_)) => Some(!decisive),
                _ => None,
            });
        }
        Some(match self.eval(expr)? {
            Value::Whole(value) => Some(value != 0),
            _ => None,
        })
    }

    fn binary(
        &self,
        operation: Binary,
        left: &Value,
        right: &Value,
        left_of: &Type,
        of: &Type,
    ) -> Value {
        let pointee = |of: &Type| match of {
            Type::Pointer(_, of) => of.bytes().and_then(|it| i64::try_from(it).ok()),
            _ => None,
        };
        match (left, right, of) {
            (Value::Whole(a), Value::Whole(b), Type::Scalar(to)) => {
                let unsigned = left_of.scalar().is_some_and(|it| it.kind == Kind::Unsigned);
                whole(operation, *a, *b, unsigned)
                    .map_or(Value::Unknown, |it| Value::Whole(wrapped_to(it, *to)))
            }
            (Value::Pointer(array, offset), Value::Whole(by), Type::Pointer(..))
            | (Value::Whole(by), Value::Pointer(array, offset), Type::Pointer(..)) => {
                let by = if operation == Binary::Subtract {
                    by.wrapping_neg()
                } else {
                    *by
                };
                let moved = pointee(of)
                    .and_then(|bytes| offset.as_ref()?.checked_add(by.checked_mul(bytes)?));
                Value::Pointer(*array, moved)
            }
            (Value::Parts(_), _, Type::Vector(scalar, lanes))
            | (_, Value::Parts(_), Type::Vector(scalar, lanes)) => {
                let lane = |value: &Value, at: u64| match value {
                    Value::Parts(parts) => parts.get(&at).cloned().unwrap_or(Value::Unknown),
                    other => other.clone(),
                };
                let one = Type::Scalar(*scalar);
                let places = (0..u64::from(*lanes)).map(|lane| lane * u64::from(scalar.bytes));
                let parts = places.map(|at| {
                    (
                        at,
                        self.binary(operation, &lane(left, at), &lane(right, at), &one, &one),
                    )
                });
                Value::Parts(parts.collect())
            }
            _ => Value::Unknown,
        }
    }

    fn target(&mut self, expr: &Expr) -> Option<Target> {
        let whole = |at| Target {
            at,
            of: expr.of.clone(),
            lanes: None,
        };
        Some(match &expr.kind {
            ExprKind::Variable(id) => {
                let variable = &self.unit.variables[*id];
                let in_memory = variable.of.has_array()
                    || matches!(variable.space, Space::Local | Space::Constant);
                whole(if in_memory {
                    At::Memory(Some(*id), Some(0))
                } else {
                    At::Variable(*id, 0)
                })
            }
            ExprKind::Unary(Unary::Dereference, pointer) => whole(pointed(self.eval(pointer)?)),
            ExprKind::Index(pointer, index) => {
                let (base, index) = (self.eval(pointer)?, self.eval(index)?);
                whole(pointed(self.binary(
                    Binary::Add,
                    &base,
                    &index,
                    &pointer.of,
                    &pointer.of,
                )))
            }
            ExprKind::Member(of, field) => {
                let by = i64::try_from(*field).unwrap_or(i64::MAX);
                whole(match self.target(of)?.at {
                    At::Memory(array, offset) => {
                        At::Memory(array, offset.and_then(|it| it.checked_add(by)))
                    }
                    At::Variable(id, at) => At::Variable(id, at.saturating_add(*field)),
                    At::Value(_) => At::Value(Value::Unknown),
                })
            }
            ExprKind::Components(of, Some(lanes)) => {
                let of = self.target(of)?;
                match of.lanes {
                    Some(_) => of,
                    None => Target {
                        lanes: Some(lanes.clone()),
                        ..of
                    },
                }
            }
            ExprKind::Components(of, None) => self.target(of)?,
            _ => whole(At::Value(self.eval(expr)?)),
        })
    }

    fn read(&mut self, target: &Target, span: &Span) -> Value {
        match &target.at {
            At::Memory(array, offset) => {
                self.event(*array, Does::Load, first(target, *offset), span);
                Value::Unknown
            }
            At::Variable(id, at) => {
                let value = self.variables.get(id).cloned().unwrap_or(Value::Unknown);
                lane_of(value, *at, target)
            }
            At::Value(value) => lane_of(value.clone(), 0, target),
        }
    }

    fn write(&mut self, target: Target, value: Value, span: &Span) {
        match target.at {
            At::Memory(array, offset) => {
                let offset = first(&target, offset);
                self.event(array, Does::Store, offset, span);
            }
            At::Variable(id, 0)
                if target.lanes.is_none() && self.unit.variables[id].of == target.of =>
            {
                self.variables.insert(id, value);
            }
            At::Variable(id, at) => {
                let mut parts = match self.variables.remove(&id) {
                    Some(Value::Parts(parts)) => parts,
                    _ => BTreeMap::new(),
                };
                match (target.lanes.as_deref(), &target.of) {
                    (Some([lane]), Type::Vector(scalar, _)) => {
                        parts.insert(at + u64::from(*lane) * u64::from(scalar.bytes), value);
                    }
                    (None, Type::Scalar(_)) => {
                        parts.insert(at, value);
                    }
                    _ => parts.clear(),
                }
                self.variables.insert(id, Value::Parts(parts));
            }
            At::Value(_) => {}
        }
    }

    fn event(
        &mut self,
        variable: Option<VariableId>,
        does: Does,
        offset: Option<i64>,
        span: &Span,
    ) {
        self.events.push(Event {
            variable,
            does,
            offset,
            span: span.clone(),
            calls: self.calls.clone(),
            is_sure: self.unsure == 0,
        });
    }

    fn call(&mut self, name: &str, arguments: &[Expr], expr: &Expr) -> Option<Value> {
        let mut values = Vec::new();
        for argument in arguments {
            values.push(self.eval(argument)?);
        }
        let unit = self.unit;
        if let Some(function) = unit.function(name) {
            if self.calls.len() >= 16 {
                return None;
            }
            for (parameter, value) in function.parameters.iter().zip(values) {
                self.variables.insert(*parameter, value);
            }
            self.calls.push(expr.span.begin.clone());
            let unsure = self.unsure;
            let end = self.stmt(&function.body)?;
            self.unsure = unsure;
            self.calls.pop();
            let returned = self.returned.take();
            return Some(match end {
                End::Return => returned.unwrap_or(Value::Unknown),
                _ => Value::Unknown,
            });
        }
        let at = |it: &Value| match it {
            Value::Whole(dimension) => usize::try_from(*dimension).ok().filter(|it| *it < 3),
            _ => None,
        };
        let of = |ids: [i64; 3]| {
            values
                .first()
                .and_then(at)
                .map_or(Value::Unknown, |it| Value::Whole(ids[it]))
        };
        let (local, groups) = (self.geometry.local, self.geometry.groups());
        Some(match name {
            "get_global_id" => of([0, 1, 2].map(|it| self.group[it] * local[it] + self.local[it])),
            "get_local_id" => of(self.local),
            "get_group_id" => of(self.group),
            "get_global_size" => of(self.geometry.global),
            "get_local_size" => of(local),
            "get_num_groups" => of(groups),
            _ => self.builtin(name, &values, arguments, expr),
        })
    }

    fn builtin(&mut self, name: &str, values: &[Value], arguments: &[Expr], expr: &Expr) -> Value {
        let is_load = name.starts_with("vload");
        if is_load || name.starts_with("vstore") {
            let at = usize::from(!is_load);
            let digits: String = name.chars().filter(char::is_ascii_digit).collect();
            let lanes: i64 = digits.parse().unwrap_or(1);
            let aligned_three = name.contains("a_half") && lanes == 3;
            let step = if aligned_three { 4 } else { lanes };
            if let (Some(Value::Whole(by)), Some(pointer), Some(argument)) =
                (values.get(at), values.get(at + 1), arguments.get(at + 1))
            {
                let by = Value::Whole(by.wrapping_mul(step));
                let moved = self.binary(Binary::Add, pointer, &by, &argument.of, &argument.of);
                let does = if is_load { Does::Load } else { Does::Store };
                if let At::Memory(array, offset) = pointed(moved) {
                    self.event(array, does, offset, &expr.span);
                }
            }
            return Value::Unknown;
        }
        if (name.starts_with("atomic_") || name.starts_with("atom_"))
            && let Some(Value::Pointer(array, offset)) = values.first()
        {
            self.event(Some(*array), Does::Atomic, *offset, &expr.span);
            return Value::Unknown;
        }
        let numbers: Option<Vec<i64>> = values
            .iter()
            .map(|value| match value {
                Value::Whole(value) => Some(*value),
                _ => None,
            })
            .collect();
        match (name, numbers.as_deref()) {
            ("min", Some([a, b])) => Value::Whole(*a.min(b)),
            ("max", Some([a, b])) => Value::Whole(*a.max(b)),
            ("clamp", Some([x, low, high])) => Value::Whole(*x.max(low).min(high)),
            ("abs", Some([x])) => Value::Whole(x.wrapping_abs()),
            ("mul24", Some([a, b])) => Value::Whole(a.wrapping_mul(*b)),
            ("mad24", Some([a, b, c])) => Value::Whole(a.wrapping_mul(*b).wrapping_add(*c)),
            _ => {
                for value in values {
                    if let Value::Address(id, _) = value {
                        self.variables.insert(*id, Value::Unknown);
                    }
                }
                Value::Unknown
            }
        }
    }
}

fn pointed(value: Value) -> At {
    match value {
        Value::Pointer(array, offset) => At::Memory(Some(array), offset),
        Value::Address(id, at) => At::Variable(id, at),
        _ => At::Memory(None, None),
    }
}

/// Of components where the first of them lies.
fn first(target: &Target, offset: Option<i64>) -> Option<i64> {
    match (&target.lanes, &target.of) {
        (Some(lanes), Type::Vector(scalar, _)) => {
            let lane = lanes.iter().min().copied().unwrap_or_default();
            offset?.checked_add(i64::from(lane) * i64::from(scalar.bytes))
        }
        _ => offset,
    }
}

fn lane_of(value: Value, at: u64, target: &Target) -> Value {
    let lane = match (target.lanes.as_deref(), &target.of) {
        (Some([lane]), Type::Vector(scalar, _)) => u64::from(*lane) * u64::from(scalar.bytes),
        (Some(_), _) => return Value::Unknown,
        (None, Type::Vector(..)) if at == 0 => return value,
        (None, _) => 0,
    };
    match value {
        Value::Parts(parts) => parts.get(&(at + lane)).cloned().unwrap_or(Value::Unknown),
        value if at + lane == 0 => value,
        _ => Value::Unknown,
    }
}

fn whole(operation: Binary, a: i64, b: i64, unsigned: bool) -> Option<i64> {
    let shift = u32::try_from(b).ok().filter(|it| *it < 64);
    Some(match operation {
        Binary::Add => a.wrapping_add(b),
        Binary::Subtract => a.wrapping_sub(b),
        Binary::Multiply => a.wrapping_mul(b),
        Binary::Divide if unsigned => wrapped(a, 8, false)
            .cast_unsigned()
            .checked_div(b.cast_unsigned())?
            .cast_signed(),
        Binary::Divide => a.checked_div(b)?,
        Binary::Remainder if unsigned => a
            .cast_unsigned()
            .checked_rem(b.cast_unsigned())?
            .cast_signed(),
        Binary::Remainder => a.checked_rem(b)?,
        Binary::ShiftLeft => a.wrapping_shl(shift?),
        Binary::ShiftRight if unsigned => (a.cast_unsigned() >> shift?).cast_signed(),
        Binary::ShiftRight => a >> shift?,
        Binary::BitAnd => a & b,
        Binary::BitOr => a | b,
        Binary::BitXor => a ^ b,
        Binary::Less => i64::from(a < b),
        Binary::LessOrEqual => i64::from(a <= b),
        Binary::Greater => i64::from(a > b),
        Binary::GreaterOrEqual => i64::from(a >= b),
        Binary::Equal => i64::from(a == b),
        Binary::NotEqual => i64::from(a != b),
        Binary::And | Binary::Or | Binary::Comma => return None,
    })
}
