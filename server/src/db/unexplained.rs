//! Champions of which it is not known yet whose samples moved them, or have them held.

use kerncast_profilers::catalogue::canonical;
use kerncast_wire::{HeldBecause, ModelSpecification, Reasons};
use sqlx::{PgConnection, PgPool, types::Json};
use uuid::Uuid;

use super::{jobs::MOST_ATTEMPTS, training::Which};

/// Keeps other uses of advisory locks apart.
const EXPLAINS: i64 = 0x6b63_6578;

/// One of them.
pub(crate) struct Unexplained {
    pub(crate) model: Uuid,
    /// What it is compared with.
    pub(crate) before: Uuid,
    pub(crate) specification: ModelSpecification,
    /// Whether nobody asked for these counters.
    pub(crate) default_counters: bool,
    /// Why it is held, where it is; otherwise it answers.
    pub(crate) held: Option<Reasons<HeldBecause>>,
    /// The device's number in the tables, and that of the one counted on.
    device: i32,
    counted_on: Option<i32>,
}

impl Unexplained {
    /// What it was fitted to, but for these samples.
    pub(crate) fn without(&self, samples: &[Uuid]) -> Which {
        let provider = &self.specification.provider;
        Which {
            without: samples.to_vec(),
            ..Which::all(self.device, self.counted_on, provider)
        }
    }
}

/// Notes one. `before`: what it is compared with.
pub(crate) async fn add(
    connection: &mut PgConnection,
    model: Uuid,
    before: Uuid,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        INSERT INTO unexplained (model_id, before_id) VALUES ($1, $2)
        ON CONFLICT (model_id) DO UPDATE SET before_id = excluded.before_id
        ",
        model,
        before
    )
    .execute(connection)
    .await
    .map(|_| ())
}

/// Whether there are any.
pub(crate) async fn any(pool: &PgPool) -> sqlx::Result<bool> {
    sqlx::query_scalar!(r#"SELECT EXISTS (SELECT FROM unexplained) AS "any!""#)
        .fetch_one(pool)
        .await
}

/// Forgets those that neither answer nor wait any more.
pub(crate) async fn forget_old(pool: &PgPool) -> sqlx::Result<()> {
    sqlx::query!(
        "
        DELETE FROM unexplained USING models
        WHERE id = model_id AND (superseded OR held IS NULL AND rank IS DISTINCT FROM 1)
        "
    )
    .execute(pool)
    .await
    .map(|_| ())
}

/// Takes one until the transaction ends, one at a time whatever the number of servers. Of none for which a fit is asked:
/// another may answer then, and what has arrived since is not what moved this one. Nothing is written, as in
/// [`claim`](super::jobs::claim).
pub(crate) async fn claim(connection: &mut PgConnection) -> sqlx::Result<Option<Unexplained>> {
    let locked = sqlx::query_scalar!(
        r#"SELECT pg_try_advisory_xact_lock($1) AS "locked!""#,
        EXPLAINS
    );
    if !locked.fetch_one(&mut *connection).await? {
        return Ok(None);
    }
    let row = sqlx::query!(
        r#"
        SELECT
            model_id, before_id, device_id, counted_on_device_id, provider, method, counters, variant, response,
            default_counters,
            reasons_json(held_because, held) AS "held: Json<Reasons<HeldBecause>>"
        FROM unexplained JOIN models ON id = model_id
        WHERE NOT superseded AND (held IS NOT NULL OR rank = 1) AND NOT EXISTS (
            SELECT FROM fitting_jobs AS asked
            WHERE attempts < $1 AND asked.device_id IN (models.device_id, models.counted_on_device_id)
        )
        ORDER BY model_id
        LIMIT 1
        "#,
        MOST_ATTEMPTS
    )
    .fetch_optional(&mut *connection)
    .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    // Nobody waits for it.
    sqlx::query!("SELECT set_config('statement_timeout', '1h', true)")
        .fetch_one(connection)
        .await?;
    let counters = row.counters.iter();
    Ok(Some(Unexplained {
        model: row.model_id,
        before: row.before_id,
        specification: ModelSpecification {
            device: row.device_id.into(),
            counted_on: row.counted_on_device_id.map(Into::into),
            provider: row.provider,
            method: row.method,
            counters: counters.map(|name| canonical(name).into_owned()).collect(),
            variant: row.variant,
            response: canonical(&row.response).into_owned(),
        },
        default_counters: row.default_counters,
        held: row.held.map(|Json(why)| why),
        device: row.device_id,
        counted_on: row.counted_on_device_id,
    }))
}

/// It is known now, or never will be.
pub(crate) async fn remove(connection: &mut PgConnection, model: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM unexplained WHERE model_id = $1", model)
        .execute(connection)
        .await
        .map(|_| ())
}
