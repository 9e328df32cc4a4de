//! Kernels as `kerncast localize` rewrites them: small ones by the crate, folders by the command.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use kerncast_analysis::{
    accesses::{Accesses, launch::Geometry},
    localize::{Buffer, KernelLaunch, Localized, Rule, Subject, TileForm, apply_edits, localize},
};
use kerncast_collector::{
    clang::Clang,
    localize::{RewriteOptions, rewrite},
};
use kerncast_suite::Kernel;
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Work-items, and those of a work-group.
const ITEMS: i64 = 64;
pub(crate) const GROUP: i64 = 16;
/// Elements of every buffer.
const ELEMENTS: u64 = 4096;

/// The kernel `tried`, launched by work-groups of these sizes: `int` arguments are 16, buffers have 4096 elements, and
/// `buffer` says of each parameter's place which it is given.
pub(crate) fn localized(
    source: &str,
    groups: &[i64],
    buffer: impl Fn(usize) -> usize,
) -> (Localized, Option<String>) {
    let groups: Vec<[i64; 3]> = groups.iter().map(|group| [*group, 1, 1]).collect();
    localized_in(source, &groups, buffer)
}

/// The same by work-groups of more dimensions.
pub(crate) fn localized_in(
    source: &str,
    groups: &[[i64; 3]],
    buffer: impl Fn(usize) -> usize,
) -> (Localized, Option<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("k.cl");
    fs::write(&path, source).expect("written");
    let clang = Clang::find().expect("clang-15 is installed");
    let unit = clang.read_file(&path, "", folder.path()).expect("a tree");
    let accesses = Accesses::of(&unit, "tried").expect("a kernel");
    let is_pointer = |name: &String| {
        accesses
            .arrays
            .iter()
            .any(|it| it.name == *name && it.parameter.is_some())
    };
    let launch = |local: &[i64; 3]| KernelLaunch {
        geometry: Geometry {
            global: local.map(|size| if size > 1 { ITEMS } else { 1 }),
            local: *local,
            dimensions: if local[1] > 1 { 2 } else { 1 },
            scalars: accesses
                .parameters
                .iter()
                .map(|name| (!is_pointer(name)).then(|| vec![16, 0, 0, 0]))
                .collect(),
        },
        buffers: accesses
            .parameters
            .iter()
            .enumerate()
            .map(|(place, name)| {
                is_pointer(name).then_some(Buffer {
                    number: buffer(place),
                    elements: ELEMENTS,
                    is_filled: true,
                    is_output: true,
                    length_formula: None,
                })
            })
            .collect(),
    };
    let launches: Vec<KernelLaunch> = groups.iter().map(launch).collect();
    let result = localize(Subject {
        unit: &unit,
        accesses: &accesses,
        file: "k.cl",
        source,
        included: "",
        options: "",
        launches: &launches,
        is_single_launch: true,
        is_resized: false,
        most_bytes: 32 << 10,
        only: &[],
        rule: Rule::Shared,
        form: TileForm::default(),
    });
    let text = apply_edits(source, &result.edits);
    (result, text)
}

/// Kernels with a place for a type and a body, each with its launch file.
#[derive(Deserialize)]
struct Table {
    source: String,
    launch: String,
    /// Name, type and body.
    cases: Vec<(String, String, String)>,
}

/// Writes the kernels of tests/localize/same, each to a folder of its own below this one.
pub(crate) fn write_tables(to: &Path) -> Vec<PathBuf> {
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/localize/same");
    let files = fs::read_dir(tables).expect("a folder");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    let mut folders = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("UTF-8");
        let table: Table = toml::from_str(&text).expect("a table");
        for (name, ty, body) in &table.cases {
            let folder = to.join(name);
            fs::create_dir(&folder).expect("no name is there twice");
            let filled = |text: &str| text.replace("TYPE", ty).replace("BODY", body);
            let source = folder.join(format!("{name}.cl"));
            fs::write(source, filled(&table.source)).expect("written");
            fs::write(folder.join("launch.toml"), filled(&table.launch)).expect("written");
            folders.push(folder);
        }
    }
    folders
}

/// What becomes of a kernel, in a line: arrays in local memory by their way, and the beginning of its text's SHA-256; or
/// why nothing goes there.
pub(crate) fn outcome(clang: &Clang, kernel: &Kernel) -> String {
    let options = RewriteOptions {
        most_bytes: 32 << 10,
        only: Vec::new(),
        rule: Rule::Shared,
        tile: None,
        form: TileForm::default(),
    };
    let rewritten = rewrite(clang, kernel, &options).expect("it is read");
    let words: BTreeSet<String> = match &rewritten.after {
        Some(_) => {
            let placed = rewritten.localized.placed.iter();
            placed
                .map(|it| format!("{}:{:?}", it.array, it.mechanism))
                .collect()
        }
        None => {
            let refusals = rewritten.localized.refusals.iter();
            refusals.map(|it| format!("{:?}", it.reason)).collect()
        }
    };
    let words: Vec<String> = words.into_iter().collect();
    let text = rewritten.after.map_or_else(String::new, |text| {
        let hash = Sha256::digest(text.as_bytes());
        let hash: String = hash[..8].iter().map(|it| format!("{it:02x}")).collect();
        format!(" {hash}")
    });
    format!("{}: {}{text}", kernel.name, words.join(", "))
}

/// What `kerncast localize DIR --json` says, and its exit status.
pub(crate) fn answer(folder: &Path) -> (i32, Value) {
    answer_with(folder, &[])
}

/// The same, with options; what goes wrong in words.
pub(crate) fn answer_with(folder: &Path, options: &[&str]) -> (i32, Value) {
    let ran = Command::new(env!("CARGO_BIN_EXE_kerncast"))
        .args(["localize", "--json"])
        .arg(folder)
        .args(options)
        .output()
        .expect("kerncast runs");
    let words = String::from_utf8_lossy(&ran.stderr).into_owned();
    let answer = serde_json::from_slice(&ran.stdout).unwrap_or(Value::String(words));
    (ran.status.code().unwrap_or(-1), answer)
}
