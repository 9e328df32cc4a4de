//! docs/counters.md says what the catalogue says.

use std::{collections::BTreeSet, fs, path::Path};

use kerncast_profilers::catalogue::{Counter, all, describe};

fn page() -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/counters.md");
    fs::read_to_string(page).expect("docs/counters.md")
}

/// A counter as a row of its provider's table: its own name first.
fn row(counter: &Counter) -> String {
    let names: Vec<String> = counter.names().map(|name| format!("`{name}`")).collect();
    let kind = format!("{:?}", counter.kind).to_lowercase();
    let role = counter
        .role
        .map_or(String::new(), |role| format!("`{role}`"));
    format!(
        "| {} | {} | {kind} | {role} | {} |",
        names.join(", "),
        counter.unit,
        counter.description
    )
}

#[test]
fn every_counter_is_described_as_it_is() {
    let page = page();
    let providers: BTreeSet<&str> = all().map(|(provider, _)| provider).collect();
    for provider in providers {
        let heading = format!("\n## Counters of `{provider}`\n");
        let (_, section) = page.split_once(&heading).expect("its heading");
        let section = section.split("\n## ").next().unwrap_or_default();
        let rows: Vec<&str> = section
            .lines()
            .filter(|line| line.starts_with("| `"))
            .collect();
        let counters = all().filter(|(of, _)| *of == provider);
        let expected: Vec<String> = counters.map(|(_, counter)| row(counter)).collect();
        for row in &expected {
            assert!(rows.contains(&row.as_str()), "missing: {row}");
        }
        assert_eq!(rows.len(), expected.len(), "{provider}");
    }
}

#[test]
fn the_papers_counters_are_in_the_catalogue() {
    let page = page();
    let (table, _) = page
        .split_once("The names of rocprofv3 were checked")
        .expect("the remark below the table");
    for row in table.lines().filter(|line| line.starts_with("| ")).skip(1) {
        let cells: Vec<&str> = row.split('|').collect();
        for (provider, cell) in [
            ("ncu", cells[2]),
            ("rocprofv3", cells[3]),
            ("oclgrind", cells[4]),
        ] {
            let names = cell.split('`').skip(1).step_by(2);
            for name in names.filter(|name| !name.contains(['…', ':'])) {
                assert!(describe(provider, name).is_some(), "{provider}:{name}");
            }
        }
    }
}
