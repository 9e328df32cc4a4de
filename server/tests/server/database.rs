//! The database itself keeps out what must never be stored, and one of another server's is refused.

use kerncast_server::db::{ConnectError, connect};
use sqlx::{PgPool, postgres::PgConnectOptions};

#[sqlx::test(migrations = "../migrations")]
async fn no_float_column_takes_nan_or_infinity(pool: PgPool) {
    let columns: Vec<(String, String)> = sqlx::query_as(
        "SELECT table_name::text, column_name::text
        FROM information_schema.columns
        JOIN information_schema.tables USING (table_schema, table_name)
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
            AND data_type = 'double precision' AND domain_name IS NULL",
    )
    .fetch_all(&pool)
    .await
    .unwrap();
    assert_eq!(
        columns,
        [],
        "plain floats; the domain `finite` keeps NaN and infinity out"
    );

    let mut broken = Vec::new();
    for value in ["NaN", "Infinity", "-Infinity"] {
        broken.push(format!("SELECT '{value}'::finite"));
        for array in [format!("{{{value}}}"), format!("{{1,{value}}}")] {
            broken.push(format!(
                "INSERT INTO readings (sample_id, provider, list_id, values, scope)
                VALUES (gen_random_uuid(), 'p', 1, '{array}', 'full')"
            ));
            let others =
                |value| format!("array_fill({value}, ARRAY[cardinality('{array}'::float8[])])");
            let (broken_list, sound) = (format!("'{array}'"), others("1::float8"));
            for [predicted, doubts] in [[&broken_list, &sound], [&sound, &broken_list]] {
                broken.push(format!(
                    "INSERT INTO hold_outs (model_id, key, predicted, refusals, doubts)
                    VALUES (gen_random_uuid(), 'row', {predicted}, {}, {doubts})",
                    others("NULL::text")
                ));
            }
        }
    }
    for statement in broken {
        let error = sqlx::query(sqlx::AssertSqlSafe(statement.clone()))
            .execute(&pool)
            .await
            .unwrap_err();
        let error = error.into_database_error().unwrap();
        assert!(error.is_check_violation(), "{statement}: {error}");
    }
}

#[sqlx::test(migrations = "../migrations")]
async fn a_database_of_a_newer_server_is_refused(pool: PgPool) {
    sqlx::query(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
        VALUES (9999, 'from the future', true, '', 0)",
    )
    .execute(&pool)
    .await
    .unwrap();
    let options: PgConnectOptions = (*pool.connect_options()).clone();
    let error = connect(options).await.unwrap_err();
    assert!(
        matches!(error, ConnectError::Newer { found: 9999, .. }),
        "{error}"
    );
    assert!(
        error.to_string().contains("it has migration 9999"),
        "{error}"
    );
}

/// What a server of version 0.2 had noted of its first and last migrations.
const FORMER: &str = "
    CREATE TABLE _sqlx_migrations (
        version bigint PRIMARY KEY,
        description text NOT NULL,
        installed_on timestamptz NOT NULL DEFAULT now(),
        success boolean NOT NULL,
        checksum bytea NOT NULL,
        execution_time bigint NOT NULL
    );
    INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
    VALUES (1, 'words', true, '\\x01', 1), (80, 'in common', true, '\\x02', 1);
    CREATE TABLE samples (id uuid PRIMARY KEY);
";

#[sqlx::test(migrations = false)]
async fn a_database_of_version_0_2_is_refused_and_says_how_its_samples_are_taken_over(
    pool: PgPool,
) {
    sqlx::raw_sql(FORMER).execute(&pool).await.unwrap();
    let options: PgConnectOptions = (*pool.connect_options()).clone();
    let error = connect(options).await.unwrap_err();
    assert!(matches!(error, ConnectError::Former), "{error}");
    let message = error.to_string();
    for word in ["version 0.2", "GET /v1/samples", "kerncast import"] {
        assert!(message.contains(word), "{message}");
    }
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
    let tables: i64 = sqlx::query_scalar(tables).fetch_one(&pool).await.unwrap();
    assert_eq!(tables, 2, "it is left as it was");
}
