//! What other models say of the same counters, and what an answer makes of that.

use kerncast_wire::{Disagreeing, Interval, Other, Warning};

use super::{counter_set::PostedSet, model::LoadedModel};

/// The forecasts of other models beside the answer's `time_s` and `interval`.
///
/// Two disagree where neither's interval holds the other's time. The answer's interval is then widened to hold both;
/// where it has none, none disagrees. A time below `least_s`, which the device's ceilings allow at least, is no opinion.
/// A model far beyond all that it has seen may disagree, but does not widen the interval, unless the answer `is_far`
/// beyond what its own model has seen.
pub(super) fn other_forecasts(
    models: &[&LoadedModel],
    set: &PostedSet,
    time_s: f64,
    least_s: Option<f64>,
    is_far: bool,
    mut interval: Option<&mut Interval>,
) -> Vec<Other> {
    let answers_interval = interval.as_deref().copied();
    let forecast = |model: &&LoadedModel| {
        let opinion = model.opinion(set)?;
        let (other_s, others) = (opinion.time_s, opinion.interval);
        let impossible = other_s <= 0.0 || least_s.is_some_and(|least| other_s < least);
        let disagrees = answers_interval
            .filter(|_| !impossible)
            .is_some_and(|answers_interval| {
                !(answers_interval.low_s..=answers_interval.high_s).contains(&other_s)
                    && !(others.low_s..=others.high_s).contains(&time_s)
            });
        if disagrees
            && (!opinion.extrapolates || is_far)
            && let Some(interval) = &mut interval
        {
            interval.low_s = interval.low_s.min(other_s);
            interval.high_s = interval.high_s.max(other_s);
        }
        Some(Other {
            model: model.id,
            method: model.stored.method.clone(),
            provider: model.stored.key.provider.clone(),
            time_s: other_s,
            interval: others,
            disagrees,
            extrapolates: opinion.extrapolates,
            impossible,
        })
    };
    models.iter().filter_map(forecast).collect()
}

/// A warning that some disagree, those farthest off first.
pub(super) fn disagreement(others: &[Other], time_s: f64) -> Option<Warning> {
    let mut disagree: Vec<&Other> = others.iter().filter(|it| it.disagrees).collect();
    let distance = |it: &Other| (it.time_s / time_s).ln().abs();
    disagree.sort_by(|a, b| distance(b).total_cmp(&distance(a)));
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
