//! Functions that a block calls, by their names in [`Program::names`](crate::run::Program::names).

/// The function of a counted call, as OpenCL C or LLVM calls it; none of what is no call.
pub(crate) fn called(name: &str) -> Option<&str> {
    let function = name.strip_prefix("call ")?.trim_end_matches("()");
    if let Some(rest) = function.strip_prefix("_Z") {
        let digits = rest.find(|it: char| !it.is_ascii_digit())?;
        let length: usize = rest[..digits].parse().ok()?;
        return rest.get(digits..digits + length);
    }
    Some(function)
}

/// A function's name without what says by whom it is, how exact and of which type: `sqrt` of `llvm.sqrt.f32`.
pub(crate) fn plain(name: &str) -> &str {
    let plain = name.trim_start_matches("llvm.");
    let plain = plain
        .trim_start_matches("native_")
        .trim_start_matches("half_");
    plain.split('.').next().unwrap_or(plain)
}
