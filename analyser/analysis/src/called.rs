//! Functions that a block calls, by their names in [`Program::names`](crate::run::Program::names).

use std::collections::HashMap;

use crate::run::Mangled;

/// What functions cost, `N` numbers each, by precision and name: a line for those that cost the same.
pub(crate) struct Costs<const N: usize>(HashMap<(&'static str, &'static str), [f64; N]>);

impl<const N: usize> Costs<N> {
    /// Of a table with a heading, as it is compiled in.
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

    /// Those of a function in whatever precision, else in one.
    pub(crate) fn of(&self, function: &str, is_double: bool) -> Option<[f64; N]> {
        let precision = if is_double { "double" } else { "single" };
        let one = |precision| self.0.get(&(precision, function)).copied();
        one("either").or_else(|| one(precision))
    }

    /// Those in whatever precision.
    pub(crate) fn of_either(&self, function: &str) -> Option<[f64; N]> {
        self.0.get(&("either", function)).copied()
    }
}

/// What a called function takes first, of a mangled name or an intrinsic's: `double`, `half` or `float`.
pub(crate) fn taken(name: &str) -> &'static str {
    let name = name.trim_end_matches("()");
    let kind = match called(name).and_then(|function| name.split_once(function)) {
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

/// The function of a counted call, as OpenCL C or LLVM calls it; none of what is no call.
pub(crate) fn called(name: &str) -> Option<&str> {
    let function = name.strip_prefix("call ")?.trim_end_matches("()");
    match function.starts_with("_Z") {
        true => Some(Mangled::of(function)?.name),
        false => Some(function),
    }
}

/// A function's name without what says by whom it is, how exact and of which type: `sqrt` of `llvm.sqrt.f32`.
pub(crate) fn plain(name: &str) -> &str {
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
            assert_eq!(taken(name), expected, "{name}");
        }
    }
}
