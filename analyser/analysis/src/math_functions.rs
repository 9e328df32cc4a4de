//! Mathematical functions that a program calls.

use std::collections::BTreeMap;

use crate::{
    callee::{argument_type, callee, plain_name},
    cpu_counters::functions::{LONGEST_INLINED, micro_operations},
    run::Program,
};

/// Mathematical functions of more than a few instructions that a program calls, by name and argument type as
/// `pow(double)`, with the micro-operations of a call on a CPU. Functions of unknown cost are left out, and so are
/// `native_…` and `half_…`, which are short.
#[must_use]
pub fn math_functions(program: &Program) -> BTreeMap<String, f64> {
    let calls = program.names.iter().filter_map(|name| {
        let function = callee(name)?;
        let is_short = ["native_", "half_"]
            .iter()
            .any(|it| function.starts_with(it));
        let argument = argument_type(name);
        let length = micro_operations(function, argument == "double");
        let length = length.filter(|it| *it > LONGEST_INLINED && !is_short)?;
        Some((format!("{}({argument})", plain_name(function)), length))
    });
    calls.collect()
}
