//! Functions that a block calls, by their names in [`Program::names`](crate::run::Program::names).

use crate::run::Mangled;

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
