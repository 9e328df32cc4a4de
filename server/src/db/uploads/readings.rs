//! Readings with their values.

use std::collections::{BTreeMap, HashMap};

use sqlx::PgConnection;
use uuid::Uuid;

use crate::db::{Error, Result};

/// What a provider says of a sample.
pub(crate) struct StoredReading {
    pub(crate) sample: Uuid,
    pub(crate) provider: String,
    /// None where it is refused, as are values.
    pub(crate) counter_ids: Vec<i32>,
    pub(crate) values: Vec<f64>,
    pub(crate) scope: String,
    pub(crate) refusal: Option<String>,
}

/// The readings of samples, of all providers, in no order.
/// Fails where a reading has not as many values as counters, which the database can't see: their list is another row.
pub(crate) async fn stored_readings(
    connection: &mut PgConnection,
    samples: &[Uuid],
) -> Result<Vec<StoredReading>> {
    let readings = sqlx::query_as!(
        StoredReading,
        r#"
        SELECT
            sample_id AS "sample!", provider AS "provider!", coalesce(counter_ids, '{}') AS "counter_ids!",
            coalesce(values, '{}') AS "values!: Vec<f64>", scope AS "scope!", refusal
        FROM readings
        LEFT JOIN counter_lists ON counter_lists.id = list_id
        WHERE sample_id = ANY ($1)
        "#,
        samples
    )
    .fetch_all(connection)
    .await?;
    for reading in &readings {
        let (n, counters) = (reading.values.len(), reading.counter_ids.len());
        if n != counters {
            let (sample, provider) = (reading.sample, &reading.provider);
            let wrong =
                format!("sample {sample} has {n} values by {provider}, of {counters} counters");
            return Err(Error::Inconsistent(wrong));
        }
    }
    Ok(readings)
}

/// The values of samples by their counters' ids, of all providers.
pub(crate) async fn values(
    connection: &mut PgConnection,
    samples: &[Uuid],
) -> Result<HashMap<Uuid, HashMap<i32, f64>>> {
    let mut values: HashMap<Uuid, HashMap<i32, f64>> = HashMap::with_capacity(samples.len());
    for reading in stored_readings(connection, samples).await? {
        let counted = reading.counter_ids.into_iter().zip(reading.values);
        values.entry(reading.sample).or_default().extend(counted);
    }
    Ok(values)
}

/// Counters' ids by `PROVIDER:NAME`.
pub(crate) async fn counter_ids(connection: &mut PgConnection) -> Result<BTreeMap<String, i32>> {
    let rows = sqlx::query!(r#"SELECT id, provider || ':' || name AS "name!" FROM counters"#);
    let rows = rows.fetch_all(connection).await?;
    Ok(rows.into_iter().map(|row| (row.name, row.id)).collect())
}
