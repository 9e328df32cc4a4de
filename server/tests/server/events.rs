//! Server-sent events.

use crate::common::{
    Server, ceilings, samples,
    watcher::{Watcher, tell},
};
use serde_json::{Value, json};
use sqlx::PgPool;

#[sqlx::test(migrations = "../migrations")]
async fn changes_are_told_to_everybody_who_watches(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    let mut first = Watcher::new(&server, &pool).await;
    let mut second = Watcher::new(&server, &pool).await;

    server.upload(&samples()).await;
    let device = server.items("/v1/devices").await[0]["id"].clone();
    for watcher in [&mut first, &mut second] {
        let stored = watcher.sees(|event| event["kind"] == "samples").await;
        assert_eq!(stored, json!({ "kind": "samples", "device": device }));
        let of =
            |kind| move |event: &Value| event["kind"] == kind && event["provider"] == "oclgrind";
        watcher.sees(of("job")).await;
        let model = watcher.sees(of("model")).await;
        let path = format!("/v1/models/{}", model["model"].as_str().unwrap());
        assert_eq!(
            server.get(&path).await.1["id"],
            model["model"],
            "it is there when it is told"
        );
        watcher.sees(of("job")).await;
    }

    let report =
        json!({ "agent": { "name": "lab-3", "version": "0.1.0" }, "spool": 0, "rejected": 0 });
    server.post("/v1/agents", report.to_string()).await;
    let event = first.sees(|event| event["kind"] == "agent").await;
    assert_eq!(event, json!({ "kind": "agent", "agent": "lab-3" }));
    let limits = ceilings("2026-11-01T12:00:00Z");
    server.post("/v1/ceilings", limits.to_string()).await;
    first.sees(|event| event["kind"] == "ceilings").await;
}

#[sqlx::test(migrations = "../migrations")]
async fn a_watcher_that_does_not_read_holds_nobody_up_and_is_told(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    let mut slow = Watcher::new(&server, &pool).await;
    let mut quick = Watcher::new(&server, &pool).await;
    tell(&pool, "last", 2000).await;
    // It arrives, though nobody has read the slow one's.
    let last = json!({ "kind": "agent", "agent": "last" });
    quick.sees(|event| *event == last).await;
    slow.sees(|event| event["kind"] == "missed").await;
    slow.sees(|event| *event == last).await;
}

#[sqlx::test(migrations = "../migrations")]
async fn streams_end_with_the_server(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    let mut watcher = Watcher::new(&server, &pool).await;
    drop(server);
    while watcher.next().await.is_some() {}
}
