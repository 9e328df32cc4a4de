//! Costs of mathematical functions on a CPU (`functions.csv`), in micro-operations.
//!
//! Functions in double precision, and those in single precision that no kernel of the suite calls, were measured: the
//! time of 32 calls of each of 65,536 work-items with arguments between 0.3 and 0.9, less the time of the loop itself,
//! rounded to 5. The unit is such that `exp`, `log`, `sin` and `cos` in single precision cost as much as they did
//! before (Intel Xeon, 16 threads, PoCL 5.0, 2026-11-25; `bench/functions.py` makes the kernels). Functions whose names
//! end with `pi` or `_r`, and `remquo`, have the costs of similar ones. The others are estimates: the counters of the
//! shipped samples have them.

use std::sync::LazyLock;

use crate::callee::{Costs, plain_name};

static COSTS: LazyLock<Costs<1>> = LazyLock::new(|| Costs::read(include_str!("functions.csv")));

/// Micro-operations of the longest function that is inlined.
pub(crate) const LONGEST_INLINED: f64 = 6.0;

/// Micro-operations of a function; none where it is counted as an operation.
pub(crate) fn micro_operations(name: &str, is_double: bool) -> Option<f64> {
    let [operations] = COSTS.get(plain_name(name), is_double)?;
    Some(operations)
}
