//! What agents say of themselves, and how they are.

use crate::common::{Answer, Server, run, sample};
use axum::http::StatusCode;
use serde_json::{Value, json};
use sqlx::PgPool;

fn report() -> Value {
    json!({
        "agent": { "name": "lab-3", "version": "0.1.0" },
        "spool": 0,
        "rejected": 0,
        "run": {
            "ended_at": "2026-11-01T12:00:00Z", "measured": 7, "failed": 0, "skipped": 1, "errors": [],
            "drivers": { "Device": "3.1" }, "tools": { "oclgrind": "21.10" },
        },
    })
}

async fn post(server: &Server, report: &Value) -> Answer {
    server.post("/v1/agents", report.to_string()).await
}

async fn agent(server: &Server) -> Value {
    server.items("/v1/agents").await.remove(0)
}

#[sqlx::test(migrations = "../migrations")]
async fn a_report_comes_back_beside_the_uploads(pool: PgPool) {
    let server = Server::new(pool).await;
    server.upload(&[sample(0, 0)]).await;
    let uploaded = agent(&server).await;
    assert_eq!(uploaded["state"], "unreported");
    assert_eq!(uploaded["samples"], 1);
    assert_eq!(uploaded["last_seen_at"], uploaded["last_upload_at"]);
    for absent in ["reported_at", "spool", "spool_since", "rejected", "run"] {
        assert_eq!(
            uploaded[absent],
            Value::Null,
            "{absent} is not known, not 0"
        );
    }

    let mut sent = report();
    sent["agent"]["version"] = json!("0.2.0");
    assert_eq!(post(&server, &sent).await, (StatusCode::OK, sent.clone()));
    let reported = agent(&server).await;
    assert_eq!(reported["state"], "well");
    assert_eq!(reported["version"], "0.2.0");
    assert_eq!(reported["run"], sent["run"]);
    assert_eq!(reported["last_upload_at"], uploaded["last_upload_at"]);
    assert_eq!(reported["last_seen_at"], reported["reported_at"]);

    // An upload later on measures nothing, so the run stays known.
    sent.as_object_mut().unwrap().remove("run");
    sent["spool"] = json!(3);
    sent["spool_since"] = json!("2026-11-01T03:00:00Z");
    post(&server, &sent).await;
    let later = agent(&server).await;
    assert_eq!(
        (&later["spool"], &later["spool_since"], &later["run"]),
        (&json!(3), &json!("2026-11-01T03:00:00Z"), &reported["run"])
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn an_agent_that_only_reports_is_listed_too(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut sent = report();
    sent["run"]["measured"] = json!(0);
    sent["run"]["errors"] = json!(["no OpenCL platform"]);
    post(&server, &sent).await;
    let agent = agent(&server).await;
    assert_eq!(
        (&agent["name"], &agent["samples"]),
        (&json!("lab-3"), &json!(0))
    );
    assert_eq!(
        (&agent["state"], &agent["last_upload_at"]),
        (&json!("failing"), &Value::Null)
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn what_went_wrong_makes_an_agent_failing_or_silent(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    for (pointer, value, words) in [
        ("/run/failed", json!(2), "2 of 10 workloads failed"),
        ("/run/errors", json!(["the driver hung"]), "the driver hung"),
        ("/rejected", json!(4), "4 files of its spool were refused"),
    ] {
        let mut sent = report();
        *sent.pointer_mut(pointer).unwrap() = value;
        post(&server, &sent).await;
        assert_eq!(agent(&server).await["state"], "failing", "{pointer}");
        let (_, overview) = server.get("/v1/overview").await;
        let mut attention = overview["attention"].clone();
        assert_eq!(
            attention[0]["because"]["kind"], "agent_failing",
            "{attention}"
        );
        attention[0].as_object_mut().unwrap().remove("because");
        let expected = json!([{ "detail": words, "agent": "lab-3" }]);
        assert_eq!(attention, expected);
    }
    post(&server, &report()).await;
    assert_eq!(server.get("/v1/overview").await.1["attention"], json!([]));

    let days_ago = async |days: f64| {
        let aged = "UPDATE agent_reports SET reported_at = now() - $1 * interval '1 day'";
        sqlx::query(aged).bind(days).execute(&pool).await.unwrap();
    };
    days_ago(1.9).await;
    assert_eq!(agent(&server).await["state"], "well");
    days_ago(2.1).await;
    assert_eq!(agent(&server).await["state"], "silent");
    let (_, overview) = server.get("/v1/overview").await;
    assert_eq!(overview["attention"][0]["because"]["kind"], "agent_silent");
}

#[sqlx::test(migrations = "../migrations")]
async fn an_agent_whose_tokens_are_revoked_is_retired(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    let mut sent = report();
    sent["run"]["failed"] = json!(2);
    post(&server, &sent).await;
    let tokens = "
        INSERT INTO tokens (hash, name, role, agent, revoked_at)
        VALUES (sha256('before'), 'lab-3', 'agent', 'lab-3', now() - interval '1 year'),
            (sha256('now'), 'lab-3', 'agent', 'lab-3', NULL)";
    run(&pool, tokens).await;
    let needing = async || {
        let (_, overview) = server.get("/v1/overview").await;
        let metrics = server.get("/metrics").await.1.to_string();
        let has_last_seen = metrics.contains("kerncast_agent_last_seen_timestamp_seconds{");
        let agent = &overview["agents"][0];
        let numbers = [&overview["failing_agents"], &overview["silent_agents"]];
        let numbers = numbers.map(|it| it.as_i64().unwrap());
        let attention = overview["attention"].as_array().unwrap().len();
        (
            agent["state"].as_str().unwrap().to_owned(),
            numbers,
            attention,
            has_last_seen,
        )
    };
    let is = |state: &str, numbers, attention, has_last_seen| {
        (state.to_owned(), numbers, attention, has_last_seen)
    };
    assert_eq!(needing().await, is("failing", [1, 0], 1, true));
    let revoke =
        "UPDATE tokens SET revoked_at = now() WHERE revoked_at IS NULL AND agent = 'lab-3'";
    run(&pool, revoke).await;
    assert_eq!(needing().await, is("retired", [0, 0], 0, false));
    let aged = "UPDATE agent_reports SET reported_at = now() - interval '3 days'";
    run(&pool, aged).await;
    assert_eq!(needing().await, is("retired", [0, 0], 0, false));
    // Enrolled again, its silence is news.
    run(
        &pool,
        "UPDATE tokens SET revoked_at = NULL WHERE hash = sha256('now')",
    )
    .await;
    assert_eq!(needing().await, is("silent", [0, 1], 1, true));
    run(&pool, revoke).await;
    // Nor is one that reports all the same, by somebody else's token, retired.
    post(&server, &sent).await;
    assert_eq!(needing().await, is("failing", [1, 0], 1, true));
}

/// Reports of agents `{prefix}-0000` and so on, an hour ago and a second apart, the first of them last.
async fn many(pool: &PgPool, prefix: &str, agents: i32, days_ago: i32, failed: i32) {
    let reports = "
        INSERT INTO agent_reports (agent, version, reported_at, run)
        SELECT
            $1 || '-' || lpad(number::text, 4, '0'), '0.2.0',
            now() - $3 * interval '1 day' - interval '1 hour' - number * interval '1 second',
            jsonb_build_object('ended_at', now(), 'measured', 40, 'failed', $4, 'skipped', 0, 'errors', '[]'::jsonb)
        FROM generate_series(0, $2 - 1) AS number";
    let reports = sqlx::query(reports).bind(prefix).bind(agents);
    let reports = reports.bind(days_ago).bind(failed).execute(pool).await;
    reports.unwrap();
}

#[sqlx::test(migrations = "../migrations")]
async fn of_those_that_are_silent_or_fail_ten_are_named_and_all_counted(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    // One of the silent ones fails too, and one has uploaded since.
    many(&pool, "silent", 14, 3, 1).await;
    many(&pool, "z", 1, 0, 2).await;
    let uploaded = "INSERT INTO agents (name, version) VALUES ('silent-0002', '0.2.0')";
    run(&pool, uploaded).await;
    let (_, overview) = server.get("/v1/overview").await;
    assert_eq!(overview["more_agents"], false);
    let details: Vec<String> = overview["attention"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            let [kind, who] = [&it["because"]["kind"], &it["agent"]].map(|it| it.as_str().unwrap());
            format!("{kind}: {who}")
        })
        .collect();
    let mut expected = vec![
        "agent_failing: z-0000".to_owned(),
        "agent_failing: silent-0002".to_owned(),
    ];
    let named = [0, 1, 3, 4, 5, 6, 7, 8, 9, 10];
    expected.extend(named.map(|it| format!("agent_silent: silent-{it:04}")));
    assert_eq!(details, expected);
    assert_eq!(
        (&overview["silent_agents"], &overview["failing_agents"]),
        (&json!(13), &json!(2))
    );
    let (_, metrics) = server.get("/metrics").await;
    let metrics = metrics.as_str().unwrap();
    for line in [
        r#"kerncast_agents{state="silent"} 13"#,
        r#"kerncast_agents{state="failing"} 2"#,
    ] {
        assert!(metrics.contains(line), "{line}");
    }

    many(&pool, "a", 1100, 0, 0).await;
    let (_, overview) = server.get("/v1/overview").await;
    assert_eq!(overview["agents"].as_array().unwrap().len(), 1000);
    assert_eq!(overview["more_agents"], true);
}

#[sqlx::test(migrations = "../migrations")]
async fn pages_of_agents_have_each_once_whether_they_uploaded_or_reported(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    many(&pool, "m", 30, 0, 0).await;
    let uploaded = "
        INSERT INTO agents (name, version)
        SELECT 'm-' || lpad(number::text, 4, '0'), version
        FROM generate_series(20, 49) AS number, unnest('{0.1.0,0.2.0}'::text[]) AS version";
    run(&pool, uploaded).await;
    let agents = server.pages("/v1/agents?limit=7").await;
    let names: Vec<_> = agents
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    let expected: Vec<String> = (0..50).map(|it| format!("m-{it:04}")).collect();
    assert_eq!(names, expected);
}

#[sqlx::test(migrations = "../migrations")]
async fn each_wrong_field_of_a_report_is_named(pool: PgPool) {
    let server = Server::new(pool).await;
    let long = vec!["x"; 21];
    for (pointer, value, status) in [
        ("/agent/name", json!(""), 422),
        ("/spool", json!(-1), 400),
        ("/rejected", json!(1.5), 400),
        ("/run/measured", json!("7"), 400),
        ("/run/ended_at", json!("2999-01-01T00:00:00Z"), 422),
        ("/run/errors", json!(long), 422),
        ("/run/errors", json!(["\0"]), 422),
        ("/run/tools", json!({ "": "1" }), 422),
        ("/run/unknown", json!(1), 400),
    ] {
        let mut wrong = report();
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        wrong.pointer_mut(parent).unwrap()[name] = value;
        let (found, problem) = post(&server, &wrong).await;
        assert_eq!(found, status, "{pointer}: {problem}");
        let field = problem["errors"][0]["field"].as_str().unwrap();
        assert!(field.starts_with(pointer), "{problem}");
    }
    assert!(server.items("/v1/agents").await.is_empty());
}

#[sqlx::test(migrations = "../migrations")]
async fn who_is_elsewhere_is_shipped_until_it_uploads_itself(pool: PgPool) {
    let server = Server::new(pool).await;
    let mut shipped = sample(0, 0);
    shipped["origin"] = json!("shipped");
    server.upload(&[shipped]).await;
    assert_eq!(agent(&server).await["state"], "shipped");
    server.upload(&[sample(0, 1)]).await;
    assert_eq!(agent(&server).await["state"], "unreported");
}
