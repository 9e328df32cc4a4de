//! Names are whatever somebody sent; where they leave, nobody obeys them.

use crate::common::{Server, sample};
use axum::{
    body::Body,
    http::{Request, header},
};
use serde_json::json;
use sqlx::PgPool;

const FORMULA: &str = "=cmd|' /C calc'!A0";

#[sqlx::test(migrations = "../migrations")]
async fn prometheus_reads_an_agents_name_whatever_is_in_it(pool: PgPool) {
    let server = Server::new(pool).await;
    let report =
        json!({ "agent": { "name": r#"a"b\c"#, "version": "1" }, "spool": 3, "rejected": 0 });
    server.posted("/v1/agents", &report).await;
    let request = Request::get("/metrics").body(Body::empty()).unwrap();
    let (_, headers) = server.head(request).await;
    let media_type = headers[header::CONTENT_TYPE].to_str().unwrap();
    assert!(
        media_type.starts_with("application/openmetrics-text; version="),
        "{media_type}"
    );
    let (_, text) = server.get("/metrics").await;
    let line = r#"kerncast_agent_spool_files{agent="a\"b\\c"} 3"#;
    let text = text.as_str().unwrap();
    assert!(text.lines().any(|it| it.starts_with(line)), "{text}");
}

#[sqlx::test(migrations = "../migrations")]
async fn no_cell_of_an_export_is_a_formula(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut hostile = sample(0, 1);
    hostile["device"]["name"] = json!("@SUM(1+9)");
    hostile["device"]["vendor"] = json!("+1-800");
    hostile["workload"]["kernel"] = json!(FORMULA);
    hostile["workload"]["family"] = json!("-2+3");
    hostile["workload"]["parameters"] = json!({ "=n": -5 });
    hostile["readings"] = json!({ "tool": { "counters": { "=1+1": 2 } } });
    server.upload(&[hostile]).await;
    let (_, text) = server.get("/v1/samples?format=csv").await;
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(text.as_str().unwrap().as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert!(
        rows[1].iter().any(|cell| cell == format!("'{FORMULA}")),
        "{rows:?}"
    );
    for cell in rows.iter().flatten() {
        let is_number = cell.parse::<f64>().is_ok();
        assert!(
            is_number || !cell.starts_with(['=', '+', '-', '@', '\t', '\r']),
            "{cell}"
        );
    }
}
