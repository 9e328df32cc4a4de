//! Old repetitions are thinned out, and nothing that is made of them changes.

use std::time::Duration;

use crate::common::{Server, number, sample, samples};
use kerncast_server::repetitions::thin_out_now;
use serde_json::{Value, json};
use sqlx::PgPool;

#[sqlx::test(migrations = "../migrations")]
async fn of_old_repetitions_the_fastest_the_median_and_the_slowest_are_left(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    let mut long = sample(7, 1);
    long["times"] = json!({
        "repetitions_s": [5e-3, 1e-3, 4e-3, 2e-3, 3e-3, 9e-3], "cold_repetitions_s": [4e-2, 1e-2, 2e-2, 3e-2],
    });
    let three = sample(7, 2);
    let mut all = samples();
    all.extend([long.clone(), three.clone()]);
    server.upload(&all).await;
    server.fitted().await;
    let path = |it: &Value| format!("/v1/samples/{}", it["id"].as_str().unwrap());
    let (_, before) = server.get(&path(&long)).await;
    let (_, overview) = server.get("/v1/overview").await;
    let (_, models) = server.get("/v1/models").await;

    assert_eq!(
        thin_out_now(&pool, Duration::from_secs(3600))
            .await
            .unwrap(),
        0
    );
    assert_eq!(server.get(&path(&long)).await.1, before, "it came just now");

    assert_eq!(thin_out_now(&pool, Duration::ZERO).await.unwrap(), 1);
    let (_, after) = server.get(&path(&long)).await;
    assert_eq!(after["times"]["repetitions_s"], json!([1e-3, 3.5e-3, 9e-3]));
    assert_eq!(
        after["times"]["cold_repetitions_s"],
        json!([1e-2, 2.5e-2, 4e-2])
    );
    assert_eq!(
        (&after["time"], &after["time"]["n"]),
        (&before["time"], &json!(6))
    );
    assert!((number(&after["time"]["median_s"]) - 3.5e-3).abs() < 1e-12);
    assert_eq!(
        (after["thinned_out"].as_bool(), before.get("thinned_out")),
        (Some(true), None)
    );
    // Three are as few as they would be.
    assert!(
        server
            .get(&path(&three))
            .await
            .1
            .get("thinned_out")
            .is_none()
    );

    // What is counted and what was learned is as it was, and sent again it is the same sample.
    assert_eq!(
        server.get("/v1/overview").await.1["devices"],
        overview["devices"]
    );
    assert_eq!(server.get("/v1/models").await.1, models);
    let verdict = server.upload(&[long]).await;
    assert_eq!(verdict["repeated"], 1, "{verdict}");

    // Once, and what comes later later.
    assert_eq!(thin_out_now(&pool, Duration::ZERO).await.unwrap(), 0);
    let mut late = sample(8, 1);
    late["times"]["repetitions_s"] = json!([1e-3, 2e-3, 3e-3, 4e-3]);
    server.upload(&[late.clone()]).await;
    assert_eq!(thin_out_now(&pool, Duration::ZERO).await.unwrap(), 1);
    assert_eq!(server.get(&path(&late)).await.1["time"]["n"], 4);
}

#[sqlx::test(migrations = "../migrations")]
async fn a_year_is_thinned_out_day_by_day_and_by_two_servers_once(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    server.stop_fitting();
    let mut all = samples();
    for it in &mut all {
        it["times"]["repetitions_s"] = json!([1e-3, 2e-3, 3e-3, 4e-3, 5e-3]);
    }
    server.upload(&all).await;
    // The oldest are a year old, the newest a fortnight.
    sqlx::query(
        "UPDATE samples SET received_at = now() - (15 + 350.0 * place / 24) * interval '1 day'
        FROM (SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM samples) AS them WHERE them.id = samples.id",
    )
    .execute(&pool)
    .await
    .unwrap();
    let month = Duration::from_secs(30 * 86_400);
    let (one, other) = tokio::join!(thin_out_now(&pool, month), thin_out_now(&pool, month));
    let kept: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM samples WHERE received_at > now() - interval '30 days' AND cardinality(repetitions) = 5",
    )
    .fetch_one(&pool)
    .await
    .unwrap();
    assert_eq!(kept, 2, "those of the last month");
    assert_eq!(one.unwrap() + other.unwrap(), 22);
}
