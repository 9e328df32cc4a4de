//! Oclgrind's table of instruction counts (OCLGRIND_INST_COUNTS).

use std::collections::BTreeMap;

use thiserror::Error;

/// Why a table can't be used.
#[derive(Debug, Error, PartialEq)]
pub(super) enum TableError {
    /// It is not there.
    #[error("Oclgrind printed no instruction counts of `{0}`")]
    Missing(String),
    /// A line is not what is known of the format.
    #[error("Oclgrind printed `{0}`; expected `COUNT - INSTRUCTION`")]
    Line(String),
}

/// Oclgrind lists what was executed at least once. Of these a line that is not there says 0: they are
/// measured, not missing, and a model needs them of every sample.
const SILENT_ZEROS: [&str; 15] = [
    "br",
    "load_constant",
    "load_constant_bytes",
    "load_global",
    "load_global_bytes",
    "load_local",
    "load_local_bytes",
    "load_private",
    "load_private_bytes",
    "store_global",
    "store_global_bytes",
    "store_local",
    "store_local_bytes",
    "store_private",
    "store_private_bytes",
];

/// Counters of the last launch of `function` in what Oclgrind printed.
///
/// Memory accesses become `load_SPACE` and `load_SPACE_bytes`, calls `call_NAME`, anything else its
/// opcode; `instructions` is the sum of all counts.
pub(super) fn counts(output: &str, function: &str) -> Result<BTreeMap<String, f64>, TableError> {
    let header = format!("Instructions executed for kernel '{function}':");
    let lines: Vec<&str> = output.lines().collect();
    // A kernel's printf may have left an unfinished line before the header.
    let start = lines.iter().rposition(|line| line.ends_with(&header));
    let start = start.ok_or_else(|| TableError::Missing(function.to_owned()))?;
    let mut counters: BTreeMap<String, f64> = SILENT_ZEROS
        .iter()
        .map(|name| ((*name).to_owned(), 0.0))
        .collect();
    let mut rows = 0;
    for line in lines[start + 1..]
        .iter()
        .take_while(|line| !line.trim().is_empty())
    {
        let (count, instruction) = row(line).ok_or_else(|| TableError::Line((*line).to_owned()))?;
        let (name, bytes) = counter(instruction);
        rows += 1;
        if let Some(bytes) = bytes {
            *counters.entry(format!("{name}_bytes")).or_insert(0.0) += bytes;
        }
        *counters.entry(name).or_insert(0.0) += count;
        *counters.entry("instructions".to_owned()).or_insert(0.0) += count;
    }
    if rows == 0 {
        return Err(TableError::Missing(function.to_owned()));
    }
    Ok(counters)
}

fn row(line: &str) -> Option<(f64, &str)> {
    let (count, instruction) = line.trim().split_once(" - ")?;
    Some((number(count)?, instruction))
}

/// A count, with or without the thousands separators of a locale like en_US.
fn number(text: &str) -> Option<f64> {
    let digits: String = text.chars().filter(|c| *c != ',').collect();
    // Below 2⁵³ a count is exact.
    digits.parse::<u64>().ok().map(|count| count as f64)
}

/// The counter's name, and the bytes of a memory access.
fn counter(instruction: &str) -> (String, Option<f64>) {
    if let Some((access, rest)) = instruction.split_once(" (")
        && let Some(bytes) = rest.strip_suffix(" bytes)").and_then(number)
    {
        return (access.replace(' ', "_"), Some(bytes));
    }
    match instruction.strip_prefix("call ") {
        Some(callee) => (
            format!("call_{}", plain(callee.trim_end_matches("()"))),
            None,
        ),
        None => (instruction.replace(' ', "_"), None),
    }
}

/// A function's name without its overload: `_Z13get_global_idj` → `get_global_id`,
/// `llvm.fmuladd.v4f32` → `llvm.fmuladd`.
fn plain(callee: &str) -> String {
    if let Some(mangled) = callee.strip_prefix("_Z") {
        let digits = mangled
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(mangled.len());
        let (length, rest) = mangled.split_at(digits);
        let name = length
            .parse()
            .ok()
            .and_then(|length: usize| rest.get(..length));
        return name.unwrap_or(callee).to_owned();
    }
    if callee.starts_with("llvm.") {
        let words: Vec<&str> = callee
            .split('.')
            .filter(|word| !is_llvm_type(word))
            .collect();
        return words.join(".");
    }
    callee.to_owned()
}

/// `f32`, `i64`, `p0i8`, `v4f32`: a letter or more and digits, as LLVM suffixes its intrinsics.
fn is_llvm_type(word: &str) -> bool {
    word.starts_with(['f', 'i', 'p', 'v']) && word[1..].starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    const C: &str =
        include_str!("../../../tests/captured/oclgrind_21.10_inst-counts_3kernels.stdout.txt");
    const EN_US: &str = include_str!(
        "../../../tests/captured/oclgrind_21.10_inst-counts_en_US_thousands.stdout.txt"
    );
    const CALLS: &str =
        include_str!("../../../tests/captured/oclgrind_21.10_inst-counts_calls.stdout.txt");

    #[test]
    fn reads_what_oclgrind_prints() {
        let vadd = counts(C, "vadd").unwrap();
        let executed = [
            ("br", 128.0),
            ("call_get_global_id", 64.0),
            ("fadd", 64.0),
            ("getelementptr", 192.0),
            ("icmp", 64.0),
            ("instructions", 896.0),
            ("load_global", 128.0),
            ("load_global_bytes", 512.0),
            ("ret", 64.0),
            ("sext", 64.0),
            ("store_global", 64.0),
            ("store_global_bytes", 256.0),
            ("trunc", 64.0),
        ];
        let (zeros, others): (Vec<_>, Vec<_>) = vadd
            .iter()
            .map(|(name, count)| (name.as_str(), *count))
            .partition(|(_, n)| *n == 0.0);
        assert_eq!(others, executed);
        let zeros: Vec<&str> = zeros.into_iter().map(|(name, _)| name).collect();
        let space = |access: &str, space: &str| {
            [
                format!("{access}_{space}"),
                format!("{access}_{space}_bytes"),
            ]
        };
        let expected = [
            space("load", "constant"),
            space("load", "local"),
            space("load", "private"),
            space("store", "local"),
            space("store", "private"),
        ];
        assert_eq!(zeros, expected.concat());
        let rev = counts(C, "rev").unwrap();
        assert_eq!((rev["load_local"], rev["load_local_bytes"]), (64.0, 1024.0));
        assert_eq!((rev["call_barrier"], rev["call_sqrt"]), (64.0, 32.0));
        assert_eq!(
            counts(C, "atom").unwrap().get("call_atomic_inc"),
            Some(&64.0)
        );
    }

    #[test]
    fn reads_thousands_separators() {
        let vadd = counts(EN_US, "vadd").unwrap();
        assert_eq!(
            (vadd["load_global"], vadd["load_global_bytes"]),
            (131_072.0, 524_288.0)
        );
    }

    #[test]
    fn sums_overloads_and_drops_their_types() {
        let counters = counts(CALLS, "calls").unwrap();
        assert_eq!(counters.get("call_max"), Some(&128.0));
        assert_eq!(counters.get("call_llvm.fmuladd"), Some(&128.0));
        assert_eq!(counters.get("call_twice"), Some(&64.0));
        let calls: Vec<&str> = counters
            .keys()
            .filter_map(|name| name.strip_prefix("call_"))
            .collect();
        assert_eq!(calls, ["get_global_id", "llvm.fmuladd", "max", "twice"]);
    }

    #[test]
    fn a_table_that_is_not_there_is_no_row_of_zeros() {
        assert_eq!(
            counts(C, "other"),
            Err(TableError::Missing("other".to_owned()))
        );
        assert_eq!(
            counts("", "vadd"),
            Err(TableError::Missing("vadd".to_owned()))
        );
        let cut = "Instructions executed for kernel 'k':\n   12 - br\n  some - thing\n";
        assert_eq!(
            counts(cut, "k"),
            Err(TableError::Line("  some - thing".to_owned()))
        );
    }
}
