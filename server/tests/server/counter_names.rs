//! How many names of counters and providers there may be, and what leaves none.

use std::ops::Range;

use crate::common::{Server, sample};
use axum::http::StatusCode;
use kerncast_server::{
    access::token,
    db::{self, access::audit::Actor},
};
use kerncast_wire::{NewToken, TokenRole};
use serde_json::{Value, json};
use sqlx::PgPool;

fn with_names(names: Range<u32>) -> Value {
    let mut sample = sample(0, names.start);
    let counters: serde_json::Map<String, Value> =
        names.map(|name| (format!("c{name}"), json!(1))).collect();
    sample["readings"] = json!({ "tool": { "counters": counters } });
    sample
}

/// By one agent's token, which it also names itself by.
async fn upload_by(server: &Server, agent: &str, samples: &[Value]) -> Vec<Value> {
    let samples: Vec<Value> = samples
        .iter()
        .map(|it| {
            let mut it = it.clone();
            it["agent"]["name"] = json!(agent);
            it
        })
        .collect();
    let batch = json!({ "samples": samples });
    let (status, answer) = server.by(agent, "POST", "/v1/samples", batch).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    answer["verdicts"].as_array().unwrap().clone()
}

async fn names(pool: &PgPool) -> i64 {
    let names = sqlx::query_scalar("SELECT count(*) FROM counters WHERE provider LIKE 'tool%'");
    names.fetch_one(pool).await.unwrap()
}

#[sqlx::test(migrations = "../migrations")]
async fn what_is_not_stored_leaves_no_names(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    let first = with_names(0..10);
    server.upload(std::slice::from_ref(&first)).await;
    for names in [1000..5000, 5000..10_000] {
        let mut other = with_names(names);
        other["id"] = first["id"].clone();
        // Beside one that is there, alone and with another that is new.
        let answer = server.upload(&[other, with_names(5..10)]).await;
        assert_eq!(answer["rejected"], 1, "{answer}");
        assert_eq!(answer["stored"], 1, "{answer}");
    }
    let (new, mut same_id) = (with_names(10..12), with_names(12..14));
    same_id["id"] = new["id"].clone();
    let mut wrong = with_names(14..16);
    wrong["times"]["repetitions_s"] = json!([]);
    let answer = server.upload(&[new.clone(), same_id, wrong, new]).await;
    let verdicts = answer["verdicts"].as_array().unwrap().iter();
    let verdicts: Vec<_> = verdicts.map(|it| it["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["stored", "rejected", "rejected", "repeated"]);
    assert_eq!(names(&pool).await, 12);
}

#[sqlx::test(migrations = "../migrations")]
async fn there_are_no_more_counters_than_fits_can_go_through(pool: PgPool) {
    agents(&pool).await;
    sqlx::query("INSERT INTO counters (provider, name) SELECT 'tool', 'c' || n FROM generate_series(0, 19989) AS n")
        .execute(&pool)
        .await
        .unwrap();
    let server = Server::new(pool.clone()).await;
    let batch = [with_names(0..4000), with_names(19_990..20_001)];
    let verdicts = upload_by(&server, "lab-7", &batch).await;
    let problem = &verdicts[1]["problems"][0];
    assert_eq!(problem["field"], "/samples/1/readings/tool/counters/c19990");
    assert_eq!(problem["value"], "c19990");
    let expected = problem["expected"].as_str().unwrap();
    assert!(expected.contains("at most 20000"), "{expected}");
    assert_eq!(words(&verdicts), ["stored", "rejected"]);
    assert_eq!(names(&pool).await, 19_990, "what is rejected leaves none");
    let verdicts = upload_by(&server, "lab-7", &[with_names(19_990..20_000)]).await;
    assert_eq!(words(&verdicts), ["stored"]);
    // Other agents bring none any more; what is there they may have, and an admin may bring others.
    let batch = [with_names(5..7), with_names(20_000..20_001)];
    let verdicts = upload_by(&server, "lab-8", &batch).await;
    assert_eq!(words(&verdicts), ["stored", "rejected"]);
    let answer = server.upload(&[with_names(20_000..20_001)]).await;
    assert_eq!(answer["stored"], 1, "{answer}");
    let verdicts = upload_by(&server, "lab-8", &[with_names(20_000..20_001)]).await;
    assert_eq!(words(&verdicts), ["stored"]);
}

#[sqlx::test(migrations = "../migrations")]
async fn nor_are_there_more_providers(pool: PgPool) {
    agents(&pool).await;
    let server = Server::new(pool).await;
    let providers: Vec<Value> = (0..101)
        .map(|n| {
            let mut sample = sample(0, n);
            sample["readings"] = json!({ format!("tool_{n}"): { "counters": { "a": 1 } } });
            sample
        })
        .collect();
    let verdicts = upload_by(&server, "lab-7", &providers[..100]).await;
    assert_eq!(words(&verdicts), ["stored"; 100]);
    let verdicts = upload_by(&server, "lab-8", &providers[99..]).await;
    assert_eq!(words(&verdicts)[1], "rejected");
    let answer = server.upload(&providers[100..]).await;
    assert_eq!(answer["stored"], 1, "{answer}");
}

async fn agents(pool: &PgPool) {
    for agent in ["lab-7", "lab-8"] {
        let new = NewToken {
            name: None,
            role: TokenRole::Agent,
            agent: Some(agent.to_owned()),
        };
        let hash = token::hash(agent);
        let who = Actor::command_line();
        db::access::tokens::add(pool, &hash, &new, &who)
            .await
            .unwrap();
    }
}

fn words(verdicts: &[Value]) -> Vec<&str> {
    let words = verdicts.iter().map(|it| it["verdict"].as_str().unwrap());
    words.collect()
}
