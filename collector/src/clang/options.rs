//! Filters a driver's build options for clang.

use kerncast_wire::words::did_you_mean;

use super::ClangError;

/// Beginnings of build options that clang may be given.
const KNOWN_PREFIXES: [&str; 6] = ["-D", "-U", "-I", "-cl-", "-W", "-w"];

/// The build options that clang understands.
pub fn known_options(options: &str) -> String {
    // Braces are a launch file's own.
    filter_options(options, |option| !option.contains(['{', '}']))
}

/// The build options without include paths.
pub fn without_includes(options: &str) -> String {
    filter_options(options, |option| !option.starts_with("-I"))
}

fn filter_options(options: &str, keeps: fn(&str) -> bool) -> String {
    let mut kept_options = Vec::new();
    let mut words = options.split_whitespace();
    while let Some(option) = words.next() {
        let value = matches!(option, "-D" | "-U" | "-I").then(|| words.next());
        if keeps(option) && check_options(option).is_ok() {
            kept_options.extend([Some(option), value.flatten()].into_iter().flatten());
        }
    }
    kept_options.join(" ")
}

/// Splits build options; refuses those that clang must not get.
pub(super) fn check_options(options: &str) -> Result<Vec<&str>, ClangError> {
    let mut understood = Vec::new();
    let mut is_value = false;
    for option in options.split_whitespace() {
        if !is_value
            && !KNOWN_PREFIXES
                .iter()
                .any(|prefix| option.starts_with(prefix))
        {
            let usual = ["-D", "-I", "-w", "-cl-std=CL1.2", "-cl-fast-relaxed-math"];
            return Err(ClangError::Option {
                option: option.to_owned(),
                likely: did_you_mean(option, usual),
            });
        }
        // OpenCL C 1.2 has all that earlier ones have, and what is declared here for all sources.
        if matches!(option, "-cl-std=CL1.0" | "-cl-std=CL1.1") {
            continue;
        }
        // `-D NAME`.
        is_value = !is_value && matches!(option, "-D" | "-U" | "-I");
        understood.push(option);
    }
    Ok(understood)
}
