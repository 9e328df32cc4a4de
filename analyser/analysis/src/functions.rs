//! Mathematical functions that a program calls.

use std::collections::BTreeMap;

use crate::{
    called::{called, plain, taken},
    cpu::functions::micro_operations,
    run::Program,
};

/// A function put in its place, or as short as one.
const SHORT: f64 = 6.0;

/// Mathematical functions of more than a few instructions that a program calls, by their names and what they take, as
/// `pow(double)`: micro-operations of a call on a CPU, as far as the analysis knows. `native_…` are short.
#[must_use]
pub fn functions(program: &Program) -> BTreeMap<String, f64> {
    let named = program.names.iter().filter_map(|name| {
        let function = called(name)?;
        let is_short = ["native_", "half_"]
            .iter()
            .any(|it| function.starts_with(it));
        let taken = taken(name);
        let length = micro_operations(function, taken == "double");
        let length = length.filter(|it| *it > SHORT && !is_short)?;
        Some((format!("{}({taken})", plain(function)), length))
    });
    named.collect()
}
