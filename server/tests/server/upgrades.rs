//! Databases of every earlier schema start with today's server, and go on.

use std::{fs, path::Path};

use crate::common::{Server, samples};
use axum::http::StatusCode;
use kerncast_server::db;
use serde_json::json;
use sqlx::{AssertSqlSafe, Connection, PgConnection, PgPool};

/// Samples that the fixture has.
const STORED: usize = 48;

#[sqlx::test(migrations = false)]
async fn every_earlier_schema_is_brought_up_to_date_and_keeps_its_samples(pool: PgPool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/upgrades");
    let files = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    let mut dumps: Vec<_> = files
        .filter(|path| {
            path.file_stem()
                .unwrap()
                .to_string_lossy()
                .parse::<u32>()
                .is_ok()
        })
        .collect();
    dumps.sort();
    let released = include_str!("../released.txt").lines().count();
    assert_eq!(
        dumps.len(),
        released - 1,
        "the first has no samples; make.sh makes what lacks"
    );
    for dump in dumps {
        let name = format!("upgraded_{}", dump.file_stem().unwrap().to_string_lossy());
        for statement in [
            format!("DROP DATABASE IF EXISTS {name}"),
            format!("CREATE DATABASE {name}"),
        ] {
            sqlx::query(AssertSqlSafe(statement))
                .execute(&pool)
                .await
                .unwrap();
        }
        let options = (*pool.connect_options()).clone().database(&name);
        let mut connection = PgConnection::connect_with(&options).await.unwrap();
        let text = fs::read_to_string(&dump).unwrap();
        sqlx::raw_sql(AssertSqlSafe(text))
            .execute(&mut connection)
            .await
            .unwrap();
        connection.close().await.unwrap();

        let upgraded = db::connect(options).await.unwrap();
        let server = Server::new(upgraded.clone()).await;
        let stored = server.items("/v1/samples?limit=1000").await;
        assert_eq!(stored.len(), STORED, "{name}");
        let (status, overview) = server.get("/v1/overview").await;
        assert_eq!(
            (status, &overview["samples"]),
            (StatusCode::OK, &STORED.into()),
            "{name}"
        );
        // 0016 renames what was stored before it.
        let kernel = if name.as_str() < "upgraded_0016" {
            "matmul_float"
        } else {
            "matrix_mul"
        };
        let (status, _) = server.get(&format!("/v1/kernels/{kernel}")).await;
        assert_eq!(status, StatusCode::OK, "{name}");
        server.upload(&samples()).await;
        let (_, overview) = server.get("/v1/overview").await;
        assert_eq!(overview["samples"], STORED + samples().len(), "{name}");
        drop(server);
        upgraded.close().await;
        sqlx::query(AssertSqlSafe(format!("DROP DATABASE {name} WITH (FORCE)")))
            .execute(&pool)
            .await
            .unwrap();
    }
}

/// As 0079 stored them: each with its counters and its provenance.
const BEFORE_THEY_WERE_SHARED: [&str; 2] = [
    "UPDATE readings
    SET counter_ids = (SELECT counter_lists.counter_ids FROM counter_lists WHERE id = list_id), list_id = NULL
    WHERE list_id IS NOT NULL",
    "UPDATE samples
    SET provenance = (SELECT provenances.provenance FROM provenances WHERE id = provenance_id), provenance_id = NULL",
];

#[sqlx::test(migrations = "../migrations")]
async fn rows_with_their_own_counters_and_provenance_are_read_as_those_that_share_them(
    pool: PgPool,
) {
    let server = Server::new(pool.clone()).await;
    let mut sent = samples();
    for (n, it) in sent.iter_mut().enumerate() {
        it["provenance"] =
            json!({ "source_hash": format!("source {}", n % 3), "driver_version": "1.2" });
    }
    server.upload(&sent).await;
    server.fitted().await;
    let shared: i64 = sqlx::query_scalar("SELECT count(*) FROM provenances")
        .fetch_one(&pool)
        .await
        .unwrap();
    assert_eq!(shared, 3);
    let kernel = sent[0]["workload"]["kernel"].as_str().unwrap();
    let paths = [
        "/v1/samples?limit=1000".to_owned(),
        "/v1/samples?format=csv".to_owned(),
        format!("/v1/kernels/{kernel}"),
        format!("/v1/kernels/{kernel}/times"),
        format!("/v1/kernels/{kernel}/history"),
        "/v1/counters".to_owned(),
        "/v1/models?limit=1000".to_owned(),
    ];
    let answers = async || {
        let mut all = Vec::new();
        for path in &paths {
            let (status, answer) = server.get(path).await;
            assert_eq!(status, StatusCode::OK, "{path}: {answer}");
            all.push(answer);
        }
        all
    };
    let before = answers().await;
    for statement in BEFORE_THEY_WERE_SHARED {
        let done = sqlx::query(statement).execute(&pool).await.unwrap();
        assert!(done.rows_affected() >= sent.len() as u64, "{statement}");
    }
    assert_eq!(before, answers().await);
    // The same models come of them, and what is stored now beside them counts with them.
    sqlx::raw_sql("DELETE FROM fitted_inputs; INSERT INTO fitting_jobs (device_id, provider) SELECT id, 'oclgrind' FROM devices")
        .execute(&pool)
        .await
        .unwrap();
    server.fitted().await;
    assert_eq!(before, answers().await);
    let mut again = sent[0].clone();
    again["id"] = json!(uuid::Uuid::now_v7());
    server.upload(&[again]).await;
    server.fitted().await;
    let stored = server.items("/v1/samples?limit=1000").await;
    assert_eq!(stored.len(), sent.len() + 1);
    assert!(
        stored.iter().all(|it| it["standing"] == "sound"),
        "{stored:?}"
    );
}
