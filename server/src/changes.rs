//! What has changed since a time: what is new, and what differs by more than measuring again explains.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kerncast_wire::{Changes, TimeChange, TimeSummary};
use sqlx::PgPool;

use crate::db::changes::{self, Times};

/// Changes that are listed, the farthest.
const MOST: usize = 100;
/// Fewer repeated measurements tell nothing of how much times vary.
const PAIRS: usize = 20;
/// Of a hundred repeated measurements so many lie within the noise.
const WITHIN: usize = 95;
/// In logarithms a change is this many times the noise: of a thousand workloads that have not changed, some lie beyond
/// the noise itself.
const BEYOND: f64 = 2.0;
/// No change is smaller: 3 %.
const LEAST: f64 = 1.03;
/// Of a model's error, in logarithms: newer samples always move it a little.
const RISE: f64 = 0.1;

/// # Errors
/// Where the database fails.
pub(crate) async fn since(pool: &PgPool, since: DateTime<Utc>) -> sqlx::Result<Changes> {
    let (samples, times, mut models) = tokio::try_join!(
        changes::samples(pool, since),
        changes::times(pool, since),
        changes::errors(pool, since),
    )?;
    models.retain(|it| (it.now.ln() / it.before.ln() - 1.0).abs() > RISE);
    let noise = noises(&times);
    let mut times: Vec<TimeChange> = times.iter().filter_map(|it| change(it, &noise)).collect();
    times.sort_by(|a, b| b.factor.ln().abs().total_cmp(&a.factor.ln().abs()));
    let more = times.len().saturating_sub(MOST);
    times.truncate(MOST);
    Ok(Changes {
        since,
        samples,
        noise,
        times,
        more,
        models,
    })
}

/// Of each device the factor that nineteen in twenty measurements lie within of the one before, of the same workload.
fn noises(times: &[Times]) -> BTreeMap<i64, f64> {
    let mut of_devices: BTreeMap<i64, Vec<f64>> = BTreeMap::new();
    for it in times {
        let pairs = it.before_s.windows(2);
        let off = pairs.map(|pair| (pair[1] / pair[0]).ln().abs());
        of_devices.entry(it.device).or_default().extend(off);
    }
    of_devices.retain(|_, off| off.len() >= PAIRS);
    let noise = |(device, mut off): (i64, Vec<f64>)| {
        off.sort_by(f64::total_cmp);
        (device, off[off.len() * WITHIN / 100].exp())
    };
    of_devices.into_iter().map(noise).collect()
}

/// How a workload's time has changed, where that is more than noise.
fn change(times: &Times, noise: &BTreeMap<i64, f64>) -> Option<TimeChange> {
    let (before_s, now_s) = (median(&times.before_s)?, median(&times.since_s)?);
    let (factor, noise) = (now_s / before_s, noise.get(&times.device)?);
    let least = (BEYOND * noise.ln()).max(LEAST.ln());
    (factor.ln().abs() > least).then(|| TimeChange {
        device: times.device,
        kernel: times.kernel.clone(),
        variant: times.variant.clone(),
        parameters: times.parameters.clone(),
        before_s,
        now_s,
        factor,
        before: times.before,
        sample: times.sample.unwrap_or(times.before),
    })
}

fn median(times: &[f64]) -> Option<f64> {
    (!times.is_empty()).then(|| TimeSummary::of(times).median_s)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    /// Measured twice before, 2 % apart, and once since.
    fn times(kernel: usize, since_s: Vec<f64>) -> Times {
        let took = 1e-3 * (kernel + 1) as f64;
        Times {
            device: 1,
            kernel: format!("kernel_{kernel}"),
            variant: "global".to_owned(),
            parameters: BTreeMap::new(),
            before_s: vec![took, 1.02 * took],
            since_s: since_s.into_iter().map(|it| took * it).collect(),
            before: Uuid::nil(),
            sample: None,
        }
    }

    #[test]
    fn only_what_is_more_than_noise_has_changed() {
        let mut all: Vec<Times> = (0..PAIRS).map(|it| times(it, vec![])).collect();
        let noise = noises(&all);
        assert!((noise[&1] - 1.02).abs() < 1e-12, "{noise:?}");
        for (since_s, changed) in [
            (vec![1.03], false),
            (vec![1.2], true),
            (vec![0.8], true),
            // One odd run among five.
            (vec![1.0, 1.0, 1.0, 1.0, 9.0], false),
        ] {
            let found = change(&times(0, since_s.clone()), &noise);
            assert_eq!(found.is_some(), changed, "{since_s:?}");
        }
        // Who knows no noise tells no changes.
        all.pop();
        assert_eq!(noises(&all), BTreeMap::new());
        assert_eq!(change(&times(0, vec![9.0]), &BTreeMap::new()), None);
    }
}
