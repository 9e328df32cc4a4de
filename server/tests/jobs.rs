//! Fitting jobs that fail, and those that a newer server asks for.
#![allow(clippy::unwrap_used, reason = "a test ends where it can go no further")]

mod common;

use common::{Server, all_variants, samples};
use kerncast_server::fitting::ask_where_outdated;
use serde_json::{Value, json};
use sqlx::PgPool;

#[sqlx::test(migrations = "../migrations")]
async fn a_job_that_fails_is_shown_and_tried_again(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    let broken = "ALTER TABLE hold_outs RENAME TO elsewhere";
    sqlx::query(broken).execute(&pool).await.unwrap();
    server.upload(&samples()).await;
    // `launch` has nothing to store there: its one counter is constant, so its models are refusals.
    let jobs = loop {
        let (_, jobs) = server.get("/v1/jobs").await;
        if jobs["items"]
            .as_array()
            .unwrap()
            .iter()
            .all(|job| job["attempts"] == 1)
        {
            break jobs;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    };
    assert_eq!(
        (&jobs["pending"], &jobs["items"][0]["provider"]),
        (&json!(1), &json!("oclgrind"))
    );
    assert!(
        jobs["items"][0]["last_error"]
            .as_str()
            .unwrap()
            .contains("the fit failed"),
        "{jobs}"
    );
    let models = server.items("/v1/models?provider=oclgrind").await;
    assert_eq!(models, [] as [Value; 0], "half a job is none");

    sqlx::query("ALTER TABLE elsewhere RENAME TO hold_outs")
        .execute(&pool)
        .await
        .unwrap();
    sqlx::query("UPDATE fitting_jobs SET retry_at = now()")
        .execute(&pool)
        .await
        .unwrap();
    server.fitted().await;
    assert_eq!(server.items("/v1/models?provider=oclgrind").await.len(), 9);

    // Failed too often, it waits for the next upload.
    sqlx::query("INSERT INTO fitting_jobs (device_id, provider, attempts) SELECT id, 'oclgrind', 3 FROM devices")
        .execute(&pool)
        .await
        .unwrap();
    let (_, jobs) = server.get("/v1/jobs").await;
    assert_eq!(
        (&jobs["pending"], &jobs["items"][0]["given_up"]),
        (&json!(0), &json!(true))
    );
    server.upload(&samples()).await;
    server.fitted().await;
    let (_, none) = server.get("/v1/jobs").await;
    assert_eq!(none["items"], json!([]));
    assert_eq!(none["jobs"], none["items"], "the name of version 0.1");
}

#[sqlx::test(migrations = "../migrations")]
async fn what_older_code_has_fitted_is_fitted_anew(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    server.upload(&samples()).await;
    server.fitted().await;
    assert_eq!(ask_where_outdated(&pool).await.unwrap(), 0);
    let before = server.items("/v1/models?provider=oclgrind").await;

    let older =
        "UPDATE models SET code_version = '0.1.0 (nnls 1)', fingerprint = sha256(fingerprint)
        WHERE method = 'nnls' AND provider = 'oclgrind'";
    sqlx::query(older).execute(&pool).await.unwrap();
    assert_eq!(ask_where_outdated(&pool).await.unwrap(), 1);
    server.fitted().await;
    assert_eq!(ask_where_outdated(&pool).await.unwrap(), 0);
    let after = server.items("/v1/models?provider=oclgrind").await;
    assert_eq!(after.len(), before.len());
    let (old, new) = (all_variants(&before, "nnls"), all_variants(&after, "nnls"));
    assert_ne!(old["id"], new["id"]);
    assert_eq!(old["leave_one_kernel_out"], new["leave_one_kernel_out"]);
    let (old, new) = (all_variants(&before, "ols"), all_variants(&after, "ols"));
    assert_eq!(old["id"], new["id"], "nothing else is fitted anew");
}
