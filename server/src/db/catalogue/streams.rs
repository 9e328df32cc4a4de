//! What streams through devices can do.

use chrono::{DateTime, Utc};
use kerncast_offload::{MeasuredStreams, StreamRates};
use sqlx::{PgPool, types::Json};

use crate::db::{Result, plain};

/// The newest rates of each device, by its name.
pub(crate) async fn list(pool: &PgPool) -> Result<Vec<MeasuredStreams>> {
    Ok(plain(
        sqlx::query_scalar!(
            r#"
        SELECT
            json_build_object(
                'device', device_id, 'measured_at', measured_at, 'threads', rates -> 'threads',
                'is_host', rates -> 'is_host', 'global_memory_bytes', global_memory_bytes
            ) AS "streams!: Json<MeasuredStreams>"
        FROM (
            SELECT DISTINCT ON (device_id) device_id, measured_at, rates
            FROM stream_rates
            ORDER BY device_id, measured_at DESC, id DESC
        ) AS newest
        JOIN devices ON devices.id = device_id
        ORDER BY devices.name, vendor
        "#
        )
        .fetch_all(pool)
        .await?,
    ))
}

/// What answers for a device.
pub(crate) struct Newest {
    pub(crate) measured_at: DateTime<Utc>,
    pub(crate) rates: Json<StreamRates>,
    pub(crate) global_memory_bytes: Option<i64>,
}

/// The newest rates of a device; none where nobody measured any.
pub(crate) async fn newest(pool: &PgPool, device: i64) -> Result<Option<Newest>> {
    let newest = sqlx::query_as!(
        Newest,
        r#"
        SELECT measured_at AS "measured_at!", rates AS "rates!: Json<StreamRates>", global_memory_bytes
        FROM stream_rates
        JOIN devices ON devices.id = device_id
        WHERE device_id = $1::bigint
        ORDER BY measured_at DESC, stream_rates.id DESC
        LIMIT 1
        "#,
        device
    );
    Ok(newest.fetch_optional(pool).await?)
}
