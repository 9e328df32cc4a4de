//! Champions of which it is not known yet whose samples moved them, or have them held.

use std::{collections::HashSet, time::Duration};

use kerncast_profilers::catalogue::canonical;
use kerncast_wire::{HeldBecause, ModelSpecification, Reasons};
use sqlx::{PgConnection, PgPool, types::Json};
use uuid::Uuid;

use super::{
    jobs::MOST_ATTEMPTS,
    training::{Which, try_lock},
    words::interval,
};

/// Keeps other uses of advisory locks apart.
const EXPLAINS: i64 = 0x6b63_6578;

/// So long one waits for all fits; then it has its turn before them.
const PATIENCE: Duration = Duration::from_secs(15 * 60);

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
    /// Its row's version: the transaction that wrote it last.
    version: i64,
}

impl Unexplained {
    /// What it was fitted to, but for these samples.
    pub(crate) fn without(&self, samples: Vec<Uuid>) -> Which {
        let provider = &self.specification.provider;
        Which {
            without: samples,
            ..Which::all(self.device, self.counted_on, provider)
        }
    }
}

/// Which are waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Those that have waited for long.
    BeforeFits,
    /// All for whose devices no fit is asked: another model may answer after it.
    AfterFits,
}

/// Notes one, in the place of whatever else answered its question. `before`: what it is compared with.
pub(crate) async fn add(
    connection: &mut PgConnection,
    model: Uuid,
    before: Uuid,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        WITH former AS (
            DELETE FROM unexplained
            USING models AS old, models AS new
            WHERE old.id = model_id AND new.id = $1 AND model_id <> $1
                AND (old.device_id, old.provider, old.response) = (new.device_id, new.provider, new.response)
                AND old.counted_on_device_id IS NOT DISTINCT FROM new.counted_on_device_id
            RETURNING since
        )
        INSERT INTO unexplained AS it (model_id, before_id, since)
        SELECT $1, $2, coalesce(min(since), now()) FROM former
        ON CONFLICT (model_id) DO UPDATE SET before_id = excluded.before_id
        ",
        model,
        before
    )
    .execute(connection)
    .await
    .map(|_| ())
}

/// The models of all of them that have not waited for very long, and those that wait with them: nobody should be told of these
/// without it.
pub(crate) async fn models(pool: &PgPool) -> sqlx::Result<HashSet<Uuid>> {
    let models = sqlx::query_scalar!(
        r#"
        SELECT DISTINCT it.id AS "id!"
        FROM unexplained
        JOIN models AS champion ON champion.id = model_id
        JOIN models AS it ON it.id = model_id OR it.held IS NOT NULL AND NOT it.superseded
            AND (it.device_id, it.provider, it.response) = (champion.device_id, champion.provider, champion.response)
            AND it.counted_on_device_id IS NOT DISTINCT FROM champion.counted_on_device_id
        WHERE since > now() - 2 * $1::interval
        "#,
        interval(PATIENCE)
    )
    .fetch_all(pool)
    .await?;
    Ok(models.into_iter().collect())
}

/// Forgets those of a device, device counted on and provider that neither wait any more nor answer otherwise than what was
/// before them. To be called after all have been added.
pub(crate) async fn forget_old(
    connection: &mut PgConnection,
    device: i32,
    counted_on: Option<i32>,
    provider: &str,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        DELETE FROM unexplained USING models
        WHERE id = model_id AND device_id = $1 AND counted_on_device_id IS NOT DISTINCT FROM $2 AND provider = $3
            AND (superseded OR held IS NULL AND NOT (
                rank IS NOT DISTINCT FROM 1
                AND EXISTS (SELECT FROM moves WHERE moves.model_id = models.id AND is_news)
            ))
        ",
        device,
        counted_on,
        provider
    )
    .execute(connection)
    .await
    .map(|_| ())
}

/// Takes one until the transaction ends, one at a time whatever the number of servers, and with it the fits of its device, so
/// that both don't write the same. Nothing is written, as in [`claim`](super::jobs::claim).
pub(crate) async fn claim(
    connection: &mut PgConnection,
    turn: Turn,
) -> sqlx::Result<Option<Unexplained>> {
    let row = sqlx::query!(
        r#"
        SELECT
            model_id, before_id, device_id, counted_on_device_id, provider, method, counters, variant, response,
            default_counters, unexplained.xmin::text::bigint AS "version!",
            reasons_json(held_because, held) AS "held: Json<Reasons<HeldBecause>>"
        FROM unexplained JOIN models ON id = model_id
        WHERE retry_at <= now() AND NOT superseded
            AND (held IS NOT NULL OR rank = 1 AND EXISTS (SELECT FROM moves WHERE moves.model_id = id AND is_news))
            AND CASE WHEN $1 THEN since < now() - $2::interval ELSE NOT EXISTS (
                SELECT FROM fitting_jobs AS asked
                WHERE attempts < $3 AND asked.device_id IN (models.device_id, models.counted_on_device_id)
            ) END
        ORDER BY since, model_id
        LIMIT 1
        "#,
        turn == Turn::BeforeFits,
        interval(PATIENCE),
        MOST_ATTEMPTS
    )
    .fetch_optional(&mut *connection)
    .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    // Whoever had it before this has deleted it by now, or it has another version: `explained` tells.
    let locked = sqlx::query_scalar!(
        r#"SELECT pg_try_advisory_xact_lock($1) AS "locked!""#,
        EXPLAINS
    );
    let is_mine = locked.fetch_one(&mut *connection).await?
        && try_lock(
            connection,
            row.device_id,
            row.counted_on_device_id.is_some(),
        )
        .await?;
    if !is_mine {
        return Ok(None);
    }
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
        version: row.version,
    }))
}

/// It is known now, or never will be. False where it has been asked anew since it was claimed: then what was found out is of
/// no use. To be called last, in the order in which fits write.
pub(crate) async fn explained(
    connection: &mut PgConnection,
    it: &Unexplained,
) -> sqlx::Result<bool> {
    sqlx::query!(
        "DELETE FROM unexplained WHERE model_id = $1 AND xmin::text::bigint = $2",
        it.model,
        it.version
    )
    .execute(connection)
    .await
    .map(|it| it.rows_affected() == 1)
}

/// What it needs can't be read now.
pub(crate) async fn postpone(pool: &PgPool, it: &Unexplained) -> sqlx::Result<()> {
    sqlx::query!(
        "
        UPDATE unexplained SET retry_at = now() + interval '1 minute'
        WHERE model_id = $1 AND xmin::text::bigint = $2
        ",
        it.model,
        it.version
    )
    .execute(pool)
    .await
    .map(|_| ())
}
