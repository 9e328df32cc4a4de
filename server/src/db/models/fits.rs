//! New models on their way into the database.

use std::time::Duration;

use kerncast_training::{Candidate, Model, Training};
use kerncast_wire::FitRefusal;
use serde_json::json;
use sqlx::{PgConnection, PgPool, types::Json};
use uuid::Uuid;

use super::{stored_fit, validations::OVERALL};
use crate::db::{Result, fitting::fit_key::FitKey, interval, to_json};

/// The candidate's model, where it is stored and not superseded.
pub(crate) async fn find_current(
    connection: &mut PgConnection,
    key: &FitKey,
    candidate: &Candidate,
) -> Result<Option<Uuid>> {
    Ok(sqlx::query_scalar!(
        "
        SELECT id FROM models
        WHERE fingerprint = $1 AND device_id = $2 AND counted_on_device_id IS NOT DISTINCT FROM $3
            AND NOT superseded
        ",
        candidate.fingerprint.as_slice(),
        key.device,
        key.counted_on,
    )
    .fetch_optional(connection)
    .await?)
}

/// Stores what became of a candidate. Whether it answers is said afterwards (`succession`).
pub(crate) async fn store(
    connection: &mut PgConnection,
    key: &FitKey,
    id: Uuid,
    candidate: &Candidate,
    model: &Model,
) -> Result<()> {
    let specification = &candidate.specification;
    let kernels = i64::try_from(candidate.training.kernels).unwrap_or(i64::MAX);
    let fit = model.outcome.as_ref().map_err(Clone::clone);
    let fit = fit.and_then(|fit| match stored_fit::write(&fit.fitted) {
        Some(json) => Ok((json, &fit.dropped)),
        None => Err(FitRefusal::NotFinite),
    });
    let calibration = model.calibration.as_ref();
    let calibration = calibration.map(stored_fit::write_calibration).transpose()?;
    sqlx::query!(
        "
        INSERT INTO models (
            id, device_id, counted_on_device_id, provider, method, complexity, counters, variant,
            response, code_version, fingerprint, sample_ids, kernels, fit, dropped, calibration,
            refusal, warned, counted_on_sample_ids, judged_by, refused, workload_ids
        )
        VALUES (
            $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::text::json, $15,
            $16::text::json, $17, $18, $19, $20, $21,
            ARRAY(
                SELECT workload_id
                FROM unnest($12::uuid[]) WITH ORDINALITY AS row (sample_id, place)
                JOIN samples ON samples.id = row.sample_id
                ORDER BY place
            )
        )
        ",
        id,
        key.device,
        key.counted_on,
        key.provider,
        &specification.method,
        candidate.complexity,
        &specification.counters,
        specification.variant.as_deref(),
        &specification.response,
        &candidate.code_version,
        candidate.fingerprint.as_slice(),
        &candidate.training.sample_ids,
        kernels,
        fit.as_ref().ok().map(|(json, _)| json.as_str()),
        fit.as_ref().ok().map(|(_, dropped)| dropped.as_slice()) as _,
        calibration,
        fit.as_ref().err().map(ToString::to_string),
        Json(&model.warnings) as _,
        candidate.training.counted_sample_ids.as_deref(),
        model.ranking_key.map(|it| it.to_string()),
        fit.as_ref().err().map(to_json).transpose()?,
    )
    .execute(&mut *connection)
    .await?;
    // A refused model has nothing to say of others' rows.
    if model.hold_outs.is_empty() {
        return Ok(());
    }
    store_validation(connection, id, &candidate.training, model).await
}

/// Drops the fits of models that were superseded so long ago, and returns how many: they fill the disk, and nobody
/// forecasts by them. The models and all that is said of them stay.
///
/// # Errors
/// Where the database fails.
pub async fn drop_superseded(pool: &PgPool, keep: Duration) -> Result<u64> {
    let dropped = sqlx::query!(
        "
        UPDATE models SET fit = NULL, calibration = NULL, fit_dropped_at = now()
        WHERE superseded AND fit IS NOT NULL AND now() - superseded_at >= $1::interval
        ",
        interval(keep)
    )
    .execute(pool)
    .await?;
    Ok(dropped.rows_affected())
}

/// Stores a model's hold-outs, their errors, and how its intervals did, in one statement. Rows are read from JSON by
/// the tables' own types.
async fn store_validation(
    connection: &mut PgConnection,
    id: Uuid,
    training: &Training,
    model: &Model,
) -> Result<()> {
    let (mut hold_outs, mut errors) = (Vec::new(), Vec::new());
    for (hold_out, report) in &model.hold_outs {
        let key = hold_out.key;
        let forecasts = hold_out.forecasts.iter();
        // What was borrowed stands beside times as they were measured.
        let factors = training.sample_ids.iter();
        let factors = factors.map(|it| training.borrowed.get(it).unwrap_or(&1.0));
        let predicted = forecasts.clone().zip(factors);
        let predicted: Vec<Option<f64>> = predicted
            .map(|(forecast, factor)| Some(forecast.as_ref().ok()? / factor))
            .collect();
        let refusals: Vec<Option<String>> = forecasts
            .map(|it| it.as_ref().err().map(ToString::to_string))
            .collect();
        hold_outs.push(json!({
            "key": key, "predicted": predicted, "refusals": refusals, "doubts": hold_out.expected_errors
        }));
        let kernels = report.kernels.iter().map(|it| (&*it.kernel, it.errors));
        let overall = report.overall.map(|errors| (OVERALL, Some(errors)));
        for (kernel, of_kernel) in kernels.chain(overall) {
            errors.push(json!({ "key": key, "kernel": kernel, "errors": of_kernel }));
        }
    }
    sqlx::query!(
        r#"
        WITH of_hold_outs AS (
            INSERT INTO hold_outs (model_id, key, predicted, refusals, doubts)
            SELECT $1, key, predicted, refusals, doubts FROM jsonb_populate_recordset(NULL::hold_outs, $2)
        ), of_coverage AS (
            INSERT INTO coverages (model_id, level, covered, covered_rows, typical_factor, n, without)
            SELECT $1, level, covered, covered_rows, typical_factor, n, without
            FROM jsonb_populate_record(NULL::coverages, $4) WHERE level IS NOT NULL
        )
        INSERT INTO hold_out_errors (
            model_id, key, kernel, n, unpredicted, mean_ape, median_ape, factor, within_25, negative
        )
        SELECT
            $1, row.key, row.kernel, coalesce(it.n, 0), coalesce(it.unpredicted, 0), it.mean_ape,
            it.median_ape, it.factor, it.within_25, coalesce(it.negative, 0)
        FROM jsonb_to_recordset($3) AS row (key text, kernel text, errors jsonb),
            jsonb_populate_record(NULL::hold_out_errors, errors) AS it
        "#,
        id,
        json!(hold_outs),
        json!(errors),
        model.coverage.map(|it| json!(it)),
    )
    .execute(connection)
    .await?;
    Ok(())
}
