//! Numbers, names and commands for people.

use std::fmt::Display;

use chrono::{DateTime, Utc};

use crate::provider::{NCU, NVPROF, ROCPROFV3};

/// A time with its unit: 4.87 µs.
#[must_use]
pub fn seconds(time_s: f64) -> String {
    let units = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")];
    let fits = units.into_iter().find(|(unit, _)| time_s.abs() >= *unit);
    let (unit, name) = fits.unwrap_or((1e-9, "ns"));
    format!("{} {name}", number(time_s / unit))
}

/// A time of day: 2026-11-29 11:58 UTC.
pub(crate) fn minute(at: &DateTime<Utc>) -> impl Display {
    at.format("%Y-%m-%d %H:%M UTC")
}

/// How many times as long: "3.1 times as long" or "3.1 times as fast".
#[must_use]
pub fn times(ratio: f64) -> String {
    if ratio >= 1.0 {
        format!("{} times as long", number(ratio))
    } else {
        format!("{} times as fast", number(1.0 / ratio))
    }
}

/// Three digits.
#[must_use]
pub fn number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if !(1e-2..1e6).contains(&size) => format!("{value:.2e}"),
        size if size < 9.995 => format!("{value:.2}"),
        size if size < 99.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// The names of the `first` of `all` things, and how many more there are.
#[must_use]
pub fn some_of<T>(first: &[T], all: usize, one: impl Fn(&T) -> String) -> String {
    let mut names: Vec<String> = first.iter().map(one).collect();
    match all.saturating_sub(first.len()) {
        0 => {}
        more => names.push(format!("and {more} more")),
    }
    names.join(", ")
}

/// The command that says how a provider's counters are counted, where there is one.
#[must_use]
pub fn how_to_count(provider: &str) -> String {
    match provider {
        NCU | NVPROF | ROCPROFV3 => {
            format!(" (`kerncast metrics {provider}` prints how to count them)")
        }
        _ => String::new(),
    }
}

/// Names that are less alike than this have too little in common.
const LEAST_LIKENESS: f64 = 0.8;

/// `. Did you mean …?`, or nothing where no name of `all` is like `unknown`.
#[must_use]
pub fn did_you_mean<'a>(unknown: &str, all: impl IntoIterator<Item = &'a str>) -> String {
    let unknown = unknown.to_lowercase();
    let likeness = |name: &str| strsim::jaro_winkler(&unknown, &name.to_lowercase());
    let all = all.into_iter().map(|name| (likeness(name), name));
    let alike = all.filter(|(likeness, _)| *likeness >= LEAST_LIKENESS);
    let best = alike.max_by(|one, other| one.0.total_cmp(&other.0));
    best.map_or_else(String::new, |(_, name)| format!(". Did you mean `{name}`?"))
}

/// The name of `all` that `unknown` misspells: with a letter too many or too few, two swapped, another case, or without
/// its end, as `inst_executed` for `inst_executed.sum`. A name with one letter in place of another may well be one of its
/// own, as `hadd` is beside `dadd`.
#[must_use]
pub fn misspelt<'a>(unknown: &str, all: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = unknown.to_lowercase();
    let is_misspelt = |name: &str| {
        let name = name.to_lowercase();
        let end = name.strip_prefix(&lower);
        if end.is_some_and(|it| it.starts_with('.')) {
            return true;
        }
        let swapped = strsim::osa_distance(&lower, &name);
        let replaced = strsim::levenshtein(&lower, &name);
        match name.len().abs_diff(lower.len()) {
            // Two that are swapped are two that are replaced.
            0 => swapped == 0 || swapped == 1 && replaced == 2,
            1 => swapped == 1,
            _ => false,
        }
    };
    let mut all = all.into_iter();
    all.find(|name| *name != unknown && is_misspelt(name))
}

/// A parser's message; where that says that a name is unknown and which are known, with the likely one at its end.
#[must_use]
pub fn with_the_likely_one(message: &str) -> String {
    let is_of_names =
        message.starts_with("unknown field") || message.starts_with("unknown variant");
    // What stands between backticks: the unknown name, then the known ones.
    let mut names = message.split('`').skip(1).step_by(2);
    match (is_of_names, names.next()) {
        (true, Some(unknown)) => format!("{message}{}", did_you_mean(unknown, names)),
        _ => message.to_owned(),
    }
}
