//! Local memory written for the suite's kernels, and for those of tests/localize/same: what becomes of each is what it
//! was when all of them were run last. They run by `make localized`, which is due where a text has changed: each must do
//! the same as what it is made of, at every size, without a race.

use std::{
    env, fs,
    path::{Path, PathBuf},
    thread,
};

use super::localized::{answer, outcome, write_tables};
use kerncast_collector::clang::Clang;
use kerncast_suite::load;
use serde_json::Value;

/// Kernels that are run each time, of each way into local memory one: strips, tiles, parts, columns, privatised
/// atomics, staged stores and tables; guards, ends that differ and forms of loops.
const RUN: [&str; 11] = [
    "matmul_float",
    "sobel_filter",
    "lu_tiles",
    "levenshtein",
    "histogram",
    "transpose",
    "crc32",
    "between_loops",
    "turned_and_counted",
    "several_elements_a_pass",
    "a_condition_on_both_sides",
];

fn suite() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels");
    let kernels = load(&folder).expect("the suite").into_iter();
    kernels.map(|kernel| kernel.folder).collect()
}

/// What is said of each, in their order, by as many threads as a machine has cores at least.
fn each<T: Send>(folders: &[PathBuf], inspect: impl Fn(&Path) -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let halves = folders.chunks(folders.len().div_ceil(2));
        let running: Vec<_> = halves
            .map(|half| scope.spawn(|| half.iter().map(|it| inspect(it)).collect::<Vec<T>>()))
            .collect();
        let results = running.into_iter();
        results.flat_map(|it| it.join().expect("it ran")).collect()
    })
}

#[test]
fn what_becomes_of_each_is_what_was_run() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/captured/localized.txt");
    let captured = fs::read_to_string(&file).expect("it is there");
    let is_new = env::var_os("WRITE_CAPTURED").is_some();
    let own = tempfile::tempdir().expect("a folder");
    let mut folders = suite();
    folders.extend(write_tables(own.path()));
    folders.retain(|folder| {
        let name = folder.file_name().expect("a name").to_string_lossy();
        is_new || captured.contains(&format!("{name}: "))
    });
    let clang = Clang::find().expect("clang-15 is installed");
    let lines = each(&folders, |folder| {
        let kernel = load(folder).expect("a kernel").remove(0);
        outcome(&clang, &kernel)
    });
    if is_new {
        fs::write(&file, lines.join("\n") + "\n").expect("writes");
        return;
    }
    let captured_lines: Vec<&str> = captured.lines().collect();
    let changed = lines
        .iter()
        .filter(|line| !captured_lines.contains(&line.as_str()));
    let changed: Vec<&String> = changed.collect();
    assert!(
        changed.is_empty() && lines.len() == captured_lines.len(),
        "WRITE_CAPTURED=1 takes these over once `make localized` has found nothing: {changed:#?}"
    );
}

/// Exit status, and what is wrong: a check that failed, or a size or a race that was not looked at.
fn run(folder: &Path) -> (i32, Option<String>) {
    let (status, answer) = answer(folder);
    let count = |key: &str| answer["checked"][key].as_array().map_or(0, Vec::len);
    let is_right = match status {
        0 => count("equal") > 0 && count("race_free") == 1,
        _ => [3, 4].contains(&status),
    };
    let name = folder.display();
    (
        status,
        (!is_right).then(|| format!("{name}: {status} {answer:#}")),
    )
}

#[test]
fn one_of_each_way_does_the_same() {
    let own = tempfile::tempdir().expect("a folder");
    let mut folders = suite();
    folders.extend(write_tables(own.path()));
    let is_run = |folder: &PathBuf| RUN.iter().any(|name| folder.ends_with(name));
    folders.retain(is_run);
    assert_eq!(folders.len(), RUN.len());
    for (status, wrong) in each(&folders, run) {
        assert_eq!((status, wrong), (0, None));
    }
}

#[test]
#[ignore = "runs all of them at every size, for minutes: make localized"]
fn all_do_the_same() {
    let own = tempfile::tempdir().expect("a folder");
    let mut folders = suite();
    folders.extend(write_tables(own.path()));
    let ran = each(&folders, run);
    let rewritten = ran.iter().filter(|it| it.0 == 0).count();
    eprintln!("{rewritten} of {} rewritten", ran.len());
    let wrong: Vec<String> = ran.into_iter().filter_map(|it| it.1).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What Oclgrind says of the author's own variant is not blamed on the rewriting.
#[test]
fn an_authors_race_is_the_authors() {
    let own = tempfile::tempdir().expect("a folder");
    let mut folders = write_tables(own.path()).into_iter();
    let folder = folders
        .find(|it| it.ends_with("up_to_and_with"))
        .expect("a form");
    let source = folder.join("up_to_and_with.cl");
    let text = fs::read_to_string(&source).expect("it is there");
    let text = text.replace("out[i] = s;", "out[i / 2] = s; out[i] = s;");
    fs::write(&source, text).expect("written");
    let (status, answer) = answer(&folder);
    assert_eq!(status, 5, "{answer}");
    let failures = &answer["checked"]["failures"];
    assert!(
        failures
            .to_string()
            .contains("`global`, which it is made of, has a mistake"),
        "{failures}"
    );
    assert_eq!(answer["source"], Value::Null);
}

/// Several launches of one function are rewritten as one is, and names that a header defines are not taken.
#[test]
fn launches_and_headers_are_looked_at() {
    let own = tempfile::tempdir().expect("a folder");
    let mut folders = write_tables(own.path()).into_iter();
    let folder = folders.find(|it| it.ends_with("postfix")).expect("a form");
    let rewrite = |file: &str, from: &str, to: &str| {
        let file = folder.join(file);
        let text = fs::read_to_string(&file).expect("it is there");
        assert!(text.contains(from), "{text}");
        fs::write(&file, text.replace(from, to)).expect("written");
    };
    rewrite(
        "launch.toml",
        "[variants.global]",
        "[variants.global]\nrounds = \"n / 48\"",
    );
    rewrite("postfix.cl", "__kernel", "#include \"names.h\"\n__kernel");
    let names = "#define in_tile 3\n#define k_start (4 +)\n";
    fs::write(folder.join("names.h"), names).expect("written");
    let (status, answer) = answer(&folder);
    assert_eq!(status, 0, "{answer}");
    let equal = answer["checked"]["equal"].as_array().expect("sizes");
    assert_eq!(equal.len(), 2, "{answer}");
    let source = answer["source"].as_str().expect("a source");
    assert!(
        source.contains("in_tile_2[") && source.contains("k_start_2"),
        "{source}"
    );
}
