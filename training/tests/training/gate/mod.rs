//! What the gate lets through, and why it does not.

mod collections;
mod one_sample;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use chrono::{DateTime, TimeDelta, Utc};
use kerncast_training::gate::{ArrivedSample, ChampionForecast, History, Judgement, judge};
use kerncast_wire::Ceilings;
use uuid::Uuid;

const INSTRUCTIONS: &str = "oclgrind:instructions";
const LAUNCHES: &str = "launch:launches";

fn hour(hours: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000, 0).expect("a date") + TimeDelta::hours(hours)
}

fn ceilings() -> Ceilings {
    Ceilings {
        launch_latency_s: Some(4e-6),
        copy_bytes_per_s: Some(4e12),
        fp32_flop_per_s: Some(6e13),
        ..Ceilings::default()
    }
}

/// A sample of a workload that took `before` until now.
fn of_known_workload(workload: i32, before: f64, now: f64) -> ArrivedSample {
    ArrivedSample {
        history: Arc::new(History {
            times_s: vec![before],
            is_shipped: false,
            counters: BTreeMap::from([(INSTRUCTIONS.into(), 1e6)]),
            counted_by: BTreeSet::from(["oclgrind".to_owned()]),
        }),
        ..of_new_workload(workload, now, None)
    }
}

/// A sample of a new workload, with the champion's forecast.
fn of_new_workload(workload: i32, now: f64, forecast: Option<(f64, f64)>) -> ArrivedSample {
    ArrivedSample {
        id: Uuid::from_u128(u128::from(workload.unsigned_abs())),
        agent: "lab".to_owned(),
        measured_at: hour(0),
        received_at: hour(0),
        workload,
        kernel: format!("k{workload}"),
        variant: "global".to_owned(),
        median_s: now,
        counters: BTreeMap::from([(INSTRUCTIONS.into(), 1e6)]),
        history: Arc::default(),
        forecasts: Vec::from_iter(forecast.map(|(time_s, factor)| ChampionForecast {
            provider: "oclgrind".to_owned(),
            time_s,
            factor: Some(factor),
        })),
    }
}

fn at(hours: i64, it: ArrivedSample) -> ArrivedSample {
    ArrivedSample {
        id: Uuid::from_u128(it.id.as_u128() + 1000 * u128::from(hours.unsigned_abs())),
        measured_at: hour(hours),
        received_at: hour(hours),
        ..it
    }
}

fn reasons(arrived: &[ArrivedSample]) -> Vec<Option<String>> {
    let judgements = judge(arrived, Some(&ceilings()));
    assert_eq!(judgements.len(), arrived.len());
    let reason = |judgement| match judgement {
        Judgement::Sound => None,
        Judgement::Quarantined { doubts } => Some(doubts.to_string()),
    };
    judgements.into_iter().map(reason).collect()
}

fn reason(arrived: &ArrivedSample) -> Option<String> {
    reasons(std::slice::from_ref(arrived)).remove(0)
}

/// How many of them are quarantined.
fn quarantined(arrived: &[ArrivedSample]) -> usize {
    reasons(arrived).iter().flatten().count()
}
