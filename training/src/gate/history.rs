//! Compares a sample with the sound ones of its workload.

use kerncast_models::upper_median;
use kerncast_wire::{CounterChange, Doubt};

use super::{ArrivedSample, History, Objection, SampleCounters, counters::Counters};

/// The least factor by which times may differ: two starts of one machine differ by no more, short launches aside.
const LEAST_FACTOR: f64 = 1.3;
/// The largest factor by which times may differ, where samples scatter.
const MOST_FACTOR: f64 = 1.7;
/// Number of samples from which their scatter counts.
const ENOUGH_SAMPLES: usize = 4;
/// The share of the shortest launch by which a launch may be shorter or longer: what an event adds takes one of two
/// values, …
const LAUNCH_SHARE: f64 = 0.25;
/// … but by no more than this share of the usual time, whatever its agents say of the device's launches.
const USUAL_SHARE: f64 = 0.3;
/// The factor beyond which a second collection does not help: an admin has to accept the sample.
const ADMIN_FACTOR: f64 = 4.0;

/// The most counters that a doubt names.
const MOST_NAMED: usize = 3;

impl History {
    /// The usual time in seconds: the median of the newest three samples, which is what the workload takes since it
    /// last changed; of two the older; none of none.
    pub(super) fn usual_s(&self) -> Option<f64> {
        match self.times_s[..] {
            [_, older] => Some(older),
            _ => upper_median(self.times_s.iter().copied().take(3).collect()),
        }
    }

    /// The factor by which times of the workload may differ.
    fn usual_factor(&self) -> f64 {
        // Two machines of a name: clocks, memory, drivers and what else runs there.
        if self.is_shipped {
            return ADMIN_FACTOR;
        }
        if self.times_s.len() < ENOUGH_SAMPLES {
            return LEAST_FACTOR;
        }
        let logs: Vec<f64> = self.times_s.iter().map(|it| it.ln()).collect();
        let scatter = median_and_scatter(&logs).map_or(0.0, |it| it.1);
        // Three standard deviations, where they are normal.
        (3.0 * 1.4826 * scatter)
            .exp()
            .clamp(LEAST_FACTOR, MOST_FACTOR)
    }
}

/// An objection to a time or to counters far from the usual ones.
pub(super) fn objection(
    it: &ArrivedSample,
    usual_s: f64,
    launch_s: f64,
    counters: &Counters<'_>,
) -> Option<Objection> {
    let off = excess(it.median_s, usual_s, launch_s);
    if off.abs() > it.history.usual_factor().ln() {
        let doubt = Doubt::UnlikeBefore {
            time_s: it.median_s,
            before_s: usual_s,
        };
        return Some(Objection {
            doubts: doubt.into(),
            can_be_confirmed: off.abs() <= ADMIN_FACTOR.ln(),
        });
    }
    let differ = differing(&it.counters, &it.history.counters, counters);
    if differ.is_empty() {
        return None;
    }
    let more = differ.len().saturating_sub(MOST_NAMED);
    let named = differ.into_iter().take(MOST_NAMED);
    let named = named.map(|(name, now, before)| CounterChange {
        counter: name.to_owned(),
        now,
        before,
    });
    let doubt = Doubt::CountersDiffer {
        named: named.collect(),
        more,
    };
    Some(Objection {
        doubts: doubt.into(),
        can_be_confirmed: true,
    })
}

/// ln(time ÷ other), less what the launch itself may add or take.
pub(super) fn excess(time_s: f64, other_s: f64, launch_s: f64) -> f64 {
    let tolerance = (LAUNCH_SHARE * launch_s).min(USUAL_SHARE * other_s);
    let difference = time_s - other_s;
    if difference.abs() <= tolerance {
        return 0.0;
    }
    let nearest = time_s - tolerance.copysign(difference);
    (nearest / other_s).ln()
}

/// Whether times and counters of two samples of a workload agree.
pub(super) fn agree(
    one: &ArrivedSample,
    other: &ArrivedSample,
    launch_s: f64,
    counters: &Counters<'_>,
) -> bool {
    excess(one.median_s, other.median_s, launch_s).abs() <= LEAST_FACTOR.ln()
        && differing(&one.counters, &other.counters, counters).is_empty()
}

/// Counters that both have and that differ by more than from one run to the next: name, now, before.
fn differing<'a>(
    now: &'a SampleCounters,
    before: &SampleCounters,
    counters: &Counters<'_>,
) -> Vec<(&'a str, f64, f64)> {
    let both = now
        .iter()
        .filter_map(|(name, &value)| Some((&**name, value, *before.get(name)?)));
    both.filter(|&(name, now, before)| counters.get(name).differs(now, before))
        .collect()
}

/// The upper median of values, and the upper median of their distances from it; none of no values.
pub(super) fn median_and_scatter(values: &[f64]) -> Option<(f64, f64)> {
    let median = upper_median(values.to_vec())?;
    let distances = values.iter().map(|it| (it - median).abs());
    Some((median, upper_median(distances.collect())?))
}
