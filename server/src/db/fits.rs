//! New models on their way into the database.

use std::time::Duration;

use kerncast_models::{Coverage, ErrorReport, Errors, FitError, HoldOut, HoldOutKey, Signs};
use kerncast_training::{Candidate, Fingerprint, Model};
use kerncast_wire::{self as wire, ModelSpecification};
use sqlx::{PgConnection, PgPool, postgres::types::PgInterval};
use uuid::Uuid;

use super::{
    stored_fit,
    validations::OVERALL,
    words::{number, to_word},
};

/// The model with this fingerprint, where it was fitted before.
pub(crate) async fn known(
    connection: &mut PgConnection,
    fingerprint: &Fingerprint,
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "SELECT id FROM models WHERE fingerprint = $1",
        fingerprint.as_slice()
    )
    .fetch_optional(connection)
    .await
}

/// Stores what became of a candidate, and supersedes the model of the same specification.
pub(crate) async fn store(
    connection: &mut PgConnection,
    id: Uuid,
    candidate: &Candidate,
    model: &Model,
) -> sqlx::Result<()> {
    let Candidate {
        specification,
        complexity,
        default_counters,
        code_version,
        fingerprint,
        training,
        ..
    } = candidate;
    let ModelSpecification {
        device,
        counted_on,
        provider,
        method,
        counters,
        variant,
        response,
    } = specification;
    let device: i32 = number(*device)?;
    let counted_on: Option<i32> = counted_on.map(number).transpose()?;
    sqlx::query!(
        "
        UPDATE models SET superseded = true, rank = NULL
        WHERE NOT superseded AND device_id = $1 AND provider = $2 AND method = $3
            AND variant IS NOT DISTINCT FROM $4 AND default_counters = $5
            AND (default_counters OR counters = $6) AND response = $7
            AND counted_on_device_id IS NOT DISTINCT FROM $8
        ",
        device,
        provider,
        method,
        variant.as_deref(),
        *default_counters,
        counters,
        response,
        counted_on
    )
    .execute(&mut *connection)
    .await?;
    let kernels = i64::try_from(training.kernels).unwrap_or(i64::MAX);
    let fit = model.outcome.as_ref().map_err(Clone::clone);
    let fit = fit.and_then(|fit| match stored_fit::write(&fit.fitted) {
        Some(json) => Ok((json, &fit.dropped)),
        None => Err(FitError::NotFinite.to_string()),
    });
    let calibration = model.calibration.as_ref();
    let calibration = calibration.map(stored_fit::write_calibration).transpose()?;
    sqlx::query!(
        "
        INSERT INTO models (
            id, device_id, counted_on_device_id, provider, method, complexity, counters, default_counters,
            variant, response, code_version, fingerprint, sample_ids, kernels, fit, dropped, calibration,
            refusal, warnings, counted_on_sample_ids, global_sample_ids, workload_ids
        )
        VALUES (
            $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15::text::json, $16,
            $17::text::json, $18, $19, $20, $21,
            ARRAY(
                SELECT workload_id
                FROM unnest($13::uuid[]) WITH ORDINALITY AS row (sample_id, place)
                JOIN samples ON samples.id = row.sample_id
                ORDER BY place
            )
        )
        ",
        id,
        device,
        counted_on,
        provider,
        method,
        *complexity,
        counters,
        *default_counters,
        variant.as_deref(),
        response,
        code_version,
        fingerprint.as_slice(),
        &training.sample_ids,
        kernels,
        fit.as_ref().ok().map(|(json, _)| json.as_str()),
        fit.as_ref().ok().map(|(_, dropped)| dropped.as_slice()) as _,
        calibration,
        fit.as_ref().err(),
        &model.warnings,
        training.counted_sample_ids.as_deref(),
        training.global_sample_ids.as_deref(),
    )
    .execute(&mut *connection)
    .await?;
    for (hold_out, report) in &model.hold_outs {
        store_hold_out(connection, id, hold_out, report).await?;
    }
    if let Some(coverage) = &model.coverage {
        store_coverage(connection, id, coverage).await?;
    }
    if let Some(signs) = &model.signs {
        store_signs(connection, id, signs).await?;
    }
    Ok(())
}

/// Drops the fits of models that were superseded so long ago: they fill the disk, and nobody forecasts by them.
/// Returns how many.
pub(crate) async fn drop_superseded(pool: &PgPool, keep: Duration) -> sqlx::Result<u64> {
    let keep = PgInterval {
        months: 0,
        days: 0,
        microseconds: i64::try_from(keep.as_micros()).unwrap_or(i64::MAX),
    };
    sqlx::query!(
        "
        UPDATE models SET fit = NULL, calibration = NULL, fit_dropped_at = now()
        WHERE superseded AND fit IS NOT NULL AND now() - superseded_at >= $1::interval
        ",
        keep
    )
    .execute(pool)
    .await
    .map(|done| done.rows_affected())
}

async fn store_signs(
    connection: &mut PgConnection,
    model: Uuid,
    signs: &Signs,
) -> sqlx::Result<()> {
    let &Signs {
        right,
        clear_right,
        pays_off,
    } = signs;
    sqlx::query!(
        r#"
        INSERT INTO speedup_signs (model_id, "right", clear_right, pays_off)
        VALUES ($1, $2::float8, $3::float8, $4::float8)
        "#,
        model,
        right,
        clear_right,
        pays_off,
    )
    .execute(connection)
    .await
    .map(|_| ())
}

async fn store_coverage(
    connection: &mut PgConnection,
    model: Uuid,
    coverage: &Coverage,
) -> sqlx::Result<()> {
    let &Coverage {
        level,
        covered,
        covered_rows,
        typical_factor,
        n,
        without,
    } = coverage;
    let rows = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    sqlx::query!(
        "
        INSERT INTO coverages (model_id, level, covered, covered_rows, typical_factor, n, without)
        VALUES ($1, $2::float8, $3::float8, $4::float8, $5::float8, $6, $7)
        ",
        model,
        level,
        covered,
        covered_rows,
        typical_factor,
        rows(n),
        rows(without),
    )
    .execute(connection)
    .await
    .map(|_| ())
}

async fn store_hold_out(
    connection: &mut PgConnection,
    model: Uuid,
    hold_out: &HoldOut,
    report: &ErrorReport,
) -> sqlx::Result<()> {
    let key = to_word(match hold_out.key {
        HoldOutKey::Row => wire::HoldOutKey::Row,
        HoldOutKey::Kernel => wire::HoldOutKey::Kernel,
        HoldOutKey::Family => wire::HoldOutKey::Family,
        HoldOutKey::Device => wire::HoldOutKey::Device,
    })?;
    let forecasts = &hold_out.forecasts;
    let predicted: Vec<Option<f64>> = forecasts
        .iter()
        .map(|it| it.as_ref().ok().copied())
        .collect();
    let refusals: Vec<Option<String>> = forecasts
        .iter()
        .map(|it| it.as_ref().err().map(ToString::to_string))
        .collect();
    sqlx::query!(
        "INSERT INTO hold_outs (model_id, key, predicted, refusals) VALUES ($1, $2, $3, $4)",
        model,
        key,
        &predicted as _,
        &refusals as _,
    )
    .execute(&mut *connection)
    .await?;
    let mut names: Vec<&str> = Vec::new();
    let mut errors: Vec<Option<&Errors>> = Vec::new();
    for kernel in &report.kernels {
        names.push(&kernel.kernel);
        errors.push(kernel.errors.as_ref());
    }
    if let Some(overall) = &report.overall {
        names.push(OVERALL);
        errors.push(Some(overall));
    }
    let counts = |count: fn(&Errors) -> usize| -> Vec<i64> {
        let rows = |it: &Option<&Errors>| it.map_or(0, count);
        let rows = errors.iter().map(rows);
        rows.map(|it| i64::try_from(it).unwrap_or(i64::MAX))
            .collect()
    };
    let numbers = |number: fn(&Errors) -> Option<f64>| -> Vec<Option<f64>> {
        errors.iter().map(|it| number((*it)?)).collect()
    };
    sqlx::query!(
        "
        INSERT INTO hold_out_errors (
            model_id, key, kernel, n, unpredicted, mean_ape, median_ape, factor, within_25, negative
        )
        SELECT $1, $2, *
        FROM unnest(
            $3::text[], $4::bigint[], $5::bigint[], $6::float8[], $7::float8[], $8::float8[], $9::float8[],
            $10::bigint[]
        )
        ",
        model,
        key,
        &names as _,
        &counts(|it| it.n),
        &counts(|it| it.unpredicted),
        &numbers(|it| Some(it.mean_ape)) as _,
        &numbers(|it| Some(it.median_ape)) as _,
        &numbers(|it| it.factor) as _,
        &numbers(|it| Some(it.within_25)) as _,
        &counts(|it| it.negative),
    )
    .execute(connection)
    .await
    .map(|_| ())
}
