//! Who may do what: every route by every role, what an agent's token may say, and tokens' lives.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use crate::common::{
    ADMIN, Server, add_token, ceilings, sample, scalar, scalars, watcher::Watcher,
};
use axum::{
    body::{Body, BodyDataStream},
    http::{Request, StatusCode, header},
};
use kerncast_server::{
    access::{Need, RULES, Settings, token},
    db, routes,
};
use kerncast_wire::{Readers, TokenRole};
use serde_json::{Value, json};
use sqlx::PgPool;

const READER: &str = "a reader's token";
const AGENT: &str = "an agent's token";

async fn with_roles(pool: &PgPool, readers: Readers) -> Server {
    let settings = Settings {
        readers,
        ..Settings::default()
    };
    let server = Server::with(pool.clone(), settings).await;
    for (token, role) in [(READER, TokenRole::Reader), (AGENT, TokenRole::Agent)] {
        if db::access::tokens::find(pool, &token::hash(token))
            .await
            .unwrap()
            .is_none()
        {
            add_token(pool, token, role).await;
        }
    }
    server
}

/// Method and path of everything that is documented.
fn documented() -> BTreeSet<(String, String)> {
    let document = serde_json::to_value(routes::openapi()).unwrap();
    let paths = document["paths"].as_object().unwrap();
    paths
        .iter()
        .flat_map(|(path, item)| {
            let methods = item.as_object().unwrap().keys();
            methods.map(|method| (method.to_uppercase(), path.clone()))
        })
        .collect()
}

#[test]
fn every_route_has_one_rule_and_every_rule_a_route() {
    let rules = RULES
        .iter()
        .map(|&(method, path, _)| (method.to_owned(), path.to_owned()));
    let rules: Vec<_> = rules.collect();
    assert_eq!(rules.iter().cloned().collect::<BTreeSet<_>>(), documented());
    assert_eq!(rules.len(), documented().len(), "a route has two rules");
}

/// What a caller gets to see of a route: the status, without waiting for a stream's end.
async fn status(server: &Server, token: Option<&str>, method: &str, path: &str) -> StatusCode {
    let path = path
        .replace("{id}", "0")
        .replace("{name}", "none")
        .replace("{hash}", &"0".repeat(64));
    let mut request = Request::builder().method(method).uri(path);
    if let Some(token) = token {
        request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
    }
    let request = request.header(header::CONTENT_TYPE, "application/json");
    // No body is in order, so that nothing is changed and nobody is told of a wrong code.
    let body = if method == "GET" { "" } else { "[]" };
    server.status(request.body(Body::from(body)).unwrap()).await
}

#[sqlx::test(migrations = "../migrations")]
async fn every_route_lets_those_through_whom_its_rule_names(pool: PgPool) {
    for readers in [Readers::Everybody, Readers::Token] {
        let server = with_roles(&pool, readers).await;
        for (method, path) in documented() {
            let rule = RULES
                .iter()
                .find(|rule| (rule.0, rule.1) == (&*method, &*path));
            let need = rule
                .unwrap_or_else(|| panic!("{method} {path} has no rule"))
                .2;
            for (token, may) in [
                (
                    None,
                    need == Need::Nothing || need == Need::Reading && readers == Readers::Everybody,
                ),
                (Some(READER), matches!(need, Need::Nothing | Need::Reading)),
                (Some(AGENT), need != Need::Administering),
                (Some(ADMIN), true),
            ] {
                let found = status(&server, token, &method, &path).await;
                let refused = match token {
                    None => StatusCode::UNAUTHORIZED,
                    Some(_) => StatusCode::FORBIDDEN,
                };
                assert_eq!(
                    found != refused,
                    may,
                    "{method} {path} by {token:?}, {readers:?} may read: {found}"
                );
                let other = [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN];
                assert!(
                    found == refused || !other.contains(&found),
                    "{method} {path} by {token:?}: {found}"
                );
                assert_ne!(found, StatusCode::METHOD_NOT_ALLOWED, "{method} {path}");
            }
        }
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn what_reads_by_get_reads_by_head_and_other_methods_are_none(pool: PgPool) {
    let server = with_roles(&pool, Readers::Token).await;
    let head = status(&server, None, "HEAD", "/v1/devices").await;
    assert_eq!(head, StatusCode::UNAUTHORIZED);
    let head = status(&server, Some(READER), "HEAD", "/v1/devices").await;
    assert_eq!(head, StatusCode::OK);
    for token in [None, Some(ADMIN)] {
        let found = status(&server, token, "DELETE", "/v1/devices").await;
        assert_eq!(found, StatusCode::METHOD_NOT_ALLOWED, "{token:?}");
    }
    // What shows the dashboard has no data in it.
    for path in ["/", "/docs/", "/openapi.json"] {
        let found = status(&server, None, "GET", path).await;
        assert_ne!(found, StatusCode::UNAUTHORIZED, "{path}");
    }
}

#[test]
fn the_table_in_the_documentation_is_the_rules() {
    let page = std::fs::read_to_string("../docs/security.md").unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let written: Vec<String> = rows.map(str::to_owned).collect();
    let rules = RULES.iter().map(|&(method, path, need)| {
        let marks = match need {
            Need::Nothing => ["yes", "yes", "yes", "yes"],
            Need::Reading => ["if everybody reads", "yes", "yes", "yes"],
            Need::Uploading => ["no", "no", "its own", "yes"],
            Need::Administering => ["no", "no", "no", "yes"],
        };
        format!("| `{method} {path}` | {} |", marks.join(" | "))
    });
    let rules: Vec<String> = rules.collect();
    assert_eq!(
        written,
        rules,
        "docs/security.md is to say:\n{}",
        rules.join("\n")
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn a_refusal_says_what_is_needed_and_what_came(pool: PgPool) {
    let server = with_roles(&pool, Readers::Everybody).await;
    let detail = |(status, problem): crate::common::Answer| {
        (status, problem["detail"].as_str().unwrap().to_owned())
    };
    let (status, words) = detail(server.by(READER, "POST", "/v1/samples", "{}").await);
    assert_eq!(status, StatusCode::FORBIDDEN);
    let expected =
        "this needs an agent's or an admin's token; the token a reader's token is a reader's";
    assert_eq!(words, expected);
    let (status, words) = detail(server.by("unknown", "GET", "/v1/tokens", "").await);
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    assert!(words.contains("does not know this token"), "{words}");
    // A wrong token takes nothing away that needs none, but is not passed over where it is asked after.
    assert_eq!(
        server.by("unknown", "GET", "/v1/devices", "").await.0,
        StatusCode::OK
    );
    let found = server.by("unknown", "GET", "/v1/access", "").await.0;
    assert_eq!(found, StatusCode::UNAUTHORIZED);
}

#[sqlx::test(migrations = "../migrations")]
async fn a_caller_is_told_who_it_is(pool: PgPool) {
    let server = with_roles(&pool, Readers::Token).await;
    let (_, access) = server.get("/v1/access").await;
    assert_eq!(access, json!({ "readers": "token", "token": null }));
    let (_, access) = server.by(AGENT, "GET", "/v1/access", "").await;
    let token = &access["token"];
    assert_eq!(
        (&token["role"], &token["agent"]),
        (&json!("agent"), &json!("lab-3"))
    );
    assert!(!access.to_string().contains(&*hex(&token::hash(AGENT))));
}

fn hex(hash: &token::Hash) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The verdict's problems of a batch of one.
async fn rejected(server: &Server, token: &str, sample: &Value) -> Vec<Value> {
    let batch = json!({ "samples": [sample] });
    let (status, verdict) = server.by(token, "POST", "/v1/samples", batch).await;
    assert_eq!(status, StatusCode::OK, "{verdict}");
    let problems = &verdict["verdicts"][0]["problems"];
    problems.as_array().cloned().unwrap_or_default()
}

async fn accepted(server: &Server, token: &str, sample: &Value) {
    let problems = rejected(server, token, sample).await;
    assert_eq!(problems, [] as [Value; 0]);
}

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
        let problems = rejected(&server, AGENT, &wrong).await;
        assert_eq!(problems.len(), 1, "{pointer}: {problems:?}");
        assert_eq!(problems[0]["field"], format!("/samples/0{pointer}"));
        let said = value.as_str().map_or(value.to_string(), str::to_owned);
        assert_eq!(problems[0]["value"], said, "{pointer}");
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
    let problems = rejected(&server, AGENT, &alike).await;
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
    let taken = sample(0, 0);
    accepted(&server, AGENT, &taken).await;
    let mut shipped = sample(0, 1);
    shipped["id"] = taken["id"].clone();
    shipped["origin"] = json!("shipped");
    for verdict in ["stored", "repeated"] {
        let batch = json!({ "samples": [shipped] });
        let (_, answer) = server.by(ADMIN, "POST", "/v1/samples", batch).await;
        assert_eq!(answer["verdicts"][0]["verdict"], verdict, "{answer}");
        let stored = server.items("/v1/samples?origin=shipped").await;
        assert_eq!(stored.len(), 1);
        assert_eq!(stored[0]["id"], answer["verdicts"][0]["id"]);
        assert_ne!(stored[0]["id"], taken["id"]);
    }
    assert_eq!(server.items("/v1/samples").await.len(), 2);
}

#[sqlx::test(migrations = "../migrations")]
async fn ceilings_and_reports_are_the_agents_own_too(pool: PgPool) {
    let server = with_roles(&pool, Readers::Everybody).await;
    rejected(&server, ADMIN, &sample(0, 0)).await;
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
    rejected(&server, AGENT, &sample).await;
    let path = format!("/v1/samples/{}", sample["id"].as_str().unwrap());
    assert_eq!(server.get(&path).await.1["token"], token);
    let own = ceilings("2026-11-01T12:00:00Z");
    server.by(AGENT, "POST", "/v1/ceilings", &own).await;
    let brought: i64 = scalar(&pool, "SELECT token_id FROM ceilings").await;
    assert_eq!(brought, token);
}

/// Asks until the answer is this status; how long that took.
async fn until(server: &Server, token: &str, wanted: StatusCode) -> Duration {
    let start = Instant::now();
    loop {
        let (found, problem) = server.by(token, "POST", "/v1/samples", "{}").await;
        if found == wanted {
            return start.elapsed();
        }
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "{found}: {problem}"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn a_revoked_token_is_none_on_any_server_at_once(pool: PgPool) {
    let (one, other) = (
        Server::new(pool.clone()).await,
        Server::new(pool.clone()).await,
    );
    let id = add_token(&pool, AGENT, TokenRole::Agent).await.id;
    for server in [&one, &other] {
        until(server, AGENT, StatusCode::BAD_REQUEST).await;
    }
    let (status, revoked) = one
        .by(ADMIN, "DELETE", &format!("/v1/tokens/{id}"), "")
        .await;
    assert_eq!(status, StatusCode::OK);
    assert!(revoked["revoked_at"].is_string());
    let (status, _) = one.by(AGENT, "POST", "/v1/samples", "{}").await;
    assert_eq!(status, StatusCode::UNAUTHORIZED, "from the answer on");
    let waited = until(&other, AGENT, StatusCode::UNAUTHORIZED).await;
    assert!(waited < Duration::from_secs(2), "{waited:?}");
    let (_, again) = one
        .by(ADMIN, "DELETE", &format!("/v1/tokens/{id}"), "")
        .await;
    assert_eq!(again["revoked_at"], revoked["revoked_at"]);
    let (status, _) = one.by(ADMIN, "DELETE", "/v1/tokens/999", "").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

/// As a restored dump would: without a word.
#[sqlx::test(migrations = "../migrations")]
async fn a_token_that_goes_untold_is_gone_within_seconds(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    add_token(&pool, AGENT, TokenRole::Agent).await;
    until(&server, AGENT, StatusCode::BAD_REQUEST).await;
    let mut silent = pool.begin().await.unwrap();
    for statement in [
        "SET LOCAL session_replication_role = replica",
        "DELETE FROM tokens WHERE role = 'agent'",
    ] {
        sqlx::query(statement).execute(&mut *silent).await.unwrap();
    }
    silent.commit().await.unwrap();
    let waited = until(&server, AGENT, StatusCode::UNAUTHORIZED).await;
    assert!(waited < Duration::from_secs(8), "{waited:?}");
}

#[sqlx::test(migrations = "../migrations")]
async fn tokens_are_made_listed_and_their_use_is_noted(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    let new = json!({ "role": "agent", "agent": "lab-3", "name": "nightly" });
    let (status, made) = server.by(ADMIN, "POST", "/v1/tokens", new).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    let token = made["token"].as_str().unwrap();
    assert!(token.len() >= 32, "{token}");
    assert_eq!(made["summary"]["last_used_at"], Value::Null);
    let stored: Vec<Vec<u8>> = scalars(&pool, "SELECT hash FROM tokens ORDER BY id DESC").await;
    assert_eq!(stored[0], token::hash(token));

    accepted(&server, token, &sample(0, 0)).await;
    let (_, page) = server.by(ADMIN, "GET", "/v1/tokens?limit=1", "").await;
    let listed = &page["items"][0];
    assert_eq!(listed["name"], "nightly");
    assert!(listed["last_used_at"].is_string());
    assert!(!page.to_string().contains(token));
    let next = format!("/v1/tokens?cursor={}", page["next"].as_str().unwrap());
    let (_, rest) = server.by(ADMIN, "GET", &next, "").await;
    assert_eq!(rest["items"].as_array().unwrap().len(), 1);

    for (new, field) in [
        (json!({ "role": "agent" }), "/agent"),
        (json!({ "role": "reader", "agent": "lab-3" }), "/agent"),
        (json!({ "role": "agent", "agent": " lab" }), "/agent"),
        (json!({ "role": "reader", "name": "" }), "/name"),
    ] {
        server.refuses("/v1/tokens", &new, field).await;
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn who_asks_too_much_waits_and_nobody_else_does(pool: PgPool) {
    let settings = Settings {
        requests_per_second: std::num::NonZeroU32::new(1),
        ..Settings::default()
    };
    let server = Server::with(pool.clone(), settings).await;
    add_token(&pool, READER, TokenRole::Reader).await;
    // The first of a token counts for the address: nobody knows yet whose it is.
    server.by(READER, "GET", "/v1/jobs", "").await;
    let mut refused = None;
    for _ in 0..30 {
        let request =
            Request::get("/v1/jobs").header(header::AUTHORIZATION, format!("Bearer {READER}"));
        let response = server.response(request.body(Body::empty()).unwrap()).await;
        if response.status() == StatusCode::TOO_MANY_REQUESTS {
            refused = Some(response);
            break;
        }
        assert_eq!(response.status(), StatusCode::OK);
    }
    let refused = refused.expect("ten may come at once, not thirty");
    assert_eq!(refused.headers()[header::RETRY_AFTER], "1");
    assert_eq!(
        server.get("/v1/jobs").await.0,
        StatusCode::OK,
        "another caller"
    );
    // Whoever watches the server may have the address of those who ask too much.
    for path in ["/healthz", "/readyz", "/metrics"] {
        for _ in 0..12 {
            assert_eq!(server.get(path).await.0, StatusCode::OK, "{path}");
        }
    }
    tokio::time::sleep(Duration::from_millis(1100)).await;
    assert_eq!(
        server.by(READER, "GET", "/v1/jobs", "").await.0,
        StatusCode::OK
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn a_stream_that_needs_a_token_ends_where_tokens_change(pool: PgPool) {
    let server = with_roles(&pool, Readers::Token).await;
    let mut watcher = Watcher::of(async || stream(&server).await, &pool).await;
    let (_, tokens) = server.by(ADMIN, "GET", "/v1/tokens", "").await;
    let tokens = tokens["items"].as_array().unwrap();
    let id = &tokens.iter().find(|it| it["role"] == "reader").unwrap()["id"];
    server
        .by(ADMIN, "DELETE", &format!("/v1/tokens/{id}"), "")
        .await;
    while let Some(event) = watcher.next().await {
        assert_ne!(event["kind"], "missed", "it ends by what is told");
    }
}

/// What was not heard may have been that the token is gone.
#[sqlx::test(migrations = "../migrations")]
async fn a_stream_that_needs_a_token_ends_where_changes_were_missed(pool: PgPool) {
    let server = with_roles(&pool, Readers::Token).await;
    let mut watcher = Watcher::of(async || stream(&server).await, &pool).await;
    let cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND query ILIKE 'LISTEN%'";
    let cut: i64 = scalar(&pool, cut).await;
    assert_eq!(cut, 1);
    while watcher.next().await.is_some() {}
}

/// What a reader watches.
async fn stream(server: &Server) -> BodyDataStream {
    let request =
        Request::get("/v1/events").header(header::AUTHORIZATION, format!("Bearer {READER}"));
    let response = server.response(request.body(Body::empty()).unwrap()).await;
    assert_eq!(response.status(), StatusCode::OK);
    response.into_body().into_data_stream()
}
