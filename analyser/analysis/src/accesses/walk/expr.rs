//! Expressions.

use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
};

use super::{
    Walker, real,
    value::{Value, put},
};
use crate::{
    accesses::{
        Calculation, Operation, Polynomial, Real,
        atom::{Atom, Condition},
    },
    ast::{Binary, Expr, ExprKind, Kind, Place, Scalar, Type, Unary},
};

impl Walker<'_> {
    /// What it is worth; accesses in it are found.
    pub(super) fn eval(&mut self, expr: &Expr) -> Value {
        let place = &expr.span.begin;
        if !self.works(place) {
            return Value::nothing();
        }
        match &expr.kind {
            ExprKind::Integer(value) => Value::Whole(Polynomial::constant(*value)),
            ExprKind::Real(value) => Value::Real(Real::Number(value.to_bits())),
            // A place where a value is asked for.
            ExprKind::Variable(_)
            | ExprKind::Index(..)
            | ExprKind::Member(..)
            | ExprKind::Components(..) => {
                let target = self.target(expr);
                match target.at {
                    super::memory::At::Memory(_) => Value::nothing(),
                    _ => self.load(&target, &expr.span),
                }
            }
            ExprKind::Load(of) => {
                let target = self.target(of);
                self.load(&target, &of.span)
            }
            ExprKind::Decay(of) => self.decayed(of),
            ExprKind::Unary(operation, of) => self.unary(*operation, of, expr),
            ExprKind::Increment {
                by,
                is_postfix,
                target,
            } => {
                let target_of = self.target(target);
                let before = self.load(&target_of, &target.span);
                let after = match (&before, &target.of) {
                    (Value::Whole(value), _) => {
                        Value::Whole(self.sum(value, &Polynomial::constant(*by), place))
                    }
                    (Value::Pointer(_), Type::Pointer(_, of)) => {
                        self.moved(before.clone(), &Polynomial::constant(*by), of, place)
                    }
                    (other, _) => Value::Opaque(other.roots()),
                };
                self.store(target_of, after.clone(), &target.span);
                if *is_postfix { before } else { after }
            }
            ExprKind::Binary(Binary::Comma, left, right) => {
                self.eval(left);
                self.eval(right)
            }
            ExprKind::Binary(operation, left, right) if is_truth(*operation) => match expr.of {
                Type::Vector(..) => {
                    let (left, right) = (self.eval(left), self.eval(right));
                    Value::Opaque(&left.roots() | &right.roots())
                }
                _ => {
                    let condition = self.condition(expr);
                    self.truth(condition)
                }
            },
            ExprKind::Binary(operation, left, right) => {
                let (left, right) = (self.operand(left), self.operand(right));
                self.binary(*operation, left, right, &expr.of, place)
            }
            ExprKind::Assign(None, target, value) => {
                let value = self.eval(value);
                let place = self.target(target);
                self.store(place, value.clone(), &target.span);
                value
            }
            ExprKind::Assign(Some(operation), target, value) => {
                let value = self.operand(value);
                let target_of = self.target(target);
                let before = self.load(&target_of, &target.span);
                let before = (before, target.of.clone());
                let after = self.binary(*operation, before, value, &target.of, place);
                self.store(target_of, after.clone(), &target.span);
                after
            }
            ExprKind::Conditional(condition, yes, no) => self.conditional(condition, yes, no),
            ExprKind::Call(name, arguments) => self.call(name, arguments, expr),
            ExprKind::Convert(of) => {
                let value = self.eval(of);
                self.converted(value, &of.of, &expr.of, place)
            }
            ExprKind::Reinterpret(of) => {
                let value = self.eval(of);
                self.reinterpreted(value, &of.of, &expr.of)
            }
            ExprKind::List(of) => self.list(of, &expr.of, place),
            ExprKind::Other(reason, of) => {
                let mut roots = BTreeSet::new();
                for part in of {
                    roots.extend(self.eval(part).roots());
                }
                match expr.of.is_whole() {
                    true => Value::Whole(self.unknown(reason, place, roots)),
                    false => Value::Opaque(roots),
                }
            }
        }
    }

    fn operand(&mut self, expr: &Expr) -> (Value, Type) {
        (self.eval(expr), expr.of.clone())
    }

    pub(super) fn sum(
        &mut self,
        left: &Polynomial,
        right: &Polynomial,
        place: &Place,
    ) -> Polynomial {
        let sum = left.plus(right);
        self.held(sum, left, right, place)
    }

    /// A result, or that it can't be held.
    fn held(
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

    /// 1 or 0.
    fn truth(&mut self, condition: Condition) -> Value {
        let (one, zero) = (Polynomial::constant(1), Polynomial::default());
        Value::Whole(match condition.decided() {
            Some(true) => one,
            Some(false) => zero,
            None => self
                .atoms()
                .of(Atom::Select(Box::new(condition), one, zero)),
        })
    }

    fn unary(&mut self, operation: Unary, of: &Expr, expr: &Expr) -> Value {
        let place = &expr.span.begin;
        match operation {
            Unary::Address => self.address(of),
            Unary::Dereference => Value::nothing(),
            Unary::Not => {
                let condition = self.condition(of);
                self.truth(condition.negated())
            }
            Unary::Minus | Unary::Complement => {
                let value = self.eval(of);
                let zero = Polynomial::constant(if operation == Unary::Minus { 0 } else { -1 });
                let minuend = (Value::Whole(zero), of.of.clone());
                let negative = self.binary(
                    Binary::Subtract,
                    minuend,
                    (value, of.of.clone()),
                    &expr.of,
                    place,
                );
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

    pub(super) fn binary(
        &mut self,
        operation: Binary,
        (left, left_of): (Value, Type),
        (right, right_of): (Value, Type),
        of: &Type,
        place: &Place,
    ) -> Value {
        let step = real::arithmetic(operation);
        if let Some(value) = step.and_then(|it| self.calculated(it, &[&left, &right], of)) {
            return value;
        }
        match (left, right) {
            (Value::Whole(left), Value::Whole(right))
                if of.scalar().is_some_and(|it| it.kind != Kind::Float) =>
            {
                let unsigned = |of: &Type| of.scalar().filter(|it| it.kind == Kind::Unsigned);
                let narrow = unsigned(&left_of).or(unsigned(&right_of));
                Value::Whole(self.arithmetic(operation, left, right, narrow, place))
            }
            (
                Value::Whole(by),
                pointer @ (Value::Pointer(_) | Value::Address(..) | Value::Within(..)),
            )
            | (
                pointer @ (Value::Pointer(_) | Value::Address(..) | Value::Within(..)),
                Value::Whole(by),
            ) if matches!(operation, Binary::Add | Binary::Subtract) => {
                let Type::Pointer(_, pointee) = of else {
                    return Value::Opaque(by.atoms());
                };
                let by = match operation {
                    Binary::Subtract => by.scaled(-1).unwrap_or(by),
                    _ => by,
                };
                self.moved(pointer, &by, pointee, place)
            }
            (Value::Pointer(left), Value::Pointer(right))
                if operation == Binary::Subtract
                    && left.array == right.array
                    && left.array.is_some() =>
            {
                let bytes = match &left_of {
                    Type::Pointer(_, pointee) => pointee.bytes().unwrap_or(1),
                    _ => 1,
                };
                let bytes = Polynomial::constant(i64::try_from(bytes).unwrap_or(1));
                let between = left.offset.minus(&right.offset);
                let between = self.held(between, &left.offset, &right.offset, place);
                Value::Whole(
                    self.atoms()
                        .operation(Operation::Divide, vec![between, bytes]),
                )
            }
            (left, right) => {
                let Type::Vector(scalar, lanes) = of else {
                    return Value::Opaque(&left.roots() | &right.roots());
                };
                self.by_lane(
                    operation,
                    (left, left_of),
                    (right, right_of),
                    *scalar,
                    *lanes,
                    place,
                )
            }
        }
    }

    fn by_lane(
        &mut self,
        operation: Binary,
        (left, left_of): (Value, Type),
        (right, right_of): (Value, Type),
        scalar: Scalar,
        lanes: u8,
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

    fn arithmetic(
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
                let Some(operation) = of_numbers(other) else {
                    let roots = &left.atoms() | &right.atoms();
                    return self.unknown("arithmetic that is not followed", place, roots);
                };
                let mut both = vec![left, right];
                // What an unsigned number cuts off shows where it is divided.
                if let Some(scalar) = unsigned
                    && !matches!(operation, Operation::And | Operation::ShiftLeft)
                {
                    both = both.into_iter().map(|it| self.cut(it, scalar)).collect();
                }
                return self.atoms().operation(operation, both);
            }
        };
        self.held(simple, &left, &right, place)
    }

    /// An unsigned number that may have gone beyond what it holds.
    fn cut(&mut self, value: Polynomial, scalar: Scalar) -> Polynomial {
        let is_small = |(_, number): (&[usize], i64)| (0..1 << 16).contains(&number);
        if scalar.bytes >= 8 || value.terms().all(is_small) {
            return value;
        }
        let wrap = Operation::Wrap(scalar.bytes, false);
        self.atoms().operation(wrap, vec![value])
    }

    fn conditional(&mut self, condition: &Expr, yes: &Expr, no: &Expr) -> Value {
        let when = self.condition(condition);
        let place = &condition.span.begin;
        match when.decided() {
            Some(true) => return self.eval(yes),
            Some(false) => return self.eval(no),
            None => {}
        }
        let guards = self.guards.len();
        let before = self.variables.clone();
        self.guard(when.clone(), place);
        let yes_value = self.eval(yes);
        self.guards.truncate(guards);
        let after_yes = mem::replace(&mut self.variables, before);
        self.guard(when.negated(), place);
        let no_value = self.eval(no);
        self.guards.truncate(guards);
        let after_no = mem::take(&mut self.variables);
        self.variables = self.merged(&when, after_yes, after_no);
        self.either(&when, yes_value, no_value)
    }

    /// When an expression is not 0.
    pub(super) fn condition(&mut self, expr: &Expr) -> Condition {
        let place = &expr.span.begin;
        if !self.works(place) {
            return Condition::Opaque(BTreeSet::new());
        }
        match &expr.kind {
            ExprKind::Unary(Unary::Not, of) => self.condition(of).negated(),
            ExprKind::Convert(of) if is_condition(of) => self.condition(of),
            ExprKind::Binary(operation @ (Binary::And | Binary::Or), left, right) => {
                let left = self.condition(left);
                let guards = self.guards.len();
                let is_and = *operation == Binary::And;
                let reached = if is_and { left.clone() } else { left.negated() };
                self.guard(reached.clone(), place);
                let before = self.variables.clone();
                let right = self.condition(right);
                self.guards.truncate(guards);
                let after = mem::take(&mut self.variables);
                self.variables = self.merged(&reached, after, before);
                if is_and {
                    Condition::All(vec![left, right])
                } else {
                    Condition::Any(vec![left, right])
                }
            }
            ExprKind::Binary(operation, left, right) if is_truth(*operation) => {
                let unsigned = left.of.scalar().is_some_and(|it| it.kind == Kind::Unsigned);
                match (self.eval(left), self.eval(right)) {
                    (Value::Whole(left), Value::Whole(right)) => {
                        self.compared(*operation, &left, &right, unsigned)
                    }
                    (left, right) => Condition::Opaque(&left.roots() | &right.roots()),
                }
            }
            _ => match self.eval(expr) {
                Value::Whole(value) => match self.as_condition(&value) {
                    Some(condition) => condition,
                    None => Condition::NotZero(value),
                },
                other => Condition::Opaque(other.roots()),
            },
        }
    }

    /// A condition that was kept as a number.
    fn as_condition(&self, value: &Polynomial) -> Option<Condition> {
        match self.found.atoms.get(value.as_atom()?) {
            Atom::Select(condition, yes, no)
                if yes.as_constant() == Some(1) && no.as_constant() == Some(0) =>
            {
                Some(Condition::clone(condition))
            }
            _ => None,
        }
    }

    pub(super) fn compared(
        &mut self,
        operation: Binary,
        left: &Polynomial,
        right: &Polynomial,
        unsigned: bool,
    ) -> Condition {
        let (small, large, gap) = match operation {
            Binary::Less => (left, right, 1),
            Binary::LessOrEqual => (left, right, 0),
            Binary::Greater => (right, left, 1),
            Binary::GreaterOrEqual => (right, left, 0),
            _ => (left, right, 0),
        };
        let between = large
            .minus(small)
            .and_then(|it| it.minus(&Polynomial::constant(gap)));
        let Some(between) = between else {
            return Condition::Opaque(&left.atoms() | &right.atoms());
        };
        match operation {
            Binary::Equal => Condition::Zero(between),
            Binary::NotEqual => Condition::NotZero(between),
            // Unsigned numbers below 0 are large ones: `(uint)(x - 1) < n`.
            _ if unsigned && small.terms().any(|(_, number)| number < 0) => Condition::All(vec![
                Condition::AtLeastZero(between),
                Condition::AtLeastZero(small.clone()),
            ]),
            _ => Condition::AtLeastZero(between),
        }
    }

    pub(super) fn converted(
        &mut self,
        value: Value,
        from: &Type,
        to: &Type,
        place: &Place,
    ) -> Value {
        match (value, to) {
            (Value::Whole(value), Type::Scalar(scalar)) if scalar.kind == Kind::Bool => {
                let condition = self.as_condition(&value);
                let condition = condition.unwrap_or(Condition::NotZero(value));
                self.truth(condition)
            }
            (Value::Whole(value), Type::Scalar(scalar)) if to.is_whole() => {
                Value::Whole(self.narrowed(value, from, *scalar))
            }
            (Value::Real(real), Type::Scalar(scalar))
                if to.is_whole() && scalar.kind != Kind::Bool =>
            {
                let cut = Atom::Cut(real, scalar.bytes, scalar.kind == Kind::Signed);
                Value::Whole(self.atoms().of(cut))
            }
            (value @ Value::Real(_), Type::Scalar(scalar)) if scalar.bytes == 8 => value,
            (value @ (Value::Whole(_) | Value::Real(_)), Type::Scalar(_)) if !to.is_whole() => {
                let narrow = self.calculated(Calculation::Narrow, &[&value], to);
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
                let one = self.converted(value, from, &Type::Scalar(*scalar), place);
                let places = (0..u64::from(*lanes)).map(|lane| lane * u64::from(scalar.bytes));
                Value::Parts(places.map(|at| (at, one.clone())).collect())
            }
            (
                value @ (Value::Pointer(_) | Value::Address(..) | Value::Within(..)),
                Type::Pointer(..),
            ) => value,
            (value, _) => Value::Opaque(value.roots()),
        }
    }

    /// To fewer bytes than an `int`: what is cut off may show.
    fn narrowed(&mut self, value: Polynomial, from: &Type, to: Scalar) -> Polynomial {
        let is_small = from
            .scalar()
            .is_some_and(|it| it.bytes <= to.bytes && it.kind == to.kind);
        if to.bytes >= 4
            || is_small
            || value
                .as_constant()
                .is_some_and(|it| super::super::wrapped_to(it, to) == it)
        {
            return value;
        }
        let wrap = Operation::Wrap(to.bytes, to.kind == Kind::Signed);
        self.atoms().operation(wrap, vec![value])
    }

    fn reinterpreted(&mut self, value: Value, from: &Type, to: &Type) -> Value {
        match (value, to) {
            (Value::Pointer(mut pointer), Type::Pointer(_, of)) => {
                // In other units than those of its dimensions. `void` has none yet.
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
            (value, to) => match to {
                Type::Scalar(_) if to.is_whole() => {
                    let roots = value.roots();
                    Value::Whole(self.unknown(
                        "the bits of another number",
                        &Place::default(),
                        roots,
                    ))
                }
                _ => Value::Opaque(value.roots()),
            },
        }
    }

    /// `{ a, b }` and `(float4)(a, b)`.
    fn list(&mut self, of: &[Expr], to: &Type, place: &Place) -> Value {
        let mut parts = BTreeMap::new();
        let mut next = 0_u64;
        for (index, one) in of.iter().enumerate() {
            let value = self.eval(one);
            let at = match to {
                Type::Record(record) => record.fields.get(index).map_or(0, |field| field.offset),
                _ => next,
            };
            // Two components of a vector may come as one.
            let bytes = match &one.of {
                Type::Vector(scalar, lanes) => u64::from(*lanes) * u64::from(scalar.bytes),
                of => of.bytes().unwrap_or(1),
            };
            next = next.saturating_add(bytes);
            put(&mut parts, at, value);
        }
        match to {
            Type::Vector(..) | Type::Record(_) => Value::Parts(parts),
            _ if of.len() == 1 => parts.remove(&0).unwrap_or_else(Value::nothing),
            _ => {
                let roots = Value::Parts(parts).roots();
                match to.is_whole() {
                    true => Value::Whole(self.unknown("a list", place, roots)),
                    false => Value::Opaque(roots),
                }
            }
        }
    }
}

fn is_truth(operation: Binary) -> bool {
    matches!(
        operation,
        Binary::And
            | Binary::Or
            | Binary::Less
            | Binary::LessOrEqual
            | Binary::Greater
            | Binary::GreaterOrEqual
            | Binary::Equal
            | Binary::NotEqual
    )
}

fn is_condition(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Binary(operation, ..) => is_truth(*operation),
        ExprKind::Unary(Unary::Not, _) => true,
        ExprKind::Convert(of) => is_condition(of),
        _ => false,
    }
}

fn of_numbers(operation: Binary) -> Option<Operation> {
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
