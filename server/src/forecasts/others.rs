//! What other models say of the same counters, and what an answer makes of that.

use std::sync::Arc;

use kerncast_training::LEVEL;
use kerncast_wire::{Disagreeing, Interval, Other, Warning};

use super::{
    answer::{Answering, Opinion},
    asked::Set,
};

/// The forecasts of `others`, beside the answer's `time_s` and `interval`. Two disagree where neither's interval holds the
/// other: then the answer's is widened to hold those; without it none is said to. What is below `least_s`, which the
/// device's ceilings allow at least, is no opinion. Far beyond all that a model has seen it may say anything: that it disagrees is a sign, and what it says
/// no bound, unless the answer `is_far` beyond what it has seen itself.
pub(super) fn others(
    others: &[Arc<Answering>],
    set: &Set,
    time_s: f64,
    least_s: Option<f64>,
    is_far: bool,
    mut interval: Option<&mut Interval>,
) -> Vec<Other> {
    let own = interval.as_deref().copied();
    let other = |answering: &Arc<Answering>| {
        let Opinion {
            time_s: other_s,
            interval: [low_s, high_s],
            extrapolates,
        } = answering.opinion(set)?;
        let impossible = other_s <= 0.0 || least_s.is_some_and(|least| other_s < least);
        let disagrees = own.filter(|_| !impossible).is_some_and(|own| {
            !(own.low_s..=own.high_s).contains(&other_s) && !(low_s..=high_s).contains(&time_s)
        });
        if disagrees
            && (!extrapolates || is_far)
            && let Some(interval) = &mut interval
        {
            interval.low_s = interval.low_s.min(other_s);
            interval.high_s = interval.high_s.max(other_s);
        }
        Some(Other {
            model: answering.model,
            method: answering.forecaster.method.clone(),
            provider: answering.forecaster.provider.clone(),
            time_s: other_s,
            interval: Interval {
                level: LEVEL,
                low_s,
                high_s,
            },
            disagrees,
            extrapolates,
            impossible,
        })
    };
    others.iter().filter_map(other).collect()
}

/// That some disagree, those farthest off first.
pub(super) fn disagreement(others: &[Other], time_s: f64) -> Option<Warning> {
    let mut disagree: Vec<&Other> = others.iter().filter(|it| it.disagrees).collect();
    let off = |it: &Other| (it.time_s / time_s).ln().abs();
    disagree.sort_by(|a, b| off(b).total_cmp(&off(a)));
    let others = disagree.iter().map(|it| Disagreeing {
        method: it.method.clone(),
        provider: it.provider.clone(),
        time_s: it.time_s,
        ratio: it.time_s / time_s,
    });
    (!disagree.is_empty()).then(|| Warning::Disagree {
        others: others.collect(),
    })
}
