//! Which of a device's models answers for a set, or why none does.

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use kerncast_models::{is_transferable, lead};
use kerncast_profilers::catalogue::ncu::is_beyond_sections;
use kerncast_wire::{FieldProblem, provider::LAUNCH};
use uuid::Uuid;

use super::{Candidates, IndexedModel};
use crate::{
    db::forecasts::stored_models::{ModelKey, RankedModel},
    forecasts::{
        counter_set::PostedSet,
        refusals::{geometry_alone, is_far_worse, lacks_counters, misspelt_provider},
        request::{ForecastRequest, ModelChoice},
    },
    http::field,
};

/// The model that answers.
pub(crate) struct Selection<'a> {
    pub(crate) id: Uuid,
    pub(crate) key: &'a ModelKey,
    /// The method of the provider's champion, where that could not answer for want of counters.
    pub(crate) unable_champion: Option<&'a str>,
}

impl Candidates {
    /// Among the models of `device` for the set's providers: one of what was posted before one of what is derived from
    /// it, then the one that misses the fewest counters. Of several of one provider the first by rank, and of several
    /// providers the one with the least error. A model of the launch's geometry alone answers only where the device has
    /// no other.
    /// Fails where the device has no model, or none for the set's providers and the method asked for; where nothing but the
    /// geometry is counted, and other models wait for more; and where, for want of counters, only a model is left that is
    /// far worse than the champion.
    pub(crate) fn select(
        &self,
        request: &ForecastRequest,
        device: i64,
        must_be_transferable: bool,
        set: &PostedSet,
    ) -> Result<Selection<'_>, FieldProblem> {
        let of_device = self.of_device(request, device, must_be_transferable)?;
        let usable = usable(&of_device, set)?;
        let mut models = match &request.models {
            ModelChoice::Method(method) => of_method(&usable, method, request)?,
            ModelChoice::Champions | ModelChoice::Model(_) => usable,
        };
        let by_champions = request.models == ModelChoice::Champions && request.counted_on.is_none();
        if by_champions {
            models = prefer_counted(models, &of_device, set)?;
        }
        let best = best(&models, set);
        let champion = models.iter().find(|it| it.provider() == best.key.provider);
        let unable_champion =
            champion.filter(|it| it.model.id != best.id && it.columns.count_missing(set) > 0);
        if let Some(champion) = unable_champion
            && by_champions
            && is_far_worse(best, &champion.model)
        {
            return Err(only_a_bad_one_is_left(&models, set, best, &champion.model));
        }
        Ok(Selection {
            id: best.id,
            key: &best.key,
            unable_champion: unable_champion.map(|it| it.model.method.as_str()),
        })
    }

    /// The models of a device, from the counters of the device counted on. `must_be_transferable`: only those that can be
    /// transferred to other GPUs.
    /// Fails where there is none.
    fn of_device(
        &self,
        request: &ForecastRequest,
        device: i64,
        must_be_transferable: bool,
    ) -> Result<Vec<&IndexedModel>, FieldProblem> {
        let is_of_device = |it: &&IndexedModel| {
            (it.model.key.counted_on, it.model.key.device) == (request.counted_on, device)
                && (!must_be_transferable || is_transferable(&it.model.method))
        };
        let models: Vec<&IndexedModel> = self.ranked.iter().filter(is_of_device).collect();
        if models.is_empty() {
            let expected = self.devices_with_models(request.counted_on);
            return Err(field(request.field("device"), device, expected));
        }
        Ok(models)
    }
}

/// The models for providers of the set. No mean stands in for the time on the device counted on.
/// Fails where there is none.
fn usable<'a>(
    models: &[&'a IndexedModel],
    set: &PostedSet,
) -> Result<Vec<&'a IndexedModel>, FieldProblem> {
    let lacks_time = set.counted_on_time_s.is_none();
    let is_usable = |it: &&IndexedModel| {
        set.counters.contains_key(it.provider()) && !(lacks_time && it.columns.need_time())
    };
    let usable: Vec<&IndexedModel> = models.iter().copied().filter(is_usable).collect();
    if !usable.is_empty() {
        return Ok(usable);
    }
    let have: Vec<&str> = models.iter().map(|it| it.provider()).collect();
    if let Some(problem) = misspelt_provider(set, &have) {
        return Err(problem);
    }
    let sent = listed(set.counters.keys().map(String::as_str));
    let sent = if sent.is_empty() { "empty" } else { &sent };
    let have = listed(have.into_iter());
    let expected = format!("counters of a provider with a model: {have}");
    Err(field(&set.at, sent, expected))
}

/// Fails where no model is of the method.
fn of_method<'a>(
    models: &[&'a IndexedModel],
    method: &str,
    request: &ForecastRequest,
) -> Result<Vec<&'a IndexedModel>, FieldProblem> {
    let of_method = models.iter().copied();
    let of_method: Vec<&IndexedModel> = of_method.filter(|it| it.model.method == method).collect();
    if of_method.is_empty() {
        let have = listed(models.iter().map(|it| it.model.method.as_str()));
        let expected = format!("a method that has a model here: {have}");
        return Err(field(request.field("method"), method, expected));
    }
    Ok(of_method)
}

/// The models of what is counted, which says more than the launch's geometry; those of the geometry where the device has
/// no others.
/// Fails where nothing but the geometry is counted, and the device has models that know more.
fn prefer_counted<'a>(
    models: Vec<&'a IndexedModel>,
    of_device: &[&IndexedModel],
    set: &PostedSet,
) -> Result<Vec<&'a IndexedModel>, FieldProblem> {
    let counting = models.iter().filter(|it| it.provider() != LAUNCH);
    let counting: Vec<&IndexedModel> = counting.copied().collect();
    if !counting.is_empty() {
        return Ok(counting);
    }
    let providers = of_device.iter().map(|it| it.provider());
    let have: Vec<&str> = providers.filter(|it| *it != LAUNCH).collect();
    if have.is_empty() {
        return Ok(models);
    }
    let problem = misspelt_provider(set, &have);
    Err(problem.unwrap_or_else(|| geometry_alone(set, &listed(have.into_iter()))))
}

/// How far a model is from what the set has, the worst reason first; the default where nothing is missing.
#[derive(Default, PartialEq, Eq, PartialOrd, Ord)]
struct Distance {
    is_derived: bool,
    misses_any: bool,
    misses_geometry: bool,
    missing: usize,
}

impl Distance {
    fn new(IndexedModel { model, columns }: &IndexedModel, set: &PostedSet) -> Self {
        let missing = columns.count_missing(set);
        Self {
            is_derived: !set.posted_providers.contains(&model.key.provider),
            misses_any: missing > 0,
            misses_geometry: missing > 0 && model.key.provider == LAUNCH,
            missing,
        }
    }
}

/// The nearest of at least one: of several of one provider the first, and of several providers the one with the least
/// error.
fn best<'a>(models: &[&'a IndexedModel], set: &PostedSet) -> &'a RankedModel {
    let mut by_provider: BTreeMap<&str, (Distance, &RankedModel)> = BTreeMap::new();
    for it in models {
        match by_provider.entry(it.provider()) {
            Entry::Vacant(none) => {
                none.insert((Distance::new(it, set), &it.model));
            }
            // Mostly the first one misses nothing, and the others need not be looked at.
            Entry::Occupied(nearest) if nearest.get().0 == Distance::default() => {}
            Entry::Occupied(mut nearest) => {
                let distance = Distance::new(it, set);
                if distance < nearest.get().0 {
                    nearest.insert((distance, &it.model));
                }
            }
        }
    }
    let nearest = by_provider.into_values();
    let nearest = nearest.min_by(|(distance, one), (other_distance, other)| {
        let by_error = || lead(&one.contender, &other.contender);
        distance.cmp(other_distance).then_with(by_error)
    });
    nearest.expect("at least one model").1
}

/// The problem that only `best` is left, far worse than the champion: what the nearest of those that would do lacks.
fn only_a_bad_one_is_left(
    models: &[&IndexedModel],
    set: &PostedSet,
    best: &RankedModel,
    champion: &RankedModel,
) -> FieldProblem {
    let would_do = models.iter().filter(|IndexedModel { model, columns }| {
        model.key.provider == champion.key.provider
            && !is_far_worse(model, champion)
            && columns.count_missing(set) > 0
    });
    let with_missing = would_do.map(|it| (&it.model, it.columns.missing(set)));
    let nearest = with_missing.min_by_key(|(_, missing)| {
        let is_beyond = missing.iter().any(|it| is_beyond_sections(it));
        (is_beyond, missing.len())
    });
    let (nearest, missing) = nearest.expect("the champion at least");
    lacks_counters(set, best, nearest, &missing)
}

/// The names, each once, with commas between.
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: BTreeSet<&str> = names.collect();
    Vec::from_iter(names).join(", ")
}
