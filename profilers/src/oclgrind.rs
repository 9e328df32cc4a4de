use std::collections::BTreeMap;

use crate::catalogue::oclgrind::{always, sum_of};
use crate::cell::Cell;
use crate::lines::numbered_lines;
use crate::number::is_mark;
use crate::reading::ProfileReader;
use crate::{Error, Format, Launch, Profile};

/// The kernel's name in the line that begins a launch's counts. An unfinished line of the kernel's printf may precede
/// it.
pub(crate) fn kernel_of(line: &str) -> Option<&str> {
    let (_, kernel) = line.rsplit_once("Instructions executed for kernel '")?;
    kernel.strip_suffix("':")
}

/// Reads `oclgrind --inst-counts`: a block for each launch, ended by a blank line, with the program's own output around
/// the blocks. `load global (512 bytes)` becomes `load_global` and `load_global_bytes`, `call _Z13get_global_idj()`
/// becomes `call_get_global_id`; `instructions` is the sum of all, and `math_calls` and `atomic_calls` count calls of
/// costly built-in functions. Instructions that are not listed did not run and count as 0, because a model needs a
/// counter of every launch. Numbers follow the user's locale.
pub(crate) fn parse(text: &str) -> Result<Profile, Error> {
    let mut launches: Vec<Launch> = Vec::new();
    let mut inside = false;
    for (line, _, content) in numbered_lines(text) {
        if let Some(kernel) = kernel_of(content) {
            let kernel = Cell {
                line,
                column: "kernel",
                text: kernel,
            }
            .name()?;
            launches.push(Launch::new(line, kernel));
            inside = true;
        } else if content.trim().is_empty() {
            inside = false;
        } else if let Some(launch) = launches.last_mut().filter(|_| inside) {
            let cell = Cell {
                line,
                column: "instructions",
                text: content.trim(),
            };
            let (count, instruction) = split(cell)?;
            let (name, bytes) = name_and_bytes(instruction);
            if name.is_empty() {
                return Err(cell.wrong("an instruction's name"));
            }
            let count = number(cell, count)?;
            let bytes = bytes.map(|bytes| number(cell, bytes)).transpose()?;
            let counters = launch.counters.entry(Format::Oclgrind.name().to_owned());
            add(counters.or_default(), &name, count, bytes);
        }
    }
    // A launch without a single instruction was cut off behind its heading.
    let (mut complete_launches, cut_off): (Vec<_>, Vec<_>) = launches
        .into_iter()
        .partition(|launch| !launch.counters.is_empty());
    for counters in complete_launches
        .iter_mut()
        .flat_map(|launch| launch.counters.values_mut())
    {
        complete(counters);
    }
    let mut reader = ProfileReader::new(Format::Oclgrind);
    for launch in cut_off {
        let text = "launch left out: no instructions below";
        reader.notes.once(launch.line, text.to_owned());
    }
    complete_launches
        .into_iter()
        .for_each(|launch| reader.add(Ok(launch)));
    reader.finish()
}

/// Splits a line `131,072 - load global (524,288 bytes)` into number and instruction.
fn split(cell: Cell<'_>) -> Result<(&str, &str), Error> {
    let parts = cell
        .text
        .split_once(" - ")
        .filter(|(_, instruction)| !instruction.trim().is_empty());
    parts.ok_or_else(|| cell.wrong("COUNT - INSTRUCTION, or a blank line"))
}

fn name_and_bytes(instruction: &str) -> (String, Option<&str>) {
    let with_bytes = instruction
        .strip_suffix(" bytes)")
        .and_then(|text| text.rsplit_once(" ("));
    let (operation, bytes) = with_bytes.map_or((instruction, None), |(operation, bytes)| {
        (operation, Some(bytes))
    });
    let name = match operation.strip_prefix("call ") {
        Some(function) => format!("call_{}", plain_name(function.trim_end_matches("()"))),
        None => operation.trim().replace(' ', "_"),
    };
    (name, bytes)
}

/// The name of a function without its overload: `sin` for `_Z3sinDv4_f`, `llvm.fmuladd` for `llvm.fmuladd.v4f32`.
fn plain_name(function: &str) -> String {
    if function.starts_with("llvm.") {
        let words = function.split('.').filter(|word| !is_llvm_type(word));
        return words.collect::<Vec<_>>().join(".");
    }
    source_name(function).unwrap_or(function).to_owned()
}

/// The source's name of a C++-mangled function; none where it is not mangled.
fn source_name(mangled: &str) -> Option<&str> {
    let rest = mangled.strip_prefix("_Z")?;
    let digits = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let length = rest[..digits].parse::<usize>().ok()?;
    rest[digits..].get(..length).filter(|name| !name.is_empty())
}

/// Whether a word is a type with which LLVM suffixes its intrinsics: `f32`, `i64`, `p0i8`, `v4f32`.
fn is_llvm_type(word: &str) -> bool {
    let rest = word.strip_prefix(['f', 'i', 'p', 'v']);
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn number(cell: Cell<'_>, text: &str) -> Result<u64, Error> {
    let digits = text.trim().chars().filter(|c| !is_mark(*c));
    let digits: String = digits.collect();
    let expected = "a whole number before the instruction and the bytes";
    digits.parse().map_err(|_| cell.wrong(expected))
}

/// Adds an instruction's count and the bytes that it moved; overloads of a builtin are counted together.
fn add(counters: &mut BTreeMap<String, f64>, name: &str, count: u64, bytes: Option<u64>) {
    let mut add = |name: &str, number: u64| {
        *counters.entry(name.to_owned()).or_insert(0.0) += number as f64;
    };
    add(name, count);
    add("instructions", count);
    if let Some(sum) = name.strip_prefix("call_").and_then(sum_of) {
        add(sum, count);
    }
    if let Some(bytes) = bytes {
        add(&format!("{name}_bytes"), bytes);
    }
}

/// Adds 0 for each instruction that did not run.
fn complete(counters: &mut BTreeMap<String, f64>) {
    for name in always() {
        counters.entry(name.to_owned()).or_insert(0.0);
    }
}

/// Oclgrind's counters of a launch. `instructions`: each instruction that ran, in Oclgrind's words such as `load
/// global` or `call _Z3sinf()`, its number, and the bytes that it loaded or stored.
pub fn oclgrind_counters<'a>(
    instructions: impl IntoIterator<Item = (&'a str, u64, Option<u64>)>,
) -> BTreeMap<String, f64> {
    let mut counters = BTreeMap::new();
    for (instruction, count, bytes) in instructions {
        let (name, _) = name_and_bytes(instruction);
        add(&mut counters, &name, count, bytes);
    }
    complete(&mut counters);
    counters
}
