//! What the gate says of samples.

use std::collections::HashMap;

use kerncast_training::gate::{ArrivedSample, Judgement};
use sqlx::{PgConnection, types::JsonValue};
use uuid::Uuid;

use crate::db::{Result, to_json};

/// Keeps the gate's judgements on `judged`, beside them, unless an admin has decided meanwhile. Where a sample comes
/// out of quarantine, or had been fitted and goes there, it asks for fits by all providers that counted it but
/// `provider`, whose fit is under way.
pub(crate) async fn store(
    connection: &mut PgConnection,
    judged: &[ArrivedSample],
    judgements: &[Judgement],
    provider: Option<&str>,
) -> Result<()> {
    let (mut sound, mut quarantined) = (Vec::new(), Vec::new());
    let (mut reasons, mut all_doubts): (Vec<String>, Vec<JsonValue>) = (Vec::new(), Vec::new());
    for (arrived, judgement) in judged.iter().zip(judgements) {
        match judgement {
            Judgement::Sound => sound.push(arrived.id),
            Judgement::Quarantined { doubts } => {
                quarantined.push(arrived.id);
                reasons.push(doubts.to_string());
                all_doubts.push(to_json(doubts)?);
            }
        }
    }
    let judged_ids = [&sound[..], &quarantined[..]].concat();
    let former = standings(connection, &judged_ids).await?;
    let was = |id: &Uuid| former.get(id).map_or("sound", String::as_str);
    sqlx::query!(
        "DELETE FROM standings WHERE sample_id = ANY ($1) AND decision IS NULL",
        &sound
    )
    .execute(&mut *connection)
    .await?;
    quarantine(connection, &quarantined, &reasons, &all_doubts).await?;
    let released = sound.iter().filter(|id| was(id) == "quarantined");
    let fitted = quarantined.iter().filter(|id| was(id) == "sound");
    let fits: Vec<Uuid> = released.chain(fitted).copied().collect();
    let new = quarantined.iter().filter(|id| was(id) == "unjudged");
    let changed: Vec<Uuid> = fits.iter().chain(new).copied().collect();
    if !fits.is_empty() {
        sqlx::query!("SELECT ask_for_fits($1, $2)", &fits, provider)
            .execute(&mut *connection)
            .await?;
    }
    if !changed.is_empty() {
        sqlx::query!("SELECT look_again($1)", &changed)
            .execute(connection)
            .await?;
    }
    Ok(())
}

/// Locks and returns the standings of samples, by id; of those that are not simply sound.
async fn standings(
    connection: &mut PgConnection,
    samples: &[Uuid],
) -> Result<HashMap<Uuid, String>> {
    let rows = sqlx::query!(
        r#"
        SELECT sample_id, standing AS "standing!" FROM standings
        WHERE sample_id = ANY ($1)
        ORDER BY sample_id
        FOR UPDATE
        "#,
        samples
    )
    .fetch_all(connection)
    .await?;
    let standings = rows.into_iter();
    Ok(standings.map(|row| (row.sample_id, row.standing)).collect())
}

/// Quarantines samples that no admin has decided on. `reasons` and `doubts` lie beside them.
async fn quarantine(
    connection: &mut PgConnection,
    samples: &[Uuid],
    reasons: &[String],
    doubts: &[JsonValue],
) -> Result<()> {
    sqlx::query!(
        "
        INSERT INTO standings AS it (sample_id, device_id, agent_id, judgement, judgement_reason, judgement_doubts)
        SELECT said.id, device_id, agent_id, 'quarantined', reason, doubts
        FROM unnest($1::uuid[], $2::text[], $3::jsonb[]) AS said (id, reason, doubts)
        JOIN samples USING (id)
        ORDER BY said.id
        ON CONFLICT (sample_id) DO UPDATE
            SET judgement = excluded.judgement, judgement_reason = excluded.judgement_reason,
                judgement_doubts = excluded.judgement_doubts,
                since = CASE WHEN it.judgement = 'quarantined' THEN it.since ELSE now() END
            WHERE it.decision IS NULL AND it.judgement_doubts IS DISTINCT FROM excluded.judgement_doubts
        ",
        samples,
        reasons,
        doubts
    )
    .execute(connection)
    .await?;
    Ok(())
}
