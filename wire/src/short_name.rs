//! What people call a device.

/// Words of marketing names that tell no device from another.
const FILLERS: [&str; 6] = ["NVIDIA", "AMD", "Intel", "Processor", "CPU", "GPU"];

/// `H200` of `NVIDIA H200`, `EPYC` of `pthread-skylake-avx512-AMD EPYC`: without the maker, what PoCL puts before
/// it, and marks. A name of nothing else stays what it is.
#[must_use]
pub fn short_name(name: &str) -> String {
    let plain = name.replace("(R)", " ").replace("(TM)", " ");
    let (first, rest) = plain.split_once(' ').unwrap_or((&plain, ""));
    let from_pocl = first.starts_with("pthread-") || first.starts_with("cpu-");
    let first = match first.rsplit_once('-') {
        Some((_, maker)) if from_pocl => maker,
        _ => first,
    };
    let words = [first].into_iter().chain(rest.split_whitespace());
    let is_filler = |word: &str| FILLERS.contains(&word) || word.ends_with("-Core");
    let words = words.take_while(|word| *word != "@");
    let telling: Vec<&str> = words
        .filter(|it| !it.is_empty() && !is_filler(it))
        .collect();
    match &telling[..] {
        [] => name.to_owned(),
        words => words.join(" "),
    }
}

/// `EPYC (PoCL)`, where the same hardware is there by several platforms.
#[must_use]
pub fn with_platform(name: &str, vendor: &str) -> String {
    format!("{} ({})", short_name(name), platform(vendor))
}

/// `Xeon (PoCL, 2 units)`, where that platform has several that are called so.
#[must_use]
pub fn with_units(name: &str, vendor: &str, compute_units: u32) -> String {
    let (short, platform) = (short_name(name), platform(vendor));
    format!("{short} ({platform}, {compute_units} units)")
}

/// `PoCL` of `The pocl project`, `Intel` of `Intel(R) Corporation`.
#[must_use]
pub fn platform(vendor: &str) -> &str {
    let lower = vendor.to_lowercase();
    if lower.contains("pocl") {
        return "PoCL";
    }
    if lower.contains("advanced micro devices") {
        return "AMD";
    }
    let ends = |it: char| it.is_whitespace() || it == ',' || it == '(';
    let first = vendor.split(ends).next();
    first.filter(|it| !it.is_empty()).unwrap_or(vendor)
}
