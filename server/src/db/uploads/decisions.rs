//! What admins decide of samples.

use kerncast_wire::{AuditAction, Decided, DecidedDevice, Decision, NewDecision, SampleSelection};
use serde_json::json;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::db::{
    Result,
    access::audit::{self, Actor},
    to_word,
};

/// What a selection names and is not stored.
pub(crate) struct UnknownName {
    pub(crate) field: &'static str,
    pub(crate) value: String,
    pub(crate) expected: &'static str,
}

/// Does what was decided, with its fits and a line of the audit log, in one transaction; of a dry run nothing but the
/// counts is left.
/// Fails where the database fails; inside, what the selection names and nobody knows.
pub(crate) async fn decide(
    pool: &PgPool,
    new: &NewDecision,
    actor: &Actor,
) -> Result<Result<Decided, UnknownName>> {
    let mut transaction = pool.begin().await?;
    // Of a million samples a statement may take longer than those of other requests; the seven of them together end
    // before the half hour that this request's answer has.
    sqlx::query!("SELECT set_config('statement_timeout', '4min', true)")
        .fetch_one(&mut *transaction)
        .await?;
    if let Some(unknown) = first_unknown(&mut transaction, &new.samples).await? {
        return Ok(Err(unknown));
    }
    let selected = selected_samples(&mut transaction, &new.samples).await?;
    let changed = apply(&mut transaction, new, &selected, actor).await?;
    let devices = by_device(&mut transaction, &changed).await?;
    let samples = devices.iter().map(|it| it.samples).sum();
    if new.dry_run {
        transaction.rollback().await?;
    } else {
        if !changed.is_empty() {
            sqlx::query!("SELECT look_again($1)", &changed)
                .execute(&mut *transaction)
                .await?;
            sqlx::query!("SELECT ask_for_fits($1, NULL)", &changed)
                .execute(&mut *transaction)
                .await?;
        }
        let action = match new.decision {
            Decision::Reject => AuditAction::RejectSamples,
            Decision::Accept => AuditAction::AcceptSamples,
            Decision::Restore => AuditAction::RestoreSamples,
        };
        let (about, why) = (json!(new.samples), Some(new.reason.as_str()));
        audit::note(&mut *transaction, actor, action, &about, why, Some(samples)).await?;
        transaction.commit().await?;
    }
    Ok(Ok(Decided {
        samples,
        devices,
        dry_run: new.dry_run,
    }))
}

/// The first name in a selection that is not stored.
async fn first_unknown(
    connection: &mut PgConnection,
    samples: &SampleSelection,
) -> Result<Option<UnknownName>> {
    let lost = sqlx::query!(
        r#"
        SELECT
            (
                SELECT id FROM unnest($1::uuid[]) AS asked (id)
                WHERE NOT EXISTS (SELECT FROM samples WHERE samples.id = asked.id)
                LIMIT 1
            ) AS sample,
            $2::text IS NOT NULL AND NOT EXISTS (SELECT FROM agents WHERE name = $2) AS "agent!",
            $3::bigint IS NOT NULL AND NOT EXISTS (SELECT FROM tokens WHERE id = $3) AS "token!",
            $4::bigint IS NOT NULL AND NOT EXISTS (SELECT FROM devices WHERE id = $4) AS "device!",
            $5::text IS NOT NULL AND NOT EXISTS (SELECT FROM kernels WHERE name = $5) AS "kernel!"
        "#,
        samples.ids.as_deref(),
        samples.agent.as_deref(),
        samples.token,
        samples.device,
        samples.kernel.as_deref(),
    )
    .fetch_one(connection)
    .await?;
    let number = |number: Option<i64>| number.map(|it| it.to_string()).unwrap_or_default();
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let (field, value, expected) = if let Some(sample) = lost.sample {
        ("ids", sample.to_string(), "ids of stored samples")
    } else if lost.agent {
        let expected = "an agent that has uploaded; /v1/agents lists them";
        ("agent", text(&samples.agent), expected)
    } else if lost.token {
        let expected = "a token's id; /v1/tokens lists them";
        ("token", number(samples.token), expected)
    } else if lost.device {
        let expected = "a device's id; /v1/devices lists them";
        ("device", number(samples.device), expected)
    } else if lost.kernel {
        let expected = "a kernel that samples are of; /v1/kernels lists them";
        ("kernel", text(&samples.kernel), expected)
    } else {
        return Ok(None);
    };
    Ok(Some(UnknownName {
        field,
        value,
        expected,
    }))
}

/// The ids of all samples of a selection.
async fn selected_samples(
    connection: &mut PgConnection,
    samples: &SampleSelection,
) -> Result<Vec<Uuid>> {
    Ok(sqlx::query_scalar!(
        "
        SELECT samples.id FROM samples
        WHERE ($1::uuid[] IS NULL OR samples.id = ANY ($1))
            AND ($2::text IS NULL OR agent_id IN (SELECT id FROM agents WHERE name = $2))
            AND ($3::bigint IS NULL OR token_id = $3)
            AND ($4::bigint IS NULL OR device_id = $4)
            AND ($5::text IS NULL OR workload_id IN (
                SELECT workloads.id FROM workloads JOIN kernels ON kernels.id = kernel_id WHERE name = $5
            ))
            AND ($6::text IS NULL OR coalesce(
                (SELECT standing FROM standings WHERE sample_id = samples.id), 'sound'
            ) = $6)
            AND ($7::timestamptz IS NULL OR received_at >= $7)
            AND ($8::timestamptz IS NULL OR received_at < $8)
        ORDER BY samples.id
        ",
        samples.ids.as_deref(),
        samples.agent.as_deref(),
        samples.token,
        samples.device,
        samples.kernel.as_deref(),
        samples.standing.map(to_word).transpose()?,
        samples.stored_from,
        samples.stored_before,
    )
    .fetch_all(connection)
    .await?)
}

/// Gives these samples another standing where they have not this one already; returns which have changed.
async fn apply(
    connection: &mut PgConnection,
    new: &NewDecision,
    selected: &[Uuid],
    actor: &Actor,
) -> Result<Vec<Uuid>> {
    let word = match new.decision {
        Decision::Reject => "rejected",
        // What has been sound for so long that the gate does not look again is fitted anyway.
        Decision::Accept => "accepted",
        Decision::Restore => return restore(connection, selected).await,
    };
    Ok(sqlx::query_scalar!(
        "
        INSERT INTO standings AS it (sample_id, device_id, agent_id, decision, decision_reason, decided_by)
        SELECT samples.id, samples.device_id, samples.agent_id, $2, $3, $4
        FROM samples LEFT JOIN standings ON sample_id = samples.id
        WHERE samples.id = ANY ($1)
            AND ($2 = 'rejected' OR sample_id IS NOT NULL OR received_at > now() - interval '2 hours')
        ORDER BY samples.id
        ON CONFLICT (sample_id) DO UPDATE
            SET decision = excluded.decision, decision_reason = excluded.decision_reason,
                decided_by = excluded.decided_by, since = now()
            WHERE it.decision IS DISTINCT FROM excluded.decision
        RETURNING sample_id
        ",
        selected,
        word,
        new.reason,
        actor.name,
    )
    .fetch_all(connection)
    .await?)
}

/// Takes decisions back: what the gate had found sound is sound again, all else it judges again.
async fn restore(connection: &mut PgConnection, selected: &[Uuid]) -> Result<Vec<Uuid>> {
    Ok(sqlx::query_scalar!(
        r#"
        WITH sound AS (
            DELETE FROM standings
            WHERE sample_id = ANY ($1) AND decision IS NOT NULL AND judgement IS NULL
            RETURNING sample_id
        ), again AS (
            UPDATE standings
            SET decision = NULL, decision_reason = NULL, decided_by = NULL, judgement = 'unjudged',
                judgement_reason = NULL, judgement_doubts = NULL, since = now()
            WHERE sample_id = ANY ($1) AND decision IS NOT NULL AND judgement IS NOT NULL
            RETURNING sample_id
        )
        SELECT sample_id AS "sample!" FROM sound UNION ALL SELECT sample_id FROM again
        "#,
        selected
    )
    .fetch_all(connection)
    .await?)
}

async fn by_device(connection: &mut PgConnection, changed: &[Uuid]) -> Result<Vec<DecidedDevice>> {
    Ok(sqlx::query_as!(
        DecidedDevice,
        r#"
        SELECT devices.id::bigint AS "device!", devices.name, count(*) AS "samples!"
        FROM samples JOIN devices ON devices.id = device_id
        WHERE samples.id = ANY ($1)
        GROUP BY devices.id
        ORDER BY devices.id
        "#,
        changed
    )
    .fetch_all(connection)
    .await?)
}
