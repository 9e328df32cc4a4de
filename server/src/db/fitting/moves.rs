//! How far champions' forecasts are from those of earlier ones.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use kerncast_models::{Fitted, Shift, across::COUNTED_ON_TIME};
use ndarray::Array1;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::succession::Change;
use crate::db::{Result, uploads::readings};

/// The earlier champion that the successor of `predecessor` is compared with. For a week that is the one `predecessor`
/// was compared with, so that small moves add up; then it is `predecessor`. One fitted to samples that an admin has
/// rejected since comes second. None where neither fit is stored any more.
pub(crate) async fn reference(
    connection: &mut PgConnection,
    predecessor: Uuid,
) -> Result<Option<Uuid>> {
    Ok(sqlx::query_scalar!(
        r#"
        WITH possible AS (
            SELECT before_id AS id, 1 AS place FROM moves
            WHERE model_id = $1 AND since > now() - interval '7 days'
            UNION ALL
            SELECT $1, 2
        )
        SELECT id AS "id!"
        FROM possible JOIN models USING (id)
        WHERE fit IS NOT NULL
        ORDER BY
            EXISTS (
                SELECT FROM standings
                WHERE standing = 'rejected' AND sample_id = ANY (fitted_to(models))
            ),
            place
        LIMIT 1
        "#,
        predecessor
    )
    .fetch_optional(connection)
    .await?)
}

/// The workloads that a model was fitted to, as it saw them.
pub(crate) struct FittedWorkloads {
    counters: BTreeMap<String, i32>,
    rows: Vec<Row>,
}

struct Row {
    workload: i32,
    /// Seconds, on the device that was counted on.
    counted_s: f64,
    values: HashMap<i32, f64>,
}

/// The workloads that a model was fitted to, of kernels that people wrote. Those whose samples an admin has rejected since
/// are left out.
pub(crate) async fn fitted_workloads(
    connection: &mut PgConnection,
    model: Uuid,
) -> Result<FittedWorkloads> {
    let counters = readings::counter_ids(connection).await?;
    let rows = sqlx::query!(
        r#"
        SELECT
            row.workload AS "workload!", counted.id AS sample, counted.median_s::float8 AS "counted_s!"
        FROM models
        CROSS JOIN unnest(
            workload_ids, sample_ids, coalesce(counted_on_sample_ids, sample_ids)
        ) WITH ORDINALITY AS row (workload, own, counted, place)
        JOIN samples AS counted ON counted.id = row.counted
        JOIN workloads ON workloads.id = row.workload
        JOIN kernels ON kernels.id = kernel_id
        WHERE models.id = $1 AND NOT generated AND NOT EXISTS (
            SELECT FROM standings WHERE standing = 'rejected' AND sample_id IN (row.own, row.counted)
        ) AND EXISTS (SELECT FROM readings WHERE sample_id = counted.id AND refusal IS NULL)
        ORDER BY row.place
        "#,
        model
    )
    .fetch_all(&mut *connection)
    .await?;
    // Of two variants one sample may be what was counted.
    let samples: BTreeSet<Uuid> = rows.iter().map(|row| row.sample).collect();
    let samples = Vec::from_iter(samples);
    let values = readings::values(connection, &samples).await?;
    let rows = rows.into_iter().map(|row| Row {
        workload: row.workload,
        counted_s: row.counted_s,
        values: values.get(&row.sample).cloned().unwrap_or_default(),
    });
    let rows = rows.collect();
    Ok(FittedWorkloads { counters, rows })
}

impl FittedWorkloads {
    /// What a fit of these columns says of each; NaN where something that it takes was not counted.
    pub(crate) fn forecasts(&self, columns: &[String], fitted: &Fitted) -> Vec<f64> {
        let number = |name: &String| self.counters.get(name).copied();
        let numbers: Vec<Option<i32>> = columns.iter().map(number).collect();
        let mut x: Array1<f64> = fitted.ranges.iter().map(|it| it.mean).collect();
        let forecast = |row: &Row| {
            for column in fitted.columns() {
                let counted = numbers[column].and_then(|it| row.values.get(&it).copied());
                x[column] = if columns[column] == COUNTED_ON_TIME {
                    row.counted_s
                } else {
                    counted.unwrap_or(f64::NAN)
                };
            }
            fitted.predict(x.view())
        };
        self.rows.iter().map(forecast).collect()
    }

    /// The workload of a place among the forecasts.
    pub(crate) fn workload(&self, place: usize) -> i32 {
        self.rows[place].workload
    }
}

/// Stores by how much a new champion has moved from the forecasts of `before`.
pub(crate) async fn store(
    connection: &mut PgConnection,
    change: Change,
    before: Uuid,
    moved: &Shift,
    worst_workload: i32,
) -> Result<()> {
    sqlx::query!(
        "
        INSERT INTO moves (model_id, before_id, median, worst, worst_workload_id, is_news, since)
        VALUES ($1, $3, $4::float8, $5::float8, $6, $7, coalesce((
            SELECT since FROM moves WHERE model_id = $2 AND before_id = $3 AND is_news = $7
        ), now()))
        ON CONFLICT (model_id) DO UPDATE SET
            before_id = excluded.before_id, median = excluded.median, worst = excluded.worst,
            worst_workload_id = excluded.worst_workload_id, is_news = excluded.is_news, since = excluded.since
        ",
        change.champion,
        change.predecessor,
        before,
        moved.median,
        moved.worst,
        worst_workload,
        moved.is_news()
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// A champion whose forecasts are far from what they were.
pub(crate) struct News {
    pub(crate) device: i64,
    pub(crate) counted_on: Option<i64>,
    pub(crate) provider: String,
    pub(crate) response: String,
    pub(crate) model: Uuid,
    /// What it is compared with.
    pub(crate) before: Uuid,
    pub(crate) median: f64,
    pub(crate) worst: f64,
    pub(crate) kernel: String,
    pub(crate) since: DateTime<Utc>,
}

/// Champions that have moved within a week, where the earlier one was settled. For a device and provider, the champion
/// of the device's own times comes first.
pub(crate) async fn news(pool: &PgPool) -> Result<Vec<News>> {
    Ok(sqlx::query_as!(
        News,
        r#"
        SELECT
            models.device_id::bigint AS "device!", models.counted_on_device_id::bigint AS counted_on, models.provider,
            models.response, model_id AS model, before_id AS before, median::float8 AS "median!", worst::float8 AS "worst!",
            kernels.name AS kernel, since
        FROM moves
        JOIN models ON models.id = model_id AND models.rank = 1
        JOIN models AS earlier ON earlier.id = before_id AND was_settled(earlier, models)
        JOIN workloads ON workloads.id = worst_workload_id
        JOIN kernels ON kernels.id = kernel_id
        WHERE is_news AND since > now() - interval '7 days'
        ORDER BY models.device_id, models.provider, models.counted_on_device_id NULLS FIRST, models.response DESC
        "#
    )
    .fetch_all(pool)
    .await?)
}
