//! What Prometheus gets, what docs/monitoring.md says of it, and what docs/grafana.json asks for.

use std::{collections::BTreeSet, fs, path::Path};

use crate::common::{Server, sample, samples};
use axum::{body::Body, http::Request};
use kerncast_server::{access::Settings, upkeep::disk::Disk};
use serde_json::{Value, json};
use sqlx::PgPool;

/// Samples, a model, an agent that has reported a run: everything that has a number.
async fn busy(pool: PgPool) -> Server {
    let disk = Disk::new(&std::env::temp_dir());
    let server = Server::on_disk(pool, Settings::default(), disk).await;
    server.fit(&samples()).await;
    let report = json!({
        "agent": { "name": "lab-3", "version": "0.1.0" }, "spool": 3, "spool_since": "2026-11-01T03:00:00Z", "rejected": 0,
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
        (r#"kerncast_samples_total{verdict="stored"}"#.into(), 24.0),
        (format!("kerncast_device_samples{{{labels}}}"), 24.0),
        (r#"kerncast_agent_spool_files{agent="lab-3"}"#.into(), 3.0),
        (
            r#"kerncast_agent_spool_since_timestamp_seconds{agent="lab-3"}"#.into(),
            1_793_502_000.0,
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
    let server = busy(pool).await;
    server.stop_fitting();
    server.upload(&[sample(0, 40)]).await;
    let text = scrape(&server).await;
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
    let named: BTreeSet<String> = targets
        .flat_map(|target| names(target["expr"].as_str().unwrap()))
        .collect();
    assert_eq!(named, exported);

    let alerts = read("docs/alerts.yml");
    let expressions = alerts.lines().filter(|line| !line.contains("summary:"));
    let alerted: BTreeSet<String> = expressions.flat_map(names).collect();
    assert!(
        alerted.len() > 5 && alerted.is_subset(&exported),
        "{alerted:?}"
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn requests_and_fits_are_counted(pool: PgPool) {
    let server = busy(pool).await;
    server.get("/v1/kernels/none").await;
    server.get("/there/is/nothing").await;
    let ask = Request::builder().method("BREW").uri("/v1/kernels");
    server.response(ask.body(Body::empty()).unwrap()).await;
    let text = scrape(&server).await;
    let counted = |method: &str, route: &str, status: u16| {
        let labels = format!(r#"method="{method}",route="{route}",status="{status}""#);
        json!(value(
            &text,
            &format!("kerncast_requests_total{{{labels}}}")
        ))
    };
    assert_eq!(counted("POST", "/v1/samples", 200), json!(1.0));
    assert_eq!(counted("GET", "/v1/kernels/{name}", 404), json!(1.0));
    assert_eq!(counted("GET", "other", 404), json!(1.0));
    assert_eq!(counted("other", "/v1/kernels", 405), json!(1.0));
    // An alert sees a first error of the server's only where there was a 0 before it.
    assert_eq!(counted("POST", "/v1/predictions", 500), json!(0.0));
    assert_eq!(counted("DELETE", "/v1/tokens/{id}", 500), json!(0.0));
    let times = r#"kerncast_request_duration_seconds_count{route="/v1/samples"}"#;
    assert_eq!(json!(value(&text, times)), json!(1.0));
    let fitted = value(&text, r#"kerncast_fits_total{outcome="fitted"}"#);
    assert!(fitted >= 2.0, "oclgrind and launch");
    let timed = value(&text, "kerncast_fit_duration_seconds_count");
    assert_eq!(json!(timed), json!(fitted));
    for bytes in ["resident_memory", "database", "disk_free"] {
        assert!(
            value(&text, &format!("kerncast_{bytes}_bytes")) > 1e6,
            "{bytes}"
        );
    }
}

fn names(text: &str) -> Vec<String> {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = text.split(|c| !is_of_name(c));
    words
        .filter(|word| word.starts_with("kerncast_"))
        .map(|word| {
            // What a histogram is made of.
            let parts = ["_bucket", "_sum", "_count"];
            let part = parts.iter().find_map(|part| word.strip_suffix(part));
            part.unwrap_or(word).to_owned()
        })
        .collect()
}

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    fs::read_to_string(root.join(path)).unwrap()
}
