//! What an agent's token may say: nothing of other agents, and nothing else of devices and kernels than is known.

use crate::common::{
    ADMIN, Server, add_token, ceilings,
    roles::{AGENT, accepted, upload_problems, with_roles},
    sample, scalar,
};
use axum::http::StatusCode;
use kerncast_wire::{Readers, TokenRole};
use serde_json::{Value, json};
use sqlx::PgPool;

#[sqlx::test(migrations = "../migrations")]
async fn an_agents_token_says_nothing_of_others(pool: PgPool) {
    let server = with_roles(&pool, Readers::Everybody).await;
    let mut known = sample(0, 0);
    known["device"]["local_memory_bytes"] = json!(65_536);
    known["device"]["global_memory_bytes"] = json!(1_000_000_000_u64);
    accepted(&server, ADMIN, &known).await;

    for (pointer, value, expected) in [
        (
            "/agent/name",
            json!("lab-4"),
            "lab-3: this token is that agent's",
        ),
        (
            "/device/kind",
            json!("gpu"),
            "cpu, as the device Device is known",
        ),
        (
            "/device/compute_units",
            json!(1),
            "8, as the device Device is known",
        ),
        (
            "/device/local_memory_bytes",
            json!(16_384),
            "about 65536, as the device Device",
        ),
        (
            "/workload/family",
            json!("sparse"),
            "dense, as the kernel kernel_0 is known",
        ),
        (
            "/workload/generated",
            json!(true),
            "false, as the kernel kernel_0 is known",
        ),
        ("/origin", json!("shipped"), "measured or imported"),
    ] {
        let mut wrong = sample(0, 2);
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        wrong.pointer_mut(parent).unwrap()[name] = value.clone();
        let problems = upload_problems(&server, AGENT, &wrong).await;
        assert_eq!(problems.len(), 1, "{pointer}: {problems:?}");
        assert_eq!(problems[0]["field"], format!("/samples/0{pointer}"));
        let sent = value.as_str().map_or(value.to_string(), str::to_owned);
        assert_eq!(problems[0]["value"], sent, "{pointer}");
        let words = problems[0]["expected"].as_str().unwrap();
        assert!(words.starts_with(expected), "{pointer}: {words}");
        // An admin's token says so, and says it back.
        accepted(&server, ADMIN, &wrong).await;
        known["id"] = sample(0, 0)["id"].clone();
        accepted(&server, ADMIN, &known).await;
    }
    let devices = server.items("/v1/devices").await;
    assert_eq!(devices.len(), 1);
    assert_eq!(devices[0]["compute_units"], 8);

    // What nobody knows yet it may say.
    let mut other = sample(9, 2);
    other["device"]["name"] = json!("Another");
    other["device"]["kind"] = json!("gpu");
    other["device"]["global_memory_bytes"] = json!(1_000_000_000_u64);
    accepted(&server, AGENT, &other).await;

    // And what differs by what a system takes for itself: a GPU's memory by little, a CPU's by as much as it likes.
    let mut alike = other.clone();
    alike["id"] = sample(0, 0)["id"].clone();
    alike["device"]["global_memory_bytes"] = json!(999_000_000_u64);
    accepted(&server, AGENT, &alike).await;
    alike["device"]["global_memory_bytes"] = json!(2_000_000_000_u64);
    let problems = upload_problems(&server, AGENT, &alike).await;
    assert_eq!(
        problems[0]["field"],
        "/samples/0/device/global_memory_bytes"
    );
    let words = problems[0]["expected"].as_str().unwrap();
    assert!(words.starts_with("about 1000000000, as"), "{words}");
    let mut more = sample(0, 4);
    more["device"]["global_memory_bytes"] = json!(2_000_000_000_u64);
    accepted(&server, AGENT, &more).await;
    for device in server.items("/v1/devices").await {
        assert_eq!(device["global_memory_bytes"], 1_000_000_000_u64, "it stays");
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn an_agent_keeps_no_shipped_sample_out_by_its_id(pool: PgPool) {
    let server = with_roles(&pool, Readers::Everybody).await;
    let first = sample(0, 0);
    accepted(&server, AGENT, &first).await;
    let mut shipped = sample(0, 1);
    shipped["id"] = first["id"].clone();
    shipped["origin"] = json!("shipped");
    for verdict in ["stored", "repeated"] {
        let batch = json!({ "samples": [shipped] });
        let (_, answer) = server.by(ADMIN, "POST", "/v1/samples", batch).await;
        assert_eq!(answer["verdicts"][0]["verdict"], verdict, "{answer}");
        let stored = server.items("/v1/samples?origin=shipped").await;
        assert_eq!(stored.len(), 1);
        assert_eq!(stored[0]["id"], answer["verdicts"][0]["id"]);
        assert_ne!(stored[0]["id"], first["id"]);
    }
    assert_eq!(server.items("/v1/samples").await.len(), 2);
}

#[sqlx::test(migrations = "../migrations")]
async fn ceilings_and_reports_are_the_agents_own_too(pool: PgPool) {
    let server = with_roles(&pool, Readers::Everybody).await;
    upload_problems(&server, ADMIN, &sample(0, 0)).await;
    let refused = async |path: &str, body: &Value, field: &str| {
        let (status, problem) = server.by(AGENT, "POST", path, body).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{problem}");
        assert_eq!(problem["errors"][0]["field"], field, "{problem}");
    };
    for (pointer, value) in [
        ("/agent/name", json!("lab-4")),
        ("/device/kind", json!("gpu")),
        ("/device/compute_units", json!(1)),
        ("/origin", json!("shipped")),
    ] {
        let mut wrong = ceilings("2026-11-01T12:00:00Z");
        *wrong.pointer_mut(pointer).unwrap() = value;
        refused("/v1/ceilings", &wrong, pointer).await;
    }
    let own = ceilings("2026-11-01T12:00:00Z");
    let (status, _) = server.by(AGENT, "POST", "/v1/ceilings", &own).await;
    assert_eq!(status, StatusCode::CREATED);

    let mut report = json!({ "agent": { "name": "lab-4", "version": "0.1.0" }, "spool": 0 });
    server.by(ADMIN, "POST", "/v1/agents", &report).await;
    report["spool"] = json!(7);
    refused("/v1/agents", &report, "/agent/name").await;
    let agents = server.items("/v1/agents").await;
    let other = agents
        .iter()
        .find(|agent| agent["name"] == "lab-4")
        .unwrap();
    assert_eq!(other["spool"], 0, "its report is as it was");
    report["agent"]["name"] = json!("lab-3");
    let (status, _) = server.by(AGENT, "POST", "/v1/agents", &report).await;
    assert_eq!(status, StatusCode::OK);
}

/// Two agents describe a device at once: the rule holds though neither saw it known.
#[sqlx::test(migrations = "../migrations")]
async fn the_database_itself_keeps_what_is_known(pool: PgPool) {
    let names = |kind: &str, units: Value| {
        json!({
            "devices": [{ "vendor": "V", "name": "D", "kind": kind, "compute_units": units }],
            "agents": [],
        })
    };
    let store = async |names: Value, describes: bool| {
        sqlx::query("SELECT store_devices_and_agents($1, $2)")
            .bind(names)
            .bind(describes)
            .execute(&pool)
            .await
            .unwrap();
        sqlx::query_as::<_, (String, Option<i64>)>("SELECT kind, compute_units FROM devices")
            .fetch_one(&pool)
            .await
            .unwrap()
    };
    for (kind, units, describes, then) in [
        ("gpu", Value::Null, false, ("gpu", None)),
        ("cpu", json!(132), false, ("gpu", Some(132))),
        ("cpu", json!(1), false, ("gpu", Some(132))),
        ("cpu", json!(1), true, ("cpu", Some(1))),
    ] {
        let (kind, units) = store(names(kind, units), describes).await;
        assert_eq!((kind.as_str(), units), then);
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn what_was_uploaded_says_by_whose_token(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    let token = add_token(&pool, AGENT, TokenRole::Agent).await.id;
    let sample = sample(0, 0);
    upload_problems(&server, AGENT, &sample).await;
    let path = format!("/v1/samples/{}", sample["id"].as_str().unwrap());
    assert_eq!(server.get(&path).await.1["token"], token);
    let own = ceilings("2026-11-01T12:00:00Z");
    server.by(AGENT, "POST", "/v1/ceilings", &own).await;
    let brought: i64 = scalar(&pool, "SELECT token_id FROM ceilings").await;
    assert_eq!(brought, token);
}
