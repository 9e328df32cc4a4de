//! What looking after the database asks of it: whose it is, what is in it, how large it is.

use sqlx::{Connection, PgConnection, PgPool, postgres::PgConnectOptions};

use super::Result;

/// A connection to a database as it is: its tables are not brought up to date.
pub(crate) async fn connect(options: &PgConnectOptions) -> Result<PgConnection> {
    Ok(PgConnection::connect_with(options).await?)
}

/// Whether it has tables of Kerncast's.
pub(crate) async fn is_ours(connection: &mut PgConnection) -> Result<bool> {
    Ok(sqlx::query_scalar!(
        r#"SELECT to_regclass('samples') IS NOT NULL AND to_regclass('_sqlx_migrations') IS NOT NULL AS "ours!""#
    )
    .fetch_one(connection)
    .await?)
}

/// Whether it has no tables, whosever.
pub(crate) async fn is_empty(connection: &mut PgConnection) -> Result<bool> {
    Ok(sqlx::query_scalar!(
        r#"
        SELECT NOT EXISTS (
            SELECT FROM pg_class
            WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
        ) AS "empty!"
        "#
    )
    .fetch_one(connection)
    .await?)
}

/// Looks at all tables, so that queries are planned by what is in them.
pub(crate) async fn analyse(connection: &mut PgConnection) -> Result<()> {
    sqlx::query!("ANALYZE").execute(connection).await?;
    Ok(())
}

/// Bytes that the database takes on its disk.
pub(crate) async fn database_bytes(pool: &PgPool) -> Result<i64> {
    let bytes = sqlx::query_scalar!(r#"SELECT pg_database_size(current_database()) AS "bytes!""#);
    Ok(bytes.fetch_one(pool).await?)
}
