//! Several servers on one database: what one changes all answer by, and what is done once.

use std::collections::BTreeSet;

use crate::common::{Server, eventually, sample, samples, scalar, scalars};
use kerncast_server::{access::token, db};
use serde_json::{Value, json};
use sqlx::{PgPool, postgres::PgPoolOptions};

/// Connections of its own, as each server has them: fits hold one and ask for another.
fn own(pool: &PgPool) -> PgPool {
    let options = (*pool.connect_options()).clone();
    PgPoolOptions::new()
        .max_connections(8)
        .connect_lazy_with(options)
}

/// Which model answers; none where there is none yet.
async fn answers(server: &Server) -> Option<Value> {
    let counters = json!({ "oclgrind": sample(0, 0)["readings"]["oclgrind"]["counters"] });
    let request = json!({ "counters": counters });
    let (_, answer) = server.post("/v1/predictions", request.to_string()).await;
    Some(answer["predictions"].get(0)?["model"].clone())
}

#[sqlx::test(migrations = "../migrations")]
async fn what_one_server_changes_the_others_answer_by(pool: PgPool) {
    let [first, second] = [Server::new(own(&pool)).await, Server::new(own(&pool)).await];
    // The second keeps that there is no model.
    assert_eq!(answers(&second).await, None);

    first.fit(&samples()).await;
    let answered = async || answers(&second).await;
    let model = eventually("a forecast by the new model", answered).await;

    // And what it was: the second answers by what the first stores, whichever of them fits it.
    first.fit(&[sample(4, 1), sample(4, 2)]).await;
    let newer = async || answers(&second).await.filter(|it| *it != model);
    let newer = eventually("a newer model", newer).await;
    assert_eq!(answers(&first).await, Some(newer));
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
    let mut fits = 0;
    for server in &servers {
        assert_eq!(server.fits("failed").await, 0);
        fits += server.fits("fitted").await + server.fits("unchanged").await;
    }
    // Three times as many, had each of them made all.
    let models: i64 = scalar(
        &pool,
        "SELECT count(DISTINCT (device_id, counted_on_device_id, provider)) FROM models",
    )
    .await;
    let models = u32::try_from(models).unwrap();
    assert!(models >= 6, "{models}: three devices and two providers");
    assert!((models..2 * models).contains(&fits), "{fits} of {models}");
    // A fit has one model, whoever made it.
    let fingerprints: Vec<Vec<u8>> =
        scalars(&pool, "SELECT fingerprint FROM models WHERE NOT superseded").await;
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
        db::access::tokens::add_first(pool, &token::hash(&number.to_string()))
            .await
            .unwrap()
    });
    let firsts = futures_util::future::join_all(firsts).await;
    assert_eq!(firsts.iter().filter(|it| **it).count(), 1, "{firsts:?}");
    for pool in pools {
        pool.close().await;
    }
}
