//! What streams through devices can do.

use chrono::{DateTime, Utc};
use kerncast_offload::{MeasuredStreams, NewStreamRates, Rates};
use kerncast_wire::{AuditAction, Origin};
use serde_json::json;
use sqlx::{PgPool, types::Json};

use super::{
    audit,
    ceilings::Outcome,
    described::{described, note_changes},
    upload::Uploader,
    words::{plain, to_word},
};
use crate::content::ContentHash;

/// Stores checked rates, in one transaction.
pub(crate) async fn store(
    pool: &PgPool,
    new: &NewStreamRates,
    content_hash: ContentHash,
    uploader: &Uploader,
) -> sqlx::Result<Outcome> {
    let NewStreamRates {
        id,
        measured_at,
        agent,
        device,
        rates,
        origin,
    } = new;
    let mut transaction = pool.begin().await?;
    let names = json!({ "devices": [device], "agents": [agent] });
    let describes = uploader.describes();
    let named = [device.name.clone()];
    let before = described(&mut transaction, &named, &[]).await?;
    sqlx::query!("SELECT store_devices_and_agents($1, $2)", names, describes)
        .execute(&mut *transaction)
        .await?;
    let stored = sqlx::query!(
        "
        INSERT INTO stream_rates (id, content_hash, device_id, agent_id, measured_at, rates, origin, token_id)
        SELECT $1, $2, devices.id, agents.id, $3, $4, $5, $10
        FROM devices, agents
        WHERE vendor = $6 AND devices.name = $7 AND agents.name = $8 AND version = $9
        ON CONFLICT (id) DO NOTHING
        ",
        id,
        content_hash.as_slice(),
        measured_at,
        Json(rates) as _,
        to_word(origin)?,
        device.vendor,
        device.name,
        agent.name,
        agent.version,
        uploader.actor.token,
    )
    .execute(&mut *transaction)
    .await?;
    if stored.rows_affected() == 1 {
        sqlx::query!(
            "UPDATE agents SET last_seen_at = now() WHERE name = $1 AND version = $2",
            agent.name,
            agent.version
        )
        .execute(&mut *transaction)
        .await?;
        if describes {
            let after = described(&mut transaction, &named, &[]).await?;
            note_changes(&mut transaction, &uploader.actor, &before, &after).await?;
        }
        if *origin == Origin::Shipped {
            let about = json!({ "devices": named, "streams": id });
            let action = AuditAction::BringShipped;
            audit::note(
                &mut *transaction,
                &uploader.actor,
                action,
                &about,
                None,
                None,
            )
            .await?;
        }
        transaction.commit().await?;
        return Ok(Outcome::Stored);
    }
    // What is refused leaves no name behind either.
    transaction.rollback().await?;
    let known = sqlx::query_scalar!("SELECT content_hash FROM stream_rates WHERE id = $1", id)
        .fetch_one(pool)
        .await?;
    Ok(if known == content_hash {
        Outcome::Repeated
    } else {
        Outcome::Taken
    })
}

/// The newest rates of each device, by its name.
pub(crate) async fn list(pool: &PgPool) -> sqlx::Result<Vec<MeasuredStreams>> {
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
    .await
    .map(plain)
}

/// What answers for a device.
pub(crate) struct Newest {
    pub(crate) measured_at: DateTime<Utc>,
    pub(crate) rates: Rates,
    pub(crate) global_memory_bytes: Option<i64>,
}

/// The newest rates of a device; none where nobody measured any.
pub(crate) async fn newest(pool: &PgPool, device: i64) -> sqlx::Result<Option<Newest>> {
    let row = sqlx::query!(
        r#"
        SELECT measured_at, rates AS "rates: Json<Rates>", global_memory_bytes
        FROM stream_rates
        JOIN devices ON devices.id = device_id
        WHERE device_id = $1::bigint
        ORDER BY measured_at DESC, stream_rates.id DESC
        LIMIT 1
        "#,
        device
    );
    let row = row.fetch_optional(pool).await?;
    Ok(row.map(|it| Newest {
        measured_at: it.measured_at,
        rates: it.rates.0,
        global_memory_bytes: it.global_memory_bytes,
    }))
}
