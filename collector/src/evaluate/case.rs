//! One comparison: the methods that answer a question, each judged on data that it has not seen.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Instant,
};

use kerncast_models::{
    Contender, Dataset, ErrorReport, HoldOutKey, SECOND_OPINION, Transfer, is_transferable, rank,
};
use kerncast_training::{
    Candidate, Input, LEVEL, Question, Response, Samples, Training, validate_method, validate_on,
    validate_transfer,
};
use kerncast_wire::Workload;
use serde::Serialize;
use uuid::Uuid;

use super::{
    LeftOut, Step, Wishes,
    judgement::{Forecast, Judgement},
    samples::Like,
    speedups,
};

/// The judgements of all methods on the rows of one question, with the same rows held out.
#[derive(Debug, Serialize)]
pub struct Comparison {
    /// The device that is forecast.
    pub device: String,
    /// The device whose counters and time it is forecast from, where that is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted_on: Option<String>,
    /// The GPU whose models forecast it by its data sheet, where the device is held out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub like: Option<String>,
    /// The provider of the counters.
    pub provider: String,
    /// The response: `time`, or a counter.
    pub response: String,
    /// What a fold holds out.
    pub hold_out: String,
    /// Samples of kernels that people wrote; across devices: workloads. The most that any method has.
    pub rows: usize,
    /// Kernels among them.
    pub kernels: usize,
    /// Samples of generated kernels besides: every fit has them, and none is judged.
    #[serde(skip_serializing_if = "is_none")]
    pub generated: usize,
    /// The counters used.
    pub counters: Vec<String>,
    /// Counters that are not used: more than a tenth of the rows lack them, or they contain the time.
    pub left_out: Vec<String>,
    /// Number of samples that are left out because they lack one of the counters used.
    pub rows_left_out: usize,
    /// Number of samples that are left out because a newer one of the same workload exists.
    pub older_left_out: usize,
    /// One judgement for each method, in the order in which such models would answer (`kerncast_models::rank`).
    pub methods: Vec<Judgement>,
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

/// The subject of one comparison: a question about one device's samples, and what a fold holds out.
pub(super) struct Case<'a> {
    pub(super) question: &'a Question,
    /// Samples that are fitted.
    pub(super) samples: &'a Samples,
    /// Samples of the device itself.
    pub(super) own: &'a Samples,
    /// The GPU that the fitted samples come from, where the device is held out.
    pub(super) like: Option<&'a Like<'a>>,
    /// Samples that are judged by fits to the other samples.
    pub(super) judged: &'a BTreeSet<Uuid>,
    /// Workloads by the ids of their samples.
    pub(super) workloads: &'a BTreeMap<Uuid, &'a Workload>,
    pub(super) device: &'a str,
    pub(super) counted_on: Option<&'a str>,
    pub(super) key: LeftOut,
}

impl Case<'_> {
    /// The title of the comparison, in words.
    fn title(&self) -> String {
        let (response, provider) = (&self.question.response, &self.question.provider);
        let judged = if self.judged.is_empty() {
            format!("leaving a {} out", self.key)
        } else {
            "of other samples than those fitted".to_owned()
        };
        format!("{response} of {}, {provider}, {judged}", self.device)
    }

    /// The fits that the server would make. Counters that are the same on every device are also tried like another
    /// device's.
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
        let answers = |it: &Candidate| self.like.is_none() || is_transferable(it.method.name());
        candidates.retain(|it| wishes.asks(it.method.name()) && answers(it));
        candidates
    }

    /// Judges every method that is asked for; none where no sample can be judged.
    pub(super) fn compare(
        &self,
        wishes: &Wishes,
        report: &mut dyn FnMut(Step<'_>),
    ) -> Option<Comparison> {
        let candidates = &self.candidates(wishes);
        if candidates.is_empty() || !self.has_both(candidates) {
            return None;
        }
        report(Step::Comparison {
            what: &self.title(),
            methods: candidates.len(),
        });
        let trainings = candidates.iter().map(|it| &*it.training);
        let most = trainings.clone().max_by_key(|it| it.counters.len());
        let counters: BTreeSet<&String> = trainings.flat_map(|it| &it.counters).collect();
        let own = format!("{}:", self.question.provider);
        let counted = self.samples.counters.iter();
        let counted = counted.filter(|(name, _)| name.starts_with(&own));
        let counted = counted.filter(|(_, number)| {
            let mut samples = self.samples.counted.iter();
            samples.any(|sample| sample.values.contains_key(number))
        });
        let left_out = counted.filter(|(name, _)| !counters.contains(name));
        let methods = self.judge_all(candidates, report);
        let (rows, kernels) = match self.like {
            None => most.map_or((0, 0), |it| {
                (it.sample_ids.len() - it.generated, it.kernels)
            }),
            Some(_) => methods.iter().fold((0, 0), |(rows, kernels), it| {
                (rows.max(it.rows), kernels.max(it.kernels.len()))
            }),
        };
        Some(Comparison {
            device: self.device.to_owned(),
            counted_on: self.counted_on.map(str::to_owned),
            like: self.like.map(|it| it.name.to_owned()),
            provider: self.question.provider.clone(),
            response: self.question.response.to_string(),
            hold_out: if self.judged.is_empty() {
                self.key.to_string()
            } else {
                "other samples".to_owned()
            },
            rows,
            kernels,
            generated: most.map_or(0, |it| it.generated),
            left_out: left_out.map(|(name, _)| name.clone()).collect(),
            counters: counters.into_iter().cloned().collect(),
            rows_left_out: most.map_or(0, |it| it.lacking),
            older_left_out: most.map_or(0, |it| it.older),
            methods,
        })
    }

    /// A judgement for each method, in the order in which such models would answer.
    fn judge_all(
        &self,
        candidates: &[Candidate],
        report: &mut dyn FnMut(Step<'_>),
    ) -> Vec<Judgement> {
        let judge = |(index, candidate): (usize, &Candidate)| {
            report(Step::Method {
                name: candidate.method.name(),
                place: index + 1,
            });
            self.judge(candidate)
        };
        let mut judgements: Vec<Judgement> = candidates.iter().enumerate().map(judge).collect();
        let is_time = self.question.response == Response::Time;
        let leaves_kernels = matches!(
            self.key,
            LeftOut::Own(HoldOutKey::Kernel) | LeftOut::GpuAndKernel
        );
        if is_time && (leaves_kernels || !self.judged.is_empty()) {
            let second = self.second_opinions(&judgements);
            speedups::judge(&mut judgements, second.as_deref(), self.workloads);
        }
        let contender = |(candidate, judgement): (&Candidate, &Judgement)| {
            let report = ErrorReport {
                overall: judgement.errors,
                kernels: judgement.kernels.clone(),
            };
            Contender::new(true, candidate.complexity, &report)
        };
        let contenders: Vec<Contender> =
            candidates.iter().zip(&judgements).map(contender).collect();
        let order = rank(&contenders).into_iter();
        order.map(|place| judgements[place].clone()).collect()
    }

    /// Forecasts of the method that gives the second opinion on speedups, even if it is not asked for.
    fn second_opinions(&self, judgements: &[Judgement]) -> Option<Vec<Forecast>> {
        if let Some(second) = judgements.iter().find(|it| it.method == SECOND_OPINION) {
            return Some(second.forecasts.clone());
        }
        let all = Candidate::all(self.question, self.samples);
        let second = all.iter().find(|it| it.method.name() == SECOND_OPINION)?;
        Some(self.judge(second).forecasts)
    }

    /// Whether some method has both rows to fit and rows to judge.
    fn has_both(&self, candidates: &[Candidate]) -> bool {
        let is_judged = |id: &Uuid| self.judged.contains(id);
        self.judged.is_empty()
            || candidates.iter().any(|it| {
                let ids = &it.training.sample_ids;
                ids.iter().any(is_judged) && !ids.iter().all(is_judged)
            })
    }

    fn judge(&self, candidate: &Candidate) -> Judgement {
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
                let method = candidate.method;
                let result = validate_method(dataset, method, key, LEVEL);
                let measured = dataset.y();
                let samples = sample_ids.iter().copied().zip(measured.iter().copied());
                Judgement::new(name, size, samples, result, start.elapsed())
            }
            (Ok(dataset), _) => {
                let (judged, learned): (Vec<usize>, Vec<usize>) =
                    (0..sample_ids.len()).partition(|row| self.judged.contains(&sample_ids[*row]));
                let size = (judged.len(), counters.len());
                if judged.is_empty() || learned.is_empty() {
                    let why = "the files of --train or of --test have no sample with its counters";
                    return Judgement::refused(name, size, why.to_owned());
                }
                let samples = judged.iter();
                let samples = samples.map(|&row| (sample_ids[row], dataset.y()[row]));
                let (learned, judged) = (dataset.part(&learned), dataset.part(&judged));
                let method = candidate.method;
                let result = validate_on(&learned, &judged, method, LEVEL);
                Judgement::new(name, size, samples, result, start.elapsed())
            }
            (Err(error), _) => Judgement::refused(name, size, error.to_string()),
        }
    }

    /// Judges a candidate on the device's samples, by a fit to another GPU's samples and the device's data sheet.
    fn judge_left_out(&self, candidate: &Candidate, learned: &Dataset) -> Judgement {
        let name = candidate.method.name();
        let counters = &candidate.training.counters;
        let own = Training::new(self.question, self.own, counters, Input::Counters);
        let size = (own.sample_ids.len() - own.generated, counters.len());
        let (Some(like), Ok(judged)) = (self.like, &own.dataset) else {
            let why = "no sample of the GPU has all of the other's counters";
            return Judgement::refused(name, size, why.to_owned());
        };
        let [from, to] = like.facts;
        let transfer = Transfer {
            method: candidate.method,
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
        let result = validate_transfer(learned, judged, &transfer, times, without_kernels, LEVEL);
        let measured = judged.y();
        let samples = own.sample_ids.iter().copied().zip(measured.iter().copied());
        Judgement::new(name, size, samples, result, start.elapsed())
    }
}
