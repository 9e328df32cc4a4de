//! Kernels that must stay as they are, each for a reason of its own: those of tests/localize/refused, and what depends on
//! how a kernel is launched.

use std::{fs, path::Path};

use super::localized::{GROUP, localized, localized_in};
use kerncast_analysis::localize::{Localized, Mechanism, Reason};
use serde::Deserialize;

/// Kernels with a place for lines, and for each what is the matter, why it is refused, and the lines.
#[derive(Deserialize)]
struct Table {
    source: String,
    group: [i64; 3],
    /// Only this array stays.
    array: Option<String>,
    /// Nothing goes there in this way.
    mechanism: Option<String>,
    cases: Vec<(String, String, String)>,
}

/// A word as JSON has it.
fn word(value: &impl serde::Serialize) -> String {
    let word = serde_json::to_value(value).expect("JSON");
    word.as_str().expect("a word").to_owned()
}

fn reasons(result: &Localized) -> Vec<String> {
    result.refusals.iter().map(|it| word(&it.reason)).collect()
}

#[test]
fn what_must_be_refused_is() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/localize/refused");
    let (mut refused, mut wrong) = (0, Vec::new());
    for file in fs::read_dir(folder).expect("a folder") {
        let text = fs::read_to_string(file.expect("a file").path()).expect("UTF-8");
        let table: Table = toml::from_str(&text).expect("a table");
        for (name, reason, lines) in &table.cases {
            let source = table.source.replace("LINES", lines);
            let (result, text) = localized_in(&source, &[table.group], |place| place);
            let is_placed = result.placed.iter().any(|it| {
                table.array.as_ref().is_none_or(|array| it.array == *array)
                    && table
                        .mechanism
                        .as_ref()
                        .is_none_or(|own| word(&it.mechanism) == *own)
            });
            let reasons = reasons(&result);
            if is_placed || !(reason.is_empty() || reasons.contains(reason)) {
                wrong.push(format!(
                    "{name}: {reasons:?}, expected {reason}\n{}",
                    text.unwrap_or_default()
                ));
            } else {
                refused += 1;
            }
        }
    }
    eprintln!("{refused} refused");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(refused >= 140, "{refused}");
}

const READ: &str = "__kernel void tried(__global const float *a, __global float *b)\n\
    { int i = get_global_id(0); b[i] = a[i] + a[i + 1] + a[i + 2] + a[i + 3]; }\n";
const COUNTED: &str = "__kernel void tried(__global uint *c, __global const int *at, __global float *b, int n)\n\
    { for (int k = 0; k < 1024; ++k) atomic_inc(&c[at[k] & 7]); b[get_global_id(0)] = 1; }\n";
const TURNED: &str = "__kernel void tried(__global const float *a, __global float *b, int n)\n\
    { const int x = get_global_id(0), y = get_global_id(1); b[x * n + y] = a[y * n + x]; }\n";
const COLUMNS: &str = "__kernel void tried(__global const float *c, __global const int *d, __global float *b, int n)\n\
    { const int i = get_global_id(0); float s = 0; for (int k = 0; k < n * n; ++k) s += c[d[k] * get_global_size(0) + i]; b[i] = s; }\n";

#[test]
fn arguments_that_share_a_buffer_are_refused() {
    for (source, group) in [
        (READ, [GROUP, 1, 1]),
        (COUNTED, [GROUP, 1, 1]),
        (TURNED, [GROUP, GROUP, 1]),
    ] {
        let (result, _) = localized_in(source, &[group], |_| 0);
        let reasons = reasons(&result);
        assert!(reasons.contains(&"same_buffer".to_owned()), "{reasons:?}");
    }
    let (result, _) = localized(COLUMNS, &[GROUP], |_| 0);
    assert!(result.placed.is_empty(), "{:?}", result.placed);
    let (result, _) = localized(COLUMNS, &[GROUP], |place| place);
    let is_column = |it: &Mechanism| *it == Mechanism::Columns;
    assert!(result.placed.iter().any(|it| is_column(&it.mechanism)));
}

#[test]
fn a_work_group_must_have_its_size_and_form() {
    let reasons = |result: &Localized| -> Vec<Reason> {
        result.refusals.iter().map(|it| it.reason).collect()
    };
    let (result, _) = localized(READ, &[GROUP, 2 * GROUP], |place| place);
    assert!(reasons(&result).contains(&Reason::GroupSizeVaries));
    let (result, _) = localized_in(TURNED, &[[GROUP, 4, 1]], |place| place);
    assert!(reasons(&result).contains(&Reason::NotSquare));
    let (result, _) = localized_in(TURNED, &[[GROUP, GROUP, 1]], |place| place);
    let mechanisms: Vec<Mechanism> = result.placed.iter().map(|it| it.mechanism).collect();
    assert_eq!(mechanisms, [Mechanism::Staged]);
}
