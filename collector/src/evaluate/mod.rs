//! The comparison of methods on samples of a file: a researcher's tool, without server or database. What the
//! server fits to the same samples comes out the same.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Instant,
};

use kerncast_models::{Contender, ErrorReport, HoldOutKey, METHODS, SECOND_OPINION, across, rank};
use kerncast_training::{
    Candidate, LAUNCH, Question, Response, Samples, judge, judge_on, questions,
};
use kerncast_wire::{Workload, words::did_you_mean};
use serde::Serialize;
use uuid::Uuid;

use crate::{UsageError, device::meant};

mod judged;
mod samples;
mod speedups;
mod told;
mod validate;

pub use judged::{Forecast, Judged};
pub use samples::Files;
use samples::Numbered;
pub use told::Told;
pub use validate::candidates;

/// Of the intervals.
const LEVEL: f64 = 0.9;

/// What is asked.
#[derive(Clone, Debug)]
pub struct Wishes {
    /// Only this device; absent: each one of the file.
    pub device: Option<String>,
    /// Forecast it from this device's counters and time; absent: from its own counters.
    pub counted_on: Option<String>,
    /// Only this provider's counters; absent: each one's.
    pub provider: Option<String>,
    /// What a fold leaves out, each in turn.
    pub keys: Vec<HoldOutKey>,
    /// Only these methods; empty: all.
    pub methods: Vec<String>,
}

impl Wishes {
    /// Whether the method of this name is asked for.
    fn asks(&self, method: &str) -> bool {
        self.methods.is_empty() || self.methods.iter().any(|it| it == method)
    }
}

/// Every method on the rows of one question, leaving out the same.
#[derive(Debug, Serialize)]
pub struct Comparison {
    /// What is forecast.
    pub device: String,
    /// Whose counters and time forecast it, where they are another's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted_on: Option<String>,
    /// Whose counters.
    pub provider: String,
    /// What of it: `time`, or a counter.
    pub response: String,
    /// What a fold leaves out.
    pub hold_out: String,
    /// Samples of kernels that people wrote; across devices: workloads. Of the method that has the most.
    pub rows: usize,
    /// Kernels among them.
    pub kernels: usize,
    /// Samples of generated kernels beside them: in every fit, and judged in none.
    #[serde(skip_serializing_if = "is_none")]
    pub generated: usize,
    /// The counters used.
    pub counters: Vec<String>,
    /// Counters that more than a tenth of the rows lack, or that hold the time: left out.
    pub left_out: Vec<String>,
    /// How many samples lack one of the counters used: left out.
    pub rows_left_out: usize,
    /// How many samples have a newer one of the same workload: left out.
    pub older_left_out: usize,
    /// One a method, in the order in which models that did so would answer (`kerncast_models::rank`).
    pub methods: Vec<Judged>,
}

/// Compares the methods on what files hold. `told` hears of each comparison, and of each method, before it is made.
///
/// # Errors
/// A device, a method or a provider was asked for that is not there.
pub fn evaluate(
    files: &Files,
    wishes: &Wishes,
    mut told: impl FnMut(Told<'_>),
) -> Result<Vec<Comparison>, UsageError> {
    let numbered = Numbered::new(files);
    let wishes = &resolved(wishes, &numbered)?;
    check(wishes)?;
    let samples = files.samples.iter();
    let workloads = samples.map(|it| (it.id, &it.workload)).collect();
    let mut comparisons = Vec::new();
    for (target, counted_on) in targets(wishes, &numbered) {
        let counted = counted_on.unwrap_or(target);
        for provider in providers(wishes, &numbered, counted)? {
            let samples = numbered.samples(counted, &provider);
            let borrowing = match counted_on {
                None => numbered.borrowing(&samples, target, &provider),
                Some(_) => None,
            };
            let samples = borrowing.unwrap_or(samples);
            let Some(number) = numbered.device(target) else {
                continue;
            };
            let from = counted_on.and_then(|name| numbered.device(name));
            for question in questions(&samples, number, from, &provider) {
                // The paper's fits of one variant stand beside others' of all only where somebody asks for
                // them.
                if question.variant.is_some() {
                    continue;
                }
                for key in keys(wishes, counted_on) {
                    let about = About {
                        question: &question,
                        samples: &samples,
                        judged: &files.judged,
                        workloads: &workloads,
                        device: target,
                        counted_on,
                        key,
                    };
                    let methods = about.candidates(wishes);
                    if methods.is_empty() || !about.has_both(&methods) {
                        continue;
                    }
                    let how = about.how();
                    let what = format!("{} of {target}, {provider}, {how}", question.response);
                    told(Told::Comparison {
                        what: &what,
                        methods: methods.len(),
                    });
                    comparisons.push(about.compare(&methods, &mut told));
                }
            }
        }
    }
    if comparisons.is_empty() && !files.judged.is_empty() {
        return Err(UsageError(
            "nothing to judge: no device that is asked for has samples with the same counters in the files of --train \
             and in those of --test"
                .to_owned(),
        ));
    }
    Ok(comparisons)
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

/// What is forecast from what: each device from itself or from the one that is asked for.
fn targets<'a>(wishes: &'a Wishes, numbered: &Numbered<'a>) -> Vec<(&'a str, Option<&'a str>)> {
    let counted_on = wishes.counted_on.as_deref();
    let is_asked = |it: &str| wishes.device.as_deref().is_none_or(|device| device == it);
    let devices = numbered.devices.iter().copied();
    let targets = devices.filter(|&it| is_asked(it) && Some(it) != counted_on);
    targets.map(|it| (it, counted_on)).collect()
}

/// Across devices kernels leave together.
fn keys(wishes: &Wishes, counted_on: Option<&str>) -> Vec<HoldOutKey> {
    match counted_on {
        Some(_) => vec![HoldOutKey::Kernel],
        None => wishes.keys.clone(),
    }
}

/// What is compared.
struct About<'a> {
    question: &'a Question,
    samples: &'a Samples,
    /// Samples that are judged by fits to the others.
    judged: &'a BTreeSet<Uuid>,
    /// By samples.
    workloads: &'a BTreeMap<Uuid, &'a Workload>,
    device: &'a str,
    counted_on: Option<&'a str>,
    key: HoldOutKey,
}

impl About<'_> {
    /// What is judged, in words.
    fn how(&self) -> String {
        match self.judged.is_empty() {
            true => format!("leaving a {} out", self.key),
            false => "of other samples than those fitted".to_owned(),
        }
    }

    /// What the server would fit. Counters that are the same on every device are as good as another device's.
    fn candidates(&self, wishes: &Wishes) -> Vec<Candidate> {
        let mut candidates = Candidate::all(self.question, self.samples);
        candidates.reverse();
        if self.question.response == Response::Time && self.counted_on.is_none() {
            let mut further = Candidate::from_counters(self.question, self.samples);
            // The server has no such model: it does not stand before others that are as good.
            further.complexity = i16::MAX;
            candidates.push(further);
        }
        candidates.retain(|it| wishes.asks(it.method.name()));
        candidates
    }

    fn compare(&self, candidates: &[Candidate], told: &mut dyn FnMut(Told<'_>)) -> Comparison {
        let trainings = candidates.iter().map(|it| &*it.training);
        let most = trainings.clone().max_by_key(|it| it.counters.len());
        let used: BTreeSet<&String> = trainings.flat_map(|it| &it.counters).collect();
        let own = format!("{}:", self.question.provider);
        let counted = self
            .samples
            .counters
            .iter()
            .filter(|(name, _)| name.starts_with(&own));
        let counted = counted.filter(|(_, number)| {
            let mut samples = self.samples.counted.iter();
            samples.any(|sample| sample.values.contains_key(number))
        });
        let left_out = counted.filter(|(name, _)| !used.contains(name));
        Comparison {
            device: self.device.to_owned(),
            counted_on: self.counted_on.map(str::to_owned),
            provider: self.question.provider.clone(),
            response: self.question.response.to_string(),
            hold_out: match self.judged.is_empty() {
                true => self.key.to_string(),
                false => "other samples".to_owned(),
            },
            rows: most.map_or(0, |it| it.sample_ids.len() - it.generated),
            kernels: most.map_or(0, |it| it.kernels),
            generated: most.map_or(0, |it| it.generated),
            left_out: left_out.map(|(name, _)| name.clone()).collect(),
            counters: used.into_iter().cloned().collect(),
            rows_left_out: most.map_or(0, |it| it.lacking),
            older_left_out: most.map_or(0, |it| it.older),
            methods: self.ranked(candidates, told),
        }
    }

    fn ranked(&self, candidates: &[Candidate], told: &mut dyn FnMut(Told<'_>)) -> Vec<Judged> {
        let judge = |(index, candidate): (usize, &Candidate)| {
            told(Told::Method {
                name: candidate.method.name(),
                place: index + 1,
            });
            self.judge(candidate)
        };
        let mut judged: Vec<Judged> = candidates.iter().enumerate().map(judge).collect();
        let is_time = self.question.response == Response::Time;
        if is_time && (self.key == HoldOutKey::Kernel || !self.judged.is_empty()) {
            let second = self.second(&judged);
            speedups::judge(&mut judged, second.as_deref(), self.workloads);
        }
        let contender = |(candidate, judged): (&Candidate, &Judged)| {
            let report = ErrorReport {
                overall: judged.errors,
                kernels: judged.kernels.clone(),
            };
            Contender::new(true, candidate.complexity, &report)
        };
        let contenders: Vec<Contender> = candidates.iter().zip(&judged).map(contender).collect();
        let order = rank(&contenders).into_iter();
        order.map(|place| judged[place].clone()).collect()
    }

    /// The forecasts of the method that gives a second opinion on speedups, whether or not it is asked for.
    fn second(&self, judged: &[Judged]) -> Option<Vec<Forecast>> {
        if let Some(known) = judged.iter().find(|it| it.method == SECOND_OPINION) {
            return Some(known.forecasts.clone());
        }
        let all = Candidate::all(self.question, self.samples);
        let second = all.iter().find(|it| it.method.name() == SECOND_OPINION)?;
        Some(self.judge(second).forecasts)
    }

    /// Whether some of a method's rows are to be fitted, and others to be judged by that.
    fn has_both(&self, candidates: &[Candidate]) -> bool {
        let is_judged = |id: &Uuid| self.judged.contains(id);
        self.judged.is_empty()
            || candidates.iter().any(|it| {
                let ids = &it.training.sample_ids;
                ids.iter().any(is_judged) && !ids.iter().all(is_judged)
            })
    }

    fn judge(&self, candidate: &Candidate) -> Judged {
        let training = &candidate.training;
        let (counters, sample_ids) = (&training.counters, &training.sample_ids);
        let size = (sample_ids.len() - training.generated, counters.len());
        let name = candidate.method.name();
        let start = Instant::now();
        match &training.dataset {
            Ok(dataset) if self.judged.is_empty() => {
                let method = &*candidate.method;
                let judged = judge(dataset, method, self.key, LEVEL);
                let measured = dataset.y();
                let samples = sample_ids.iter().copied().zip(measured.iter().copied());
                Judged::new(name, size, samples, judged, start.elapsed())
            }
            Ok(dataset) => {
                let (judged, learned): (Vec<usize>, Vec<usize>) =
                    (0..sample_ids.len()).partition(|row| self.judged.contains(&sample_ids[*row]));
                let size = (judged.len(), counters.len());
                if judged.is_empty() || learned.is_empty() {
                    let why = "the files of --train or of --test have no sample with its counters";
                    return Judged::refused(name, size, why.to_owned());
                }
                let samples = judged
                    .iter()
                    .map(|&row| (sample_ids[row], dataset.y()[row]));
                let (learned, judged) = (dataset.part(&learned), dataset.part(&judged));
                let method = &*candidate.method;
                let held = judge_on(&learned, &judged, method, LEVEL);
                Judged::new(name, size, samples, held, start.elapsed())
            }
            Err(error) => Judged::refused(name, size, error.to_string()),
        }
    }
}

/// The wishes with the devices' whole names.
fn resolved(wishes: &Wishes, numbered: &Numbered<'_>) -> Result<Wishes, UsageError> {
    let whole = |asked: &String| {
        let found = meant(&numbered.devices, |name| name, asked);
        let there = numbered.devices.join(", ");
        match found[..] {
            [name] => Ok((*name).to_owned()),
            [] => Err(UsageError(format!(
                "there is no device `{asked}`; the file has: {there}{}",
                did_you_mean(asked, numbered.devices.iter().copied())
            ))),
            ref several => {
                let several: Vec<&str> = several.iter().map(|it| **it).collect();
                Err(UsageError(format!(
                    "several devices of the file are called `{asked}`: {}; name one whole",
                    several.join(", ")
                )))
            }
        }
    };
    Ok(Wishes {
        device: wishes.device.as_ref().map(whole).transpose()?,
        counted_on: wishes.counted_on.as_ref().map(whole).transpose()?,
        ..wishes.clone()
    })
}

/// Refuses methods that there are not.
fn check(wishes: &Wishes) -> Result<(), UsageError> {
    let own = METHODS.iter().map(|it| it.name());
    let known: BTreeSet<&str> = match wishes.counted_on {
        Some(_) => across::NAMES.into_iter().collect(),
        None => own.chain(["across_counters"]).collect(),
    };
    let mut asked = wishes.methods.iter();
    match asked.find(|asked| !known.contains(&***asked)) {
        None => Ok(()),
        Some(asked) => Err(UsageError(format!(
            "there is no method `{asked}`; expected one of {}",
            listed(&known)
        ))),
    }
}

/// The providers with counters: the one asked for, else all but `launch`, which is beside every other;
/// `launch` where it is alone.
fn providers(
    wishes: &Wishes,
    numbered: &Numbered<'_>,
    device: &str,
) -> Result<Vec<String>, UsageError> {
    let there = numbered.providers(device);
    let no_counters = |provider: &str| {
        let there = listed(&there);
        UsageError(format!(
            "no sample of {device} has counters of `{provider}`; the file has: {there}"
        ))
    };
    match wishes.provider.as_deref() {
        Some(asked) if there.contains(asked) => Ok(vec![asked.to_owned()]),
        Some(asked) => Err(no_counters(asked)),
        None if there.is_empty() => Err(no_counters("any provider")),
        None => Ok(there
            .iter()
            .filter(|&&it| it != LAUNCH || there.len() == 1)
            .map(|&it| it.to_owned())
            .collect()),
    }
}

fn listed(names: &BTreeSet<&str>) -> String {
    names.iter().copied().collect::<Vec<_>>().join(", ")
}
