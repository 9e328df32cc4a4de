//! The gate: whether a sample may be learned from, by its workload's own history and by what the present champion says.
//! Whoever may upload for one device could otherwise make every forecast for it wrong.
//!
//! A sample is compared with what its device can do at all (`bounds`), with the sound samples of its workload
//! (`history`), and, where none has the champions' counters, with the champions' forecasts (`champion`). All of an
//! agent's uploads without a pause of more than an hour are compared together with what their workloads took before (`collection`). A doubtful
//! sample is quarantined; it becomes sound if a later collection says the same and the change is moderate
//! (`confirmation`). docs/security.md has the limits, docs/notebook/security.md what they come from.

mod bounds;
mod ceilings;
mod champion;
mod collection;
mod confirmation;
mod counters;
mod history;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use chrono::{DateTime, Utc};
use kerncast_wire::{Ceilings, Doubt, Reasons};
use uuid::Uuid;

pub use ceilings::believable_ceilings;
use counters::Counters;

/// Counters by `PROVIDER:NAME`, which samples share.
pub type SampleCounters = BTreeMap<Arc<str>, f64>;

/// A sample that the gate judges: one that has not been judged, or that the gate (never an admin) has quarantined
/// before, or that it found sound within the last hour: its collection may turn out to be shifted when more of it
/// arrives.
#[derive(Clone, Debug)]
pub struct ArrivedSample {
    /// Its id.
    pub id: Uuid,
    /// The agent that measured it, by its token and not by its own word.
    pub agent: String,
    /// The time of the measurement, as its agent says.
    pub measured_at: DateTime<Utc>,
    /// The time of the upload, by the server's own clock: an agent can claim any time, but it cannot make the server
    /// wait.
    pub received_at: DateTime<Utc>,
    /// The number of its workload.
    pub workload: i32,
    /// The workload's kernel.
    pub kernel: String,
    /// The workload's variant.
    pub variant: String,
    /// Median repetition, seconds.
    pub median_s: f64,
    /// Counters of all providers.
    pub counters: SampleCounters,
    /// The history of its workload, shared by all samples of it: ten thousand copies would be most of the memory.
    pub history: Arc<History>,
    /// Forecasts by the present champion of times of each provider that counted the sample; empty where there is none.
    pub forecasts: Vec<ChampionForecast>,
}

/// The history of a workload on the device: what its earlier sound samples say, of all agents. Of one agent's samples
/// within twelve hours only the newest counts: an agent that measures often is one witness.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Median repetitions, seconds, newest first, at most 15; empty where there is no sound sample.
    pub times_s: Vec<f64>,
    /// Whether all of these samples are shipped ones: another machine with a device of this name measured them.
    pub is_shipped: bool,
    /// Counters, each from the newest sound sample that has it: samples without counters say nothing about others'.
    pub counters: SampleCounters,
    /// Providers whose champion need not be asked: one sound sample has all counters that the champion takes.
    pub counted_by: BTreeSet<String>,
}

/// A forecast for a sample by the present champion of a provider.
#[derive(Clone, Debug, PartialEq)]
pub struct ChampionForecast {
    /// The provider of the counters.
    pub provider: String,
    /// The forecast, seconds.
    pub time_s: f64,
    /// The 90 % interval is the forecast ÷ and × this factor; absent where there is none.
    pub factor: Option<f64>,
}

/// An objection to a sample.
#[derive(Clone, Debug)]
struct Objection {
    /// The doubts, the most telling first.
    doubts: Reasons<Doubt>,
    /// Whether a later collection that says the same dispels it.
    can_be_confirmed: bool,
}

/// A judgement on whether a sample may be learned from.
#[derive(Clone, Debug, PartialEq)]
pub enum Judgement {
    /// The sample may be learned from.
    Sound,
    /// The sample may not be learned from, unless an admin says so or a later collection confirms it.
    Quarantined {
        /// The doubts, the most telling first.
        doubts: Reasons<Doubt>,
    },
}

/// Judges all waiting samples of one device, of all agents: one judgement for each, in order. Those that were
/// quarantined before are judged again, since newer ones may confirm them. `ceilings`: what the device was measured to do at most,
/// as far as that is believable ([`believable_ceilings`]).
#[must_use]
pub fn judge(arrived: &[ArrivedSample], ceilings: Option<&Ceilings>) -> Vec<Judgement> {
    let launch_s = ceilings.and_then(|it| it.launch_latency_s).unwrap_or(0.0);
    let counters = Counters::new(arrived);
    let by_itself = |it| objection_to_one(it, ceilings, launch_s, &counters);
    let mut objections: Vec<Option<Objection>> = arrived.iter().map(by_itself).collect();
    collection::add_objections(arrived, launch_s, &mut objections);
    let confirmed = confirmation::confirm(arrived, launch_s, &counters, &objections);
    let judge_one = |(objection, is_confirmed): (Option<Objection>, bool)| match objection {
        Some(Objection { doubts, .. }) if !is_confirmed => Judgement::Quarantined { doubts },
        _ => Judgement::Sound,
    };
    objections
        .into_iter()
        .zip(confirmed)
        .map(judge_one)
        .collect()
}

/// An objection to a sample by itself. A champion whose counters the workload's history has is not asked: it is
/// honestly wrong about some kernels.
fn objection_to_one(
    it: &ArrivedSample,
    ceilings: Option<&Ceilings>,
    launch_s: f64,
    counters: &Counters<'_>,
) -> Option<Objection> {
    let by_history = || {
        let usual_s = it.history.usual_s()?;
        history::objection(it, usual_s, launch_s, counters)
    };
    bounds::objection(it, ceilings, counters)
        .or_else(by_history)
        .or_else(|| champion::objection(it))
}
