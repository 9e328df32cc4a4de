//! How a model forecast kernels that its fit had not seen, beside another model.

use std::collections::{BTreeMap, BTreeSet};

use kerncast_models::{Contender, may_succeed};
use kerncast_wire::HeldBecause;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::db::Result;

/// How a kernel left out was forecast at one of its sizes.
pub(crate) struct LeftOutForecast {
    pub(crate) workload: i32,
    pub(crate) kernel: String,
    pub(crate) measured: f64,
    pub(crate) forecast: Option<f64>,
}

/// Whether a model did about as well as the one before it on the workloads of both: one that has also seen others,
/// larger ones, is not to be blamed for these.
///
/// # Errors
/// How much worse it did.
pub(crate) fn is_as_good(
    before: &[LeftOutForecast],
    now: &[LeftOutForecast],
) -> Result<(), HeldBecause> {
    may_succeed(&on_those_of(before, now), &on_those_of(now, before))
}

fn on_those_of(rows: &[LeftOutForecast], others: &[LeftOutForecast]) -> Contender {
    let others: BTreeSet<i32> = others.iter().map(|it| it.workload).collect();
    let mut errors: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for it in rows.iter().filter(|it| others.contains(&it.workload)) {
        let Some(forecast) = it.forecast else {
            continue;
        };
        let error = (forecast / it.measured - 1.0).abs();
        errors.entry(&it.kernel).or_default().push(error);
    }
    let kernels = errors.into_iter().map(|(kernel, errors)| {
        let n = f64::from(u32::try_from(errors.len()).unwrap_or(u32::MAX));
        (kernel.to_owned(), Some(errors.iter().sum::<f64>() / n))
    });
    Contender {
        all_variants: true,
        complete: true,
        complexity: 0,
        error: None,
        kernels: kernels.collect(),
    }
}

/// A model's forecasts of kernels left out, beside what was measured, but for what an admin has rejected since.
pub(crate) async fn hold_out_rows(
    connection: &mut PgConnection,
    model: Uuid,
) -> Result<Vec<LeftOutForecast>> {
    Ok(sqlx::query_as!(
        LeftOutForecast,
        r#"
        SELECT
            row.workload AS "workload!", kernels.name AS kernel, row.forecast, own.median_s::float8 AS "measured!"
        FROM models
        JOIN hold_outs ON model_id = models.id AND key = 'kernel'
        CROSS JOIN unnest(workload_ids, sample_ids, predicted) AS row (workload, sample, forecast)
        JOIN samples AS own ON own.id = row.sample
        JOIN workloads ON workloads.id = row.workload
        JOIN kernels ON kernels.id = kernel_id
        WHERE models.id = $1 AND NOT EXISTS (
            SELECT FROM standings WHERE standing = 'rejected' AND sample_id = row.sample
        )
        "#,
        model
    )
    .fetch_all(connection)
    .await?)
}
