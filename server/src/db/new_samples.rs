//! Whose samples are new in a model.

use sqlx::PgConnection;
use uuid::Uuid;

/// What of each agent the champion before had not seen of these devices, of the agents that the champion to be (`model`, where
/// it is stored already: what has come since does not count) was fitted to; those with the most ahead that it was fitted to.
pub(crate) async fn uploads_since(
    connection: &mut PgConnection,
    before: Uuid,
    used: &[Uuid],
    model: Option<Uuid>,
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
            AND samples.id <> ALL (seen.ids) AND (
                samples.id = ANY ($2)
                OR received_at >= created_at
                    AND received_at < coalesce((SELECT it.created_at FROM models AS it WHERE it.id = $3), 'infinity')
            )
        JOIN agents ON agents.id = agent_id
        WHERE agents.name IN (SELECT name FROM new)
        GROUP BY agents.name
        ORDER BY count(*) FILTER (WHERE samples.id = ANY ($2)) DESC, count(*) DESC, agents.name
        "#,
        before,
        used,
        model
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.name, row.samples))
        .collect())
}

/// What has come of a model's devices since it was fitted to `used`.
pub(crate) async fn later_than(
    connection: &mut PgConnection,
    model: Uuid,
    used: &[Uuid],
) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "
        SELECT samples.id
        FROM models
        JOIN samples ON samples.device_id IN (models.device_id, counted_on_device_id) AND received_at >= created_at
        WHERE models.id = $1 AND samples.id <> ALL ($2)
        ",
        model,
        used
    )
    .fetch_all(connection)
    .await
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
