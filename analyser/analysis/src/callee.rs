//! Functions that a program calls: their [names](crate::run::Program::names), and tables of their costs.

use std::collections::HashMap;

use crate::run::Mangled;

/// Costs of functions, `N` numbers each, by precision and name.
pub(crate) struct Costs<const N: usize>(HashMap<(&'static str, &'static str), [f64; N]>);

impl<const N: usize> Costs<N> {
    /// Reads a CSV table with a heading: precision, names with spaces between, and their costs.
    pub(crate) fn read(table: &'static str) -> Self {
        let mut costs = HashMap::new();
        for line in table.lines().skip(1) {
            let mut cells = line.split(',');
            let [precision, functions] =
                [cells.next(), cells.next()].map(Option::unwrap_or_default);
            let numbers: Vec<f64> = cells.map(|it| it.parse().expect("a number")).collect();
            let numbers = numbers.try_into().expect("a number for each cost");
            costs.extend(functions.split(' ').map(|it| ((precision, it), numbers)));
        }
        Self(costs)
    }

    /// Costs of a function in either precision, or in this one.
    pub(crate) fn get(&self, function: &str, is_double: bool) -> Option<[f64; N]> {
        let precision = if is_double { "double" } else { "single" };
        let own = self.0.get(&(precision, function)).copied();
        self.get_either(function).or(own)
    }

    /// Costs of a function that are the same in either precision.
    pub(crate) fn get_either(&self, function: &str) -> Option<[f64; N]> {
        self.0.get(&("either", function)).copied()
    }
}

/// The type of a called function's first argument, by its mangled name or an intrinsic's: `double`, `half` or `float`.
pub(crate) fn argument_type(name: &str) -> &'static str {
    let name = name.trim_end_matches("()");
    let kind = match callee(name).and_then(|function| name.split_once(function)) {
        Some((_, "")) => name.rsplit('.').next(),
        Some((_, types)) if types.starts_with("Dv") => types.split('_').nth(1),
        Some((_, types)) => Some(types),
        None => None,
    };
    match kind {
        Some(it) if it.ends_with("f64") => "double",
        Some(it) if it.ends_with("f16") => "half",
        Some(it) if it.starts_with('d') => "double",
        Some(it) if it.starts_with("Dh") => "half",
        _ => "float",
    }
}

/// The function of a counted call, as OpenCL C or LLVM names it; none for what is no call.
pub(crate) fn callee(name: &str) -> Option<&str> {
    let function = name.strip_prefix("call ")?.trim_end_matches("()");
    if function.starts_with("_Z") {
        return Some(Mangled::parse(function)?.name);
    }
    Some(function)
}

/// A function's name without prefixes for origin and precision and without its type: `sqrt` for `llvm.sqrt.f32`.
pub(crate) fn plain_name(name: &str) -> &str {
    let plain = name.trim_start_matches("llvm.");
    let plain = plain
        .trim_start_matches("native_")
        .trim_start_matches("half_");
    plain.split('.').next().unwrap_or(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_function_takes_is_in_its_name() {
        for (name, expected) in [
            ("call _Z3powdd()", "double"),
            ("call _Z3powff()", "float"),
            ("call _Z3expDv4_d()", "double"),
            ("call _Z3expDv4_f()", "float"),
            ("call llvm.sqrt.f64()", "double"),
            ("call llvm.sqrt.v4f64()", "double"),
            ("call llvm.pow.v2f32()", "float"),
            ("call llvm.sqrt.f32()", "float"),
        ] {
            assert_eq!(argument_type(name), expected, "{name}");
        }
    }
}
