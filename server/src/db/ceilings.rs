//! What devices can do at most.

use kerncast_wire::NewCeilings;
use sqlx::{PgPool, types::Json};
use uuid::Uuid;

use super::words::plain;

/// At most `rows` ceilings of a device, newest first, from below those of the id `before`. None where
/// there is no such device.
pub(crate) async fn list(
    pool: &PgPool,
    device: i64,
    before: Option<Uuid>,
    rows: i64,
) -> sqlx::Result<Option<Vec<NewCeilings>>> {
    let exists = sqlx::query!("SELECT id FROM devices WHERE id = $1::bigint", device);
    if exists.fetch_optional(pool).await?.is_none() {
        return Ok(None);
    }
    sqlx::query_scalar!(
        r#"
        SELECT
            json_build_object(
                'id', ceilings.id, 'measured_at', measured_at,
                'agent', json_build_object('name', agents.name, 'version', agents.version),
                'device', device_json(devices), 'ceilings', ceilings,
                'conditions', conditions, 'provenance', provenance, 'origin', origin
            ) AS "ceilings!: Json<NewCeilings>"
        FROM ceilings
        JOIN agents ON agents.id = agent_id
        JOIN devices ON devices.id = device_id
        WHERE device_id = $1::bigint
            AND (
                $2::uuid IS NULL
                OR (measured_at, ceilings.id) < (SELECT measured_at, id FROM ceilings WHERE id = $2)
            )
        ORDER BY measured_at DESC, ceilings.id DESC
        LIMIT $3
        "#,
        device,
        before,
        rows,
    )
    .fetch_all(pool)
    .await
    .map(|rows| Some(plain(rows)))
}
