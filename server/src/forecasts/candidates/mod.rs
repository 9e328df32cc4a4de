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
    db::forecasts::forecasters::Candidate,
    http::{problem, unprocessable},
};
pub(super) use selection::Selection;

/// Most models whose forecasts are compared with the answer: those that err least. On the H200's 123 kernels, left out,
/// three disagree about a tenth of the rows. Forecasts of these err half as much again as elsewhere, and intervals that
/// hold all three cover 91.5 % of times in place of 90.3 %, a fiftieth wider. All models together disagree about half
/// the rows, which says nothing, and intervals are twice as wide.
const OTHERS: usize = 3;

/// Counting more is worth the trouble where the error's factor falls at least to this share.
const WORTH: f64 = 0.95;

/// All devices' models that may answer.
pub(super) struct Candidates {
    /// Each provider's champion before its others.
    ranked: Vec<Ranked>,
    /// Places of those that may stand beside an answer, the one with the least error first.
    by_error: Vec<usize>,
}

struct Ranked {
    model: Candidate,
    columns: Columns,
}

impl Candidates {
    pub(super) fn new(models: Vec<Candidate>) -> Self {
        let with_columns = |model: Candidate| Ranked {
            columns: Columns::new(&model.counters),
            model,
        };
        let ranked: Vec<Ranked> = models.into_iter().map(with_columns).collect();
        let contender = |place: usize| &ranked[place].model.contender;
        let mut by_error: Vec<usize> = (0..ranked.len()).collect();
        by_error.retain(|&it| ranked[it].model.has_intervals && contender(it).all_variants);
        by_error.sort_by(|&one, &other| lead(contender(one), contender(other)));
        Self { ranked, by_error }
    }

    pub(super) fn models(&self) -> impl Iterator<Item = &Candidate> {
        self.ranked.iter().map(|it| &it.model)
    }

    /// The models whose forecasts are held against that of `answers`.
    pub(super) fn others(
        &self,
        request: &ForecastRequest,
        device: i64,
        set: &PostedSet,
        answers: Uuid,
    ) -> Vec<Uuid> {
        let models = self.by_error.iter().map(|&place| &self.ranked[place]);
        let others = models.filter(|Ranked { model, columns }| {
            (model.counted_on, model.device) == (request.counted_on, device)
                && model.model != answers
                && set.counters.contains_key(&model.provider)
                && columns.count_missing(set) == 0
        });
        others.take(OTHERS).map(|it| it.model.model).collect()
    }

    /// Providers whose counters the set lacks and whose champion on `device` errs less than `answers` does.
    pub(super) fn better(&self, device: i64, set: &PostedSet, answers: Uuid) -> Vec<Better> {
        let answering = self.models().find(|model| model.model == answers);
        let instead_of = answering.and_then(|it| it.contender.error);
        let mut champions: BTreeMap<&str, f64> = BTreeMap::new();
        for model in self.models() {
            let is_own = model.device == device && model.counted_on.is_none();
            let lacks = model.provider != LAUNCH && !set.counters.contains_key(&model.provider);
            if is_own
                && lacks
                && let Some(error) = model.contender.error
            {
                champions.entry(&model.provider).or_insert(error);
            }
        }
        let is_better = |error: f64| instead_of.is_none_or(|it| error.exp() < WORTH * it.exp());
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
    pub(super) fn has(&self, device: i64) -> bool {
        self.device_ids(None).contains(&device)
    }

    /// Devices with own models that can be told of other GPUs.
    pub(super) fn travelling(&self) -> BTreeSet<i64> {
        let own = self.models().filter(|it| it.counted_on.is_none());
        let travelling = own.filter(|it| is_transferable(&it.method));
        travelling.map(|it| it.device).collect()
    }

    /// The model of the paper's method for the same device and provider (`to`) and device counted on.
    pub(super) fn baseline(
        &self,
        request: &ForecastRequest,
        to: (i64, &str),
        set: &PostedSet,
    ) -> Option<Uuid> {
        let method = match (request.counted_on, set.counted_on_time_s) {
            (None, _) => PAPERS_METHOD,
            (Some(_), None) => Paper::Counters.name(),
            (Some(_), Some(_)) => Paper::CountersAndTime.name(),
        };
        self.standard(request.counted_on, to, method)
    }

    /// The model that gives a second opinion on a speedup, where it is not the one that answers.
    pub(super) fn second_opinion(
        &self,
        counted_on: Option<i64>,
        to: (i64, &str),
        answers: Uuid,
    ) -> Option<Uuid> {
        let second = self.standard(counted_on, to, SECOND_OPINION);
        second.filter(|it| *it != answers)
    }

    /// The first model of each device, device counted on and provider.
    pub(super) fn champions(&self) -> impl Iterator<Item = &Candidate> {
        let are_alike = |one: &Ranked, other: &Ranked| {
            let (one, other) = (&one.model, &other.model);
            (one.device, one.counted_on) == (other.device, other.counted_on)
                && one.provider == other.provider
        };
        self.ranked.chunk_by(are_alike).map(|it| &it[0].model)
    }

    fn standard(&self, counted_on: Option<i64>, to: (i64, &str), method: &str) -> Option<Uuid> {
        let mut models = self.models().filter(|model| {
            model.counted_on == counted_on && (model.device, &*model.provider) == to
        });
        let standard = models.find(|model| model.method == method && model.standard);
        standard.map(|model| model.model)
    }

    fn device_ids(&self, counted_on: Option<i64>) -> BTreeSet<i64> {
        let models = self.models().filter(|model| model.counted_on == counted_on);
        models.map(|model| model.device).collect()
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
