//! How long mathematical functions are on a CPU.
//!
//! In double precision, and of those in single precision that no kernel of the suite calls, by the time of 32 calls of
//! each of 65,536 work-items with arguments between 0.3 and 0.9, less what the loop itself takes, rounded to 5; in units
//! in which `exp`, `log`, `sin` and `cos` in single precision are as long as they were before (Intel Xeon, 16 threads,
//! PoCL 5.0, 2026-11-25; `bench/functions.py` makes the kernels). The others are estimates: the counters of the shipped
//! samples have them.

use crate::called::plain;

/// Micro-operations of a function; none where it is counted as an operation.
pub(crate) fn micro_operations(name: &str, is_double: bool) -> Option<f64> {
    let plain = plain(name);
    Some(match plain {
        "fabs" | "fmax" | "fmin" | "max" | "min" | "copysign" | "sign" | "step" => 1.0,
        "floor" | "ceil" | "rint" | "trunc" | "round" => 2.0,
        "sqrt" | "rsqrt" | "half_sqrt" => 6.0,
        "fdim" => 25.0,
        _ if is_double => return double(plain),
        _ => return single(plain),
    })
}

fn single(plain: &str) -> Option<f64> {
    Some(match plain {
        "exp" | "exp2" => 20.0,
        "log" | "log1p" => 30.0,
        "sin" | "cos" | "sincos" | "atan2" => 40.0,
        "tanh" | "asinh" | "erf" | "erfc" | "cbrt" => 50.0,
        "pow" => 90.0,
        "lgamma" | "lgamma_r" => 120.0,
        // Measured; whose names end with `pi` or `_r`, and `remquo`, as their like.
        "atan2pi" => 100.0,
        "log2" => 15.0,
        "exp10" | "sinpi" => 20.0,
        "asin" | "asinpi" | "cospi" => 25.0,
        "acos" | "acospi" => 30.0,
        "cosh" | "log10" | "sinh" => 35.0,
        "fmod" => 40.0,
        "tan" | "tanpi" => 45.0,
        "atanh" => 50.0,
        "acosh" => 55.0,
        "expm1" => 60.0,
        "atan" | "atanpi" | "hypot" | "remainder" | "remquo" => 65.0,
        "powr" => 175.0,
        "tgamma" => 190.0,
        "pown" => 215.0,
        "rootn" => 220.0,
        _ => return None,
    })
}

fn double(plain: &str) -> Option<f64> {
    Some(match plain {
        "sincos" => 60.0,
        "exp" | "log2" => 20.0,
        "exp10" | "exp2" => 30.0,
        "asin" | "asinpi" | "cospi" | "sinpi" => 35.0,
        "log1p" => 40.0,
        "acos" | "acospi" | "fmod" | "log10" | "tanh" => 45.0,
        "atanh" | "cos" | "log" | "sin" | "tan" | "tanpi" => 50.0,
        "asinh" | "cosh" => 55.0,
        "sinh" => 60.0,
        "erf" | "hypot" | "remainder" | "remquo" => 70.0,
        "expm1" => 80.0,
        "cbrt" => 85.0,
        "atan" | "atanpi" => 90.0,
        "erfc" => 100.0,
        "acosh" => 105.0,
        "atan2" | "atan2pi" => 130.0,
        "pown" => 215.0,
        "pow" => 220.0,
        "powr" => 225.0,
        "rootn" => 255.0,
        "lgamma" | "lgamma_r" => 290.0,
        "tgamma" => 310.0,
        _ => return None,
    })
}
