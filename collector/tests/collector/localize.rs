//! Local memory written for the suite's kernels: what is rewritten, run and compared, and what is refused.

use std::{collections::BTreeMap, path::Path, thread};

use crate::common::localized::answer;
use kerncast_suite::load;
use serde_json::Value;

fn texts(of: &Value, key: &str, field: &str) -> Vec<String> {
    let all = of[key].as_array().cloned().unwrap_or_default();
    let text = |it: &Value| it[field].as_str().map(str::to_owned);
    all.iter().filter_map(text).collect()
}

#[test]
fn the_suite_is_rewritten_without_a_mistake() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels");
    let kernels = load(&folder).expect("the suite");
    let half = kernels.len().div_ceil(2);
    let mut all: Vec<(String, bool, i32, Value)> = thread::scope(|scope| {
        let parts: Vec<_> = kernels
            .chunks(half)
            .map(|part| {
                scope.spawn(|| {
                    let each = part.iter().map(|kernel| {
                        let (status, answer) = answer(&kernel.folder);
                        let has_local = kernel.variant("local").is_some();
                        (kernel.name.clone(), has_local, status, answer)
                    });
                    each.collect::<Vec<_>>()
                })
            })
            .collect();
        parts
            .into_iter()
            .flat_map(|part| part.join().expect("it ran"))
            .collect()
    });
    all.sort_by_key(|it| it.0.clone());
    let mut counts: BTreeMap<(bool, i32), usize> = BTreeMap::new();
    let (mut failed, mut fewer, mut more) = (Vec::new(), 0, Vec::new());
    for (name, has_local, status, answer) in &all {
        *counts.entry((*has_local, *status)).or_default() += 1;
        let loads = &answer["global_loads"];
        let (before, after) = (loads["before"].as_f64(), loads["after"].as_f64());
        if let (Some(before), Some(after)) = (before, after) {
            match after < before {
                true => fewer += 1,
                false => more.push(name.clone()),
            }
        }
        eprintln!(
            "{name:<22} {} {status} {:?} {:?} → {:?}; {:?} {}",
            u8::from(*has_local),
            texts(answer, "placed", "array"),
            before,
            after,
            texts(answer, "refusals", "reason"),
            if *status == 5 {
                answer["checked"]["failures"].to_string()
            } else {
                String::new()
            }
        );
        if ![0, 3, 4].contains(status) {
            failed.push(format!("{name}: {status} {answer}"));
        }
    }
    let count = |key: &str| -> usize {
        let checked = all.iter().filter(|it| it.2 == 0);
        let each = checked.map(|it| it.3["checked"][key].as_array().map_or(0, Vec::len));
        each.sum()
    };
    let (equal, race_free) = (count("equal"), count("race_free"));
    eprintln!("sizes with equal outputs: {equal}; kernels without a race: {race_free}");
    eprintln!(
        "(hand-written local, exit status): kernels: {counts:?}; fewer loads: {fewer}; not: {more:?}"
    );
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(equal > 200 && race_free > 40, "{equal} {race_free}");
    let rewritten = |has_local: bool| counts.get(&(has_local, 0)).copied().unwrap_or_default();
    assert!(rewritten(true) >= 57, "{counts:?}");
    // What a hand-written variant shows not to pay, and what reads where data says, stays as it is.
    for refused in ["bfs_step", "spmv_csr", "xorshift", "binary_search"] {
        let (.., status, answer) = all
            .iter()
            .find(|it| it.0 == refused)
            .expect("it is in the suite");
        assert!([3, 4].contains(status), "{refused}: {answer}");
    }
}
