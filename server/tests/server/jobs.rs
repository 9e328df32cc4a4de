//! Fitting jobs: one row each, those that fail, those that change nothing, and those that a newer server asks for.

use crate::common::{Server, all_variants, run, sample, samples, scalar, scalars};
use chrono::{DateTime, Utc};
use kerncast_server::fitting::request_outdated_fits;
use serde_json::{Value, json};
use sqlx::PgPool;

#[sqlx::test(migrations = "../migrations")]
async fn a_job_that_fails_is_shown_and_tried_again(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    let broken = "ALTER TABLE hold_outs RENAME TO elsewhere";
    run(&pool, broken).await;
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

    run(&pool, "ALTER TABLE elsewhere RENAME TO hold_outs").await;
    run(&pool, "UPDATE fitting_jobs SET retry_at = now()").await;
    server.fitted().await;
    assert_eq!(server.items("/v1/models?provider=oclgrind").await.len(), 6);

    // Failed too often, it waits for the next upload.
    run(&pool, "INSERT INTO fitting_jobs (device_id, provider, attempts) SELECT id, 'oclgrind', 3 FROM devices").await;
    let (_, jobs) = server.get("/v1/jobs").await;
    assert_eq!(
        (&jobs["pending"], &jobs["items"][0]["given_up"]),
        (&json!(0), &json!(true))
    );
    server.fit(&samples()).await;
    let (_, none) = server.get("/v1/jobs").await;
    assert_eq!(none["items"], json!([]));
}

#[sqlx::test(migrations = "../migrations")]
async fn a_job_waits_since_it_was_asked_for_after_it_was_given_up(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    server.stop_fitting();
    server.upload(&[sample(0, 0)]).await;
    let given_up = "
        INSERT INTO fitting_jobs (device_id, provider, attempts, requested_at)
        SELECT id, 'oclgrind', 3, now() - interval '3 days' FROM devices";
    run(&pool, given_up).await;
    let waits = async || {
        let (_, jobs) = server.get("/v1/jobs").await;
        let mut items = jobs["items"].as_array().unwrap().iter();
        let job = items.find(|it| it["provider"] == "oclgrind").unwrap();
        let since: DateTime<Utc> = job["requested_at"].as_str().unwrap().parse().unwrap();
        (job["given_up"] == true, (Utc::now() - since).num_days())
    };
    assert_eq!(waits().await, (false, 0));
    run(&pool, "DELETE FROM fitting_jobs WHERE attempts = 0").await;
    assert_eq!(waits().await, (true, 3));
}

#[sqlx::test(migrations = "../migrations")]
async fn what_older_code_has_fitted_is_fitted_anew(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    server.fit(&samples()).await;
    assert_eq!(request_outdated_fits(&pool).await.unwrap(), 0);
    let before = server.items("/v1/models?provider=oclgrind").await;

    let older =
        "UPDATE models SET code_version = '0.1.0 (nnls 1)', fingerprint = sha256(fingerprint)
        WHERE method = 'nnls' AND provider = 'oclgrind'";
    run(&pool, older).await;
    assert_eq!(request_outdated_fits(&pool).await.unwrap(), 1);
    server.fitted().await;
    assert_eq!(request_outdated_fits(&pool).await.unwrap(), 0);
    let after = server.items("/v1/models?provider=oclgrind").await;
    assert_eq!(after.len(), before.len());
    let (old, new) = (all_variants(&before, "nnls"), all_variants(&after, "nnls"));
    assert_ne!(old["id"], new["id"]);
    assert_eq!(old["leave_one_kernel_out"], new["leave_one_kernel_out"]);
    let (old, new) = (all_variants(&before, "ols"), all_variants(&after, "ols"));
    assert_eq!(old["id"], new["id"], "nothing else is fitted anew");
}

async fn rows(pool: &PgPool) -> i64 {
    let count = sqlx::query_scalar("SELECT count(*) FROM fitting_jobs");
    count.fetch_one(pool).await.unwrap()
}

#[sqlx::test(migrations = "../migrations")]
async fn uploads_join_the_job_that_waits(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    server.stop_fitting();
    for n in 0..5 {
        server.upload(&[sample(0, 10 + n)]).await;
    }
    assert_eq!(rows(&pool).await, 2, "one of oclgrind, one of launch");
    let later = "SELECT count(*) FROM fitting_jobs WHERE newest_at > requested_at";
    let later: i64 = scalar(&pool, later).await;
    assert_eq!(later, 2);

    // An upload does not wait for whoever holds its row, and its request outlives what becomes of that.
    let mut fit = pool.begin().await.unwrap();
    let locked_jobs: Vec<i64> = sqlx::query_scalar("SELECT id FROM fitting_jobs FOR UPDATE")
        .fetch_all(&mut *fit)
        .await
        .unwrap();
    server.upload(&[sample(0, 20)]).await;
    server.upload(&[sample(0, 21)]).await;
    sqlx::query("DELETE FROM fitting_jobs WHERE id = ANY ($1)")
        .bind(locked_jobs)
        .execute(&mut *fit)
        .await
        .unwrap();
    fit.commit().await.unwrap();
    assert_eq!(rows(&pool).await, 2);

    // However many come at once, they are done as one.
    drop(server);
    let server = Server::new(pool.clone()).await;
    // The tests' pools are small.
    let uploads: Vec<_> = (0..4).map(|n| [sample(n % 3, 30 + n)]).collect();
    let uploads = uploads.iter().map(|it| server.upload(it));
    futures_util::future::join_all(uploads).await;
    server.fitted().await;
    assert_eq!(rows(&pool).await, 0);
    assert_eq!(missing(&pool).await, 0);
}

/// Samples that the gate has let through and that are in no fit.
async fn missing(pool: &PgPool) -> i64 {
    let missing = "SELECT count(*) FROM trusted_samples
        WHERE NOT EXISTS (
            SELECT FROM models
            WHERE provider = 'oclgrind' AND NOT superseded AND trusted_samples.id = ANY (sample_ids)
        )";
    sqlx::query_scalar(missing).fetch_one(pool).await.unwrap()
}

#[sqlx::test(migrations = "../migrations")]
async fn what_arrives_while_a_fit_is_computed_is_fitted_next_and_vacuum_goes_on(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    // A fit that has been computed can't be stored.
    let mut readers = pool.begin().await.unwrap();
    sqlx::query("LOCK TABLE models IN SHARE MODE")
        .execute(&mut *readers)
        .await
        .unwrap();
    server.upload(&samples()).await;
    let waits = "SELECT backend_xid IS NULL FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let has_no_number: bool = loop {
        // Outside the readers' transaction: inside, the list of connections stays as it was at the first look.
        let waiting = sqlx::query_scalar(waits).fetch_optional(&pool);
        if let Some(waiting) = waiting.await.unwrap() {
            break waiting;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    };
    assert!(has_no_number, "vacuum waits for transactions that have one");
    let before: i64 = rows(&pool).await;
    server.upload(&[sample(0, 99)]).await;
    assert_eq!(rows(&pool).await, before, "it joins what is being fitted");
    readers.rollback().await.unwrap();
    server.fitted().await;
    let trusted = sqlx::query_scalar("SELECT count(*) FROM trusted_samples").fetch_one(&pool);
    let trusted: i64 = trusted.await.unwrap();
    assert_eq!(usize::try_from(trusted).unwrap(), samples().len() + 1);
    assert_eq!(missing(&pool).await, 0);
}

/// Asks for the fit again. Returns whether it read samples, which it can't.
async fn reads(server: &Server, pool: &PgPool) -> bool {
    let ask = "INSERT INTO fitting_jobs (device_id, provider) SELECT id, 'oclgrind' FROM devices";
    sqlx::query(ask).execute(pool).await.unwrap();
    loop {
        let (_, jobs) = server.get("/v1/jobs").await;
        let items = jobs["items"].as_array().unwrap();
        if items.is_empty() {
            return false;
        }
        if items.iter().all(|job| job["attempts"] == 1) {
            let none = sqlx::query("DELETE FROM fitting_jobs").execute(pool).await;
            return none.unwrap().rows_affected() > 0;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn a_fit_that_would_change_nothing_is_not_made(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    server.fit(&samples()).await;
    let rename = "ALTER TABLE readings RENAME \"values\" TO elsewhere";
    run(&pool, rename).await;
    assert!(!reads(&server, &pool).await, "nothing is new");

    // Whatever a fit depends on makes another one.
    let newest = "SELECT newest_id FROM series ORDER BY workload_id LIMIT 1";
    let changes = [
        ("a family", "UPDATE kernels SET family = 'other' WHERE name = 'kernel_0'", "UPDATE kernels SET family = 'dense' WHERE name = 'kernel_0'"),
        (
            "a sample that an admin rejected",
            &format!("INSERT INTO standings (sample_id, device_id, agent_id, decision, decision_reason, decided_by)
                SELECT id, device_id, agent_id, 'rejected', 'a test', 'a test' FROM samples WHERE id = ({newest})"),
            "DELETE FROM standings",
        ),
        ("another champion", "UPDATE models SET rank = 3 - rank WHERE rank < 3 AND provider = 'oclgrind'", "UPDATE models SET rank = 3 - rank WHERE rank < 3 AND provider = 'oclgrind'"),
        ("older code", "UPDATE fitted_inputs SET input = sha256(input)", ""),
        (
            "a model that waits",
            "UPDATE models SET held = 'a test', held_because = '[]', rank = NULL WHERE provider = 'oclgrind' AND method = 'ols'",
            "",
        ),
    ];
    let ranks = "SELECT id::text || rank FROM models WHERE rank IS NOT NULL ORDER BY 1";
    for (what, change, back) in changes {
        let before: Vec<String> = scalars(&pool, ranks).await;
        sqlx::raw_sql(sqlx::AssertSqlSafe(change))
            .execute(&pool)
            .await
            .unwrap();
        assert!(reads(&server, &pool).await, "{what}");
        if back.is_empty() {
            continue;
        }
        run(&pool, back).await;
        assert!(!reads(&server, &pool).await, "{what}, taken back");
        let after: Vec<String> = scalars(&pool, ranks).await;
        assert_eq!(before, after, "{what}");
    }

    let back = "ALTER TABLE readings RENAME elsewhere TO \"values\"";
    run(&pool, back).await;
    // One that is older than the newest of its workload, but has other counters.
    let mut late = samples().remove(0);
    late["id"] = json!(uuid::Uuid::now_v7());
    late["measured_at"] = json!("2026-10-01T12:00:00Z");
    late["readings"]["oclgrind"]["counters"]["call_fma"] = json!(3);
    let inputs = "SELECT input FROM fitted_inputs ORDER BY device_id, provider";
    let inputs =
        async || -> Vec<Vec<u8>> { sqlx::query_scalar(inputs).fetch_all(&pool).await.unwrap() };
    let before = inputs().await;
    server.fit(&[late]).await;
    assert_ne!(before, inputs().await);
}
