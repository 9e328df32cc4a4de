//! The models that answer when none is named.

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use axum::http::StatusCode;
use kerncast_models::{Method, SECOND_OPINION, across::Paper, lead, travels};
use kerncast_profilers::catalogue::ncu::is_beyond_sections;
use kerncast_training::LAUNCH;
use kerncast_wire::{Better, FieldProblem, Problem};
use uuid::Uuid;

use super::{
    asked::{Asked, By, Set},
    columns::Columns,
    refusals::{geometry_alone, is_far_worse, lacks_counters, misspelt},
};
use crate::{
    db::forecasts::forecasters::Candidate,
    http::problem::{field, problem, unprocessable},
};

/// The paper's method: the baseline of every other.
const PAPERS: &str = "ols";

/// Most models whose forecasts are compared with the answer. Those that err least: on the H200's 123 kernels, left
/// out, three disagree about a tenth of the rows, where forecasts err half as much again as elsewhere, and intervals
/// that hold theirs cover 91.5 % of times in place of 90.3 %, a fiftieth wider. With all of them half the rows are
/// disagreed about, which says nothing, and intervals are twice as wide.
const OTHERS: usize = 3;

/// Counting more is worth the trouble where the error's factor falls by so much at least.
const WORTH: f64 = 0.95;

/// All devices' models that may answer, and where their counters are.
pub(super) struct Candidates {
    /// Each provider's champion before its others.
    ranked: Vec<(Candidate, Columns)>,
    /// Places of those that may stand beside an answer, the one with the least error first.
    by_error: Vec<usize>,
}

impl Candidates {
    pub(super) fn new(models: Vec<Candidate>) -> Self {
        let with_columns = |model: Candidate| {
            let columns = Columns::new(&model.counters);
            (model, columns)
        };
        let ranked: Vec<_> = models.into_iter().map(with_columns).collect();
        let contender = |place: usize| &ranked[place].0.contender;
        let mut by_error: Vec<usize> = (0..ranked.len()).collect();
        by_error.retain(|&it| ranked[it].0.has_intervals && contender(it).all_variants);
        by_error.sort_by(|&one, &other| lead(contender(one), contender(other)));
        Self { ranked, by_error }
    }

    pub(super) fn models(&self) -> impl Iterator<Item = &Candidate> {
        self.ranked.iter().map(|(model, _)| model)
    }

    /// The models whose forecasts are held against that of `answers`.
    pub(super) fn others(&self, asked: &Asked, device: i64, set: &Set, answers: Uuid) -> Vec<Uuid> {
        let no_time = set.counted_on_time_s.is_none();
        let models = self.by_error.iter().map(|&place| &self.ranked[place]);
        let others = models.filter(|(model, columns)| {
            (model.counted_on, model.device) == (asked.counted_on, device)
                && model.model != answers
                && set.counters.contains_key(&model.provider)
                && !(no_time && columns.ask_for_time())
                && columns.missing(set) == 0
        });
        others.take(OTHERS).map(|(model, _)| model.model).collect()
    }

    /// Providers whose counters the set lacks and whose champion on `device` errs less than `answers` does.
    pub(super) fn better(&self, device: i64, set: &Set, answers: Uuid) -> Vec<Better> {
        let answering = self.models().find(|model| model.model == answers);
        let instead_of = answering.and_then(|it| it.contender.error);
        let mut champions: BTreeMap<&str, f64> = BTreeMap::new();
        for (model, _) in &self.ranked {
            let is_own = model.device == device && model.counted_on.is_none();
            let lacks = model.provider != LAUNCH && !set.counters.contains_key(&model.provider);
            if is_own
                && lacks
                && let Some(error) = model.contender.error
            {
                champions.entry(&model.provider).or_insert(error);
            }
        }
        let better = |error: &f64| instead_of.is_none_or(|it| error.exp() < WORTH * it.exp());
        let mut better: Vec<_> = champions.into_iter().filter(|(_, it)| better(it)).collect();
        better.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        let said = |(provider, error): (&str, f64)| Better {
            provider: provider.to_owned(),
            factor: error.exp(),
            instead_of: instead_of.map(f64::exp),
        };
        better.into_iter().map(said).collect()
    }

    /// The devices asked for, or the only one that has models.
    ///
    /// # Errors
    /// Where no device is named and several have models, or none has.
    pub(super) fn devices(&self, asked: &Asked) -> Result<Vec<i64>, Problem> {
        match &asked.devices[..] {
            [] if !asked.gpus.is_empty() => Ok(Vec::new()),
            [] => self.the_only_device(asked).map(|only| vec![only]),
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
        let travelling = own.filter(|it| travels(&it.method));
        travelling.map(|it| it.device).collect()
    }

    /// Among the models of `device` for the set's providers, with its provider: one of what was posted before one of
    /// what is derived of it, then one that misses the fewest counters; of several of one provider as the database ranks
    /// them, and of several providers' the one with the least error. One of the launch's geometry alone answers only
    /// where the device has no other.
    ///
    /// # Errors
    /// Where the device has no models, or none of them is of one of the set's providers and of the method
    /// asked for; where nothing but the geometry is counted, and other models wait for more; and where, for want of
    /// counters, only a model is left that is far worse than the champion.
    pub(super) fn best(
        &self,
        asked: &Asked,
        device: i64,
        must_travel: bool,
        set: &Set,
    ) -> Result<(Uuid, &str, Option<&str>), FieldProblem> {
        let own = || {
            let models = self.ranked.iter();
            models
                .filter(|(model, _)| (model.counted_on, model.device) == (asked.counted_on, device))
                .filter(|(model, _)| !must_travel || travels(&model.method))
        };
        if own().next().is_none() {
            let expected = self.one_of_those_with_models(asked.counted_on);
            return Err(field(asked.field("device"), device, expected));
        }
        // No mean stands in for the time on the device counted on.
        let no_time = set.counted_on_time_s.is_none();
        let known = || {
            own()
                .filter(|(model, _)| set.counters.contains_key(&model.provider))
                .filter(|(_, columns)| !(no_time && columns.ask_for_time()))
        };
        if known().next().is_none() {
            let have: Vec<&str> = own().map(|(model, _)| model.provider.as_str()).collect();
            if let Some(problem) = misspelt(set, &have) {
                return Err(problem);
            }
            let sent = listed(set.counters.keys().map(String::as_str));
            let sent = if sent.is_empty() { "empty" } else { &sent };
            let have = listed(have.into_iter());
            let expected = format!("counters of a provider with a model: {have}");
            return Err(field(&set.at, sent, expected));
        }
        let wanted = || {
            known().filter(|(model, _)| match &asked.by {
                By::Method(method) => model.method == *method,
                By::Champions | By::Model(_) => true,
            })
        };
        let wanted: Vec<&(Candidate, Columns)> = wanted().collect();
        if wanted.is_empty() {
            let method = match &asked.by {
                By::Method(method) => method.as_str(),
                By::Champions | By::Model(_) => "",
            };
            let have = listed(known().map(|(model, _)| model.method.as_str()));
            let expected = format!("a method that has a model here: {have}");
            return Err(field(asked.field("method"), method, expected));
        }
        let counts = |(model, _): &&(Candidate, Columns)| model.provider != LAUNCH;
        let counting: Vec<&(Candidate, Columns)> = wanted.iter().copied().filter(counts).collect();
        let by_champions = asked.by == By::Champions && asked.counted_on.is_none();
        if by_champions && counting.is_empty() && own().any(|it| counts(&it)) {
            let have: Vec<&str> = own()
                .map(|(model, _)| model.provider.as_str())
                .filter(|it| *it != LAUNCH)
                .collect();
            let problem = misspelt(set, &have);
            let alone = || geometry_alone(set, &listed(have.iter().copied()));
            return Err(problem.unwrap_or_else(alone));
        }
        // What is counted says more than the launch's geometry, whose models answer where there are no others.
        let wanted = match by_champions && !counting.is_empty() {
            true => counting,
            false => wanted,
        };
        let behind = |(model, columns): &(Candidate, Columns)| {
            let derived = !set.providers.contains(&model.provider);
            let missing = columns.missing(set);
            let geometry = missing > 0 && model.provider == LAUNCH;
            (derived, missing > 0, geometry, missing)
        };
        let best = first(wanted.iter().copied(), |(model, _)| model, behind);
        let best = best.expect("there is one");
        let champion = wanted
            .iter()
            .find(|(model, _)| model.provider == best.provider);
        match champion {
            Some((champion, columns))
                if by_champions && is_far_worse(best, champion) && columns.missing(set) > 0 =>
            {
                let would_do = wanted.iter().filter(|(it, columns)| {
                    let far = is_far_worse(it, champion);
                    it.provider == champion.provider && !far && columns.missing(set) > 0
                });
                let lacking = would_do.map(|(it, columns)| (it, columns.lacking(set)));
                let nearest = lacking.min_by_key(|(_, lacking)| {
                    let is_beyond = lacking.iter().any(|it| is_beyond_sections(it));
                    (is_beyond, lacking.len())
                });
                let (nearest, lacking) = nearest.expect("the champion at least");
                Err(lacks_counters(set, best, nearest, &lacking))
            }
            _ => {
                let lacks = |(it, columns): &&(Candidate, Columns)| {
                    it.model != best.model && columns.missing(set) > 0
                };
                let champion = champion.copied().filter(lacks);
                let champion = champion.map(|(it, _)| it.method.as_str());
                Ok((best.model, best.provider.as_str(), champion))
            }
        }
    }

    /// The model of the paper's method beside another of the same device, device counted on and provider.
    pub(super) fn baseline(&self, asked: &Asked, to: (i64, &str), set: &Set) -> Option<Uuid> {
        let method = match (asked.counted_on, set.counted_on_time_s) {
            (None, _) => PAPERS,
            (Some(_), None) => Paper::Counters.name(),
            (Some(_), Some(_)) => Paper::CountersAndTime.name(),
        };
        self.standard(asked.counted_on, to, method)
    }

    /// The model that gives a second opinion on what changes bring, where it is not the one that answers.
    pub(super) fn second(
        &self,
        counted_on: Option<i64>,
        to: (i64, &str),
        answers: Uuid,
    ) -> Option<Uuid> {
        let second = self.standard(counted_on, to, SECOND_OPINION);
        second.filter(|it| *it != answers)
    }

    /// The first of each device, device counted on and provider.
    pub(super) fn champions(&self) -> impl Iterator<Item = &Candidate> {
        let key = |it: &Candidate| (it.device, it.counted_on, it.provider.clone());
        let mut before = None;
        self.models().filter(move |it| {
            let key = Some(key(it));
            let is_first = before != key;
            before = key;
            is_first
        })
    }

    fn standard(&self, counted_on: Option<i64>, to: (i64, &str), method: &str) -> Option<Uuid> {
        let found = self.models().find(|model| {
            let same = model.counted_on == counted_on && (model.device, &*model.provider) == to;
            same && model.method == method && model.standard
        });
        found.map(|model| model.model)
    }

    fn device_ids(&self, counted_on: Option<i64>) -> BTreeSet<i64> {
        let models = self.models().filter(|model| model.counted_on == counted_on);
        models.map(|model| model.device).collect()
    }

    fn the_only_device(&self, asked: &Asked) -> Result<i64, Problem> {
        let devices = self.device_ids(asked.counted_on);
        match devices.first() {
            Some(&only) if devices.len() == 1 => Ok(only),
            Some(_) => {
                let expected = self.one_of_those_with_models(asked.counted_on);
                Err(unprocessable(asked.field("device"), "absent", expected))
            }
            None if asked.counted_on.is_some() => {
                let expected = self.one_of_those_with_models(asked.counted_on);
                Err(unprocessable(asked.field("device"), "absent", expected))
            }
            None => Err(problem(StatusCode::UNPROCESSABLE_ENTITY, NONE_YET)),
        }
    }

    fn one_of_those_with_models(&self, counted_on: Option<i64>) -> String {
        let devices = self.device_ids(counted_on);
        if let Some(counted_on) = counted_on {
            let ids: Vec<String> = devices.iter().map(ToString::to_string).collect();
            let ids = if ids.is_empty() {
                "none yet".to_owned()
            } else {
                ids.join(", ")
            };
            return format!("a device that models forecast from device {counted_on}: {ids}");
        }
        if devices.is_empty() {
            return format!("a device that has models; {NONE_YET}");
        }
        let ids: Vec<String> = devices.iter().map(ToString::to_string).collect();
        format!(
            "one of the devices that have models: {} (/v1/jobs shows which fits are pending)",
            ids.join(", ")
        )
    }
}

const NONE_YET: &str = "there is no model yet: /v1/jobs shows which fits are pending, /v1/models what came of others; samples of several \
     kernels are needed";

/// The least `behind`, which is the default where nothing is missing; of several of one provider the first, and of
/// several providers' the one with the least error.
pub(super) fn first<'a, T: 'a, B: Ord + Default>(
    models: impl Iterator<Item = &'a T>,
    candidate: impl Fn(&'a T) -> &'a Candidate,
    behind: impl Fn(&'a T) -> B,
) -> Option<&'a Candidate> {
    let mut of_providers: BTreeMap<&str, (B, &Candidate)> = BTreeMap::new();
    for it in models {
        let model = candidate(it);
        match of_providers.entry(&model.provider) {
            Entry::Vacant(none) => {
                none.insert((behind(it), model));
            }
            // Mostly the first one misses nothing, and the others need not be asked.
            Entry::Occupied(least) if least.get().0 == B::default() => {}
            Entry::Occupied(mut least) => {
                let behind = behind(it);
                if behind < least.get().0 {
                    least.insert((behind, model));
                }
            }
        }
    }
    let of_providers = of_providers.into_values();
    let best = of_providers.min_by(|(behind, one), (least, other)| {
        let by_error = || lead(&one.contender, &other.contender);
        behind.cmp(least).then_with(by_error)
    });
    best.map(|(_, model)| model)
}

/// Each once.
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: BTreeSet<&str> = names.collect();
    Vec::from_iter(names).join(", ")
}

#[cfg(test)]
mod tests {
    use kerncast_models::Contender;
    use kerncast_profilers::catalogue::of_provider;
    use kerncast_wire::Role;
    use serde_json::json;

    use super::*;

    /// A model of the device 1, off by `factor` on average.
    fn model(number: u128, provider: &str, counters: &[&str], factor: f64) -> Candidate {
        Candidate {
            model: Uuid::from_u128(number),
            device: 1,
            counted_on: None,
            provider: provider.to_owned(),
            method: format!("method_{number}"),
            standard: true,
            counters: counters
                .iter()
                .map(|it| format!("{provider}:{it}"))
                .collect(),
            has_intervals: true,
            contender: Contender {
                all_variants: true,
                complete: true,
                complexity: 1,
                error: Some(factor.ln()),
                kernels: BTreeMap::new(),
            },
        }
    }

    /// Which answers, or what is expected.
    fn best(models: Vec<Candidate>, request: serde_json::Value) -> Result<u128, String> {
        let request = serde_json::from_value(request).expect("a request");
        let asked = Asked::of_json(request).expect("in order");
        let candidates = Candidates::new(models);
        let found = candidates.best(&asked, 1, false, &asked.sets[0]);
        let found = found.map(|(model, ..)| model.as_u128());
        found.map_err(|problem| problem.expected)
    }

    #[test]
    fn a_model_far_worse_than_the_champion_is_no_stand_in_for_it() {
        let models = |factor| {
            let champion = model(1, "ncu", &["a", "b"], 1.2);
            vec![champion, model(2, "ncu", &["a"], factor)]
        };
        let all = json!({ "device": 1, "counters": { "ncu": { "a": 1, "b": 1 } } });
        assert_eq!(best(models(19.0), all), Ok(1));
        let some = json!({ "device": 1, "counters": { "ncu": { "a": 1 } } });
        assert_eq!(best(models(2.3), some.clone()), Ok(2));
        let why = best(models(19.0), some).expect_err("only a bad one is left");
        assert!(
            why.contains("ncu:b are missing (`kerncast metrics ncu`"),
            "{why}"
        );
        assert!(why.contains("off by ×/÷ 19"), "{why}");
        let by_name = json!({ "device": 1, "method": "ols", "counters": { "ncu": { "a": 1 } } });
        let mut named = models(19.0);
        named[1].method = "ols".to_owned();
        assert_eq!(best(named, by_name), Ok(2));
    }

    #[test]
    fn what_is_missing_of_the_model_that_lacks_the_fewest_is_said() {
        let of_role = |role| {
            let mut counters = of_provider("ncu").filter(|it| it.role == Some(role));
            counters.next().expect("ncu counts it").name.as_str()
        };
        let [warps, requests, pipe] =
            [Role::Warps, Role::L2Requests, Role::AluInstructions].map(of_role);
        let models = |nearest: &[&str]| {
            vec![
                model(1, "ncu", &[warps, requests, pipe, "own"], 1.1),
                model(2, "ncu", nearest, 1.3),
                model(3, "ncu", &[warps], 19.0),
            ]
        };
        let file = json!({ "device": 1, "counters": { "ncu": { warps: 1 } } });
        let why = best(models(&[warps, requests]), file.clone()).expect_err("two are bad");
        assert!(
            why.contains(&format!("method_2 takes: ncu:{requests} are missing")),
            "{why}"
        );
        assert!(
            why.contains("; `ncu --set full` prints them too; method_3"),
            "{why}"
        );
        assert!(why.contains("where method_2 is off by ×/÷ 1.3"), "{why}");
        // No section has that.
        let why = best(models(&[warps, pipe]), file).expect_err("two are bad");
        assert!(!why.contains("--set full"), "{why}");
    }

    #[test]
    fn the_champion_that_could_not_answer_is_named() {
        let models = vec![
            model(1, "ncu", &["a", "b"], 1.2),
            model(2, "ncu", &["a"], 2.3),
        ];
        let candidates = Candidates::new(models);
        for (counters, named) in [
            (json!({ "a": 1 }), Some("method_1")),
            (json!({ "a": 1, "b": 1 }), None),
        ] {
            let request = json!({ "device": 1, "counters": { "ncu": counters } });
            let asked = Asked::of_json(serde_json::from_value(request).expect("a request"));
            let asked = asked.expect("in order");
            let (.., champion) = candidates
                .best(&asked, 1, false, &asked.sets[0])
                .expect("one answers");
            assert_eq!(champion, named);
        }
    }

    #[test]
    fn what_would_be_answered_more_surely_is_said() {
        let models = vec![
            model(1, "ncu", &["a"], 1.1),
            model(2, "ncu", &["a"], 1.05),
            model(3, "analysis", &["b"], 1.25),
            model(4, "oclgrind", &["c"], 1.3),
            model(5, "launch", &["d"], 1.01),
        ];
        let candidates = Candidates::new(models);
        let better = |provider: &str, answers| {
            let counters = json!({ provider: { "c": 1, "b": 1 } });
            let request = json!({ "device": 1, "counters": counters });
            let asked = Asked::of_json(serde_json::from_value(request).expect("a request"));
            let asked = asked.expect("in order");
            let better = candidates.better(1, &asked.sets[0], Uuid::from_u128(answers));
            let named = better.into_iter().map(|it| (it.provider, it.factor));
            named.collect::<Vec<_>>()
        };
        // Each provider's champion, however good another of its models looks; of a little less error nothing is said.
        let of_oclgrind = better("oclgrind", 4);
        assert_eq!(of_oclgrind.len(), 1, "{of_oclgrind:?}");
        assert_eq!(of_oclgrind[0].0, "ncu");
        assert!((of_oclgrind[0].1 - 1.1).abs() < 1e-9);
        assert!(better("ncu", 1).is_empty());
    }

    #[test]
    fn the_geometry_alone_answers_only_where_nothing_else_could() {
        let launch = || model(1, "launch", &["work_items"], 1.1);
        let counted = || model(2, "oclgrind", &["a", "b"], 3.0);
        let geometry = || json!({ "device": 1, "counters": { "launch": { "work_items": 1 } } });
        assert_eq!(best(vec![launch()], geometry()), Ok(1));
        let why = best(vec![launch(), counted()], geometry()).expect_err("no counts");
        assert!(
            why.contains("know: oclgrind; the launch's geometry alone"),
            "{why}"
        );
        let some = json!({ "device": 1, "counters": { "launch": { "work_items": 1 }, "oclgrind": { "a": 1 } } });
        assert_eq!(best(vec![launch(), counted()], some), Ok(2));
    }
}
