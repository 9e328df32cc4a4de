//! docs/counters.md says what the catalogue says.

use std::{fs, path::Path};

use kerncast_profilers::catalogue::{
    Counter, Kind,
    amd::DURATION,
    describe,
    ncu::{METRICS, REPLAY_TIME},
    tables,
};

fn page() -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/counters.md");
    fs::read_to_string(page).expect("docs/counters.md")
}

#[test]
fn every_counter_is_described_as_it_is() {
    let page = page();
    for (provider, table) in tables() {
        let heading = format!("\n## Counters of `{provider}`\n");
        let (_, section) = page.split_once(&heading).expect("its heading");
        let section = section.split("\n## ").next().unwrap_or_default();
        let rows: Vec<&str> = section
            .lines()
            .filter(|line| line.starts_with("| `"))
            .collect();
        let own = [("ncu", &REPLAY_TIME), ("rocprofv3", &DURATION)];
        let own = own.iter().filter(|(of, _)| *of == provider);
        let counters: Vec<_> = table.iter().chain(own.map(|(_, own)| *own)).collect();
        for counter in &counters {
            let kind = format!("{:?}", counter.kind).to_lowercase();
            let row = format!(
                "| `{}` | {} | {kind} | {} |",
                counter.name, counter.unit, counter.description
            );
            assert!(rows.contains(&row.as_str()), "missing: {row}");
        }
        assert_eq!(rows.len(), counters.len(), "{provider}");
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

#[test]
fn counters_are_described_by_any_of_their_names() {
    let kind = |provider, name| describe(provider, name).map(|it| it.kind);
    let volume = Some(Kind::Volume);
    assert_eq!(kind("ncu", "dram__sectors_op_read.sum"), volume);
    assert_eq!(kind("ncu", REPLAY_TIME.name), Some(Kind::Cycles));
    assert_eq!(kind("rocprofv3", DURATION.name), Some(Kind::Cycles));
    assert_eq!(kind("rocprofiler_compute", "TCC_HIT[15]"), volume);
    assert_eq!(kind("rocprof", "TCC_EA0_RDREQ[0]"), volume);
    assert_eq!(kind("oclgrind", "call_get_global_id"), volume);
    assert_eq!(kind("oclgrind", "fmul"), volume);
    assert_eq!(kind("local_memory", "cycles"), Some(Kind::Cycles));
    for (provider, name) in [
        ("oclgrind", "call_"),
        ("oclgrind", "frobnicate"),
        ("ncu", "no__such.sum"),
        ("rocprofv3", "]["),
        ("meter", "joules"),
    ] {
        assert_eq!(describe(provider, name), None, "{provider}:{name}");
    }
}

#[test]
fn no_name_is_there_twice() {
    for (provider, table) in tables() {
        let names = |counter: &Counter| [Some(counter.name), counter.also];
        let mut names: Vec<_> = table.iter().flat_map(names).flatten().collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all, "{provider}");
    }
    assert!(METRICS.iter().all(|metric| metric.name != REPLAY_TIME.name));
}
