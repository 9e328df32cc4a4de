//! Stored fits, as forecasts need them.

use kerncast_models::{Calibration, Contender, ErrorReport, Fitted};
use kerncast_wire::Errors;
use sqlx::{PgExecutor, PgPool, types::Json};
use uuid::Uuid;

use crate::db::{Result, models::stored_fit};

/// What a model forecasts from: one device's counters or another's, by a provider.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ModelKey {
    /// The device that is forecast.
    pub(crate) device: i64,
    /// The device whose counters the model takes, where that is another.
    pub(crate) counted_on: Option<i64>,
    pub(crate) provider: String,
}

/// A model, as far as a forecast asks.
pub(crate) struct StoredModel {
    pub(crate) key: ModelKey,
    pub(crate) method: String,
    /// What it forecasts.
    pub(crate) response: String,
    /// Its error on kernels that the fit had not seen; absent where it could not be validated.
    pub(crate) leave_one_kernel_out_mean_ape: Option<f64>,
    /// `PROVIDER:NAME`, one a column of the fit.
    pub(crate) counters: Vec<String>,
    /// The fit, or why there is none.
    pub(crate) fit: Result<Fitted, String>,
    /// Where its intervals come from; absent where nothing could be left out.
    pub(crate) calibration: Option<Calibration>,
    /// Whether it learns from another device's samples.
    pub(crate) borrows: bool,
    /// About so many bytes of memory.
    pub(crate) bytes: usize,
}

/// The model of this id, superseded or not.
pub(crate) async fn get(executor: impl PgExecutor<'_>, model: Uuid) -> Result<Option<StoredModel>> {
    let row = sqlx::query!(
        r#"
        SELECT
            device_id::bigint AS "device!", counted_on_device_id::bigint AS counted_on, provider, method, counters,
            response,
            EXISTS (SELECT FROM jsonb_array_elements(warned) AS it WHERE it ->> 'kind' = 'borrowed') AS "borrows!",
            fit::text, calibration::text, refusal, fit_dropped_at, mean_ape AS "mean_ape?: f64"
        FROM models
        LEFT JOIN hold_out_errors AS headline
            ON headline.model_id = id AND headline.key = 'kernel' AND headline.kernel = ''
        WHERE id = $1
        "#,
        model
    )
    .fetch_optional(executor)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let texts = [&row.fit, &row.calibration];
    let bytes = texts.into_iter().flatten().map(String::len).sum();
    let fit = match (row.fit, row.fit_dropped_at) {
        (Some(fit), _) => Ok(stored_fit::read(&fit)?),
        (None, Some(at)) => Err(format!(
            "it was dropped on {}, a while after a newer model had superseded this one",
            at.format("%Y-%m-%d")
        )),
        (None, None) => Err(row.refusal.unwrap_or_default()),
    };
    let calibration = row.calibration.as_deref();
    Ok(Some(StoredModel {
        key: ModelKey {
            device: row.device,
            counted_on: row.counted_on,
            provider: row.provider,
        },
        method: row.method,
        response: row.response,
        leave_one_kernel_out_mean_ape: row.mean_ape,
        borrows: row.borrows,
        bytes,
        counters: row.counters,
        fit,
        calibration: calibration.map(stored_fit::read_calibration).transpose()?,
    }))
}

/// A model that may answer, after those that answer before it.
pub(crate) struct RankedModel {
    pub(crate) id: Uuid,
    pub(crate) key: ModelKey,
    pub(crate) method: String,
    /// Whether its counters are the method's defaults, and its samples of all variants.
    pub(crate) standard: bool,
    /// The counters in the fit, `PROVIDER:NAME`.
    pub(crate) counters: Vec<String>,
    /// Whether its forecasts have intervals.
    pub(crate) has_intervals: bool,
    /// Its errors, without those of single kernels: other providers' models are judged by other kernels.
    pub(crate) contender: Contender,
}

/// The models of all devices that may answer what this response is: of one device, device counted on and provider in
/// the order in which they answer, the champion first. Which of several providers' answers is left to whoever knows
/// what is asked (`models::lead`).
pub(crate) async fn ranked_models(pool: &PgPool, response: &str) -> Result<Vec<RankedModel>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            id, device_id::bigint AS "device!", counted_on_device_id::bigint AS counted_on, provider, method,
            variant IS NULL AS "standard!",
            ARRAY(
                SELECT counter
                FROM unnest(counters, dropped) AS column_of (counter, reason)
                WHERE reason IS NULL
            ) AS "counters!",
            EXISTS (SELECT FROM coverages WHERE model_id = id) AS "has_intervals!",
            variant, complexity, errors_json(judged) AS "errors: Json<Errors>"
        FROM models
        LEFT JOIN hold_out_errors AS judged
            ON judged.model_id = id AND judged.key = judged_by AND judged.kernel = ''
        WHERE rank IS NOT NULL AND response = $1
        ORDER BY device_id, counted_on_device_id, provider, rank
        "#,
        response
    )
    .fetch_all(pool)
    .await?;
    let models = rows.into_iter().map(|row| {
        let report = ErrorReport {
            overall: row.errors.map(|Json(errors)| errors),
            kernels: Vec::new(),
        };
        RankedModel {
            id: row.id,
            key: ModelKey {
                device: row.device,
                counted_on: row.counted_on,
                provider: row.provider,
            },
            method: row.method,
            standard: row.standard,
            counters: row.counters,
            has_intervals: row.has_intervals,
            contender: Contender::new(row.variant.is_none(), row.complexity, &report),
        }
    });
    Ok(models.collect())
}
