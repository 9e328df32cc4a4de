//! What Prometheus gets, what docs/monitoring.md says of it, and what docs/grafana.json asks for.
#![allow(clippy::unwrap_used, reason = "a test ends where it can go no further")]

mod common;

use std::{collections::BTreeSet, fs, path::Path};

use common::{Server, samples};
use serde_json::{Value, json};
use sqlx::PgPool;

/// Samples, a model, an agent that has reported a run: everything that has a number.
async fn busy(pool: PgPool) -> Server {
    let server = Server::new(pool).await;
    server.upload(&samples()).await;
    server.fitted().await;
    let report = json!({
        "agent": { "name": "lab-3", "version": "0.1.0" }, "spool": 3, "rejected": 0,
        "run": { "ended_at": "2026-11-01T12:00:00Z", "measured": 7, "failed": 2, "skipped": 1 },
    });
    server.post("/v1/agents", report.to_string()).await;
    server
}

async fn scrape(server: &Server) -> String {
    server.get("/metrics").await.1.as_str().unwrap().to_owned()
}

/// The value of a line that begins so.
fn value(text: &str, start: &str) -> f64 {
    let line = text.lines().find(|line| line.starts_with(start));
    let line = line.unwrap_or_else(|| panic!("no {start} in {text}"));
    line.rsplit_once(' ').unwrap().1.parse().unwrap()
}

#[sqlx::test(migrations = "../migrations")]
async fn numbers_are_those_of_the_overview(pool: PgPool) {
    let server = busy(pool).await;
    let text = scrape(&server).await;
    assert!(text.ends_with("# EOF\n"));
    let (_, overview) = server.get("/v1/overview").await;
    let cells = overview["devices"][0]["providers"].as_array().unwrap();
    let cell = cells
        .iter()
        .find(|it| it["provider"] == "oclgrind")
        .unwrap();
    let mean = &cell["champion"]["leave_one_kernel_out"]["mean_ape"];
    let labels = r#"vendor="Vendor",device="Device""#;
    let champion = format!(r#"kerncast_champion_mean_ape{{{labels},provider="oclgrind"}}"#);
    assert_eq!(json!(value(&text, &champion)), *mean);
    for (start, expected) in [
        (
            r#"kerncast_samples_total{verdict="stored"}"#.to_owned(),
            24.0,
        ),
        (format!("kerncast_device_samples{{{labels}}}"), 24.0),
        ("kerncast_kernels ".to_owned(), 4.0),
        (
            r#"kerncast_agent_spool_files{agent="lab-3"}"#.to_owned(),
            3.0,
        ),
        (
            r#"kerncast_agent_failed_workloads{agent="lab-3"}"#.to_owned(),
            2.0,
        ),
        (r#"kerncast_fitting_jobs{state="pending"}"#.to_owned(), 0.0),
    ] {
        assert!(
            (value(&text, &start) - expected).abs() < f64::EPSILON,
            "{start} in {text}"
        );
    }
    let attention = overview["attention"].as_array().unwrap().len();
    assert_eq!(
        json!(value(&text, "kerncast_attention ")),
        json!(attention as f64)
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn every_metric_is_documented_and_every_panels_is_there(pool: PgPool) {
    let text = scrape(&busy(pool).await).await;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let exported: BTreeSet<String> = lines.flat_map(names).collect();
    assert!(
        exported.contains("kerncast_champion_mean_ape"),
        "{exported:?}"
    );

    let page = read("docs/monitoring.md");
    let table = page.lines().filter(|line| line.starts_with("| `kerncast_"));
    let documented: BTreeSet<String> = table.flat_map(names).collect();
    assert_eq!(documented, exported);

    let dashboard: Value = serde_json::from_str(&read("docs/grafana.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let targets = panels
        .iter()
        .flat_map(|panel| panel["targets"].as_array().unwrap());
    let asked: BTreeSet<String> = targets
        .flat_map(|target| names(target["expr"].as_str().unwrap()))
        .collect();
    assert_eq!(asked, exported);
}

fn names(text: &str) -> Vec<String> {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = text.split(|c| !is_of_name(c));
    words
        .filter(|word| word.starts_with("kerncast_"))
        .map(str::to_owned)
        .collect()
}

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    fs::read_to_string(root.join(path)).unwrap()
}
