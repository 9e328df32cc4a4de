//! Functions of floating-point numbers, computed in double precision and rounded, as Oclgrind does.

use std::f64::consts::PI;

use crate::run::Real;

type One = fn(f64) -> f64;
type Two = fn(f64, f64) -> f64;
type Three = fn(f64, f64, f64) -> f64;

/// A name without `native_` and `half_`, whose results may be anything near.
fn plain(name: &str) -> &str {
    name.strip_prefix("native_")
        .or_else(|| name.strip_prefix("half_"))
        .unwrap_or(name)
}

pub(super) fn one(name: &str) -> Option<One> {
    Some(match plain(name) {
        "acos" => f64::acos,
        "acosh" => libm::acosh,
        "acospi" => |x| x.acos() / PI,
        "asin" => f64::asin,
        "asinh" => libm::asinh,
        "asinpi" => |x| x.asin() / PI,
        "atan" => f64::atan,
        "atanh" => libm::atanh,
        "atanpi" => |x| x.atan() / PI,
        "cbrt" => f64::cbrt,
        "ceil" => f64::ceil,
        "cos" => f64::cos,
        "cosh" => f64::cosh,
        "cospi" => |x| (PI * x).cos(),
        "degrees" => f64::to_degrees,
        "erf" => libm::erf,
        "erfc" => libm::erfc,
        "exp" => f64::exp,
        "exp2" => f64::exp2,
        "exp10" => |x| 10_f64.powf(x),
        "expm1" => f64::exp_m1,
        "fabs" => f64::abs,
        "floor" => f64::floor,
        "lgamma" => libm::lgamma,
        "log" => f64::ln,
        "log2" => f64::log2,
        "log10" => f64::log10,
        "log1p" => f64::ln_1p,
        "logb" => exponent,
        "radians" => f64::to_radians,
        "recip" => f64::recip,
        "rint" | "roundeven" | "nearbyint" => f64::round_ties_even,
        "round" => f64::round,
        "rsqrt" => |x| 1.0 / x.sqrt(),
        "sign" => |x| match x {
            x if x > 0.0 => 1.0,
            x if x < 0.0 => -1.0,
            x if x.is_nan() => 0.0,
            x => x,
        },
        "sin" => f64::sin,
        "sinh" => f64::sinh,
        "sinpi" => |x| (PI * x).sin(),
        "sqrt" => f64::sqrt,
        "tan" => f64::tan,
        "tanh" => f64::tanh,
        "tanpi" => |x| (PI * x).tan(),
        "tgamma" => libm::tgamma,
        "trunc" => f64::trunc,
        "canonicalize" => |x| x,
        _ => return None,
    })
}

pub(super) fn two(name: &str) -> Option<Two> {
    Some(match plain(name) {
        "atan2" => f64::atan2,
        "atan2pi" => |y, x| y.atan2(x) / PI,
        "copysign" => f64::copysign,
        "divide" => |a, b| a / b,
        "fdim" => |a, b| if a > b { a - b } else { 0.0 },
        "fmax" | "max" | "maxnum" => f64::max,
        "fmin" | "min" | "minnum" => f64::min,
        "fmod" => |a, b| a % b,
        "hypot" => f64::hypot,
        "maxmag" => |a, b| match a.abs().total_cmp(&b.abs()) {
            std::cmp::Ordering::Greater => a,
            std::cmp::Ordering::Less => b,
            std::cmp::Ordering::Equal => a.max(b),
        },
        "minmag" => |a, b| match a.abs().total_cmp(&b.abs()) {
            std::cmp::Ordering::Less => a,
            std::cmp::Ordering::Greater => b,
            std::cmp::Ordering::Equal => a.min(b),
        },
        "ldexp" => |x, exponent| x * exponent.exp2(),
        "pow" | "powr" | "pown" => f64::powf,
        "remainder" => libm::remainder,
        "rootn" => |x, n| x.powf(n.recip()),
        "step" => |edge, x| if x < edge { 0.0 } else { 1.0 },
        _ => return None,
    })
}

pub(super) fn three(name: &str) -> Option<Three> {
    Some(match plain(name) {
        "clamp" => |x, low, high| x.max(low).min(high),
        "fma" => f64::mul_add,
        "mad" => |a, b, c| a * b + c,
        "mix" => |a, b, part| a + (b - a) * part,
        "smoothstep" => |low, high, x| {
            let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
            t * t * (3.0 - 2.0 * t)
        },
        _ => return None,
    })
}

/// The result of `ilogb`.
pub(super) fn exponent(x: f64) -> f64 {
    libm::frexp(x).1.saturating_sub(1).into()
}

/// `a * b + c` as Oclgrind does it: product and sum in double precision, rounded once for a `float`.
pub(super) fn multiply_add(a: f64, b: f64, c: f64) -> f64 {
    a * b + c
}

pub(super) fn test_one(name: &str) -> Option<fn(f64) -> bool> {
    Some(match name {
        "isfinite" => f64::is_finite,
        "isinf" => f64::is_infinite,
        "isnan" => f64::is_nan,
        "isnormal" => f64::is_normal,
        "signbit" => f64::is_sign_negative,
        _ => return None,
    })
}

#[expect(clippy::float_cmp, reason = "that is what they ask")]
pub(super) fn test_two(name: &str) -> Option<fn(f64, f64) -> bool> {
    Some(match name {
        "isequal" => |a, b| a == b,
        "isnotequal" => |a, b| a != b,
        "isgreater" => |a, b| a > b,
        "isgreaterequal" => |a, b| a >= b,
        "isless" => |a, b| a < b,
        "islessequal" => |a, b| a <= b,
        "islessgreater" => |a, b| a != b && !a.is_nan() && !b.is_nan(),
        "isordered" => |a, b| !a.is_nan() && !b.is_nan(),
        "isunordered" => |a, b| a.is_nan() || b.is_nan(),
        _ => return None,
    })
}

/// The type of a letter.
pub(super) fn real(letter: &str) -> Option<Real> {
    match letter {
        "Dh" => Some(Real::Half),
        "f" => Some(Real::Float),
        "d" => Some(Real::Double),
        _ => None,
    }
}
