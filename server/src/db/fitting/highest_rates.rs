//! What workloads did most per second, beside their devices' ceilings.

use kerncast_training::rates::Highest;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::db::Result;

/// A rate above so many times a ceiling is no artefact of the copy that measured the ceiling: kernels that only read exceed
/// it by 8 % on an H200.
const EXCEEDING_TIMES: f64 = 1.2;

/// Replaces the highest rates that a provider's counters show on a device.
pub(crate) async fn replace(
    connection: &mut PgConnection,
    device: i32,
    provider: &str,
    highest: &[Highest],
) -> Result<()> {
    sqlx::query!(
        "DELETE FROM highest_rates WHERE device_id = $1 AND provider = $2",
        device,
        provider
    )
    .execute(&mut *connection)
    .await?;
    let ceilings: Vec<String> = highest.iter().map(|it| it.ceiling.to_owned()).collect();
    let rates: Vec<f64> = highest.iter().map(|it| it.per_second).collect();
    let samples: Vec<Uuid> = highest.iter().map(|it| it.sample).collect();
    sqlx::query!(
        "
        INSERT INTO highest_rates (device_id, provider, ceiling, per_second, sample_id)
        SELECT $1, $2, * FROM unnest($3::text[], $4::float8[], $5::uuid[])
        ",
        device,
        provider,
        &ceilings,
        &rates,
        &samples
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// A ceiling that a workload exceeds.
pub(crate) struct ExceededCeiling {
    pub(crate) device: i64,
    pub(crate) provider: String,
    pub(crate) ceiling: String,
    /// What its ceilings say.
    pub(crate) says: f64,
    pub(crate) per_second: f64,
    pub(crate) kernel: String,
}

/// The ceilings of all devices that workloads exceed, each by the provider whose counters exceed it the most.
pub(crate) async fn exceeded_ceilings(pool: &PgPool) -> Result<Vec<ExceededCeiling>> {
    Ok(sqlx::query_as!(
        ExceededCeiling,
        r#"
        WITH best AS (SELECT device_id, to_jsonb(device_ceilings) AS all_of_them FROM device_ceilings)
        SELECT DISTINCT ON (highest_rates.device_id, ceiling)
            highest_rates.device_id::bigint AS "device!", highest_rates.provider AS "provider!", ceiling AS "ceiling!", says AS "says!",
            per_second::float8 AS "per_second!", kernels.name AS kernel
        FROM highest_rates
        JOIN best ON best.device_id = highest_rates.device_id
        CROSS JOIN LATERAL (SELECT (all_of_them ->> ceiling)::float8) AS of_device (says)
        JOIN samples ON samples.id = sample_id
        JOIN workloads ON workloads.id = workload_id
        JOIN kernels ON kernels.id = kernel_id
        WHERE per_second > $1 * says
        ORDER BY highest_rates.device_id, ceiling, per_second DESC
        "#,
        EXCEEDING_TIMES
    )
    .fetch_all(pool)
    .await?)
}
