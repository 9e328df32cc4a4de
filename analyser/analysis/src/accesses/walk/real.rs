//! Floating-point numbers, as far as the text and the launch decide them.

use super::{Walker, value::Value};
use crate::{
    accesses::{
        Calculation, Real,
        atom::{Atom, Id},
    },
    ast::{Binary, Kind, Type},
};

/// The most numbers and steps of a calculation; longer ones are not followed.
const MOST_PARTS: usize = 32;

impl Walker<'_> {
    /// A step of a calculation with result type `to`; none where the launch does not decide the operands.
    pub(super) fn calculate(
        &self,
        step: Calculation,
        operands: &[&Value],
        to: &Type,
    ) -> Option<Value> {
        let is_real = matches!(to, Type::Scalar(it) if it.kind == Kind::Float && it.bytes >= 4);
        let operands: Option<Vec<Real>> = operands.iter().map(|it| self.real(it)).collect();
        let real = Real::Step(step, operands?);
        (is_real && real.parts() <= MOST_PARTS).then_some(Value::Real(real))
    }

    fn real(&self, value: &Value) -> Option<Real> {
        let whole = match value {
            Value::Real(real) => return Some(real.clone()),
            Value::Whole(whole) => whole,
            _ => return None,
        };
        if let Some(number) = whole.as_constant() {
            let number = f64::from(i32::try_from(number).ok()?);
            return Some(Real::Number(number.to_bits()));
        }
        match self.output.atoms.get(whole.as_atom()?) {
            constant @ (Atom::Scalar(..)
            | Atom::Id(Id::GlobalSize | Id::LocalSize | Id::Groups, _)) => {
                Some(Real::Whole(Box::new(constant.clone())))
            }
            _ => None,
        }
    }
}

pub(super) fn arithmetic(operation: Binary) -> Option<Calculation> {
    Some(match operation {
        Binary::Add => Calculation::Add,
        Binary::Subtract => Calculation::Subtract,
        Binary::Multiply => Calculation::Multiply,
        Binary::Divide => Calculation::Divide,
        _ => return None,
    })
}

/// The rounding of functions such as `ceil` and `convert_int_rte`.
pub(super) fn rounding(name: &str) -> Option<Calculation> {
    let suffix = name
        .strip_prefix("convert_")
        .map(|it| it.rsplit('_').next());
    Some(match suffix.flatten().unwrap_or(name) {
        "ceil" | "rtp" => Calculation::Ceil,
        "floor" | "rtn" => Calculation::Floor,
        "trunc" | "rtz" => Calculation::Trunc,
        "round" => Calculation::Round,
        "rint" | "rte" => Calculation::Rint,
        _ => return None,
    })
}
