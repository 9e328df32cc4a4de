//! Questions that no model answers well enough to answer at all, and what would help.

use std::collections::BTreeSet;

use kerncast_profilers::{
    Format,
    catalogue::{all, ncu::is_beyond_sections},
};
use kerncast_wire::{
    FieldProblem,
    provider::NCU,
    words::{did_you_mean, how_to_count, number, some_of},
};

use super::{
    counter_set::PostedSet,
    counter_warnings::{MOST_NAMED_COUNTERS, misspelt_counters},
};
use crate::{
    db::forecasts::stored_models::RankedModel,
    http::{escaped, field},
};

/// A model whose error is so many times the champion's is no stand-in for it.
const FAR_WORSE_TIMES: f64 = 2.0;

/// Whether a model, which lacks no counter, is no stand-in for its provider's champion, which does.
pub(super) fn is_far_worse(best: &RankedModel, champion: &RankedModel) -> bool {
    let [own, leading] = [best, champion].map(|it| it.contender.error);
    let is_far = match (own, leading) {
        (Some(own), Some(leading)) => own - leading > FAR_WORSE_TIMES.ln(),
        (None, leading) => leading.is_some(),
        (Some(_), None) => false,
    };
    best.id != champion.id && is_far
}

/// The problem that a provider of the set is unknown and has nearly the name of one of `have` or of the catalogue.
pub(super) fn misspelt_provider(set: &PostedSet, have: &[&str]) -> Option<FieldProblem> {
    let in_catalogue = all().map(|(provider, _)| provider);
    let known_names: BTreeSet<&str> = in_catalogue.chain(have.iter().copied()).collect();
    set.counters.keys().find_map(|provider| {
        let is_profiler = Format::ALL.iter().any(|it| it.name() == provider.as_str());
        if is_profiler || known_names.contains(provider.as_str()) {
            return None;
        }
        let likely = did_you_mean(provider, known_names.iter().copied());
        let at = format!("{}/{}", set.at, escaped(provider));
        let expected = format!("a provider that there is{likely}");
        (!likely.is_empty()).then(|| field(at, provider, expected))
    })
}

/// The problem that nothing but the geometry is counted, where the device has models for counters of the providers
/// `counting`.
pub(super) fn geometry_alone(set: &PostedSet, counting: &str) -> FieldProblem {
    let expected = format!(
        "counters of what the kernel does, by one that the device's models know: {counting}; the launch's geometry alone \
         does not say how much each work-item does"
    );
    let sent: Vec<&str> = set.counters.keys().map(String::as_str).collect();
    field(&set.at, sent.join(", "), expected)
}

/// The problem that only a bad model, `best`, could answer for want of counters. `nearest`: of the models that would do, the
/// one that needs the least trouble; `lacking`: its counters that the set lacks.
pub(super) fn lacks_counters(
    set: &PostedSet,
    best: &RankedModel,
    nearest: &RankedModel,
    lacking: &[String],
) -> FieldProblem {
    let first = &lacking[..lacking.len().min(MOST_NAMED_COUNTERS)];
    let names = some_of(first, lacking.len(), String::clone);
    let error = |it: &RankedModel| {
        let error = it.contender.error;
        error.map_or("nobody knows what".to_owned(), |it| {
            format!("×/÷ {}", number(it.exp()))
        })
    };
    let misspelt = misspelt_counters(set).into_iter();
    let misspelt: String = misspelt.map(|it| format!("; {it}")).collect();
    let is_printed =
        nearest.key.provider == NCU && !lacking.iter().any(|it| is_beyond_sections(it));
    let full = is_printed.then_some("; `ncu --set full` prints them too");
    let full = full.unwrap_or_default();
    let expected = format!(
        "all counters that {} takes: {names} are missing{}{full}; {} does without them, is off by {} \
         on kernels that it has not seen, where {0} is off by {}, and answers only where it is asked by name{misspelt}",
        nearest.method,
        how_to_count(&nearest.key.provider),
        best.method,
        error(best),
        error(nearest),
    );
    let sent = set.counters[&best.key.provider].len();
    let sent = format!("{sent} counters of {}", best.key.provider);
    field(&set.at, sent, expected)
}
