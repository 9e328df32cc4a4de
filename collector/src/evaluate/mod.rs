//! The comparison of methods on samples of a file: a researcher's tool, without server or database. What the
//! server fits to the same samples comes out the same.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    time::Instant,
};

use kerncast_models::{
    Contender, Dataset, ErrorReport, HoldOutKey, METHODS, SECOND_OPINION, Transfer, across, rank,
    travels,
};
use kerncast_training::{
    Candidate, Input, LAUNCH, Question, Response, Samples, Training, judge, judge_elsewhere,
    judge_on, questions,
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
use samples::{Like, Numbered};
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
    pub keys: Vec<LeftOut>,
    /// Only these methods; empty: all.
    pub methods: Vec<String>,
}

/// What fits have not seen of what they forecast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// A fold of the device's own samples.
    Own(HoldOutKey),
    /// The whole GPU: the models of the one among the others that is most like it are told its data sheet, as a server
    /// does for a GPU that nobody has measured.
    Gpu,
    /// The same, and the kernel on that other one too.
    GpuAndKernel,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own(key) => key.fmt(f),
            Self::Gpu => f.write_str("gpu"),
            Self::GpuAndKernel => f.write_str("gpu+kernel"),
        }
    }
}

impl Wishes {
    /// Whether whole GPUs are left out.
    fn leaves_gpus(&self) -> bool {
        let mut keys = self.keys.iter();
        keys.any(|it| !matches!(it, LeftOut::Own(_)))
    }

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
    /// The GPU whose models forecast it, told its data sheet, where it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub like: Option<String>,
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
            let own = numbered.samples(counted, &provider);
            let borrowing = match counted_on {
                None => numbered.borrowing(&own, target, &provider),
                Some(_) => None,
            };
            let samples = borrowing.as_ref().unwrap_or(&own);
            let Some(number) = numbered.device(target) else {
                continue;
            };
            let from = counted_on.and_then(|name| numbered.device(name));
            for question in questions(samples, number, from, &provider) {
                // The paper's fits of one variant stand beside others' of all only where somebody asks for
                // them.
                if question.variant.is_some() {
                    continue;
                }
                for key in keys(wishes, counted_on) {
                    let like = match key {
                        LeftOut::Own(_) => None,
                        _ if question.response != Response::Time => continue,
                        _ => match numbered.like(target, &provider, counted_on) {
                            None => continue,
                            found => found,
                        },
                    };
                    let about = About {
                        question: &question,
                        samples: like.as_ref().map_or(samples, |it| &it.samples),
                        own: &own,
                        like: like.as_ref(),
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
    if comparisons.is_empty() && wishes.leaves_gpus() {
        return Err(UsageError(format!(
            "no GPU can be left out: expected samples of two GPUs or more whose data sheets are known, by the names that \
             drivers give them, with counters in common that say how work is spread (warps, instructions); the files have: {}",
            numbered.devices.join(", ")
        )));
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

/// Across devices kernels leave together, or the whole device.
fn keys(wishes: &Wishes, counted_on: Option<&str>) -> Vec<LeftOut> {
    let mut keys = wishes.keys.clone();
    if counted_on.is_some() {
        keys.retain(|it| !matches!(it, LeftOut::Own(_)));
        if keys.is_empty() {
            keys.push(LeftOut::Own(HoldOutKey::Kernel));
        }
    }
    keys
}

/// What is compared.
struct About<'a> {
    question: &'a Question,
    /// What is fitted.
    samples: &'a Samples,
    /// The device's own.
    own: &'a Samples,
    /// The GPU that the fitted samples are of, where the device is left out.
    like: Option<&'a Like<'a>>,
    /// Samples that are judged by fits to the others.
    judged: &'a BTreeSet<Uuid>,
    /// By samples.
    workloads: &'a BTreeMap<Uuid, &'a Workload>,
    device: &'a str,
    counted_on: Option<&'a str>,
    key: LeftOut,
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
        let question = match self.like {
            Some(like) => &like.question,
            None => self.question,
        };
        let mut candidates = Candidate::all(question, self.samples);
        candidates.reverse();
        if question.response == Response::Time && question.counted_on.is_none() {
            let mut further = Candidate::from_counters(question, self.samples);
            // The server has no such model: it does not stand before others that are as good.
            further.complexity = i16::MAX;
            candidates.push(further);
        }
        let answers = |it: &Candidate| self.like.is_none() || travels(it.method.name());
        candidates.retain(|it| wishes.asks(it.method.name()) && answers(it));
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
        let methods = self.ranked(candidates, told);
        let (rows, kernels) = match self.like {
            None => most.map_or((0, 0), |it| {
                (it.sample_ids.len() - it.generated, it.kernels)
            }),
            Some(_) => methods.iter().fold((0, 0), |(rows, kernels), it| {
                (rows.max(it.rows), kernels.max(it.kernels.len()))
            }),
        };
        Comparison {
            device: self.device.to_owned(),
            counted_on: self.counted_on.map(str::to_owned),
            like: self.like.map(|it| it.name.to_owned()),
            provider: self.question.provider.clone(),
            response: self.question.response.to_string(),
            hold_out: match self.judged.is_empty() {
                true => self.key.to_string(),
                false => "other samples".to_owned(),
            },
            rows,
            kernels,
            generated: most.map_or(0, |it| it.generated),
            left_out: left_out.map(|(name, _)| name.clone()).collect(),
            counters: used.into_iter().cloned().collect(),
            rows_left_out: most.map_or(0, |it| it.lacking),
            older_left_out: most.map_or(0, |it| it.older),
            methods,
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
        let leaves_kernels = matches!(
            self.key,
            LeftOut::Own(HoldOutKey::Kernel) | LeftOut::GpuAndKernel
        );
        if is_time && (leaves_kernels || !self.judged.is_empty()) {
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
        match (&training.dataset, self.key) {
            (Ok(dataset), LeftOut::Gpu | LeftOut::GpuAndKernel) => {
                self.judge_left_out(candidate, dataset)
            }
            (Ok(dataset), LeftOut::Own(key)) if self.judged.is_empty() => {
                let method = &*candidate.method;
                let judged = judge(dataset, method, key, LEVEL);
                let measured = dataset.y();
                let samples = sample_ids.iter().copied().zip(measured.iter().copied());
                Judged::new(name, size, samples, judged, start.elapsed())
            }
            (Ok(dataset), _) => {
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
            (Err(error), _) => Judged::refused(name, size, error.to_string()),
        }
    }

    /// The device's samples by fits to another GPU's, told its data sheet.
    fn judge_left_out(&self, candidate: &Candidate, learned: &Dataset) -> Judged {
        let name = candidate.method.name();
        let counters = &candidate.training.counters;
        let own = Training::new(self.question, self.own, counters, Input::Counters);
        let size = (own.sample_ids.len() - own.generated, counters.len());
        let (Some(like), Ok(judged)) = (self.like, &own.dataset) else {
            let why = "no sample of the GPU has all of the other's counters";
            return Judged::refused(name, size, why.to_owned());
        };
        let [from, to] = like.facts;
        let transfer = Transfer {
            method: &*candidate.method,
            from,
            to,
        };
        let start = Instant::now();
        // As on a server: a time tells of GPUs of the same architecture.
        let is_alike = from.architecture == to.architecture;
        let times = own.counted_sample_ids.as_ref().filter(|_| is_alike);
        let times = times.map(|ids| self.own.times(ids));
        let without_kernels = self.key == LeftOut::GpuAndKernel;
        let times = times.as_deref();
        let held = judge_elsewhere(learned, judged, &transfer, times, without_kernels, LEVEL);
        let measured = judged.y();
        let samples = own.sample_ids.iter().copied().zip(measured.iter().copied());
        Judged::new(name, size, samples, held, start.elapsed())
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
    let leaves_gpus = wishes.leaves_gpus();
    let known: BTreeSet<&str> = match wishes.counted_on {
        _ if leaves_gpus => own.filter(|it| travels(it)).collect(),
        Some(_) => across::NAMES.into_iter().collect(),
        None => own.chain(["across_counters"]).collect(),
    };
    let mut asked = wishes.methods.iter();
    let Some(asked) = asked.find(|asked| !known.contains(&***asked)) else {
        return Ok(());
    };
    let wrong = match leaves_gpus {
        true => format!("`{asked}` can't be told of another GPU"),
        false => format!("there is no method `{asked}`"),
    };
    let known = listed(&known);
    Err(UsageError(format!("{wrong}; expected one of {known}")))
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
