//! Databases of every earlier schema start with today's server, and go on.

use std::{fs, path::Path};

use crate::common::{Server, samples};
use axum::http::StatusCode;
use kerncast_server::db;
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
