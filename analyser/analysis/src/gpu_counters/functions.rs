//! Costs on a GPU of a called function of OpenCL C or LLVM, by its name without its types (`functions.csv`).
//!
//! Functions in double precision, and those in single precision that no kernel of the suite calls, were counted by ncu:
//! 32 calls by each of 2²⁰ work-items with arguments between 0.3 and 0.9, less the loop itself (NVIDIA H200, driver
//! 580.159.04, 2026-11-25; `bench/functions.py` makes the kernels). The others are as in NVIDIA's machine code of the
//! suite's kernels: the counters of the shipped samples have them. So is `sqrt` in double precision, for which ncu
//! counts 4, 4, 1, 8 and 5. Functions that were not tried have the costs of similar ones: `recip` and `sincos` in
//! double precision, and names that end with `pi`.

use std::sync::LazyLock;

use super::pipes::{Cost, Pipe};
use crate::callee::{Costs, plain_name};

/// Instructions of a warp by pipe: for single precision, for whole numbers, for special functions and for double
/// precision, and others; and the cycles of all of them one after the other.
static COSTS: LazyLock<Costs<6>> = LazyLock::new(|| Costs::read(include_str!("functions.csv")));

/// The cost of a call; none if it is counted as an operation.
pub(super) fn function(name: &str, is_double: bool) -> Option<Cost> {
    let is_native = name.starts_with("native_") || name.starts_with("half_");
    let plain = plain_name(name);
    let cost = if is_native {
        COSTS
            .get_either(plain)
            .or(Some([1.0, 1.0, 1.0, 0.0, 0.0, 26.0]))
    } else {
        COSTS.get(plain, is_double)
    };
    let [fma, alu, special, fp64, other, latency] = cost?;
    let pipes = [
        (Pipe::Fma, fma),
        // Most of the others move registers.
        (Pipe::Alu, alu + other),
        (Pipe::Special, special),
        (Pipe::Fp64, fp64),
    ];
    Some(Cost::new(&pipes, latency))
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
