//! What builds check queries by (server/.sqlx) is what Postgres says of them today.

use serde_json::Value;
use sqlx::{Executor, PgPool};

#[sqlx::test(migrations = "../migrations")]
async fn stored_descriptions_of_queries_are_current(pool: PgPool) {
    let mut connection = pool.acquire().await.unwrap();
    for file in std::fs::read_dir(".sqlx").unwrap() {
        let path = file.unwrap().path();
        let stored: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let query = sqlx::AssertSqlSafe(stored["query"].as_str().unwrap().to_owned());
        let described = connection
            .describe(sqlx::SqlSafeStr::into_sql_str(query))
            .await;
        let current = described.map(|it| serde_json::to_value(it).unwrap());
        assert!(
            current.as_ref().is_ok_and(|it| *it == stored["describe"]),
            "{path:?} is old (run scripts/queries): {current:?}"
        );
    }
}
