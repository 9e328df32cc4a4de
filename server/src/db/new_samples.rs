//! Whose samples are new in a model.

use sqlx::PgConnection;
use uuid::Uuid;

/// What of each agent the champion before had not seen of these devices, of the agents that the champion to be was
/// fitted to; those with the most ahead that it was fitted to.
pub(crate) async fn uploads_since(
    connection: &mut PgConnection,
    before: Uuid,
    used: &[Uuid],
) -> sqlx::Result<Vec<(String, Vec<Uuid>)>> {
    let rows = sqlx::query!(
        r#"
        WITH seen AS (
            SELECT
                created_at, device_id, coalesce(counted_on_device_id, device_id) AS counted_on,
                sample_ids || coalesce(counted_on_sample_ids, '{}') || coalesce(global_sample_ids, '{}') AS ids
            FROM models WHERE id = $1
        ), new AS (
            SELECT DISTINCT agents.name
            FROM seen
            CROSS JOIN unnest($2::uuid[]) AS used (id)
            JOIN samples USING (id)
            JOIN agents ON agents.id = agent_id
            WHERE used.id <> ALL (seen.ids)
        )
        SELECT agents.name, array_agg(samples.id) AS "samples!"
        FROM seen
        JOIN samples ON samples.device_id IN (seen.device_id, counted_on)
            AND (received_at >= created_at OR samples.id = ANY ($2)) AND samples.id <> ALL (seen.ids)
        JOIN agents ON agents.id = agent_id
        WHERE agents.name IN (SELECT name FROM new)
        GROUP BY agents.name
        ORDER BY count(*) FILTER (WHERE samples.id = ANY ($2)) DESC, count(*) DESC, agents.name
        "#,
        before,
        used
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.name, row.samples))
        .collect())
}

/// All samples that a model was fitted to.
pub(crate) async fn sample_ids(
    connection: &mut PgConnection,
    model: Uuid,
) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        r#"
        SELECT sample_ids || coalesce(counted_on_sample_ids, '{}') || coalesce(global_sample_ids, '{}') AS "ids!"
        FROM models WHERE id = $1
        "#,
        model
    )
    .fetch_one(connection)
    .await
}
