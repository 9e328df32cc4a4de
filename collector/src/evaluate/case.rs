//! One comparison: the methods that answer a question, each validated on data that it has not seen.

use std::{collections::BTreeSet, time::Instant};

use kerncast_models::{
    Contender, Dataset, ErrorReport, HoldOutKey, SECOND_OPINION, Transfer, is_transferable, rank,
};
use kerncast_training::{
    Candidate, Input, LEVEL, Question, Response, Samples, Training, validate_method, validate_on,
    validate_transfer,
};
use serde::Serialize;
use uuid::Uuid;

use super::{
    DevicePair, EvaluateRequest, LeftOut, Progress,
    method_report::{Forecast, MethodReport},
    samples::SimilarGpu,
    speedups,
};

/// All methods on the rows of one question, with the same rows held out.
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
    /// Samples of generated kernels besides: every fit has them, and none is validated on them.
    #[serde(skip_serializing_if = "is_zero")]
    pub generated: usize,
    /// The counters used.
    pub counters: Vec<String>,
    /// Counters that are not used: more than a tenth of the rows lack them, or they contain the time.
    pub left_out: Vec<String>,
    /// Number of samples that are left out because they lack one of the counters used.
    pub rows_left_out: usize,
    /// Number of samples that are left out because a newer one of the same workload exists.
    pub older_left_out: usize,
    /// A report for each method, in the order in which such models would answer (`kerncast_models::rank`).
    pub methods: Vec<MethodReport>,
}

fn is_zero(count: &usize) -> bool {
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
    pub(super) like: Option<&'a SimilarGpu<'a>>,
    pub(super) devices: &'a DevicePair<'a>,
    pub(super) key: LeftOut,
}

impl Case<'_> {
    /// Samples that are forecast by fits to the other samples; none where held-out samples are.
    fn tested(&self) -> &BTreeSet<Uuid> {
        &self.devices.files.tested
    }

    /// The title of the comparison, in words.
    fn title(&self) -> String {
        let (response, provider) = (&self.question.response, &self.question.provider);
        let held_out = if self.tested().is_empty() {
            format!("leaving a {} out", self.key)
        } else {
            "of other samples than those fitted".to_owned()
        };
        format!(
            "{response} of {}, {provider}, {held_out}",
            self.devices.device
        )
    }

    /// The fits that the server would make. Counters that are the same on every device are also tried like another
    /// device's.
    fn candidates(&self, request: &EvaluateRequest) -> Vec<Candidate> {
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
        candidates.retain(|it| request.asks(it.method.name()) && answers(it));
        candidates
    }

    /// Validates every method that is asked for; none where no sample can be forecast.
    pub(super) fn compare(
        &self,
        request: &EvaluateRequest,
        report: &mut dyn FnMut(Progress<'_>),
    ) -> Option<Comparison> {
        let candidates = &self.candidates(request);
        if candidates.is_empty() || !self.can_be_tested(candidates) {
            return None;
        }
        report(Progress::Comparison {
            title: &self.title(),
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
        let methods = self.report_methods(candidates, report);
        let (rows, kernels) = match self.like {
            None => most.map_or((0, 0), |it| {
                (it.sample_ids.len() - it.generated, it.kernels)
            }),
            Some(_) => methods.iter().fold((0, 0), |(rows, kernels), it| {
                (rows.max(it.rows), kernels.max(it.kernels.len()))
            }),
        };
        Some(Comparison {
            device: self.devices.device.to_owned(),
            counted_on: self.devices.counted_on.map(str::to_owned),
            like: self.like.map(|it| it.name.to_owned()),
            provider: self.question.provider.clone(),
            response: self.question.response.to_string(),
            hold_out: if self.tested().is_empty() {
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

    /// A report for each method, in the order in which such models would answer.
    fn report_methods(
        &self,
        candidates: &[Candidate],
        report: &mut dyn FnMut(Progress<'_>),
    ) -> Vec<MethodReport> {
        let mut reports = Vec::new();
        for (candidate, place) in candidates.iter().zip(1..) {
            report(Progress::Method {
                name: candidate.method.name(),
                place,
            });
            reports.push(self.validate(candidate));
        }
        let is_time = self.question.response == Response::Time;
        let leaves_kernels = matches!(
            self.key,
            LeftOut::Own(HoldOutKey::Kernel) | LeftOut::GpuAndKernel
        );
        if is_time && (leaves_kernels || !self.tested().is_empty()) {
            let second = self.second_opinions(&reports);
            speedups::add_errors(&mut reports, second.as_deref(), self.devices.workloads);
        }
        let contender = |(candidate, method): (&Candidate, &MethodReport)| {
            let report = ErrorReport {
                overall: method.errors,
                kernels: method.kernels.clone(),
            };
            Contender::new(true, candidate.complexity, &report)
        };
        let contenders: Vec<Contender> = candidates.iter().zip(&reports).map(contender).collect();
        let order = rank(&contenders).into_iter();
        order.map(|place| reports[place].clone()).collect()
    }

    /// Forecasts of the method that gives the second opinion on speedups, even if it is not asked for.
    fn second_opinions(&self, reports: &[MethodReport]) -> Option<Vec<Forecast>> {
        if let Some(second) = reports.iter().find(|it| it.method == SECOND_OPINION) {
            return Some(second.forecasts.clone());
        }
        let all = Candidate::all(self.question, self.samples);
        let second = all.iter().find(|it| it.method.name() == SECOND_OPINION)?;
        Some(self.validate(second).forecasts)
    }

    /// Whether some method has both rows to fit and rows to forecast.
    fn can_be_tested(&self, candidates: &[Candidate]) -> bool {
        let is_tested = |id: &Uuid| self.tested().contains(id);
        self.tested().is_empty()
            || candidates.iter().any(|it| {
                let ids = &it.training.sample_ids;
                ids.iter().any(is_tested) && !ids.iter().all(is_tested)
            })
    }

    fn validate(&self, candidate: &Candidate) -> MethodReport {
        let training = &candidate.training;
        let (counters, sample_ids) = (&training.counters, &training.sample_ids);
        let size = (sample_ids.len() - training.generated, counters.len());
        let name = candidate.method.name();
        let start = Instant::now();
        match (&training.dataset, self.key) {
            (Ok(dataset), LeftOut::Gpu | LeftOut::GpuAndKernel) => {
                self.validate_on_left_out_gpu(candidate, dataset)
            }
            (Ok(dataset), LeftOut::Own(key)) if self.tested().is_empty() => {
                let method = candidate.method;
                let result = validate_method(dataset, method, key, LEVEL);
                MethodReport::new(name, size, sample_ids, dataset, result, start.elapsed())
            }
            (Ok(dataset), _) => {
                let (tested, learned): (Vec<usize>, Vec<usize>) = (0..sample_ids.len())
                    .partition(|row| self.tested().contains(&sample_ids[*row]));
                let size = (tested.len(), counters.len());
                if tested.is_empty() || learned.is_empty() {
                    let why = "the files of --train or of --test have no sample with its counters";
                    return MethodReport::refused(name, size, why.to_owned());
                }
                let samples: Vec<Uuid> = tested.iter().map(|row| sample_ids[*row]).collect();
                let (learned, tested) = (dataset.part(&learned), dataset.part(&tested));
                let method = candidate.method;
                let result = validate_on(&learned, &tested, method, LEVEL);
                MethodReport::new(name, size, &samples, &tested, result, start.elapsed())
            }
            (Err(error), _) => MethodReport::refused(name, size, error.to_string()),
        }
    }

    /// Validates a candidate on the device's samples, by a fit to another GPU's samples and the device's data sheet.
    fn validate_on_left_out_gpu(&self, candidate: &Candidate, learned: &Dataset) -> MethodReport {
        let name = candidate.method.name();
        let counters = &candidate.training.counters;
        let own = Training::new(self.question, self.own, counters, Input::Counters);
        let size = (own.sample_ids.len() - own.generated, counters.len());
        let (Some(like), Ok(tested)) = (self.like, &own.dataset) else {
            let why = "no sample of the GPU has all of the other's counters";
            return MethodReport::refused(name, size, why.to_owned());
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
        let result = validate_transfer(learned, tested, &transfer, times, without_kernels, LEVEL);
        let samples = &own.sample_ids;
        MethodReport::new(name, size, samples, tested, result, start.elapsed())
    }
}
