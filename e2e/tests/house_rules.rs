//! ARCHITECTURE.md's invariants that the compiler does not keep by itself.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use cargo_metadata::{DependencyKind, MetadataCommand, Package};

/// Which siblings a crate may import (outside its tests).
fn allowed() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    BTreeMap::from([
        ("kerncast-wire", BTreeSet::new()),
        ("kerncast-models", BTreeSet::from(["kerncast-wire"])),
        ("kerncast-profilers", BTreeSet::from(["kerncast-wire"])),
        ("kerncast-opencl", BTreeSet::new()),
        ("kerncast-suite", BTreeSet::from(["kerncast-wire"])),
        (
            "kerncast-analysis",
            BTreeSet::from(["kerncast-wire", "kerncast-profilers", "kerncast-suite"]),
        ),
        ("kerncast-offload", BTreeSet::from(["kerncast-wire"])),
        (
            "kerncast-primitives",
            BTreeSet::from(["kerncast-offload", "kerncast-opencl"]),
        ),
        (
            "kerncast-training",
            BTreeSet::from(["kerncast-wire", "kerncast-models", "kerncast-profilers"]),
        ),
        (
            "kerncast-collector",
            BTreeSet::from([
                "kerncast-wire",
                "kerncast-analysis",
                "kerncast-models",
                "kerncast-offload",
                "kerncast-opencl",
                "kerncast-primitives",
                "kerncast-profilers",
                "kerncast-suite",
                "kerncast-training",
            ]),
        ),
        (
            "kerncast-server",
            BTreeSet::from([
                "kerncast-wire",
                "kerncast-models",
                "kerncast-offload",
                "kerncast-profilers",
                "kerncast-training",
            ]),
        ),
        ("kerncast-e2e", BTreeSet::new()),
        (
            "kerncast-fuzz",
            BTreeSet::from([
                "kerncast-wire",
                "kerncast-analysis",
                "kerncast-collector",
                "kerncast-profilers",
                "kerncast-server",
                "kerncast-suite",
            ]),
        ),
    ])
}

#[test]
fn crates_import_only_the_siblings_they_may() {
    let mut seen = BTreeSet::new();
    for package in packages() {
        let name = package.name.as_str();
        let rules = allowed();
        let may = rules
            .get(name)
            .unwrap_or_else(|| panic!("{name} is new: say here what it may import"));
        for dependency in &package.dependencies {
            let sibling = dependency.name.starts_with("kerncast-");
            if sibling && dependency.kind != DependencyKind::Development {
                assert!(
                    may.contains(dependency.name.as_str()),
                    "{name} imports {}; it may import {may:?}",
                    dependency.name
                );
            }
        }
        seen.insert(name.to_owned());
    }
    assert_eq!(seen.len(), allowed().len(), "crates found: {seen:?}");
}

#[test]
fn models_does_no_io() {
    let mut packages = packages().into_iter();
    let models = packages.find(|it| it.name.as_str() == "kerncast-models");
    for dependency in &models.expect("models").dependencies {
        let name = dependency.name.as_str();
        let tests = dependency.kind == DependencyKind::Development;
        let forbidden = ["serde_json", "tokio", "sqlx", "csv", "ureq"];
        assert!(
            tests || !forbidden.contains(&name),
            "models depends on {name}"
        );
    }
    assert_only_in("models/src", "std::fs", &[]);
    assert_only_in("models/src", "linfa", &["models/src/methods/"]);
}

/// What a counter is called is said in one table: others know it by its role.
#[test]
fn names_of_counters_stay_in_the_catalogue() {
    for name in [
        "smsp__",
        "lts__",
        "l1tex__",
        "dram__",
        "launch__",
        "TCC_",
        "inst_executed",
        "load_global",
        "workitems",
    ] {
        for folder in ["models/src", "server/src", "training/src"] {
            assert_only_in(folder, name, &[]);
        }
    }
}

#[test]
fn analysis_offload_profilers_and_training_do_no_io() {
    for forbidden in ["std::fs", "std::net", "std::process", "std::env"] {
        for folder in [
            "analyser/analysis/src",
            "streams/offload/src",
            "profilers/src",
            "training/src",
        ] {
            assert_only_in(folder, forbidden, &[]);
        }
    }
}

#[test]
fn suite_touches_files_in_two_places_and_does_no_other_io() {
    assert_only_in(
        "analyser/suite/src",
        "fs::",
        &["analyser/suite/src/load.rs"],
    );
    for forbidden in ["net::", "process::", "env::"] {
        assert_only_in("analyser/suite/src", forbidden, &[]);
    }
}

#[test]
fn sql_stays_in_the_database_folder() {
    for text in ["sqlx::query", "sqlx::Error"] {
        assert_only_in("server/src", text, &["server/src/db/"]);
    }
    assert_only_in("collector/src", "sqlx", &[]);
}

#[test]
fn opencl_cuda_and_unsafe_stay_in_their_places() {
    for package in packages() {
        let folder = package.manifest_path.with_file_name("src");
        assert_only_in(folder.as_str(), "opencl3", &["opencl/src/"]);
        assert_only_in(folder.as_str(), "cudarc", &["collector/src/cuda/"]);
        let homes = ["opencl/src/", "collector/src/cuda/"];
        assert_only_in(folder.as_str(), "unsafe {", &homes);
    }
}

/// ARCHITECTURE.md's map: a name is below the last one that is indented less, in its folder or in the `src/` there.
#[test]
fn the_map_names_what_there_is() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let map = page.split("```").nth(1).expect("the map");
    let mut parents: Vec<(usize, PathBuf)> = Vec::new();
    let mut names = 0;
    for line in map.lines().filter(|line| !line.trim().is_empty()) {
        let indent = line.len() - line.trim_start().len();
        // Further lines of a description stand at its column.
        if indent > 4 {
            continue;
        }
        parents.retain(|(other, _)| *other < indent);
        let parent = parents.last().map_or_else(root, |(_, path)| path.clone());
        let listed = line.trim_start().split("  ").next().expect("names");
        for name in listed.split(", ") {
            let places = [parent.join(name), parent.join("src").join(name)];
            let place = places.into_iter().find(|it| it.exists());
            let place = place.unwrap_or_else(|| panic!("{name} is not in {}", parent.display()));
            parents.push((indent, place));
            names += 1;
        }
    }
    assert!(names > 40, "{names} names were read");
}

fn packages() -> Vec<Package> {
    let mut command = MetadataCommand::new();
    let metadata = command.manifest_path(root().join("Cargo.toml")).no_deps();
    metadata.exec().expect("cargo metadata").packages
}

/// Every file under `folder` that holds `text` starts with one of `homes`.
fn assert_only_in(folder: &str, text: &str, homes: &[&str]) {
    let mut files = Vec::new();
    rust_files(&root().join(folder), &mut files);
    assert!(!files.is_empty(), "{folder} holds no Rust file");
    for file in files {
        let relative = file
            .strip_prefix(root())
            .expect("below the root")
            .display()
            .to_string();
        let home = homes.iter().any(|home| relative.starts_with(home));
        let source = fs::read_to_string(&file).expect("source");
        let line = source
            .lines()
            .position(|line| line.contains(text) && !line.trim_start().starts_with("//"));
        assert!(
            home || line.is_none(),
            "{relative}:{} has `{text}`, which belongs in {homes:?}",
            line.unwrap_or_default() + 1
        );
    }
}

fn rust_files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder)
        .expect("folder")
        .map(|entry| entry.expect("entry").path())
    {
        if entry.is_dir() {
            rust_files(&entry, into);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            into.push(entry);
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("workspace")
        .to_owned()
}
