//! The gate: whether a sample may be learned from, by its workload's own history and by what the present
//! champion says. Whoever may upload for one device can otherwise make every forecast for it wrong.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kerncast_models::across::Ceilings;
use uuid::Uuid;

/// A time further than this from its workload's median, or from a forecast widened by its interval, is no
/// honest one: a factor, up or down.
const FAR: f64 = 3.0;
/// Beside a champion's forecast, which is honestly wrong about kernels unlike the suite.
const UNLIKE: f64 = 30.0;

/// A sample of the device that has not been judged, or that the gate (never an admin) has quarantined before.
#[derive(Clone, Debug)]
pub struct Arrived {
    /// Its id.
    pub id: Uuid,
    /// The agent that measured it: as its token says, not as it says.
    pub agent: String,
    /// When it was measured, as its agent says.
    pub measured_at: DateTime<Utc>,
    /// When the server got it, by the server's own clock: an agent can claim any time, but it cannot make the
    /// server wait.
    pub received_at: DateTime<Utc>,
    /// The number of its workload.
    pub workload: i32,
    /// The workload's kernel.
    pub kernel: String,
    /// The workload's variant.
    pub variant: String,
    /// Median repetition, seconds.
    pub median_s: f64,
    /// Counters of all providers, by `PROVIDER:NAME`.
    pub counters: BTreeMap<String, f64>,
    /// What is known of its workload.
    pub history: History,
    /// By the present champion of each provider that counted it; empty where there is none.
    pub forecasts: Vec<Said>,
}

/// Of the same workload on the same device, of all agents: sound samples.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Median repetitions, seconds, newest first, at most 15; empty where there is no sound sample.
    pub times_s: Vec<f64>,
    /// Counters of the newest sound one, by `PROVIDER:NAME`.
    pub counters: BTreeMap<String, f64>,
}

/// What the present champion of a provider says.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// Whose counters.
    pub provider: String,
    /// Seconds.
    pub time_s: f64,
    /// Of its 90 % interval, where it has one: the time ÷ and × it.
    pub factor: Option<f64>,
}

/// Whether a sample may be learned from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It may.
    Sound,
    /// It may not, unless an admin says so or a later collection confirms it.
    Quarantined {
        /// In words and numbers, for people.
        reason: String,
    },
}

/// One verdict for each, in order. All samples of one device that wait, of all agents: those that were
/// quarantined before are judged again, since newer ones may confirm them. `ceilings`: what the device was
/// measured to do at most.
#[must_use]
pub fn judge(arrived: &[Arrived], _ceilings: Option<&Ceilings>) -> Vec<Verdict> {
    arrived.iter().map(of_one).collect()
}

fn of_one(arrived: &Arrived) -> Verdict {
    let time = arrived.median_s;
    let mut times = arrived.history.times_s.clone();
    times.sort_by(f64::total_cmp);
    if let Some(&usual) = times.get(times.len() / 2) {
        return match (time / usual).ln().abs() > FAR.ln() {
            true => Verdict::Quarantined {
                reason: format!("it took {time:.3e} s, where it usually takes {usual:.3e} s"),
            },
            false => Verdict::Sound,
        };
    }
    let off = |said: &Said| {
        let wide = said.factor.unwrap_or(FAR).max(1.0);
        (time / said.time_s).ln().abs() - wide.ln() > UNLIKE.ln()
    };
    match arrived.forecasts.iter().find(|said| off(said)) {
        Some(said) => Verdict::Quarantined {
            reason: format!(
                "it took {time:.3e} s, where the champion from counters of {} says {:.3e} s",
                said.provider, said.time_s
            ),
        },
        None => Verdict::Sound,
    }
}
