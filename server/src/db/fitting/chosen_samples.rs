//! The samples that fits are made from.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use kerncast_training::{ENOUGH_KERNELS, Sample, Samples, Timed, code_versions, lender};
use kerncast_wire::Facts;
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use uuid::Uuid;

use super::fit_key::FitKey;
use crate::db::{Error, Result, from_word, number, uploads::readings};

/// The samples that fits are made from, without the counters' values: those are most of it, and are read later.
pub(crate) struct ChosenSamples {
    counters: BTreeMap<String, i32>,
    counted: Vec<Counted>,
    devices: BTreeMap<i64, BTreeMap<i32, Timed>>,
}

/// A sample that was chosen. What is not here of a stored sample never changes. Its `Debug` text is hashed, as that of
/// [`Timed`] and of data sheets ([`ChosenSamples::digest`]): a field that gets another name has all fits looked at again.
#[derive(Debug)]
struct Counted {
    id: Uuid,
    workload: i32,
    kernel: String,
    family: Option<String>,
    generated: bool,
    variant: String,
    scope: String,
    /// How many counters its question's provider has counted.
    counters: i64,
}

/// The samples to fit: those that the provider counted on the device, or on the one counted on, and how long the device
/// took. Of each workload and set of the provider's counters only the newest: what is measured every night must not make
/// fits slower and slower.
pub(crate) async fn choose_samples(
    connection: &mut PgConnection,
    key: &FitKey,
) -> Result<ChosenSamples> {
    let counters = readings::counter_ids(connection).await?;
    let from = key.counted_on.unwrap_or(key.device);
    let counted = counted_samples(connection, from, &key.provider).await?;
    let workloads: BTreeSet<i32> = counted.iter().map(|it| it.workload).collect();
    let workloads = Vec::from_iter(workloads);
    let devices = newest_times(connection, key.device, &workloads).await?;
    Ok(ChosenSamples {
        counters,
        counted,
        devices,
    })
}

/// The digests that are stored are of this text.
impl fmt::Debug for ChosenSamples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chosen")
            .field("counters", &self.counters)
            .field("counted", &self.counted)
            .field("devices", &self.devices)
            .finish()
    }
}

impl ChosenSamples {
    /// A hash that is the same where fits would be: of all that is chosen, of what another device lends and both data
    /// sheets, and of the code that fits.
    pub(crate) fn digest(&self, lent: Option<(&Self, [&Facts; 2])>) -> [u8; 32] {
        Sha256::digest(format!("{:?}", (code_versions(), self, lent))).into()
    }

    /// Whether there are so few kernels that people wrote that another device's samples are needed.
    pub(crate) fn has_few_kernels(&self) -> bool {
        let handwritten = self.counted.iter().filter(|it| !it.generated);
        let kernels: BTreeSet<&str> = handwritten.map(|it| &*it.kernel).collect();
        kernels.len() < ENOUGH_KERNELS
    }

    /// How many samples there are, and the most counters that their provider counted of one.
    pub(crate) fn size(&self) -> (usize, usize) {
        let most = self.counted.iter().map(|it| it.counters).max();
        let most = most.and_then(|it| usize::try_from(it).ok());
        (self.counted.len(), most.unwrap_or(0))
    }

    /// The samples with their counters, in the order of what was counted.
    pub(crate) async fn read_samples(self, connection: &mut PgConnection) -> Result<Samples> {
        let ids: Vec<Uuid> = self.counted.iter().map(|it| it.id).collect();
        let rows = sqlx::query!(
            r#"
            SELECT
                id, device_id, measured_at, median_s::float8 AS "median_s!", flags
            FROM samples
            WHERE id = ANY ($1)
            ORDER BY id
            "#,
            &ids
        )
        .fetch_all(&mut *connection)
        .await?;
        let mut values = readings::values(connection, &ids).await?;
        let mut samples: Vec<Sample> = Vec::with_capacity(ids.len());
        let mut chosen_samples = self.counted.iter();
        for row in rows {
            let chosen = chosen_samples.find(|it| it.id == row.id);
            let wrong = || format!("sample {} was read and not chosen", row.id);
            let chosen = chosen.ok_or_else(|| Error::Inconsistent(wrong()))?;
            let flags = row.flags.into_iter().map(from_word);
            samples.push(Sample {
                id: row.id,
                measured_at: row.measured_at,
                device: row.device_id.into(),
                workload: chosen.workload,
                kernel: chosen.kernel.clone(),
                family: chosen.family.clone(),
                generated: chosen.generated,
                variant: chosen.variant.clone(),
                median_s: row.median_s,
                flags: flags.collect::<Result<_>>()?,
                scope: from_word(chosen.scope.clone())?,
                values: values.remove(&row.id).unwrap_or_default(),
            });
        }
        Ok(Samples {
            counters: self.counters,
            counted: samples,
            borrowed: BTreeMap::new(),
            lender: None,
            devices: self.devices,
        })
    }
}

/// The device that this one borrows samples of a provider from, where both are GPUs with data sheets: its number, and
/// what it and this one are made of.
pub(crate) async fn find_lender(
    connection: &mut PgConnection,
    device: i32,
    provider: &str,
) -> Result<Option<(i32, [&'static Facts; 2])>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            devices.id AS "id!", devices.name AS "name!",
            (
                SELECT count(DISTINCT kernel_id)
                FROM counted_series AS kept
                JOIN workloads ON workloads.id = kept.workload_id
                JOIN kernels ON kernels.id = kernel_id
                WHERE kept.device_id = devices.id AND kept.provider = $1 AND NOT generated
            ) AS "kernels!"
        FROM devices
        "#,
        provider
    )
    .fetch_all(connection)
    .await?;
    let Some(own) = rows.iter().find(|row| row.id == device) else {
        return Ok(None);
    };
    let others = rows.iter().filter(|row| row.id != device);
    let others = others.map(|row| {
        let kernels = usize::try_from(row.kernels).unwrap_or_default();
        (i64::from(row.id), &*row.name, kernels)
    });
    let lender = lender(&own.name, others).map(|(id, facts)| Ok((number(id)?, facts)));
    lender.transpose()
}

async fn counted_samples(
    connection: &mut PgConnection,
    device: i32,
    provider: &str,
) -> Result<Vec<Counted>> {
    Ok(sqlx::query_as!(
        Counted,
        r#"
        SELECT
            newest.id AS "id!", kept.workload_id AS "workload!", kernels.name AS kernel, family, generated, variant,
            (SELECT scope FROM readings WHERE sample_id = newest.id AND readings.provider = kept.provider) AS "scope!",
            cardinality(counter_ids)::bigint AS "counters!"
        FROM counted_series AS kept
        JOIN counter_lists ON counter_lists.id = kept.list_id
        CROSS JOIN LATERAL newest_trusted(kept, '{}') AS newest
        JOIN workloads ON workloads.id = kept.workload_id
        JOIN kernels ON kernels.id = kernel_id
        WHERE kept.device_id = $1 AND kept.provider = $2
        ORDER BY newest.id
        "#,
        device,
        provider
    )
    .fetch_all(connection)
    .await?)
}

/// The newest samples of these workloads on a device.
async fn newest_times(
    connection: &mut PgConnection,
    device: i32,
    workloads: &[i32],
) -> Result<BTreeMap<i64, BTreeMap<i32, Timed>>> {
    let rows = sqlx::query!(
        r#"
        SELECT id AS "id!", ran.device_id, ran.workload_id, median_s AS "median_s!"
        FROM (
            SELECT DISTINCT device_id, workload_id FROM series
            WHERE workload_id = ANY ($1) AND device_id = $2
        ) AS ran
        CROSS JOIN LATERAL (
            SELECT id, median_s::float8 AS median_s FROM trusted_samples AS it
            WHERE it.device_id = ran.device_id AND it.workload_id = ran.workload_id
            ORDER BY measured_at DESC, id DESC
            LIMIT 1
        ) AS newest
        "#,
        workloads,
        device
    )
    .fetch_all(connection)
    .await?;
    let mut devices: BTreeMap<i64, BTreeMap<i32, Timed>> = BTreeMap::new();
    for row in rows {
        let timed = Timed {
            sample: row.id,
            median_s: row.median_s,
        };
        let device = devices.entry(row.device_id.into()).or_default();
        device.insert(row.workload_id, timed);
    }
    Ok(devices)
}
