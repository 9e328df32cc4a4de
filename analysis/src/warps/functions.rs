//! What a called function of OpenCL C or LLVM becomes on a GPU, by its name without its types.
//!
//! In double precision, and of those in single precision that no kernel of the suite calls, as ncu counted 32 calls of
//! each work-item of 2²⁰ with arguments between 0.3 and 0.9, less what the loop itself takes (NVIDIA H200, driver
//! 580.159.04, 2026-11-25; `bench/functions.py` makes the kernels). The others as NVIDIA's compiler makes them in
//! machine code of the suite's kernels: the counters of the shipped samples have them.

use super::pipes::{Cost, Pipe};
use crate::called::plain;

/// Instructions of a warp: of the pipes for single precision, for whole numbers, for special functions and for double
/// precision, and others; and the cycles of all of them one after the other.
type Counted = [f64; 6];

/// What a call costs; none of what is counted as an operation.
pub(super) fn function(name: &str, is_double: bool) -> Option<Cost> {
    let is_native = name.starts_with("native_") || name.starts_with("half_");
    let plain = plain(name);
    let known = match (is_native, is_double) {
        (true, _) => short(plain).or(Some([1.0, 1.0, 1.0, 0.0, 0.0, 26.0])),
        (false, false) => short(plain).or_else(|| single(plain)),
        (false, true) => short(plain).or_else(|| double(plain)),
    };
    let [fma, alu, special, fp64, other, latency] = known?;
    let pipes = [
        (Pipe::Fma, fma),
        // Most of the others move registers.
        (Pipe::Alu, alu + other),
        (Pipe::Special, special),
        (Pipe::Fp64, fp64),
    ];
    Some(Cost::of(&pipes, latency))
}

/// Those of an instruction or none, in either precision.
fn short(plain: &str) -> Option<Counted> {
    Some(match plain {
        "fabs" | "copysign" | "canonicalize" => [0.0; 6],
        "fmax" | "fmin" | "max" | "min" | "maxnum" | "minnum" | "sign" | "step" | "fdim" => {
            [0.0, 1.0, 0.0, 0.0, 0.0, 4.5]
        }
        "floor" | "ceil" | "rint" | "trunc" | "round" | "roundeven" | "nearbyint" => {
            [0.0, 0.0, 1.0, 0.0, 0.0, 18.0]
        }
        // Bits of the number.
        "ilogb" | "logb" | "ldexp" => [2.0, 4.0, 0.0, 0.0, 0.0, 20.0],
        "degrees" | "radians" => [1.0, 0.0, 0.0, 0.0, 0.0, 4.0],
        _ => return None,
    })
}

fn single(plain: &str) -> Option<Counted> {
    Some(match plain {
        "exp" | "exp2" => [5.0, 2.0, 1.0, 0.0, 0.0, 45.0],
        "log" => [12.0, 8.0, 1.0, 0.0, 0.0, 80.0],
        "sqrt" => [5.0, 3.0, 1.0, 0.0, 0.0, 50.0],
        "rsqrt" | "recip" => [2.0, 2.0, 1.0, 0.0, 0.0, 30.0],
        "sin" | "cos" => [12.0, 12.0, 1.0, 0.0, 0.0, 110.0],
        "sincos" => [20.0, 16.0, 1.0, 0.0, 0.0, 120.0],
        "divide" => [7.0, 2.0, 1.0, 0.0, 0.0, 55.0],
        "pow" => [35.0, 25.0, 2.0, 0.0, 0.0, 220.0],
        "atan2" => [18.0, 8.0, 1.0, 0.0, 0.0, 110.0],
        "tanh" | "asinh" | "log1p" => [14.0, 8.0, 2.0, 0.0, 0.0, 110.0],
        "erfc" => [57.0, 25.0, 5.0, 0.0, 15.0, 220.0],
        "erf" | "cbrt" => [22.0, 8.0, 2.0, 0.0, 0.0, 130.0],
        "lgamma" | "lgamma_r" => [60.0, 30.0, 3.0, 0.0, 0.0, 400.0],
        // Not tried: those of their like.
        "atanpi" | "atan2pi" | "acospi" | "asinpi" => [18.0, 8.0, 1.0, 0.0, 0.0, 110.0],
        "tanpi" => [20.0, 16.0, 2.0, 0.0, 0.0, 150.0],
        "acos" => [14.0, 4.0, 1.0, 0.0, 0.0, 25.0],
        "acosh" => [22.0, 14.0, 1.0, 0.0, 8.0, 166.0],
        "asin" => [12.0, 7.0, 1.0, 0.0, 0.0, 24.0],
        "atan" => [15.0, 13.0, 2.0, 0.0, 0.0, 42.0],
        "atanh" => [23.0, 15.0, 1.0, 0.0, 7.0, 146.0],
        "cosh" => [10.0, 10.0, 3.0, 0.0, 0.0, 36.0],
        "cospi" => [12.0, 9.0, 2.0, 0.0, 1.0, 36.0],
        "exp10" => [5.0, 1.0, 1.0, 0.0, 0.0, 6.0],
        "expm1" => [16.0, 11.0, 2.0, 0.0, 0.0, 45.0],
        "fmod" => [7.0, 7.0, 1.0, 0.0, 8.0, 91.0],
        "hypot" => [8.0, 9.0, 1.0, 0.0, 0.0, 28.0],
        "log10" => [16.0, 12.0, 0.0, 0.0, 0.0, 34.0],
        "log2" => [17.0, 12.0, 0.0, 0.0, 0.0, 36.0],
        "pown" => [29.0, 22.0, 2.0, 0.0, 10.0, 202.0],
        "powr" => [50.0, 28.0, 3.0, 0.0, 9.0, 276.0],
        "remainder" | "remquo" => [40.0, 42.0, 3.0, 0.0, 30.0, 472.0],
        "rootn" => [126.0, 40.0, 4.0, 0.0, 8.0, 350.0],
        "sinh" => [6.0, 2.0, 0.0, 0.0, 4.0, 38.0],
        "sinpi" => [12.0, 8.0, 3.0, 0.0, 1.0, 38.0],
        "tan" => [17.0, 6.0, 2.0, 0.0, 4.0, 106.0],
        "tgamma" => [15.0, 11.0, 1.0, 0.0, 11.0, 135.0],
        _ => return None,
    })
}

fn double(plain: &str) -> Option<Counted> {
    Some(match plain {
        "divide" => [0.0, 6.0, 1.0, 9.0, 0.0, 130.0],
        // As the shipped samples of `n_body_double` have it; ncu counts 4, 4, 1, 8 and 5.
        "sqrt" => [0.0, 3.0, 1.0, 10.0, 0.0, 150.0],
        // Not tried: those of their like.
        "recip" => [0.0, 6.0, 1.0, 9.0, 0.0, 130.0],
        "sincos" => [11.0, 9.0, 2.0, 33.0, 39.0, 300.0],
        "acospi" | "asinpi" => [9.0, 9.0, 1.0, 44.0, 40.0, 330.0],
        "atanpi" => [3.0, 3.0, 0.0, 25.0, 13.0, 165.0],
        "atan2pi" => [14.0, 17.0, 1.0, 42.0, 49.0, 418.0],
        "tanpi" => [8.0, 7.0, 3.0, 29.0, 50.0, 350.0],
        "acos" => [11.0, 10.0, 1.0, 43.0, 61.0, 371.0],
        "acosh" => [25.0, 16.0, 2.0, 45.0, 33.0, 433.0],
        "asin" => [7.0, 8.0, 1.0, 42.0, 11.0, 293.0],
        "asinh" => [30.0, 20.0, 4.0, 72.0, 51.0, 734.0],
        "atan2" => [14.0, 17.0, 1.0, 41.0, 49.0, 410.0],
        "atan" => [3.0, 3.0, 0.0, 24.0, 13.0, 157.0],
        "atanh" => [22.0, 16.0, 2.0, 42.0, 31.0, 412.0],
        "cbrt" => [12.0, 12.0, 6.0, 11.0, 4.0, 247.0],
        "cos" => [11.0, 9.0, 2.0, 18.0, 39.0, 276.0],
        "cosh" => [7.0, 7.0, 1.0, 21.0, 25.0, 227.0],
        "cospi" => [9.0, 9.0, 2.0, 14.0, 9.0, 166.0],
        "erf" => [4.0, 4.0, 5.0, 42.0, 35.0, 204.0],
        "erfc" => [18.0, 13.0, 7.0, 80.0, 125.0, 843.0],
        "exp10" => [6.0, 2.0, 0.0, 17.0, 17.0, 94.0],
        "exp2" => [5.0, 2.0, 0.0, 16.0, 15.0, 88.0],
        "exp" => [4.0, 1.0, 0.0, 15.0, 9.0, 74.0],
        "expm1" => [9.0, 11.0, 0.0, 19.0, 25.0, 195.0],
        "fmod" => [49.0, 128.0, 0.0, 5.0, 35.0, 640.0],
        "hypot" => [15.0, 16.0, 2.0, 23.0, 18.0, 288.0],
        "lgamma" | "lgamma_r" => [25.0, 15.0, 1.0, 70.0, 106.0, 714.0],
        "log10" => [15.0, 14.0, 1.0, 32.0, 26.0, 261.0],
        "log1p" => [22.0, 16.0, 2.0, 53.0, 45.0, 513.0],
        "log2" => [15.0, 14.0, 1.0, 32.0, 26.0, 261.0],
        "log" => [15.0, 15.0, 1.0, 30.0, 24.0, 257.0],
        "pow" => [20.0, 18.0, 3.0, 106.0, 62.0, 876.0],
        "pown" => [26.0, 23.0, 4.0, 114.0, 74.0, 996.0],
        "powr" => [17.0, 18.0, 2.0, 101.0, 63.0, 835.0],
        "remainder" | "remquo" => [50.0, 130.0, 0.0, 9.0, 33.0, 679.0],
        "rootn" => [24.0, 23.0, 6.0, 128.0, 59.0, 988.0],
        "rsqrt" => [4.0, 3.0, 1.0, 5.0, 5.0, 62.0],
        "sin" => [8.0, 9.0, 2.0, 19.0, 39.0, 286.0],
        "sinh" => [5.0, 3.0, 0.0, 9.0, 16.0, 102.0],
        "sinpi" => [6.0, 6.0, 3.0, 15.0, 9.0, 146.0],
        "tan" => [8.0, 7.0, 3.0, 29.0, 50.0, 350.0],
        "tanh" => [8.0, 8.0, 6.0, 34.0, 47.0, 409.0],
        "tgamma" => [11.0, 5.0, 1.0, 31.0, 44.0, 354.0],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_in_double_precision_takes_longer() {
        for name in ["sin", "pow", "llvm.sqrt", "exp"] {
            let all = |is_double| function(name, is_double).expect("known").all();
            assert!(all(true) > 1.5 * all(false), "{name}");
        }
        assert_eq!(function("fabs", true), Some(Cost::NOTHING));
        assert_eq!(function("get_global_id", false), None);
        let latency = |name| function(name, true).expect("known").latency;
        assert!(latency("native_pow") < latency("pow"));
    }
}
