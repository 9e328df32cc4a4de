//! What is known of workloads whose samples the gate judges.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::Arc,
};

use chrono::{DateTime, TimeDelta, Utc};
use kerncast_training::gate::History;
use sqlx::PgConnection;
use uuid::Uuid;

use super::training;
use crate::db::{
    Result,
    uploads::readings::{self, Stored},
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

/// What a champion forecasts from, by the numbers of the counters.
struct Taken<'a> {
    provider: &'a str,
    /// Its provider's own.
    own: Vec<i32>,
    /// The others, mostly of the launch.
    others: Vec<i32>,
}

impl<'a> Taken<'a> {
    /// None where nobody has counted one of them yet.
    fn of(takes: &'a Takes, number: impl Fn(&str) -> Option<i32>) -> Option<Self> {
        let provider = &*takes.provider;
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for name in &takes.counters {
            let is_own = name.split(':').next() == Some(provider);
            let ids = if is_own { &mut own } else { &mut others };
            ids.push(number(name)?);
        }
        Some(Self {
            provider,
            own,
            others,
        })
    }
}

/// Of a workload: whose champions' counters were all counted, those of a provider in one sample, and the others in any,
/// for the newest that a provider has counted need not be the newest of another.
#[derive(Default)]
struct CountedBy<'a> {
    counters: HashSet<i32>,
    own: BTreeSet<&'a str>,
}

impl<'a> CountedBy<'a> {
    /// Adds what was counted in a sample, by whom.
    fn add(&mut self, by: &HashSet<&str>, counted: &HashMap<i32, f64>, taken: &[Taken<'a>]) {
        let has = |id: &i32| counted.contains_key(id);
        for it in taken {
            if by.contains(it.provider) && it.own.iter().all(has) {
                self.own.insert(it.provider);
            }
        }
        self.counters.extend(counted.keys());
    }

    fn providers(&self, taken: &[Taken<'a>]) -> BTreeSet<String> {
        let has = |id: &i32| self.counters.contains(id);
        let whole = |it: &&Taken| self.own.contains(it.provider) && it.others.iter().all(has);
        let whole = taken.iter().filter(whole);
        whole.map(|it| it.provider.to_owned()).collect()
    }
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
        histories: &mut HashMap<i32, History>,
    ) -> Result<()> {
        let numbers = training::counters(connection).await?;
        let wanted: HashMap<i32, &Arc<str>> = numbers
            .iter()
            .filter_map(|(name, id)| Some((*id, self.names.get(&**name)?)))
            .collect();
        let number = |name: &str| numbers.get(name).copied();
        let taken: Vec<Taken<'_>> = self
            .champions
            .iter()
            .filter_map(|it| Taken::of(it, number))
            .collect();
        let mut by_workload: HashMap<i32, CountedBy<'_>> = HashMap::new();
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
            for reading in readings::of(connection, &samples, None).await? {
                if reading.refusal.is_none() {
                    of_samples.entry(reading.sample).or_default().push(reading);
                }
            }
            for row in newest {
                let readings = of_samples.remove(&row.sample).unwrap_or_default();
                let counted = readings
                    .iter()
                    .flat_map(|it| it.counter_ids.iter().zip(&it.values));
                let counted: HashMap<i32, f64> = counted.map(|(&id, &value)| (id, value)).collect();
                let by = readings.iter().map(|it| &*it.provider).collect();
                let counted_by = by_workload.entry(row.workload).or_default();
                counted_by.add(&by, &counted, &taken);
                let history = histories.entry(row.workload).or_default();
                for (id, value) in counted {
                    if let Some(name) = wanted.get(&id) {
                        history.counters.entry(Arc::clone(name)).or_insert(value);
                    }
                }
            }
        }
        for (workload, counted_by) in by_workload {
            let history = histories.entry(workload).or_default();
            history.counted_by = counted_by.providers(&taken);
        }
        Ok(())
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

    fn takes(counters: &[&str]) -> Takes {
        Takes {
            provider: "ncu".to_owned(),
            counters: counters.iter().map(|&it| it.to_owned()).collect(),
        }
    }

    fn counted(samples: &[(&[&str], &[i32])], champion: &Takes) -> bool {
        let taken: Vec<Taken<'_>> = Taken::of(champion, numbered).into_iter().collect();
        let mut counted_by = CountedBy::default();
        for (by, ids) in samples {
            let by = by.iter().copied().collect();
            let values = ids.iter().map(|&id| (id, 1.0)).collect();
            counted_by.add(&by, &values, &taken);
        }
        counted_by.providers(&taken).contains("ncu")
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
