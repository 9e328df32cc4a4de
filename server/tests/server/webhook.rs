//! What needs attention is told to another program, however it fails meanwhile.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use crate::{
    common::{Server, sample},
    shards::Lab,
};
use axum::{Json, Router, http::StatusCode, routing::post};
use kerncast_server::{App, access::Settings, events::events, webhook};
use serde_json::{Value, json};
use sqlx::PgPool;

type Received = Arc<Mutex<Vec<Value>>>;

/// A receiver that fails as often as `failures` says, and then takes what it gets.
async fn receiver(mut failures: u32) -> (url::Url, Received) {
    let received = Received::default();
    let log = Arc::clone(&received);
    let failures = Arc::new(Mutex::new(std::mem::take(&mut failures)));
    let take = post(async move |Json(news): Json<Value>| {
        let mut left = failures.lock().unwrap();
        if *left > 0 {
            *left -= 1;
            return StatusCode::INTERNAL_SERVER_ERROR;
        }
        log.lock().unwrap().push(news);
        StatusCode::NO_CONTENT
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hooks/secret", listener.local_addr().unwrap());
    tokio::spawn(
        async move { axum::serve(listener, Router::new().route("/hooks/secret", take)).await },
    );
    (url.parse().unwrap(), received)
}

/// Waits for so many messages.
async fn messages(received: &Received, count: usize) -> Vec<Value> {
    for _ in 0..400 {
        let so_far = received.lock().unwrap().clone();
        if so_far.len() >= count {
            return so_far;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("{:?}", received.lock().unwrap());
}

async fn report(server: &Server, failed: u32) {
    report_of(server, "lab-3", failed).await;
}

async fn report_of(server: &Server, agent: &str, failed: u32) {
    let report = json!({
        "agent": { "name": agent, "version": "0.1.0" }, "spool": 0, "rejected": 0,
        "run": { "ended_at": "2026-11-01T12:00:00Z", "measured": 7, "failed": failed, "skipped": 1 },
    });
    let (status, answer) = server.post("/v1/agents", report.to_string()).await;
    assert!(status.is_success(), "{answer}");
}

#[sqlx::test(migrations = "../migrations")]
async fn attention_is_told_when_it_begins_and_when_it_is_over(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    let (url, received) = receiver(2).await;
    let (events, _) = events(pool.clone());
    let app = App::new(pool, events, Settings::default());
    let telling = tokio::spawn(webhook::tell(app, url, Duration::from_millis(50)));

    report(&server, 2).await;
    let told = messages(&received, 1).await;
    assert_eq!(told[0]["over"], json!([]));
    let began = &told[0]["began"][0];
    assert_eq!(
        (&began["kind"], &began["agent"]),
        (&json!("agent_failing"), &json!("lab-3"))
    );
    assert!(
        began["detail"]
            .as_str()
            .unwrap()
            .contains("2 of 10 workloads failed"),
        "{began}"
    );

    // Other numbers of the same are no news.
    report(&server, 3).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(received.lock().unwrap().len(), 1);

    report(&server, 0).await;
    let told = messages(&received, 2).await;
    assert_eq!(told[1]["began"], json!([]));
    assert_eq!(told[1]["over"][0]["kind"], "agent_failing");
    telling.abort();
}

#[sqlx::test(migrations = "../migrations")]
async fn who_is_named_no_more_is_not_over(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    let (url, received) = receiver(0).await;
    let (events, _) = events(pool.clone());
    let app = App::new(pool, events, Settings::default());
    report(&server, 1).await;
    let telling = tokio::spawn(webhook::tell(app, url, Duration::from_millis(50)));
    messages(&received, 1).await;

    // Ten are named, and they failed later.
    for agent in 0..10 {
        report_of(&server, &format!("a-{agent}"), 1).await;
    }
    let about = |told: &[Value], which: &str| -> Vec<String> {
        let all = told.iter().flat_map(|it| it[which].as_array().unwrap());
        all.map(|it| it["agent"].as_str().unwrap_or("more").to_owned())
            .collect()
    };
    for _ in 0..400 {
        let told = received.lock().unwrap().clone();
        if about(&told, "began").iter().any(|it| it == "more") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    let told = received.lock().unwrap().clone();
    assert_eq!(about(&told, "began").len(), 12, "{told:?}");
    assert_eq!(about(&told, "over"), Vec::<String>::new());

    report(&server, 0).await;
    let told = messages(&received, told.len() + 1).await;
    let mut over = about(&told, "over");
    over.sort();
    assert_eq!(over, ["lab-3", "more"]);
    telling.abort();
}

/// What a list of a message is about, and what of it the reason names.
fn named(told: &Value, which: &str, name: &str) -> Vec<String> {
    let all = told[which].as_array().unwrap().iter();
    let mut all: Vec<String> = all
        .map(|it| it["because"][name].to_string().replace('"', ""))
        .collect();
    all.sort();
    all
}

#[sqlx::test(migrations = "../migrations")]
async fn each_lost_shard_begins_and_is_over_by_itself(pool: PgPool) {
    let lab = Lab::new(&pool, 2).await;
    let shards = lab.open().await;
    lab.lose(1).await;
    lab.lose(2).await;
    for number in [1, 2] {
        assert!(shards.size(number).await.is_err());
    }
    let (url, received) = receiver(0).await;
    let (events, _) = events(pool.clone());
    let app = App::new(pool, events, Settings::default()).with_shards(shards.clone());
    let telling = tokio::spawn(webhook::tell(app, url, Duration::from_millis(50)));
    let told = messages(&received, 1).await;
    assert_eq!(named(&told[0], "began", "shard"), ["s1", "s2"]);

    lab.bring_back(1).await;
    shards.size(1).await.unwrap();
    let told = messages(&received, 2).await;
    assert_eq!(named(&told[1], "over", "shard"), ["s1"]);
    assert_eq!(told[1]["began"], json!([]));
    telling.abort();
    lab.end().await;
}

#[sqlx::test(migrations = "../migrations")]
async fn jobs_of_one_device_are_told_apart(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    server.stop_fitting();
    let mut slower = sample(0, 1);
    slower["device"]["name"] = json!("Slower");
    server.upload(&[sample(0, 0), slower]).await;
    let failing = "
        INSERT INTO fitting_jobs (device_id, counted_on_device_id, provider, attempts, last_error)
        SELECT min(id), counted_on, 'oclgrind', 3, 'the fit failed'
        FROM devices, unnest('{NULL,2}'::integer[]) AS counted_on
        GROUP BY counted_on";
    let asked = "DELETE FROM fitting_jobs";
    sqlx::query(asked).execute(&pool).await.unwrap();
    sqlx::query(failing).execute(&pool).await.unwrap();
    let (url, received) = receiver(0).await;
    let (events, _) = events(pool.clone());
    let app = App::new(pool.clone(), events, Settings::default());
    let telling = tokio::spawn(webhook::tell(app, url, Duration::from_millis(50)));
    let told = messages(&received, 1).await;
    assert_eq!(named(&told[0], "began", "counted_on"), ["2", "null"]);

    let across = "DELETE FROM fitting_jobs WHERE counted_on_device_id IS NOT NULL";
    sqlx::query(across).execute(&pool).await.unwrap();
    let told = messages(&received, 2).await;
    assert_eq!(named(&told[1], "over", "counted_on"), ["2"]);
    telling.abort();
}

#[sqlx::test(migrations = "../migrations")]
async fn of_several_servers_one_tells_and_the_next_where_it_ends(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    let (url, received) = receiver(0).await;
    let telling = || {
        let (events, _) = events(pool.clone());
        let app = App::new(pool.clone(), events, Settings::default());
        tokio::spawn(webhook::tell(app, url.clone(), Duration::from_millis(50)))
    };
    let first = telling();
    report(&server, 2).await;
    messages(&received, 1).await;
    let second = telling();
    report(&server, 0).await;
    messages(&received, 2).await;
    report(&server, 2).await;
    messages(&received, 3).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(received.lock().unwrap().len(), 3, "one of the two tells");

    first.abort();
    let told = messages(&received, 4).await;
    assert_eq!(
        told[3]["began"][0]["kind"], "agent_failing",
        "by the other, anew"
    );
    second.abort();
}
