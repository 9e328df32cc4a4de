//! What devices can do at most.

use kerncast_wire::NewCeilings;
use sqlx::{PgPool, types::Json};
use uuid::Uuid;

use super::{
    alone::{Alone, Outcome},
    jobs,
    upload::Uploader,
    words::{plain, to_word},
};
use crate::content::ContentHash;

/// Stores checked ceilings, in one transaction.
pub(crate) async fn store(
    pool: &PgPool,
    new: &NewCeilings,
    content_hash: ContentHash,
    uploader: &Uploader,
) -> sqlx::Result<Outcome> {
    let NewCeilings {
        id,
        measured_at,
        agent,
        device,
        ceilings,
        conditions,
        provenance,
        origin,
    } = new;
    let mut alone = Alone::begin(pool, device, agent, uploader).await?;
    let stored = sqlx::query!(
        "
        INSERT INTO ceilings (
            id, content_hash, device_id, agent_id, measured_at, copy_bytes_per_s,
            host_to_device_bytes_per_s, device_to_host_bytes_per_s, fp32_flop_per_s, fp64_flop_per_s,
            int32_op_per_s, local_bytes_per_s, launch_latency_s, conditions, provenance, origin, token_id
        )
        SELECT
            $1, $2, devices.id, agents.id, $3, $4::float8, $5::float8, $6::float8, $7::float8,
            $8::float8, $9::float8, $10::float8, $11::float8, $12, $13, $14, $19
        FROM devices, agents
        WHERE vendor = $15 AND devices.name = $16 AND agents.name = $17 AND version = $18
        ON CONFLICT (id) DO NOTHING
        ",
        id,
        content_hash.as_slice(),
        measured_at,
        ceilings.copy_bytes_per_s,
        ceilings.host_to_device_bytes_per_s,
        ceilings.device_to_host_bytes_per_s,
        ceilings.fp32_flop_per_s,
        ceilings.fp64_flop_per_s,
        ceilings.int32_op_per_s,
        ceilings.local_bytes_per_s,
        ceilings.launch_latency_s,
        conditions.as_ref().map(Json) as _,
        Json(provenance) as _,
        to_word(origin)?,
        device.vendor,
        device.name,
        agent.name,
        agent.version,
        uploader.actor.token,
    )
    .execute(&mut *alone.transaction)
    .await?;
    if stored.rows_affected() == 1 {
        let device = sqlx::query_scalar!("SELECT device_id FROM ceilings WHERE id = $1", id)
            .fetch_one(&mut *alone.transaction)
            .await?;
        jobs::ask_across(&mut alone.transaction, device, None).await?;
        alone.stored(*origin, ("ceilings", *id)).await?;
        return Ok(Outcome::Stored);
    }
    alone.refused().await?;
    let known = sqlx::query_scalar!("SELECT content_hash FROM ceilings WHERE id = $1", id)
        .fetch_one(pool)
        .await?;
    Ok(Outcome::of_known(&known, content_hash))
}

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
                'device', device_json(devices), 'ceilings', ceilings_json(ceilings),
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
