//! What builds check queries by (server/.sqlx) is what Postgres says of them today.

use serde_json::Value;
use sqlx::{AssertSqlSafe, Executor, PgPool, SqlSafeStr};

#[sqlx::test(migrations = "../migrations")]
async fn stored_descriptions_of_queries_are_current(pool: PgPool) {
    let mut connection = pool.acquire().await.unwrap();
    for file in std::fs::read_dir(".sqlx").unwrap() {
        let path = file.unwrap().path();
        let stored: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let query = stored["query"].as_str().unwrap().to_owned();
        let described = connection
            .describe(AssertSqlSafe(query).into_sql_str())
            .await;
        let current = described.map(|it| serde_json::to_value(it).unwrap());
        let current = current.unwrap_or_else(|error| panic!("{path:?} is old: {error}"));
        // Not which are null: sqlx guesses that from the plan, which depends on what the tables hold.
        for part in ["columns", "parameters"] {
            assert_eq!(
                current[part], stored["describe"][part],
                "{path:?} is old: run scripts/queries"
            );
        }
    }
}
