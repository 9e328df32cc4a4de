//! What is known of workloads whose samples the gate judges.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use chrono::{DateTime, TimeDelta, Utc};
use kerncast_profilers::catalogue::canonical;
use kerncast_training::gate::History;
use sqlx::PgConnection;
use uuid::Uuid;

use super::sharding::Shards;
use super::{
    readings::{self, Stored},
    training,
};

/// The newest samples of a workload that tell what is usual: so many are looked at …
const NEWEST: i64 = 100;
/// … and so many are told, …
const RECENT: usize = 15;
/// … of one agent's within this time the newest: who measures often is one witness.
const ONE_WITNESS: TimeDelta = TimeDelta::hours(12);
/// Samples whose counters are in memory at a time.
const AT_ONCE: usize = 500;

/// What a champion forecasts from.
pub(crate) struct Takes {
    pub(crate) provider: String,
    /// `PROVIDER:NAME`, of all providers.
    pub(crate) counters: Vec<String>,
}

/// The times of what is trusted of these workloads on the device, but for what is judged now.
pub(super) async fn times(
    connection: &mut PgConnection,
    device: i32,
    workloads: &[i32],
    judged: &[Uuid],
) -> sqlx::Result<HashMap<i32, History>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            workload AS "workload!", median_s AS "median_s!", shipped AS "shipped!",
            received_at AS "received_at!", coalesce(tokens.agent, agents.name) AS "agent!"
        FROM unnest($2::integer[]) AS workload
        CROSS JOIN LATERAL (
            SELECT id, median_s::float8 AS median_s, measured_at, received_at, agent_id, token_id,
                origin = 'shipped' AS shipped
            FROM trusted_samples
            WHERE device_id = $1 AND workload_id = workload AND id <> ALL ($4)
            ORDER BY measured_at DESC, id DESC
            LIMIT $3
        ) AS newest
        JOIN agents ON agents.id = agent_id
        LEFT JOIN tokens ON tokens.id = token_id
        ORDER BY workload, shipped, measured_at DESC, newest.id DESC
        "#,
        device,
        workloads,
        NEWEST,
        judged
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut witnesses: HashMap<i32, Vec<(String, DateTime<Utc>)>> = HashMap::new();
    let mut histories: HashMap<i32, History> = HashMap::new();
    for row in rows {
        let told = witnesses.entry(row.workload).or_default();
        let same = |(agent, at): &(String, DateTime<Utc>)| {
            *agent == row.agent && (*at - row.received_at).abs() < ONE_WITNESS
        };
        if told.len() < RECENT && !told.iter().any(same) {
            let history = histories.entry(row.workload).or_default();
            // Those come last: another machine of the device's name tells nothing where the lab's own has spoken.
            if row.shipped && !told.is_empty() && !history.elsewhere {
                continue;
            }
            history.elsewhere = row.shipped;
            history.times_s.push(row.median_s);
            told.push((row.agent, row.received_at));
        }
    }
    Ok(histories)
}

/// What was counted of workloads before.
pub(super) struct Before<'a> {
    pub(super) device: i32,
    pub(super) workloads: &'a [i32],
    /// Samples that do not count, as they are judged now.
    pub(super) judged: &'a [Uuid],
    /// The counters that matter: what those have.
    pub(super) names: HashSet<Arc<str>>,
    pub(super) champions: &'a [Takes],
}

impl Before<'_> {
    /// Adds the counters to the histories. They are not the newest sample's alone: who sends one without counters, or
    /// with others, would thereby make the next one's believable.
    pub(super) async fn counted(
        &self,
        connection: &mut PgConnection,
        shards: &Shards,
        histories: &mut HashMap<i32, History>,
    ) -> sqlx::Result<()> {
        let (numbers, ids) = training::counters(connection).await?;
        let wanted: HashMap<i32, &Arc<str>> = numbers
            .iter()
            .filter_map(|(name, id)| Some((*id, self.names.get(&**name)?)))
            .collect();
        let number = |name: &String| numbers.get(&*canonical(name)).copied();
        let taken: Vec<(&String, Option<Vec<i32>>)> = self
            .champions
            .iter()
            .map(|it| (&it.provider, it.counters.iter().map(number).collect()))
            .collect();
        // Of a provider's with the same counters only the newest.
        let newest = sqlx::query!(
            r#"
            SELECT workload_id AS "workload!", id AS "sample!"
            FROM (
                SELECT DISTINCT kept.workload_id, newest.id, newest.measured_at
                FROM counted_series AS kept
                CROSS JOIN LATERAL newest_trusted(kept, $3) AS newest
                WHERE kept.device_id = $1 AND kept.workload_id = ANY ($2)
            ) AS newest
            ORDER BY workload_id, measured_at DESC, id DESC
            "#,
            self.device,
            self.workloads,
            self.judged
        )
        .fetch_all(&mut *connection)
        .await?;
        // A few at a time: there may be many lists.
        for newest in newest.chunks(AT_ONCE) {
            let samples: Vec<Uuid> = newest.iter().map(|row| row.sample).collect();
            let mut of_samples: HashMap<Uuid, Vec<Stored>> = HashMap::new();
            for reading in readings::there(connection, shards, &samples)
                .await?
                .readings
            {
                if reading.refusal.is_none() {
                    of_samples.entry(reading.sample).or_default().push(reading);
                }
            }
            for row in newest {
                let readings = of_samples.remove(&row.sample).unwrap_or_default();
                let counted = readings
                    .iter()
                    .flat_map(|it| it.counter_ids.iter().zip(&it.values));
                let counted: HashMap<i32, f64> = counted
                    .filter_map(|(id, &value)| Some((*ids.get(id)?, value)))
                    .collect();
                let has = |ids: &Vec<i32>| ids.iter().all(|id| counted.contains_key(id));
                let history = histories.entry(row.workload).or_default();
                for (provider, ids) in &taken {
                    let by = |it: &Stored| it.provider == **provider;
                    if readings.iter().any(by) && ids.as_ref().is_some_and(has) {
                        history.counted_by.insert((*provider).clone());
                    }
                }
                for (id, value) in counted {
                    if let Some(name) = wanted.get(&id) {
                        history.counters.entry(Arc::clone(name)).or_insert(value);
                    }
                }
            }
        }
        Ok(())
    }
}
