//! The examples of docs/kernels.md: every variant makes what the first one makes, which is written plainly for
//! that, and what an example shows is also counted.

use crate::common::{Place, expect_exit, rows};
use serde_json::Value;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples");

#[test]
fn each_agrees_with_its_reference_and_is_counted_whole() {
    let place = Place::new();
    let output = expect_exit(
        place.kerncast(&[
            "run",
            "--json",
            "--no-upload",
            "--timing",
            "20ms",
            "--provider",
            "launch",
            "--provider",
            "oclgrind",
            "--count-limit",
            "60s",
            "--kernels",
            EXAMPLES,
        ]),
        0,
    );
    let rows = rows(&output);
    let folders = std::fs::read_dir(EXAMPLES).expect("examples").count();
    for row in &rows {
        let at = format!("{} {} {}", row["kernel"], row["variant"], row["parameters"]);
        assert_eq!(row["status"], "measured", "{at}: {}", row["reason"]);
        let counted = &row["sample"]["readings"]["oclgrind"];
        assert_eq!(counted["scope"], "full", "{at}: {counted}");
        assert!(counted["refusal"].is_null(), "{at}: {counted}");
        let stores = number(counted, "store_global") + number(counted, "call_write_imagef");
        assert!(stores > 0.0, "{at}: {counted}");
    }
    let variants = |of: &Value| rows.iter().filter(|row| row["kernel"] == *of).count();
    let first = rows.iter().filter(|row| row["variant"] == "reference");
    let kernels: std::collections::BTreeSet<_> =
        first.map(|row| row["kernel"].to_string()).collect();
    assert_eq!(kernels.len(), folders, "each has a reference: {kernels:?}");
    for row in &rows {
        assert!(variants(&row["kernel"]) >= 2, "{}", row["kernel"]);
    }
}

fn number(reading: &Value, counter: &str) -> f64 {
    reading["counters"][counter].as_f64().unwrap_or_default()
}
