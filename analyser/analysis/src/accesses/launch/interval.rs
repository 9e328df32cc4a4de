//! Floating-point numbers at a launch, by interval arithmetic: devices may round each step in their own way.

use super::geometry::Geometry;
use crate::accesses::{Calculation, Real, wrapped};

/// Relative error of a step: some units in a `float`'s last place.
const STEP_ERROR: f64 = 1e-6;
/// The smallest number that no device takes for 0.
const SMALLEST_NUMBER: f64 = f32::MIN_POSITIVE as f64;

impl Geometry {
    /// The number without its fraction; none where that is not certain.
    pub(super) fn truncate(&self, real: &Real, bytes: u8, signed: bool) -> Option<i64> {
        let (least, most) = self.interval(real)?;
        #[expect(clippy::cast_possible_truncation, reason = "compared below")]
        let (least, most) = (least as i64, most as i64);
        let is_held = least.unsigned_abs() < 1 << 53 && wrapped(least, bytes, signed) == least;
        (least == most && is_held).then_some(least)
    }

    fn interval(&self, real: &Real) -> Option<(f64, f64)> {
        let value = match real {
            Real::Step(step, operands) => {
                let operands = operands.iter().map(|it| self.interval(it));
                let operands: Vec<_> = operands.collect::<Option<_>>()?;
                return step_interval(*step, &operands);
            }
            Real::Number(bits) => f64::from_bits(*bits),
            Real::Whole(atom) => i32::try_from(self.launch_constant(atom)?).ok()?.into(),
            Real::Argument(parameter, at, bytes) => {
                let own = self.scalar_bytes(*parameter, *at, *bytes)?;
                match own.try_into() {
                    Ok(own) => f32::from_le_bytes(own).into(),
                    Err(_) => f64::from_le_bytes(own.try_into().ok()?),
                }
            }
        };
        let is_sure = value.is_finite() && (value == 0.0 || value.abs() >= SMALLEST_NUMBER);
        is_sure.then_some((value, value))
    }
}

/// The bounds of a step's result. It is exact where operands and result are `float`s, in whatever precision it is
/// calculated. For a quotient devices may multiply by the inverse.
fn step_interval(step: Calculation, operands: &[(f64, f64)]) -> Option<(f64, f64)> {
    let ends = match operands {
        [(a, b)] => vec![step.apply(&[*a])?, step.apply(&[*b])?],
        [(a, b), (c, d)] => {
            let pairs = [[*a, *c], [*a, *d], [*b, *c], [*b, *d]];
            pairs
                .iter()
                .map(|it| step.apply(it))
                .collect::<Option<_>>()?
        }
        _ => return None,
    };
    let least = ends.iter().copied().fold(f64::INFINITY, f64::min);
    let most = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let is_inverse_exact = match (step, operands) {
        (Calculation::Divide, [_, (c, d)]) if *c <= 0.0 && *d >= 0.0 => return None,
        (Calculation::Divide, [_, (c, _)]) => is_float((1.0 / c, 1.0 / c)),
        _ => true,
    };
    let are_floats = is_float((least, most)) && operands.iter().copied().all(is_float);
    let error = |end: f64| {
        if step.rounds() || are_floats && is_inverse_exact {
            0.0
        } else {
            end.abs() * STEP_ERROR + SMALLEST_NUMBER
        }
    };
    let (least, most) = (least - error(least), most + error(most));
    (least.is_finite() && most.is_finite()).then_some((least, most))
}

/// Whether the interval is one number that a `float` holds.
#[expect(
    clippy::cast_possible_truncation,
    clippy::float_cmp,
    reason = "an exact comparison is meant"
)]
fn is_float((least, most): (f64, f64)) -> bool {
    least == most && f64::from(least as f32) == least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accesses::Calculation::{
        Add, Ceil, Divide, Multiply, Narrow, Rint, Round, Subtract,
    };

    #[test]
    fn only_what_no_rounding_changes_is_known() {
        let geometry = |value: f32| Geometry {
            global: [64, 1, 1],
            local: [64, 1, 1],
            dimensions: 1,
            scalars: vec![Some(value.to_le_bytes().into())],
        };
        let passed = || Real::Argument(0, 0, 4);
        let number = |value: f64| Real::Number(value.to_bits());
        let two = |step, one, other| Real::Step(step, vec![one, other]);
        let one = |step, operand| Real::Step(step, vec![operand]);
        let cut = |value: f32, real: Real| geometry(value).truncate(&real, 4, true);
        assert_eq!(cut(2.5, passed()), Some(2));
        assert_eq!(cut(-2.5, one(Ceil, passed())), Some(-2));
        assert_eq!(cut(2.5, one(Rint, passed())), Some(2));
        assert_eq!(cut(2.5, one(Round, passed())), Some(3));
        assert_eq!(
            cut(1.25, one(Ceil, two(Multiply, number(3.0), passed()))),
            Some(4)
        );
        assert_eq!(cut(7.0, two(Divide, passed(), number(3.0))), Some(2));
        assert_eq!(cut(9.0, two(Divide, passed(), number(3.0))), None);
        assert_eq!(cut(8.0, two(Divide, passed(), number(4.0))), Some(2));
        // A third, three times: 1, or a little less.
        let third = two(Divide, number(1.0), passed());
        assert_eq!(cut(3.0, two(Multiply, third.clone(), passed())), None);
        let near = two(Add, two(Multiply, third, passed()), number(0.25));
        assert_eq!(cut(3.0, near), Some(1));
        assert_eq!(cut(0.0, one(Ceil, one(Narrow, number(0.1)))), Some(1));
        assert_eq!(cut(0.0, two(Divide, number(1.0), passed())), None);
        let difference = two(Subtract, passed(), passed());
        assert_eq!(cut(0.1, two(Divide, number(1.0), difference)), None);
        // Too small, too large, and none.
        assert_eq!(cut(1e-40, one(Ceil, passed())), None);
        assert_eq!(cut(3e9, passed()), None);
        assert_eq!(geometry(300.0).truncate(&passed(), 1, false), None);
        assert_eq!(cut(f32::NAN, passed()), None);
        assert_eq!(cut(f32::INFINITY, passed()), None);
    }
}
