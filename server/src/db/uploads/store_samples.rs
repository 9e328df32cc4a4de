//! A batch of samples in one round trip: the function `store_samples` does the rest.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    hash::Hash,
};

use chrono::{DateTime, Utc};
use kerncast_wire::{Conditions, NewSample, Provenance, Reading, TimeSummary};
use serde_json::{Value, json};
use sqlx::{PgConnection, PgPool, types::Json};
use uuid::Uuid;

use super::content_hash::ContentHash;
use crate::db::{Error, Result, access::audit::Actor, to_word};

/// A checked sample on its way into the database.
pub(crate) struct Arrival {
    pub(crate) sample: NewSample,
    pub(crate) content_hash: ContentHash,
}

/// The database's type of the same name.
#[derive(sqlx::Type)]
#[sqlx(type_name = "new_sample")]
struct SampleRow {
    id: Uuid,
    content_hash: Vec<u8>,
    workload: i32,
    device: i32,
    agent: i32,
    measured_at: DateTime<Utc>,
    repetitions: Vec<f64>,
    min_s: f64,
    median_s: f64,
    cv: Option<f64>,
    launches_per_repetition: i64,
    settled: Option<bool>,
    cold_repetitions: Vec<f64>,
    conditions: Option<Json<Conditions>>,
    flags: Vec<String>,
    provenance: i32,
    origin: String,
}

/// The database's type of the same name.
#[derive(sqlx::Type)]
#[sqlx(type_name = "new_reading")]
struct ReadingRow {
    sample: i32,
    provider: String,
    counter_list: Option<i32>,
    values: Option<Vec<f64>>,
    scope: String,
    refusal: Option<String>,
}

/// Who uploads.
#[derive(Clone, Debug)]
pub(crate) struct Uploader {
    pub(crate) actor: Actor,
    /// Whose token it is; absent: an admin's.
    pub(crate) agent: Option<String>,
}

impl Uploader {
    /// Whether it may change what is known of devices and kernels.
    pub(super) fn describes(&self) -> bool {
        self.agent.is_none()
    }
}

/// Stores `arrivals` (no two with the same id and hash) and returns those whose id was there before,
/// by place, with the hash of what is stored under it.
pub(crate) async fn store(
    connection: &mut PgConnection,
    arrivals: &[&Arrival],
    uploader: &Uploader,
) -> Result<HashMap<usize, ContentHash>> {
    if arrivals.is_empty() {
        return Ok(HashMap::new());
    }
    let mut names = Names::default();
    let mut samples = Vec::with_capacity(arrivals.len());
    let mut readings = Vec::new();
    for (place, arrival) in (1..).zip(arrivals) {
        samples.push(names.sample_row(arrival)?);
        for (provider, reading) in &arrival.sample.readings {
            readings.push(names.reading_row(place, provider, reading)?);
        }
    }
    mark_generated(connection, arrivals, uploader.describes()).await?;
    let rows = sqlx::query!(
        r#"SELECT sample AS "sample!", stored_hash AS "stored_hash!" FROM store_samples($1, $2, $3, $4, $5)"#,
        names.to_json(),
        samples as _,
        readings as _,
        uploader.actor.token,
        uploader.describes(),
    )
    .fetch_all(&mut *connection)
    .await?;
    rows.into_iter()
        .map(|row| {
            let place = usize::try_from(row.sample - 1);
            let hash = ContentHash::try_from(row.stored_hash.as_slice());
            let both = place.ok().zip(hash.ok());
            both.ok_or_else(|| {
                Error::Inconsistent("store_samples gave no place and hash".to_owned())
            })
        })
        .collect()
}

/// Why `store_samples` refused a batch for its counters' names.
pub(crate) enum NamesRefused {
    /// How many there may be.
    TooMany(String),
    /// Some may be of samples whose id is there, which are not stored.
    BesideStored,
}

impl NamesRefused {
    pub(crate) fn from_error(error: &Error) -> Option<Self> {
        let Error::Other(error) = error else {
            return None;
        };
        let error = error.as_database_error()?;
        match &*error.code()? {
            "KC001" => Some(Self::TooMany(error.message().to_owned())),
            "KC002" => Some(Self::BesideStored),
            _ => None,
        }
    }
}

/// The ids among these that samples are stored under.
pub(crate) async fn stored_ids(pool: &PgPool, ids: &[Uuid]) -> Result<HashSet<Uuid>> {
    let ids = sqlx::query_scalar!("SELECT id FROM samples WHERE id = ANY ($1)", ids);
    Ok(ids.fetch_all(pool).await?.into_iter().collect())
}

/// Other ids for samples whose own id belongs to another sample that is not shipped, by the own id: the id under which
/// the same sample is stored, or else a new one.
pub(crate) async fn free_ids(
    pool: &PgPool,
    arrivals: impl Iterator<Item = &Arrival>,
) -> Result<HashMap<Uuid, Uuid>> {
    let (ids, hashes): (Vec<Uuid>, Vec<Vec<u8>>) = arrivals
        .map(|it| (it.sample.id, it.content_hash.to_vec()))
        .unzip();
    let conflicts = sqlx::query!(
        r#"
        SELECT new.id AS "id!", (SELECT same.id FROM samples AS same WHERE same.content_hash = new.hash LIMIT 1) AS stored
        FROM unnest($1::uuid[], $2::bytea[]) AS new (id, hash)
        JOIN samples ON samples.id = new.id
        WHERE samples.content_hash <> new.hash AND samples.origin <> 'shipped'
        "#,
        &ids,
        &hashes
    );
    let conflicts = conflicts.fetch_all(pool).await?.into_iter();
    let free = conflicts.map(|row| (row.id, row.stored.unwrap_or_else(Uuid::now_v7)));
    Ok(free.collect())
}

/// Stores which kernels are generated before `store_samples` looks them up: always of new kernels, and of others where
/// the upload may describe them.
async fn mark_generated(
    connection: &mut PgConnection,
    arrivals: &[&Arrival],
    describes: bool,
) -> Result<()> {
    let workloads = arrivals.iter().map(|arrival| &arrival.sample.workload);
    let generated: BTreeMap<&str, bool> = workloads.map(|it| (&*it.kernel, it.generated)).collect();
    if !describes && generated.values().all(|generated| !generated) {
        return Ok(());
    }
    let kernels: Vec<String> = generated.keys().map(|&name| name.to_owned()).collect();
    let generated: Vec<bool> = generated.into_values().collect();
    sqlx::query!(
        "
        INSERT INTO kernels (name, generated)
        SELECT name, generated FROM unnest($1::text[], $2::boolean[]) AS new (name, generated)
        WHERE NOT EXISTS (
            SELECT FROM kernels AS old
            WHERE old.name = new.name AND (old.generated = new.generated OR NOT $3)
        )
        ON CONFLICT (name) DO UPDATE SET generated = excluded.generated WHERE $3
        ",
        &kernels,
        &generated,
        describes
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Each name of a batch once: rows hold places in these lists. What two samples of a batch say
/// differently of one device is settled by the first.
#[derive(Default)]
struct Names<'a> {
    devices: Places<(&'a str, &'a str)>,
    agents: Places<(&'a str, &'a str)>,
    workloads: Places<(&'a str, &'a str, &'a BTreeMap<String, i64>)>,
    counter_lists: Places<(&'a str, Vec<&'a str>)>,
    provenances: Places<&'a Provenance>,
}

impl<'a> Names<'a> {
    fn sample_row(&mut self, arrival: &'a Arrival) -> Result<SampleRow> {
        let Arrival {
            sample,
            content_hash,
        } = arrival;
        let NewSample {
            id,
            measured_at,
            agent,
            device,
            workload,
            times,
            readings: _,
            conditions,
            flags,
            provenance,
            origin,
        } = sample;
        let summary = TimeSummary::of(&times.repetitions_s);
        let device_key = (&*device.vendor, &*device.name);
        let agent_key = (&*agent.name, &*agent.version);
        let workload_key = (&*workload.kernel, &*workload.variant, &workload.parameters);
        Ok(SampleRow {
            id: *id,
            content_hash: content_hash.to_vec(),
            workload: self.workloads.place(workload_key, |_| json!(workload)),
            device: self.devices.place(device_key, |_| json!(device)),
            agent: self.agents.place(agent_key, |_| json!(agent)),
            measured_at: *measured_at,
            repetitions: times.repetitions_s.clone(),
            min_s: summary.min_s,
            median_s: summary.median_s,
            cv: summary.cv,
            launches_per_repetition: times.launches_per_repetition.into(),
            settled: times.settled,
            cold_repetitions: times.cold_repetitions_s.clone(),
            conditions: conditions.clone().map(Json),
            flags: flags.iter().map(to_word).collect::<Result<_, _>>()?,
            provenance: self.provenances.place(provenance, |it| json!(it)),
            origin: to_word(origin)?,
        })
    }

    fn reading_row(
        &mut self,
        sample: i32,
        provider: &'a str,
        reading: &'a Reading,
    ) -> Result<ReadingRow> {
        let Reading {
            counters,
            scope,
            refusal,
        } = reading;
        let names: Vec<&str> = counters.keys().map(String::as_str).collect();
        let list = (refusal.is_none()).then(|| {
            let key = (provider, names);
            let item = |(provider, names): &(&str, Vec<&str>)| json!({ "provider": provider, "names": names });
            self.counter_lists.place(key, item)
        });
        Ok(ReadingRow {
            sample,
            provider: provider.to_owned(),
            counter_list: list,
            values: list.map(|_| counters.values().copied().collect()),
            scope: to_word(scope)?,
            refusal: refusal.clone(),
        })
    }

    fn to_json(&self) -> Value {
        json!({
            "devices": self.devices.items,
            "agents": self.agents.items,
            "workloads": self.workloads.items,
            "counter_lists": self.counter_lists.items,
            "provenances": self.provenances.items,
        })
    }
}

/// Distinct items and their places, counted from 1 as Postgres does.
struct Places<K> {
    places: HashMap<K, i32>,
    items: Vec<Value>,
}

impl<K> Default for Places<K> {
    fn default() -> Self {
        Self {
            places: HashMap::new(),
            items: Vec::new(),
        }
    }
}

impl<K: Eq + Hash> Places<K> {
    fn place(&mut self, key: K, item: impl FnOnce(&K) -> Value) -> i32 {
        let items = &mut self.items;
        *self.places.entry(key).or_insert_with_key(|key| {
            items.push(item(key));
            i32::try_from(items.len()).unwrap_or(i32::MAX)
        })
    }
}
