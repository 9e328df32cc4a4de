//! Several servers on one database: what one changes all answer by, and what is done once.

use std::{collections::BTreeSet, time::Duration};

use crate::common::{ADMIN, Server, add_token, sample, samples};
use axum::http::StatusCode;
use kerncast_server::{access::Settings, db, token};
use kerncast_wire::{Readers, TokenRole};
use serde_json::{Value, json};
use sqlx::{PgPool, postgres::PgPoolOptions};

/// Connections of its own, as each server has them: fits hold one and ask for another.
fn own(pool: &PgPool) -> PgPool {
    let options = (*pool.connect_options()).clone();
    PgPoolOptions::new()
        .max_connections(8)
        .connect_lazy_with(options)
}

/// Asks until the answer is as it should be.
async fn until(what: &str, asked: impl AsyncFn() -> bool) {
    for _ in 0..400 {
        if asked().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("{what} is not so");
}

async fn predict(server: &Server) -> (StatusCode, Value) {
    let counters = json!({ "oclgrind": sample(0, 0)["readings"]["oclgrind"]["counters"] });
    let request = json!({ "counters": counters });
    server.post("/v1/predictions", request.to_string()).await
}

#[sqlx::test(migrations = "../migrations")]
async fn what_one_server_changes_the_others_answer_by(pool: PgPool) {
    let [first, second] = [Server::new(own(&pool)).await, Server::new(own(&pool)).await];
    // The second keeps that there is no model.
    let (status, _) = predict(&second).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);

    first.upload(&samples()).await;
    first.fitted().await;
    let answered = async || predict(&second).await.0 == StatusCode::OK;
    until("a forecast by the new model", answered).await;
    let model = predict(&second).await.1["predictions"][0]["model"].clone();

    // And what it was: the second answers by what the first stores, whichever of them fits it.
    first.upload(&[sample(4, 1), sample(4, 2)]).await;
    first.fitted().await;
    let newer = async || predict(&second).await.1["predictions"][0]["model"] != model;
    until("a newer model", newer).await;
    assert_eq!(
        predict(&first).await.1["predictions"][0]["model"],
        predict(&second).await.1["predictions"][0]["model"]
    );
}

#[sqlx::test(migrations = "../migrations")]
async fn a_token_revoked_at_one_server_is_none_at_the_others(pool: PgPool) {
    let settings = Settings {
        readers: Readers::Token,
        ..Settings::default()
    };
    let first = Server::with(own(&pool), settings).await;
    let second = Server::with(own(&pool), settings).await;
    let reader = add_token(&pool, "a reader's token", TokenRole::Reader, &[]).await;
    let reads = async |server: &Server| {
        server
            .by("a reader's token", "GET", "/v1/devices", "")
            .await
            .0
    };
    assert_eq!(reads(&second).await, StatusCode::OK);

    let path = format!("/v1/tokens/{}", reader.id);
    let (status, answer) = first.by(ADMIN, "DELETE", &path, "").await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let refused = async || reads(&second).await == StatusCode::UNAUTHORIZED;
    until("the token refused", refused).await;
}

#[sqlx::test(migrations = "../migrations")]
async fn each_fit_is_made_by_one_server(pool: PgPool) {
    let servers = [
        Server::new(own(&pool)).await,
        Server::new(own(&pool)).await,
        Server::new(own(&pool)).await,
    ];
    let mut all = samples();
    for (number, it) in all.iter_mut().enumerate() {
        it["device"]["name"] = json!(format!("Device {}", number % 3));
    }
    servers[0].upload(&all).await;
    for server in &servers {
        server.fitted().await;
    }
    let mut made = 0;
    for server in &servers {
        assert_eq!(server.fits("failed").await, 0);
        made += server.fits("fitted").await + server.fits("unchanged").await;
    }
    // Three times as many, had each of them made all.
    let wanted: i64 = sqlx::query_scalar(
        "SELECT count(DISTINCT (device_id, counted_on_device_id, provider)) FROM models",
    )
    .fetch_one(&pool)
    .await
    .unwrap();
    let wanted = u32::try_from(wanted).unwrap();
    assert!(wanted >= 6, "{wanted}: three devices and two providers");
    assert!((wanted..2 * wanted).contains(&made), "{made} of {wanted}");
    // A fit has one model, whoever made it.
    let fingerprints: Vec<Vec<u8>> =
        sqlx::query_scalar("SELECT fingerprint FROM models WHERE NOT superseded")
            .fetch_all(&pool)
            .await
            .unwrap();
    let different: BTreeSet<&Vec<u8>> = fingerprints.iter().collect();
    assert_eq!(different.len(), fingerprints.len());
}

#[sqlx::test(migrations = "../migrations")]
async fn the_same_samples_at_two_servers_at_once_are_stored_once(pool: PgPool) {
    let [first, second] = [Server::new(own(&pool)).await, Server::new(own(&pool)).await];
    let all = samples();
    let (one, other) = tokio::join!(first.upload(&all), second.upload(&all));
    let count = |verdict: &str| one[verdict].as_u64().unwrap() + other[verdict].as_u64().unwrap();
    assert_eq!(count("stored"), all.len() as u64, "{one} {other}");
    assert_eq!(count("repeated"), all.len() as u64, "{one} {other}");
}

#[sqlx::test(migrations = false)]
async fn servers_that_start_at_once_bring_the_tables_up_to_date_once(pool: PgPool) {
    let options = || (*pool.connect_options()).clone();
    let starts = (0..3).map(|_| db::connect(options()));
    let pools = futures_util::future::join_all(starts).await;
    let pools: Vec<PgPool> = pools.into_iter().map(Result::unwrap).collect();
    // And make one admin's token.
    let firsts = pools.iter().enumerate().map(async |(number, pool)| {
        db::tokens::add_first(pool, &token::hash(&number.to_string()))
            .await
            .unwrap()
    });
    let firsts = futures_util::future::join_all(firsts).await;
    assert_eq!(firsts.iter().filter(|it| **it).count(), 1, "{firsts:?}");
    for pool in pools {
        pool.close().await;
    }
}
