//! A disk that is full, and a database that fails.

use std::time::{Duration, Instant};

use crate::common::{Server, samples};
use axum::{
    body::Body,
    http::{Request, StatusCode, header},
};
use kerncast_server::{access::Settings, db, upkeep::disk::Disk};
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection, PgPool, postgres::PgPoolOptions};

/// From now on whatever is inserted into the table fails as where the disk is full.
async fn fill_disk(pool: &PgPool, table: &str) {
    let statement = format!(
        "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$
             BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = 'disk_full'; END
         $$;
         CREATE TRIGGER no_room BEFORE INSERT ON {table} EXECUTE FUNCTION no_room();"
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(statement))
        .execute(pool)
        .await
        .unwrap();
}

fn batch() -> String {
    json!({ "samples": samples() }).to_string()
}

async fn kinds(server: &Server) -> Vec<Value> {
    let (_, overview) = server.get("/v1/overview").await;
    let attention = overview["attention"].as_array().unwrap().iter();
    attention.map(|it| it["because"]["kind"].clone()).collect()
}

#[sqlx::test(migrations = "../migrations")]
async fn a_full_disk_under_the_database_is_said_and_nothing_is_stored(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    fill_disk(&pool, "samples").await;
    let (status, problem) = server.post("/v1/samples", batch()).await;
    assert_eq!(status, StatusCode::INSUFFICIENT_STORAGE, "{problem}");
    assert_eq!(server.items("/v1/samples").await, [] as [Value; 0]);
    sqlx::query("DROP TRIGGER no_room ON samples")
        .execute(&pool)
        .await
        .unwrap();
    let (status, verdict) = server.post("/v1/samples", batch()).await;
    assert_eq!(status, StatusCode::OK, "{verdict}");
}

#[sqlx::test(migrations = "../migrations")]
async fn before_the_disk_is_full_uploads_are_refused_and_before_that_somebody_is_told(
    pool: PgPool,
) {
    let folder = tempfile::tempdir().unwrap();
    let with = async |low, full| {
        let disk = Disk::with_limits(folder.path(), low, full);
        Server::on_disk(pool.clone(), Settings::default(), disk).await
    };
    let server = with(0, 0).await;
    assert_eq!(kinds(&server).await, [] as [Value; 0]);

    // One after the other: the test's few connections are not enough for the fits of three at once.
    drop(server);
    let server = with(u64::MAX, 0).await;
    assert_eq!(kinds(&server).await, [json!("disk_low")]);
    assert_eq!(server.get("/readyz").await.0, StatusCode::OK);
    assert_eq!(server.post("/v1/samples", batch()).await.0, StatusCode::OK);

    drop(server);
    let server = with(u64::MAX, u64::MAX).await;
    let (status, problem) = server.post("/v1/samples", batch()).await;
    assert_eq!(status, StatusCode::INSUFFICIENT_STORAGE);
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("MiB are free on the disk of"), "{detail}");
    let (status, _) = server.get("/readyz").await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(server.get("/healthz").await.0, StatusCode::OK);
    let (status, _) = server.get("/v1/samples").await;
    assert_eq!(status, StatusCode::OK, "reading goes on");
}

#[sqlx::test(migrations = "../migrations")]
async fn fits_that_failed_for_the_database_are_no_tries(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    fill_disk(&pool, "models").await;
    server.upload(&samples()).await;
    let failed = async || {
        let (_, jobs) = server.get("/v1/jobs").await;
        let jobs = jobs["items"].as_array().unwrap().clone();
        (!jobs.is_empty() && jobs.iter().all(|it| it["last_error"].is_string())).then_some(jobs)
    };
    // More often than a job is tried.
    for _ in 0..4 {
        let jobs = loop {
            match failed().await {
                Some(jobs) => break jobs,
                None => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        };
        for job in jobs {
            assert_eq!(
                (&job["attempts"], &job["given_up"]),
                (&json!(0), &json!(false)),
                "{job}"
            );
            assert_eq!(job["last_error"], "the database failed");
        }
        sqlx::query("UPDATE fitting_jobs SET retry_at = now(), last_error = NULL")
            .execute(&pool)
            .await
            .unwrap();
    }
    sqlx::raw_sql("DROP TRIGGER no_room ON models; UPDATE fitting_jobs SET retry_at = now()")
        .execute(&pool)
        .await
        .unwrap();
    server.fitted().await;
    assert!(!server.items("/v1/models").await.is_empty());
}

#[sqlx::test(migrations = "../migrations")]
async fn where_all_connections_are_taken_readiness_still_has_its_own(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    let mut connections = Vec::new();
    while let Some(connection) = pool.try_acquire() {
        connections.push(connection);
    }
    let ready = tokio::time::timeout(Duration::from_secs(2), server.get("/readyz")).await;
    assert_eq!(ready.unwrap().0, StatusCode::OK);
}

#[sqlx::test(migrations = "../migrations")]
async fn two_hundred_who_look_at_the_overview_are_all_answered(pool: PgPool) {
    let server = &Server::new(pool).await;
    server.upload(&samples()).await;
    server.fitted().await;
    let all = (0..200).map(|_| server.get("/v1/overview"));
    let all = futures_util::future::join_all(all).await;
    let first = &all[0].1;
    assert_eq!(first["samples"], samples().len());
    assert!(all.iter().all(|(status, _)| *status == StatusCode::OK));
}

#[sqlx::test(migrations = "../migrations")]
async fn a_statement_that_takes_too_long_is_ended_and_its_client_is_told(pool: PgPool) {
    let limited = db::connect((*pool.connect_options()).clone())
        .await
        .unwrap();
    let limit: String = sqlx::query_scalar("SHOW statement_timeout")
        .fetch_one(&limited)
        .await
        .unwrap();
    assert_eq!(limit, "30s", "of every connection that answers requests");

    // The same in less time.
    let options = (*pool.connect_options()).clone();
    let limited =
        PgPoolOptions::new().connect_lazy_with(options.options([("statement_timeout", "300ms")]));
    let server = Server::new(limited).await;
    let mut lock = pool.begin().await.unwrap();
    sqlx::query("LOCK TABLE samples, devices")
        .execute(&mut *lock)
        .await
        .unwrap();
    let start = Instant::now();
    for request in [
        Request::get("/v1/samples").body(Body::empty()),
        Request::get("/v1/overview").body(Body::empty()),
    ] {
        let response = server.response(request.unwrap()).await;
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(response.headers().contains_key(header::RETRY_AFTER));
    }
    let (status, problem) = server.post("/v1/samples", batch()).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("the database took too long"), "{detail}");
    assert!(start.elapsed() < Duration::from_secs(5));
    let waiting: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'",
    )
    .fetch_one(&mut *lock)
    .await
    .unwrap();
    assert_eq!(waiting, 0, "nothing waits on in the database");
    lock.rollback().await.unwrap();
    // By a server that has its time.
    Server::new(pool).await.upload(&samples()).await;
}

#[sqlx::test(migrations = "../migrations")]
async fn fits_whose_connections_are_cut_are_no_tries(pool: PgPool) {
    let mut other = PgConnection::connect_with(&pool.connect_options())
        .await
        .unwrap();
    let server = Server::new(pool.clone()).await;
    server.upload(&samples()).await;
    let start = Instant::now();
    let mut cut = 0;
    // On a loaded machine connections are made slowly.
    while start.elapsed() < Duration::from_secs(if cut > 10 { 2 } else { 60 }) {
        let ended: i64 = sqlx::query_scalar(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid()",
        )
        .fetch_one(&mut other)
        .await
        .unwrap();
        cut += ended;
        let tried: i32 = sqlx::query_scalar("SELECT coalesce(max(attempts), 0) FROM fitting_jobs")
            .fetch_one(&mut other)
            .await
            .unwrap();
        assert_eq!(tried, 0);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(cut > 10, "{cut} connections were cut");
    // It looks for jobs again some seconds after it has failed to.
    let fitted = tokio::time::timeout(Duration::from_secs(60), server.fitted());
    fitted.await.unwrap();
    assert!(!server.items("/v1/models").await.is_empty());
}
