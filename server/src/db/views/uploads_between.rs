//! What has come between two champions.

use std::collections::HashMap;

use kerncast_wire::Uploads;
use sqlx::PgPool;
use uuid::Uuid;

use crate::db::Result;

/// For each of these models, who stored how many samples of its devices since the champion before it was fitted; whoever
/// stored most comes first. `pairs`: the champion before, and the model.
pub(crate) async fn between(
    pool: &PgPool,
    pairs: &[(Uuid, Uuid)],
) -> Result<HashMap<Uuid, Vec<Uploads>>> {
    let (before, models): (Vec<Uuid>, Vec<Uuid>) = pairs.iter().copied().unzip();
    let rows = sqlx::query!(
        r#"
        SELECT now.id AS model, agents.name AS agent, count(*) AS "samples!"
        FROM unnest($1::uuid[], $2::uuid[]) AS pair (before_id, model_id)
        JOIN models AS before ON before.id = before_id
        JOIN models AS now ON now.id = model_id
        JOIN samples ON samples.device_id IN (now.device_id, now.counted_on_device_id)
            AND received_at >= before.created_at AND received_at < now.created_at
        JOIN agents ON agents.id = agent_id
        GROUP BY now.id, agents.name
        ORDER BY now.id, count(*) DESC, agents.name
        "#,
        &before,
        &models
    )
    .fetch_all(pool)
    .await?;
    let mut uploads: HashMap<Uuid, Vec<Uploads>> = HashMap::new();
    for row in rows {
        uploads.entry(row.model).or_default().push(Uploads {
            agent: row.agent,
            samples: row.samples,
        });
    }
    Ok(uploads)
}
