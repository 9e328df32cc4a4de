//! Stored fits, as forecasts need them.

use kerncast_models::{Coefficient, Fitted, Form, Linear, Seen};
use sqlx::PgPool;
use uuid::Uuid;

/// A model, as far as a forecast asks.
pub(crate) struct Forecaster {
    pub(crate) device: i64,
    /// On kernels that the fit had not seen; absent where it could not be validated.
    pub(crate) leave_one_kernel_out_mean_ape: Option<f64>,
    /// The counters in the fit, `PROVIDER:NAME`, one a coefficient.
    pub(crate) counters: Vec<String>,
    /// The fit, with columns in the order of `counters`, or why there is none of times.
    pub(crate) fit: Result<Fitted, String>,
}

/// The model of this id, superseded or not.
pub(crate) async fn get(pool: &PgPool, model: Uuid) -> sqlx::Result<Option<Forecaster>> {
    let row = sqlx::query!(
        r#"
        SELECT
            device_id::bigint AS "device!", response, intercept, refusal, mean_ape AS "mean_ape?"
        FROM models
        LEFT JOIN hold_out_errors AS headline
            ON headline.model_id = id AND headline.key = 'kernel' AND headline.kernel = ''
        WHERE id = $1
        "#,
        model
    )
    .fetch_optional(pool)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let parts = sqlx::query!(
        r#"
        SELECT counter, mean AS "mean!", scale AS "scale!", weight AS "weight!", min AS "min!", max AS "max!"
        FROM model_counters
        WHERE model_id = $1 AND dropped IS NULL
        ORDER BY position
        "#,
        model
    )
    .fetch_all(pool)
    .await?;
    let coefficients = parts.iter().enumerate().map(|(column, part)| Coefficient {
        column,
        mean: part.mean,
        scale: part.scale,
        weight: part.weight,
    });
    let seen = parts.iter().map(|part| Seen {
        mean: part.mean,
        min: part.min,
        max: part.max,
    });
    let fit = match row.intercept {
        Some(_) if row.response != "time" => Err(format!("it forecasts {}, no time", row.response)),
        Some(intercept) => Ok(Fitted {
            seen: seen.collect(),
            dropped: Vec::new(),
            form: Form::Linear(Linear {
                intercept,
                coefficients: coefficients.collect(),
            }),
        }),
        None => Err(row.refusal.unwrap_or_default()),
    };
    Ok(Some(Forecaster {
        device: row.device,
        leave_one_kernel_out_mean_ape: row.mean_ape,
        counters: parts.into_iter().map(|part| part.counter).collect(),
        fit,
    }))
}

/// The model that answers for a device and provider.
pub(crate) struct Champion {
    pub(crate) model: Uuid,
    pub(crate) device: i64,
    pub(crate) provider: String,
    /// The counters in the fit, `PROVIDER:NAME`.
    pub(crate) counters: Vec<String>,
}

/// The champions of all devices, best first.
pub(crate) async fn champions(pool: &PgPool) -> sqlx::Result<Vec<Champion>> {
    sqlx::query_as!(
        Champion,
        r#"
        SELECT
            champions.model_id AS "model!", device_id::bigint AS "device!", provider AS "provider!",
            ARRAY(
                SELECT counter FROM model_counters
                WHERE model_counters.model_id = champions.model_id AND dropped IS NULL
            ) AS "counters!"
        FROM champions
        ORDER BY place
        "#
    )
    .fetch_all(pool)
    .await
}
