//! docs/counters.md says what ncu is asked for.

use std::{fs, path::Path};

use kerncast_collector::providers::ncu::metrics::{METRICS, Metric, REPLAY_TIME};

#[test]
fn every_counter_of_ncu_is_described_as_it_is() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/counters.md");
    let page = fs::read_to_string(page).expect("docs/counters.md");
    let (before, table) = page
        .split_once("## Counters of `ncu`")
        .expect("its heading");
    let rows: Vec<&str> = table
        .lines()
        .filter(|line| line.starts_with("| `"))
        .collect();
    let metrics: Vec<_> = METRICS.iter().chain([&REPLAY_TIME]).collect();
    for metric in &metrics {
        let kind = format!("{:?}", metric.kind).to_lowercase();
        let row = format!(
            "| `{}` | {} | {kind} | {} |",
            metric.name, metric.unit, metric.description
        );
        assert!(rows.contains(&row.as_str()), "missing: {row}");
    }
    assert_eq!(rows.len(), metrics.len());
    // The first table names only what is asked for.
    for name in before
        .split('`')
        .filter(|name| name.ends_with(".sum") && !name.contains('…'))
    {
        let names = |metric: &&Metric| metric.name == name || metric.also == Some(name);
        assert!(
            metrics.iter().copied().any(|metric| names(&metric)),
            "{name}"
        );
    }
}
