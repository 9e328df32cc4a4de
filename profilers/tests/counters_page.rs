//! The counters of the paper, as docs/counters.md names them, are in the catalogue.

use std::{fs, path::Path};

use kerncast_profilers::catalogue::describe;

fn page() -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/counters.md");
    fs::read_to_string(page).expect("docs/counters.md")
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
