//! Warnings beside a forecast about the counters that it is made from.

use kerncast_models::Fitted;
use kerncast_profilers::catalogue::{Counter, describe, of_provider, role};
use kerncast_wire::{CounterValue, Outside, Role, Warning, provider::LAUNCH, words};

use super::counter_set::PostedSet;
use crate::db::forecasts::stored_models::StoredModel;

/// Counters that a warning names at most.
pub(super) const MOST_NAMED_COUNTERS: usize = 5;

/// A counter is far outside where it is beyond the smallest or largest seen by more than this factor.
const FAR_TIMES: f64 = 1.1;

/// A person types fewer counters that nobody knows: so many come from a profiler.
const MOST_TYPED_COUNTERS: usize = 30;

/// One warning for all counters that are far outside what the model has seen, the farthest first. Those nearer only
/// stand in `outside`.
pub(super) fn extrapolates(outside: &[Outside]) -> Option<Warning> {
    let near = 1.0 / FAR_TIMES..=FAR_TIMES;
    let is_far = |it: &&Outside| it.times.is_none_or(|times| !near.contains(&times));
    let mut far: Vec<&Outside> = outside.iter().filter(is_far).collect();
    let distance = |it: &Outside| it.times.map_or(f64::INFINITY, |times| times.ln().abs());
    far.sort_by(|a, b| distance(b).total_cmp(&distance(a)));
    let (farthest, others) = far.split_first()?;
    let named = others
        .iter()
        .take(MOST_NAMED_COUNTERS)
        .map(|it| CounterValue {
            counter: it.counter.clone(),
            value: it.value,
        });
    let named: Vec<CounterValue> = named.collect();
    Some(Warning::Outside {
        counter: farthest.counter.clone(),
        value: farthest.value,
        min: farthest.min,
        max: farthest.max,
        more: others.len() - named.len(),
        others: named,
    })
}

/// The counters are of several launches: models have learnt from single ones.
pub(super) fn several_launches(set: &PostedSet) -> Option<Warning> {
    let launches = set.launches()?;
    (launches > 1.0).then_some(Warning::SeveralLaunches { launches })
}

/// The model knows only how a launch is spread. Kernels that differ in all else look the same to it, and how the suite's
/// differ says nothing of others.
pub(super) fn only_geometry(
    stored: &StoredModel,
    knows_time: bool,
    set: &PostedSet,
) -> Option<Warning> {
    (stored.key.provider == LAUNCH && !knows_time).then(|| Warning::OnlyGeometry {
        unused: set.counting_providers(),
    })
}

/// The model uses nothing of what was counted, only the geometry that came with it.
pub(super) fn counters_unused(set: &PostedSet) -> Option<Warning> {
    let providers = set.counting_providers();
    (!providers.is_empty()).then_some(Warning::CountersUnused { providers })
}

/// One warning for all columns of the fit that the set lacks. `columns`: how many the fit has.
pub(super) fn missing_counters(
    stored: &StoredModel,
    fit: &Fitted,
    missing: &[usize],
    columns: usize,
) -> Option<Warning> {
    let named = missing
        .iter()
        .take(MOST_NAMED_COUNTERS)
        .map(|&column| CounterValue {
            counter: stored.counters[column].clone(),
            value: fit.ranges[column].mean,
        });
    (!missing.is_empty()).then(|| Warning::Missing {
        counters: missing.len(),
        of: columns,
        provider: stored.key.provider.clone(),
        named: named.collect(),
    })
}

/// The kernel has atomics, and the model does not know how many the busiest part of L2 gets, though the provider could
/// count it.
pub(super) fn atomics_unplaced(stored: &StoredModel, set: &PostedSet) -> Option<Warning> {
    let provider = &stored.key.provider;
    let busiest = Some(Role::BusiestL2AtomicSectors);
    let could_count = of_provider(provider).any(|it| it.role == busiest);
    let mut counters = stored.counters.iter();
    let is_unplaced = could_count && !counters.any(|it| role(it) == busiest);
    let atomics = [Role::GlobalAtomicRequests, Role::GlobalReductionRequests];
    let is_atomic = |name: &str| {
        let role = describe(provider, name).and_then(|it| it.role);
        role.is_some_and(|it| atomics.contains(&it))
    };
    let mut counted = set.counters.get(provider)?.iter();
    let has_atomics = counted.any(|(name, count)| *count > 0.0 && is_atomic(name));
    let provider = provider.clone();
    (is_unplaced && has_atomics).then_some(Warning::AtomicsUnplaced { provider })
}

/// Unknown counters with nearly the names of counters that the set lacks.
pub(super) fn misspelt_counters(set: &PostedSet) -> Vec<Warning> {
    let unknown = set.counters.iter().flat_map(|(provider, counters)| {
        let names = counters.keys().map(move |name| (provider, counters, name));
        names.filter(|(provider, _, name)| describe(provider, name).is_none())
    });
    let unknown: Vec<_> = unknown.take(MOST_TYPED_COUNTERS).collect();
    if unknown.len() == MOST_TYPED_COUNTERS {
        return Vec::new();
    }
    let warnings = unknown.into_iter();
    let warnings = warnings.filter_map(|(provider, counters, name)| {
        let is_lacking =
            |counter: &&Counter| !counter.names().any(|name| counters.contains_key(name));
        let lacking = of_provider(provider).filter(is_lacking);
        let meant = words::misspelt(name, lacking.flat_map(Counter::names))?;
        Some(Warning::Misspelt {
            counter: format!("{provider}:{name}"),
            meant: format!("{provider}:{meant}"),
            champion: None,
        })
    });
    warnings.collect()
}
