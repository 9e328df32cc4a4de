//! The models that answer when none is named.

mod selection;

use std::collections::{BTreeMap, BTreeSet};

use axum::http::StatusCode;
use kerncast_models::{Method, SECOND_OPINION, across::Paper, is_transferable, lead};
use kerncast_training::PAPERS_METHOD;
use kerncast_wire::{Better, Problem, provider::LAUNCH};
use uuid::Uuid;

use super::{columns::Columns, counter_set::PostedSet, request::ForecastRequest};
use crate::{
    db::forecasts::stored_models::{ModelKey, RankedModel},
    http::{problem, unprocessable},
};
pub(super) use selection::Selection;

/// Most models whose forecasts are compared with the answer: those that err least. On the H200's 123 kernels, left out,
/// three disagree about a tenth of the rows. Forecasts of these err half as much again as elsewhere, and intervals that
/// hold all three cover 91.5 % of times in place of 90.3 %, a fiftieth wider. All models together disagree about half
/// the rows, which says nothing, and intervals are twice as wide.
const MOST_OTHERS: usize = 3;

/// Counting more is worth the trouble where the error's factor falls at least to this share.
const WORTHWHILE_SHARE: f64 = 0.95;

/// All devices' models that may answer.
pub(super) struct Candidates {
    /// Each provider's champion before its others.
    ranked: Vec<IndexedModel>,
    /// Places of those that may stand beside an answer, the one with the least error first.
    by_error: Vec<usize>,
}

/// A model that may answer, its counters ready to be joined with a set's.
struct IndexedModel {
    model: RankedModel,
    columns: Columns,
}

impl IndexedModel {
    fn provider(&self) -> &str {
        &self.model.key.provider
    }
}

impl Candidates {
    pub(super) fn new(models: Vec<RankedModel>) -> Self {
        let with_columns = |model: RankedModel| IndexedModel {
            columns: Columns::new(&model.counters),
            model,
        };
        let ranked: Vec<IndexedModel> = models.into_iter().map(with_columns).collect();
        let contender = |place: usize| &ranked[place].model.contender;
        let mut by_error: Vec<usize> = (0..ranked.len()).collect();
        by_error.retain(|&it| ranked[it].model.has_intervals && contender(it).all_variants);
        by_error.sort_by(|&one, &other| lead(contender(one), contender(other)));
        Self { ranked, by_error }
    }

    pub(super) fn models(&self) -> impl Iterator<Item = &RankedModel> {
        self.ranked.iter().map(|it| &it.model)
    }

    /// The models whose forecasts are held against that of the model `answering`.
    pub(super) fn others(
        &self,
        request: &ForecastRequest,
        device: i64,
        set: &PostedSet,
        answering: Uuid,
    ) -> Vec<Uuid> {
        let models = self.by_error.iter().map(|&place| &self.ranked[place]);
        let others = models.filter(|IndexedModel { model, columns }| {
            (model.key.counted_on, model.key.device) == (request.counted_on, device)
                && model.id != answering
                && set.counters.contains_key(&model.key.provider)
                && columns.count_missing(set) == 0
        });
        others.take(MOST_OTHERS).map(|it| it.model.id).collect()
    }

    /// Providers whose counters the set lacks and whose champion on `device` errs less than the model `answering` does.
    pub(super) fn better(&self, device: i64, set: &PostedSet, answering: Uuid) -> Vec<Better> {
        let answering = self.models().find(|it| it.id == answering);
        let instead_of = answering.and_then(|it| it.contender.error);
        let mut champions: BTreeMap<&str, f64> = BTreeMap::new();
        for model in self.models() {
            let key = &model.key;
            let is_own = key.device == device && key.counted_on.is_none();
            let lacks = key.provider != LAUNCH && !set.counters.contains_key(&key.provider);
            if is_own
                && lacks
                && let Some(error) = model.contender.error
            {
                champions.entry(&key.provider).or_insert(error);
            }
        }
        let is_better =
            |error: f64| instead_of.is_none_or(|it| error.exp() < WORTHWHILE_SHARE * it.exp());
        let better = champions.into_iter().filter(|(_, it)| is_better(*it));
        let mut better: Vec<(&str, f64)> = better.collect();
        better.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        let better = better.into_iter().map(|(provider, error)| Better {
            provider: provider.to_owned(),
            factor: error.exp(),
            instead_of: instead_of.map(f64::exp),
        });
        better.collect()
    }

    /// The devices asked for, or the only one that has models.
    /// Fails where no device is named and several have models, or none has.
    pub(super) fn devices(&self, request: &ForecastRequest) -> Result<Vec<i64>, Problem> {
        match &request.devices[..] {
            [] if !request.gpus.is_empty() => Ok(Vec::new()),
            [] => self.only_device(request).map(|only| vec![only]),
            named => Ok(named.to_vec()),
        }
    }

    /// Whether a device has models of its own.
    pub(super) fn have_models_of(&self, device: i64) -> bool {
        self.device_ids(None).contains(&device)
    }

    /// Devices with own models that can be transferred to other GPUs.
    pub(super) fn transferable(&self) -> BTreeSet<i64> {
        let own = self.models().filter(|it| it.key.counted_on.is_none());
        let transferable = own.filter(|it| is_transferable(&it.method));
        transferable.map(|it| it.key.device).collect()
    }

    /// The model of the paper's method beside a model of `key`.
    pub(super) fn baseline(&self, key: &ModelKey, set: &PostedSet) -> Option<Uuid> {
        let method = match (key.counted_on, set.counted_on_time_s) {
            (None, _) => PAPERS_METHOD,
            (Some(_), None) => Paper::Counters.name(),
            (Some(_), Some(_)) => Paper::CountersAndTime.name(),
        };
        self.standard(key, method)
    }

    /// The model that gives a second opinion on a speedup, where it is not the one that answers.
    pub(super) fn second_opinion(&self, key: &ModelKey, answering: Uuid) -> Option<Uuid> {
        let second = self.standard(key, SECOND_OPINION);
        second.filter(|it| *it != answering)
    }

    /// The first model of each device, device counted on and provider.
    pub(super) fn champions(&self) -> impl Iterator<Item = &RankedModel> {
        let models = self
            .ranked
            .chunk_by(|one, other| one.model.key == other.model.key);
        models.map(|it| &it[0].model)
    }

    fn standard(&self, key: &ModelKey, method: &str) -> Option<Uuid> {
        let is_standard = |it: &&RankedModel| it.key == *key && it.method == method && it.standard;
        self.models().find(is_standard).map(|it| it.id)
    }

    fn device_ids(&self, counted_on: Option<i64>) -> BTreeSet<i64> {
        let keys = self.models().map(|it| &it.key);
        let keys = keys.filter(|it| it.counted_on == counted_on);
        keys.map(|it| it.device).collect()
    }

    fn only_device(&self, request: &ForecastRequest) -> Result<i64, Problem> {
        let devices = self.device_ids(request.counted_on);
        match devices.first() {
            Some(&only) if devices.len() == 1 => Ok(only),
            None if request.counted_on.is_none() => {
                Err(problem(StatusCode::UNPROCESSABLE_ENTITY, NONE_YET))
            }
            _ => {
                let expected = self.devices_with_models(request.counted_on);
                Err(unprocessable(request.field("device"), "absent", expected))
            }
        }
    }

    /// Which devices have models, in words.
    fn devices_with_models(&self, counted_on: Option<i64>) -> String {
        let devices = self.device_ids(counted_on);
        let ids: Vec<String> = devices.iter().map(ToString::to_string).collect();
        let ids = ids.join(", ");
        match counted_on {
            Some(from) => {
                let ids = if ids.is_empty() { "none yet" } else { &ids };
                format!("a device that models forecast from device {from}: {ids}")
            }
            None if ids.is_empty() => format!("a device that has models; {NONE_YET}"),
            None => format!(
                "one of the devices that have models: {ids} (/v1/jobs shows which fits are pending)"
            ),
        }
    }
}

const NONE_YET: &str = "there is no model yet: /v1/jobs shows which fits are pending, /v1/models what came of others; samples of several \
     kernels are needed";

#[cfg(test)]
mod tests;
