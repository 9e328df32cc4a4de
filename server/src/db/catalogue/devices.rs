//! What samples speak of.

use kerncast_profilers::catalogue::describe;
use kerncast_wire::{CounterSummary, DeviceSummary};
use sqlx::{PgPool, types::Json};

use super::short_names::short_names;
use crate::db::{Result, plain};

/// At most `rows` devices with ids above `after`.
pub(crate) async fn devices(
    pool: &PgPool,
    after: Option<i64>,
    rows: i64,
) -> Result<Vec<DeviceSummary>> {
    let names = short_names(pool).await?;
    Ok(plain(sqlx::query_scalar!(
        r#"
        SELECT
            device_json(devices)::jsonb || jsonb_build_object(
                'id', devices.id, 'short_name', $3::jsonb ->> devices.id::text, 'samples', coalesce(sum(samples), 0),
                'kernels', count(DISTINCT kernel_id) FILTER (WHERE NOT generated), 'last_measured_at', max(last_measured_at),
                'shipped', coalesce(bool_and(origin = 'shipped'), true)
                    AND NOT EXISTS (
                        SELECT FROM ceilings WHERE device_id = devices.id AND ceilings.origin <> 'shipped'
                    ),
                'ceilings', (
                    SELECT ceilings_json(best)::jsonb
                        || jsonb_build_object('measured_at', best.measured_at, 'origin', best.origin)
                    FROM device_ceilings AS best WHERE best.device_id = devices.id
                )
            ) AS "device!: Json<DeviceSummary>"
        FROM devices
        LEFT JOIN sample_counts ON device_id = devices.id
        LEFT JOIN kernels ON kernels.id = kernel_id
        WHERE ($1::bigint IS NULL OR devices.id > $1)
            AND $3::jsonb ? devices.id::text -- that did not come since
        GROUP BY devices.id
        ORDER BY devices.id
        LIMIT $2
        "#,
        after,
        rows,
        Json(names) as _
    )
    .fetch_all(pool)
    .await?))
}

/// At most `rows` counters, of `only` one provider where it is named, after the (provider, name) `after`.
pub(crate) async fn counters(
    pool: &PgPool,
    only: Option<&str>,
    after: Option<(&str, &str)>,
    rows: i64,
) -> Result<Vec<CounterSummary>> {
    let (provider, name) = after.unzip();
    let rows = sqlx::query!(
        r#"
        SELECT
            counters.provider, name, sum(samples)::bigint AS "samples!",
            count(DISTINCT kernel_id) AS "kernels!"
        FROM reading_counts
        JOIN counter_lists ON counter_lists.id = list_id
        CROSS JOIN unnest(counter_ids) AS counter_id
        JOIN counters ON counters.id = counter_id
        WHERE ($1::text IS NULL OR (counters.provider, name) > ($1, $2::text))
            AND ($3::text IS NULL OR reading_counts.provider = $3)
        GROUP BY counters.provider, name
        ORDER BY counters.provider, name
        LIMIT $4
        "#,
        provider,
        name,
        only,
        rows
    )
    .fetch_all(pool)
    .await?;
    let summaries = rows.into_iter().map(|row| {
        let description = describe(&row.provider, &row.name);
        CounterSummary {
            provider: row.provider,
            name: row.name,
            samples: row.samples,
            kernels: row.kernels,
            unit: description.as_ref().map(|it| it.unit.to_owned()),
            kind: description.as_ref().map(|it| it.kind),
            role: description.as_ref().and_then(|it| it.role),
            description: description.map(|it| it.description.into_owned()),
        }
    });
    Ok(summaries.collect())
}

/// Every counter that was ever uploaded, as (provider, name).
pub(crate) async fn counter_names(pool: &PgPool) -> Result<Vec<(String, String)>> {
    let rows = sqlx::query!("SELECT provider, name FROM counters ORDER BY provider, name");
    let rows = rows.fetch_all(pool).await?;
    let names = rows.into_iter().map(|row| (row.provider, row.name));
    Ok(names.collect())
}

/// Every size's name that was ever uploaded.
pub(crate) async fn parameter_names(pool: &PgPool) -> Result<Vec<String>> {
    Ok(sqlx::query_scalar!(
        r#"SELECT DISTINCT jsonb_object_keys(parameters) AS "name!" FROM workloads ORDER BY 1"#
    )
    .fetch_all(pool)
    .await?)
}
