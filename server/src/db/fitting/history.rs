//! What is known of workloads whose samples the gate judges.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::Arc,
};

use chrono::{DateTime, TimeDelta, Utc};
use kerncast_training::gate::History;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::db::{
    Result,
    uploads::readings::{self, StoredReading},
};

/// How many of a workload's newest samples are looked at …
const MOST_NEWEST: i64 = 100;
/// … and how many of them say what is usual.
const MOST_WITNESSES: usize = 15;
/// An agent's samples within this time count as one, the newest: who measures often is one witness.
const WITNESS_INTERVAL: TimeDelta = TimeDelta::hours(12);
/// Samples whose counters are in memory at a time.
const SAMPLES_AT_ONCE: usize = 500;

/// What a champion forecasts from.
pub(crate) struct ChampionCounters {
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
) -> Result<HashMap<i32, History>> {
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
        MOST_NEWEST,
        judged
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut witnesses: HashMap<i32, Vec<(String, DateTime<Utc>)>> = HashMap::new();
    let mut histories: HashMap<i32, History> = HashMap::new();
    for row in rows {
        let heard = witnesses.entry(row.workload).or_default();
        let same = |(agent, at): &(String, DateTime<Utc>)| {
            *agent == row.agent && (*at - row.received_at).abs() < WITNESS_INTERVAL
        };
        if heard.len() < MOST_WITNESSES && !heard.iter().any(same) {
            let history = histories.entry(row.workload).or_default();
            // Those come last: another machine of the device's name tells nothing where the lab's own has spoken.
            if row.shipped && !heard.is_empty() && !history.is_shipped {
                continue;
            }
            history.is_shipped = row.shipped;
            history.times_s.push(row.median_s);
            heard.push((row.agent, row.received_at));
        }
    }
    Ok(histories)
}

/// The ids of the counters that a champion forecasts from.
pub(super) struct CounterIds<'a> {
    provider: &'a str,
    /// The counters of its own provider.
    own: Vec<i32>,
    /// Other providers' counters, mostly the launch's.
    others: Vec<i32>,
}

impl<'a> CounterIds<'a> {
    /// None where one of the counters is not stored yet.
    pub(super) fn new(
        champion: &'a ChampionCounters,
        id: impl Fn(&str) -> Option<i32>,
    ) -> Option<Self> {
        let provider = &*champion.provider;
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for name in &champion.counters {
            let is_own = name.split(':').next() == Some(provider);
            let ids = if is_own { &mut own } else { &mut others };
            ids.push(id(name)?);
        }
        Some(Self {
            provider,
            own,
            others,
        })
    }
}

/// Which providers have counted all that their champion needs of a workload: the provider's own counters in one sample,
/// the others in any. (The newest sample of one provider need not be the newest of another.)
#[derive(Default)]
struct CountedBy<'a> {
    counters: HashSet<i32>,
    own: BTreeSet<&'a str>,
}

impl<'a> CountedBy<'a> {
    /// Adds the counters of a sample.
    fn add(
        &mut self,
        by: &HashSet<&str>,
        counted: &HashMap<i32, f64>,
        champions: &[CounterIds<'a>],
    ) {
        let has = |id: &i32| counted.contains_key(id);
        for it in champions {
            if by.contains(it.provider) && it.own.iter().all(has) {
                self.own.insert(it.provider);
            }
        }
        self.counters.extend(counted.keys());
    }

    fn providers(&self, champions: &[CounterIds<'a>]) -> BTreeSet<String> {
        let has = |id: &i32| self.counters.contains(id);
        let whole = |it: &&CounterIds| self.own.contains(it.provider) && it.others.iter().all(has);
        let whole = champions.iter().filter(whole);
        whole.map(|it| it.provider.to_owned()).collect()
    }
}

/// What was counted of workloads before.
pub(super) struct EarlierCounts<'a> {
    pub(super) device: i32,
    pub(super) workloads: &'a [i32],
    /// Samples that do not count, as they are judged now.
    pub(super) judged: &'a [Uuid],
    /// Names of the counters that these samples have, by id: others do not matter.
    pub(super) names: &'a HashMap<i32, Arc<str>>,
    pub(super) champions: &'a [CounterIds<'a>],
}

/// A workload's sample that is the newest with its counters.
struct NewestSample {
    workload: i32,
    sample: Uuid,
}

impl EarlierCounts<'_> {
    /// Adds the counters to the histories. They are not the newest sample's alone: who sends one without counters, or
    /// with others, would thereby make the next one's believable.
    pub(super) async fn add_counters(
        &self,
        connection: &mut PgConnection,
        histories: &mut HashMap<i32, History>,
    ) -> Result<()> {
        let mut by_workload: HashMap<i32, CountedBy<'_>> = HashMap::new();
        // A few at a time: there may be many lists.
        for newest in self
            .newest_samples(connection)
            .await?
            .chunks(SAMPLES_AT_ONCE)
        {
            let samples: Vec<Uuid> = newest.iter().map(|it| it.sample).collect();
            let mut of_samples: HashMap<Uuid, Vec<StoredReading>> = HashMap::new();
            for reading in readings::stored_readings(connection, &samples).await? {
                if reading.refusal.is_none() {
                    of_samples.entry(reading.sample).or_default().push(reading);
                }
            }
            for NewestSample { workload, sample } in newest {
                let readings = of_samples.remove(sample).unwrap_or_default();
                let counted = readings
                    .iter()
                    .flat_map(|it| it.counter_ids.iter().zip(&it.values));
                let counted: HashMap<i32, f64> = counted.map(|(&id, &value)| (id, value)).collect();
                let by = readings.iter().map(|it| &*it.provider).collect();
                let counted_by = by_workload.entry(*workload).or_default();
                counted_by.add(&by, &counted, self.champions);
                let history = histories.entry(*workload).or_default();
                for (id, value) in counted {
                    if let Some(name) = self.names.get(&id) {
                        history.counters.entry(Arc::clone(name)).or_insert(value);
                    }
                }
            }
        }
        for (workload, counted_by) in by_workload {
            let history = histories.entry(workload).or_default();
            history.counted_by = counted_by.providers(self.champions);
        }
        Ok(())
    }

    /// The samples that were counted, each workload's newest first; of a provider's with the same counters only the newest.
    async fn newest_samples(&self, connection: &mut PgConnection) -> Result<Vec<NewestSample>> {
        Ok(sqlx::query_as!(
            NewestSample,
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
        .fetch_all(connection)
        .await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(name: &str) -> Option<i32> {
        let place = ["ncu:a", "ncu:b", "launch:n"]
            .iter()
            .position(|it| *it == name);
        place.and_then(|it| i32::try_from(it).ok())
    }

    fn takes(counters: &[&str]) -> ChampionCounters {
        ChampionCounters {
            provider: "ncu".to_owned(),
            counters: counters.iter().map(|&it| it.to_owned()).collect(),
        }
    }

    fn counted(samples: &[(&[&str], &[i32])], champion: &ChampionCounters) -> bool {
        let champions: Vec<CounterIds<'_>> =
            CounterIds::new(champion, numbered).into_iter().collect();
        let mut counted_by = CountedBy::default();
        for (by, ids) in samples {
            let by = by.iter().copied().collect();
            let values = ids.iter().map(|&id| (id, 1.0)).collect();
            counted_by.add(&by, &values, &champions);
        }
        counted_by.providers(&champions).contains("ncu")
    }

    #[test]
    fn a_providers_own_counters_are_of_one_sample_and_the_launchs_of_any() {
        let both = takes(&["ncu:a", "ncu:b", "launch:n"]);
        let whole: (&[&str], &[i32]) = (&["ncu", "launch"], &[0, 1, 2]);
        assert!(counted(&[whole], &both));
        assert!(counted(&[(&["launch"], &[2]), (&["ncu"], &[0, 1])], &both));
        assert!(!counted(
            &[(&["ncu", "launch"], &[0, 2]), (&["ncu"], &[1])],
            &both
        ));
        assert!(!counted(&[(&["ncu"], &[0, 1])], &both));
        assert!(!counted(
            &[whole],
            &takes(&["ncu:a", "ncu:nobody_counted_it"])
        ));
    }
}
