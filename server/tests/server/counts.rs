//! Counts are kept as samples come, and are what counting anew finds.

use crate::common::{Server, run, sample, scalar};
use serde_json::{Value, json};
use sqlx::PgPool;

/// All that is kept, in order.
async fn kept(pool: &PgPool) -> Vec<String> {
    let mut rows = Vec::new();
    for table in [
        "agent_counts",
        "sample_counts",
        "series",
        "counted_series",
        "reading_counts",
    ] {
        let query = format!("SELECT '{table} ' || row::text FROM {table} AS row ORDER BY 1");
        let columns: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(query))
            .fetch_all(pool)
            .await
            .unwrap();
        assert!(!columns.is_empty(), "{table}");
        rows.extend(columns);
    }
    rows
}

async fn recount(pool: &PgPool) {
    sqlx::query("SELECT recount()").execute(pool).await.unwrap();
}

/// The same numbers every time (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % end
    }

    fn small(&mut self, end: u32) -> u32 {
        u32::try_from(self.below(end.into())).unwrap()
    }
}

/// A sample of one of few workloads, devices, agents, origins, sources; measured at some time, counted by some.
fn any(random: &mut Random) -> Value {
    let mut any = sample(random.small(3), random.small(3));
    any["device"]["name"] = json!(format!("device {}", random.below(2)));
    any["agent"]["version"] = json!(format!("0.{}", random.below(2)));
    any["origin"] =
        json!(["measured", "imported", "shipped"][usize::try_from(random.below(3)).unwrap()]);
    any["measured_at"] = json!(format!("2026-11-{:02}T12:00:00Z", 1 + random.below(5)));
    any["times"]["repetitions_s"] = json!([0.001 * (1 + random.below(9)) as f64]);
    match random.below(4) {
        0 => {}
        source => any["provenance"]["source_hash"] = json!(format!("source {source}")),
    }
    match random.below(4) {
        0 => any["readings"] = json!({}),
        1 => any["readings"]["oclgrind"] = json!({ "refusal": "no" }),
        2 => any["readings"]["oclgrind"]["counters"]["br"] = json!(1),
        _ => {}
    }
    any
}

#[sqlx::test(migrations = "../migrations")]
async fn what_is_kept_is_what_is_counted(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    let mut random = Random(7);
    let mut sent: Vec<Value> = Vec::new();
    for _ in 0..12 {
        let mut batch: Vec<Value> = (0..random.below(40)).map(|_| any(&mut random)).collect();
        // Some again, and one that is refused: neither counts twice.
        batch.extend(sent.iter().rev().take(3).cloned());
        if let Some(first) = sent.first() {
            let mut other = first.clone();
            other["times"]["repetitions_s"] = json!([77.0]);
            batch.push(other);
        }
        if !batch.is_empty() {
            server.upload(&batch).await;
        }
        sent.extend(batch);
    }
    // What the gate sets aside changes which is the newest.
    server.fitted().await;
    let before = kept(&pool).await;
    recount(&pool).await;
    assert_eq!(before, kept(&pool).await);

    let samples: i64 = scalar(&pool, "SELECT sum(samples)::bigint FROM series").await;
    let stored: i64 = scalar(&pool, "SELECT count(*) FROM samples").await;
    assert_eq!(samples, stored);
}

/// Where to look for the newest of each list of counters among all samples, and what is kept of it.
const LISTS: [(&str, &str); 2] = [
    (
        "samples_in_use",
        "SELECT device_id, provider, workload_id, list_id, newest_id AS id FROM counted_series WHERE newest_id IS NOT NULL",
    ),
    (
        "trusted_samples",
        "SELECT device_id, provider, workload_id, list_id, newest.id
        FROM counted_series AS kept CROSS JOIN LATERAL newest_trusted(kept, '{}') AS newest",
    ),
];

/// Of how many lists of series something is newest, of what is in use and of what is trusted.
async fn newest_of_lists(pool: &PgPool) -> [i64; 2] {
    let mut counts = [0; 2];
    for (count, (samples, kept)) in counts.iter_mut().zip(LISTS) {
        let query = format!(
            "WITH all_of_them AS (
                SELECT DISTINCT ON (device_id, provider, workload_id, list_id) device_id, provider, workload_id, list_id, id
                FROM {samples} JOIN readings ON sample_id = id AND refusal IS NULL
                ORDER BY device_id, provider, workload_id, list_id, measured_at DESC, id DESC
            ), kept AS ({kept})
            SELECT (SELECT count(*) FROM kept) AS rows, (SELECT count(*) FROM
                ((TABLE all_of_them EXCEPT TABLE kept) UNION ALL (TABLE kept EXCEPT TABLE all_of_them)) AS other) AS other"
        );
        let counts = sqlx::query_as(sqlx::AssertSqlSafe(query));
        let (rows, other): (i64, i64) = counts.fetch_one(pool).await.unwrap();
        assert_eq!(other, 0, "{samples}");
        *count = rows;
    }
    counts
}

#[sqlx::test(migrations = "../migrations")]
async fn the_newest_of_each_list_of_counters_is_known_whatever_is_set_aside(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    let mut random = Random(11);
    let sent: Vec<Value> = (0..300).map(|_| any(&mut random)).collect();
    server.fit(&sent).await;
    let [all, trusted] = newest_of_lists(&pool).await;
    assert!(all >= trusted && trusted > 20, "{all} {trusted}");
    let measured = |from, before| {
        let at = |it: &Value| it["measured_at"].as_str().unwrap().to_owned();
        let chosen = sent.iter().filter(|it| (from..before).contains(&&*at(it)));
        json!({ "ids": chosen.map(|it| &it["id"]).collect::<Vec<_>>() })
    };
    for decision in ["reject", "accept", "restore"] {
        for selection in [
            measured("2026-11-04", "2027"),
            measured("2026-11-02", "2026-11-03"),
        ] {
            let new = json!({ "decision": decision, "samples": selection, "reason": "a test" });
            let (status, answer) = server.post("/v1/decisions", new.to_string()).await;
            assert_eq!(status, 200, "{answer}");
            let [in_use, _] = newest_of_lists(&pool).await;
            match decision {
                "reject" => assert!(in_use < all, "{in_use} of {all}"),
                _ => assert!(in_use <= all, "{in_use} of {all}"),
            }
        }
        server.upload(&[any(&mut random)]).await;
        newest_of_lists(&pool).await;
    }
    server.fitted().await;
    newest_of_lists(&pool).await;
    let before = kept(&pool).await;
    recount(&pool).await;
    assert_eq!(before, kept(&pool).await);
}

#[sqlx::test(migrations = "../migrations")]
async fn uploads_at_once_wait_for_each_other_and_count_all(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    let batches: Vec<Vec<Value>> = (0..8)
        .map(|seed| {
            let mut random = Random(seed);
            (0..60).map(|_| any(&mut random)).collect()
        })
        .collect();
    let verdicts =
        futures_util::future::join_all(batches.iter().map(|batch| server.upload(batch))).await;
    assert!(verdicts.iter().all(|it| it["stored"] == 60), "{verdicts:?}");
    // What the gate sets aside changes which is the newest.
    server.fitted().await;
    let before = kept(&pool).await;
    recount(&pool).await;
    assert_eq!(before, kept(&pool).await);
}

#[sqlx::test(migrations = "../migrations")]
async fn what_is_deleted_or_changed_by_hand_is_counted_anew(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    let mut random = Random(3);
    let batch: Vec<Value> = (0..60).map(|_| any(&mut random)).collect();
    server.fit(&batch).await;
    let all = kept(&pool).await;
    run(&pool, "DELETE FROM samples WHERE origin = 'shipped'").await;
    let measured = kept(&pool).await;
    assert_ne!(all, measured);
    assert!(
        measured.iter().all(|row| !row.contains("shipped")),
        "{measured:?}"
    );
    recount(&pool).await;
    assert_eq!(measured, kept(&pool).await);
}

/// References of samples are kept by what is counted of them.
#[sqlx::test(migrations = "../migrations")]
async fn a_sample_of_a_device_that_is_not_there_is_refused(pool: PgPool) {
    let server = Server::new(pool.clone()).await;
    server.upload(&[sample(0, 0)]).await;
    // A fit at the same time locks the same rows.
    server.fitted().await;
    for column in ["device_id", "workload_id", "agent_id"] {
        let query = format!("UPDATE samples SET {column} = 999");
        let error = sqlx::query(sqlx::AssertSqlSafe(query))
            .execute(&pool)
            .await
            .unwrap_err();
        let error = error.into_database_error().unwrap();
        // A workload that is not there has no kernel to be counted by.
        assert!(
            error.is_foreign_key_violation() || error.code().as_deref() == Some("23502"),
            "{column}: {error}"
        );
    }
    let error = sqlx::query("DELETE FROM devices")
        .execute(&pool)
        .await
        .unwrap_err();
    let error = error.into_database_error().unwrap();
    assert!(error.is_foreign_key_violation(), "{error}");
}
