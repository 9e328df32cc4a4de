//! What is uploaded one by one: a device's ceilings, rates of its streams. Each is one row, with its device and its agent, in
//! one transaction.

use kerncast_wire::{Agent, Device, Origin};
use serde::Serialize;
use serde_json::{Value, json};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::{
    content_hash::{ContentHash, content_hash},
    store_samples::Uploader,
};
use crate::db::{Result, to_word};

/// What is uploaded.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Ceilings,
    StreamRates,
}

impl Kind {
    /// The database's word for it, and the upload's field that says what was measured.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Ceilings => ("ceilings", "ceilings"),
            Self::StreamRates => ("stream_rates", "rates"),
        }
    }
}

/// An upload of one measurement.
pub(crate) struct Measurement<'a> {
    pub(crate) kind: Kind,
    pub(crate) id: Uuid,
    pub(crate) agent: &'a Agent,
    pub(crate) device: &'a Device,
    pub(crate) origin: Origin,
    /// All of it, in the API's words.
    pub(crate) whole: Value,
    pub(crate) hash: ContentHash,
}

impl<'a> Measurement<'a> {
    pub(crate) fn new(
        kind: Kind,
        id: Uuid,
        (agent, device): (&'a Agent, &'a Device),
        origin: Origin,
        new: &impl Serialize,
    ) -> Self {
        Self {
            kind,
            id,
            agent,
            device,
            origin,
            whole: json!(new),
            hash: content_hash(new),
        }
    }
}

/// What became of it.
pub(crate) enum Outcome {
    /// New, and durably stored.
    Stored,
    /// Already there.
    Repeated,
    /// Another has its id.
    IdInUse,
}

/// Stores what was checked, in one transaction.
pub(crate) async fn store(
    pool: &PgPool,
    new: &Measurement<'_>,
    uploader: &Uploader,
) -> Result<Outcome> {
    let (kind, field) = new.kind.words();
    let mut transaction = pool.begin().await?;
    let names = json!({ "devices": [new.device], "agents": [new.agent] });
    sqlx::query!(
        "SELECT store_devices_and_agents($1, $2)",
        names,
        uploader.describes()
    )
    .execute(&mut *transaction)
    .await?;
    if !insert(&mut transaction, new, (kind, field), uploader).await? {
        // What is refused leaves no name behind either.
        transaction.rollback().await?;
        let stored_hash = sqlx::query_scalar!(
            "SELECT content_hash FROM measurements WHERE id = $1 AND kind = $2",
            new.id,
            kind
        );
        let stored_hash = stored_hash.fetch_optional(pool).await?;
        if stored_hash.as_deref() == Some(&new.hash[..]) {
            return Ok(Outcome::Repeated);
        }
        return Ok(Outcome::IdInUse);
    }
    sqlx::query!(
        "UPDATE agents SET last_seen_at = now() WHERE name = $1 AND version = $2",
        new.agent.name,
        new.agent.version
    )
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(Outcome::Stored)
}

/// Whether it is stored: its id may be taken.
async fn insert(
    connection: &mut PgConnection,
    new: &Measurement<'_>,
    (kind, field): (&str, &str),
    uploader: &Uploader,
) -> Result<bool> {
    let inserted = sqlx::query!(
        "
        INSERT INTO measurements (
            id, kind, content_hash, device_id, agent_id, measured_at, measured, conditions, provenance, origin, token_id
        )
        SELECT
            $1, $2, $3, devices.id, agents.id, ($4::jsonb ->> 'measured_at')::timestamptz, $4::jsonb -> $5,
            nullif($4::jsonb -> 'conditions', 'null'), $4::jsonb -> 'provenance', $6, $7
        FROM devices, agents
        WHERE vendor = $8 AND devices.name = $9 AND agents.name = $10 AND version = $11
        ON CONFLICT (id) DO NOTHING
        ",
        new.id,
        kind,
        new.hash.as_slice(),
        new.whole,
        field,
        to_word(new.origin)?,
        uploader.actor.token,
        new.device.vendor,
        new.device.name,
        new.agent.name,
        new.agent.version
    )
    .execute(connection)
    .await?;
    Ok(inserted.rows_affected() > 0)
}
