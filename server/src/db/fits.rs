//! New models on their way into the database.

use kerncast_models::{ErrorReport, Errors, Fitted, Form, HoldOut, HoldOutKey, Linear};
use kerncast_wire::{self as wire, ModelSpecification};
use sqlx::PgConnection;
use uuid::Uuid;

use super::words::to_word;

/// SHA-256 of specification, code version and samples.
pub(crate) type Fingerprint = [u8; 32];

/// A model that is not stored yet.
pub(crate) struct NewModel {
    pub(crate) id: Uuid,
    pub(crate) device: i32,
    /// With the counters that were fitted.
    pub(crate) specification: ModelSpecification,
    /// Whether they are the defaults.
    pub(crate) default_counters: bool,
    pub(crate) code_version: String,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) sample_ids: Vec<Uuid>,
    pub(crate) kernels: usize,
    /// The fit, or why there is none.
    pub(crate) outcome: Result<Fitted, String>,
    pub(crate) warnings: Vec<String>,
    /// None where there is no fit.
    pub(crate) hold_outs: Vec<(HoldOut, ErrorReport)>,
}

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

/// Stores a model and supersedes the one of the same specification.
pub(crate) async fn store(connection: &mut PgConnection, model: &NewModel) -> sqlx::Result<()> {
    let ModelSpecification {
        device: _,
        provider,
        method,
        counters,
        variant,
        response,
    } = &model.specification;
    sqlx::query!(
        "
        UPDATE models SET superseded = true
        WHERE NOT superseded AND device_id = $1 AND provider = $2 AND method = $3
            AND variant IS NOT DISTINCT FROM $4 AND default_counters = $5
            AND (default_counters OR counters = $6) AND response = $7
        ",
        model.device,
        provider,
        method,
        variant.as_deref(),
        model.default_counters,
        counters,
        response
    )
    .execute(&mut *connection)
    .await?;
    let kernels = i64::try_from(model.kernels).unwrap_or(i64::MAX);
    // Specifications name no method whose fits are not linear: there are no columns for those yet.
    let linear = match &model.outcome {
        Ok(Fitted {
            form: Form::Linear(linear),
            ..
        }) => Some(linear),
        _ => None,
    };
    sqlx::query!(
        "
        INSERT INTO models (
            id, device_id, provider, method, counters, default_counters, variant, code_version,
            fingerprint, sample_ids, kernels, intercept, refusal, warnings, response
        )
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::float8, $13, $14, $15)
        ",
        model.id,
        model.device,
        provider,
        method,
        counters,
        model.default_counters,
        variant.as_deref(),
        model.code_version,
        model.fingerprint.as_slice(),
        &model.sample_ids,
        kernels,
        linear.map(|it| it.intercept),
        model.outcome.as_ref().err(),
        &model.warnings,
        response,
    )
    .execute(&mut *connection)
    .await?;
    if let (Ok(fitted), Some(linear)) = (&model.outcome, linear) {
        store_counters(connection, model.id, fitted, linear, counters).await?;
    }
    for (hold_out, report) in &model.hold_outs {
        store_hold_out(connection, model.id, hold_out, report).await?;
    }
    Ok(())
}

async fn store_counters(
    connection: &mut PgConnection,
    model: Uuid,
    fitted: &Fitted,
    linear: &Linear,
    counters: &[String],
) -> sqlx::Result<()> {
    for (position, counter) in (0..).zip(counters) {
        let column = usize::try_from(position).unwrap_or(usize::MAX);
        let part = linear.coefficients.iter().find(|it| it.column == column);
        let dropped = fitted.dropped.iter().find(|it| it.column == column);
        sqlx::query!(
            "
            INSERT INTO model_counters (
                model_id, position, counter, mean, scale, weight, min, max, dropped
            )
            VALUES ($1, $2, $3, $4::float8, $5::float8, $6::float8, $7::float8, $8::float8, $9)
            ",
            model,
            position,
            counter,
            part.map(|it| it.mean),
            part.map(|it| it.scale),
            part.map(|it| it.weight),
            part.map(|_| fitted.seen[column].min),
            part.map(|_| fitted.seen[column].max),
            dropped.map(|it| it.reason.in_words(counters)),
        )
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
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
    let kernels = report
        .kernels
        .iter()
        .map(|it| (it.kernel.as_str(), it.errors));
    let overall = report.overall.map(|errors| ("", Some(errors)));
    for (kernel, errors) in kernels.chain(overall) {
        let rows = |count: fn(&Errors) -> usize| {
            errors
                .as_ref()
                .map_or(0, |errors| i64::try_from(count(errors)).unwrap_or(i64::MAX))
        };
        sqlx::query!(
            "
            INSERT INTO hold_out_errors (
                model_id, key, kernel, n, unpredicted, mean_ape, median_ape, factor, within_25, negative
            )
            VALUES ($1, $2, $3, $4, $5, $6::float8, $7::float8, $8::float8, $9::float8, $10)
            ",
            model,
            key,
            kernel,
            rows(|it| it.n),
            rows(|it| it.unpredicted),
            errors.map(|it| it.mean_ape),
            errors.map(|it| it.median_ape),
            errors.and_then(|it| it.factor),
            errors.map(|it| it.within_25),
            rows(|it| it.negative),
        )
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}
