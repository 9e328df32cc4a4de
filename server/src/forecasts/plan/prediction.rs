//! One prediction of a plan: refused or forecast, with warnings, and trusted as far as nothing speaks against it.

use kerncast_wire::{
    FieldProblem, FittingJob, Forecast, Outcome, Position, Prediction, Refused, Trust, Unmeasured,
    Warning, short_name,
};
use uuid::Uuid;

use super::{ChosenModels, Plan};
use crate::{
    db::forecasts::devices::KnownDevice,
    forecasts::{
        counter_set::PostedSet,
        device_limits::{too_even, too_large},
        floor::floor,
        forecast::forecast,
        measured_time::{alarm, locate, profiled_far_outside},
        model::LoadedModel,
        pending_fits::{may_change, pending_fits},
        trust,
        unmeasured::{UnmeasuredGpu, scale},
    },
    http::field,
};

/// A set on a target, with what the plan knows of both.
struct Case<'a> {
    plan: &'a Plan,
    set: &'a PostedSet,
    models: &'a Result<ChosenModels, FieldProblem>,
    /// The target's place.
    target: usize,
    /// The target, where it is a GPU that nobody has measured; else it is the device.
    gpu: Option<&'a UnmeasuredGpu>,
    /// The device whose models answer.
    device: i64,
    /// Where the target is that device.
    known_device: Option<&'a KnownDevice>,
    /// Seconds that the set took on that device, where a GPU's forecast starts from them.
    measured_there_s: Option<f64>,
}

/// A forecast, and what its trust depends on.
struct Estimate<'a> {
    models: &'a ChosenModels,
    forecast: Forecast,
    /// Nine in ten kernels lie within this factor by the model's validation.
    reach: Option<f64>,
    /// The time on the device whose models answer for a GPU lies outside the interval there.
    alarm_there: Option<Warning>,
}

impl Plan {
    /// The prediction at a place, and what was wrong where it is a refusal.
    pub(in crate::forecasts) fn predict(&self, place: usize) -> (Prediction, Option<FieldProblem>) {
        let case = Case::new(self, place);
        let counted_on = self.request.counted_on;
        let pending = pending_fits(&self.jobs, counted_on, case.device, case.set);
        let (outcome, measured_lies, trust, problem) =
            match case.check_device().and_then(|()| case.estimate()) {
                Ok(mut estimate) => {
                    let (lies, trust) = case.assess(&mut estimate, &pending);
                    let forecast = Box::new(estimate.forecast);
                    (Outcome::Forecast(forecast), lies, trust, None)
                }
                Err(mut problem) => {
                    let pending = may_change(&pending).map(|it| format!("; {it}"));
                    problem.expected.extend(pending);
                    let refused = refusal(&problem);
                    (refused, None, Trust::without_forecast(), Some(problem))
                }
            };
        let prediction = Prediction {
            counter_set: u32::try_from(place / self.targets.len()).unwrap_or(u32::MAX),
            name: case.set.name.clone(),
            measured_s: case.set.measured_s(case.target_device()),
            measured_lies,
            device: case.device,
            unmeasured: case.unmeasured(),
            trust,
            pending,
            outcome,
        };
        (prediction, problem)
    }
}

impl<'a> Case<'a> {
    fn new(plan: &'a Plan, place: usize) -> Self {
        let (set, target) = (place / plan.targets.len(), place % plan.targets.len());
        let set = &plan.request.sets[set];
        let device = plan.targets[target].device;
        let gpu = plan.targets[target].gpu.as_ref();
        Self {
            plan,
            set,
            models: &plan.choices[place],
            target,
            gpu,
            device,
            known_device: plan.known_devices.get(&device).filter(|_| gpu.is_none()),
            measured_there_s: gpu.and_then(|it| it.measured_there_s(set)),
        }
    }

    /// The target's id, where it is a device.
    fn target_device(&self) -> Option<i64> {
        self.gpu.is_none().then_some(self.device)
    }

    fn unmeasured(&self) -> Option<Unmeasured> {
        self.gpu.map(|it| Unmeasured {
            measured_there_s: self.measured_there_s,
            ..it.summary.clone()
        })
    }

    /// A model, transferred to the GPU where there is one; none where it can't be.
    fn model(&self, id: Uuid) -> Option<&'a LoadedModel> {
        match self.gpu {
            Some(_) => self
                .plan
                .transferred_models
                .get(&(self.target, id))?
                .as_ref(),
            None => Some(&self.plan.models[&id]),
        }
    }

    /// Fails where the target can't run the launch, or the device counted on can't have counted these counters.
    fn check_device(&self) -> Result<(), FieldProblem> {
        let too_large = match (self.gpu, self.known_device) {
            (Some(gpu), _) => too_large(&gpu.to.device(), self.set),
            // What was measured there has run.
            (None, Some(known_device)) if self.set.measured_s(Some(self.device)).is_none() => {
                too_large(&known_device.device, self.set)
            }
            _ => None,
        };
        // Who counted for a GPU that nobody has measured is not known.
        let counted_on = self.plan.request.counted_on.or(self.target_device());
        let counted_on = counted_on.and_then(|it| self.plan.known_devices.get(&it));
        let too_even = || counted_on.and_then(|it| too_even(&it.device, self.set));
        too_large.or_else(too_even).map_or(Ok(()), Err)
    }

    /// Fails where no model was chosen, or it can't forecast the set.
    fn estimate(&self) -> Result<Estimate<'a>, FieldProblem> {
        let models = self.models.as_ref().map_err(Clone::clone)?;
        let id = models.answering;
        let model = self.model(id).ok_or_else(|| {
            let expected = "a model that can be told of another GPU";
            field(&self.set.at, id, expected)
        })?;
        let baseline = models.baseline.and_then(|it| self.model(it));
        // Where the forecast starts from a time there, how far they are off on that device is not known.
        let others = models
            .others
            .iter()
            .filter(|_| self.measured_there_s.is_none());
        let others: Vec<&LoadedModel> = others.filter_map(|&it| self.model(it)).collect();
        let is_exceeded = self.plan.exceeded_ceilings.contains(&self.device);
        let known_device = self.known_device.filter(|_| !is_exceeded);
        let floor = known_device.and_then(|it| floor(it, self.set));
        let (mut forecast, reach) = forecast(model, baseline, &others, self.set, floor)?;
        let mut alarm_there = None;
        if let Some(measured_s) = self.measured_there_s {
            let there = self.plan.models[&id].answer(self.set)?;
            scale(&mut forecast, measured_s / there.value);
            // What the model is wrong about there it is wrong about here.
            let interval_there = there.interval.ok();
            alarm_there = interval_there.and_then(|it| alarm(&it, measured_s));
        }
        Ok(Estimate {
            models,
            forecast,
            reach,
            alarm_there,
        })
    }

    /// Adds what speaks against the forecast, and says where the measured time lies and how far to trust the forecast.
    fn assess(
        &self,
        estimate: &mut Estimate<'_>,
        pending: &[FittingJob],
    ) -> (Option<Position>, Trust) {
        let (models, forecast) = (estimate.models, &mut estimate.forecast);
        forecast.better.clone_from(&models.better);
        let with_measured = forecast.interval.zip(self.judging_s());
        let measured_lies = with_measured.map(|(interval, time_s)| locate(&interval, time_s).0);
        let alarm = with_measured.and_then(|(interval, time_s)| alarm(&interval, time_s));
        let alarm_there = estimate.alarm_there.take();
        let is_alarmed = alarm.is_some() || alarm_there.is_some();
        let own_counters = self.plan.request.counted_on.is_none() && self.gpu.is_none();
        let profiler_judges = own_counters && with_measured.is_none();
        let interval = forecast.interval.filter(|_| profiler_judges);
        let profiled = interval.and_then(|it| profiled_far_outside(&it, self.set));
        let warnings = &mut forecast.warnings.0;
        for warning in &mut *warnings {
            if let Warning::Misspelt { champion, .. } = warning {
                champion.clone_from(&models.unable_champion);
            }
        }
        let first = [alarm_there, alarm, profiled, may_change(pending)];
        warnings.splice(..0, first.into_iter().flatten());
        let unmeasured = self.unmeasured();
        let unmeasured = unmeasured.as_ref();
        warnings.extend(unmeasured.and_then(other_architecture));
        let (reach, model) = (estimate.reach, &self.plan.models[&forecast.model]);
        let borrows = model.stored.borrows;
        let trust = trust::sum_up(forecast, reach, is_alarmed, pending, unmeasured, borrows);
        (measured_lies, trust)
    }

    /// The measured time that the forecast is held against. A file's time is its own device's, and can't be that of
    /// several.
    fn judging_s(&self) -> Option<f64> {
        let name = match self.gpu {
            Some(gpu) => Some(&gpu.to.name),
            None => self.known_device.map(|it| &it.device.name),
        };
        if let (Some(name), Some(measured_on)) = (name, &self.set.measured_on)
            && short_name(name) != short_name(measured_on)
        {
            return None;
        }
        let names_device = self.set.measured?.device.is_some();
        let measured_s = self.set.measured_s(self.target_device());
        measured_s.filter(|_| names_device || self.plan.targets.len() == 1)
    }
}

fn other_architecture(unmeasured: &Unmeasured) -> Option<Warning> {
    (!unmeasured.same_architecture).then(|| Warning::OtherArchitecture {
        gpu: unmeasured.gpu.clone(),
        like: unmeasured.like_name.clone(),
    })
}

fn refusal(problem: &FieldProblem) -> Outcome {
    let sent = problem.value.as_ref().map(|it| format!(", not {it}"));
    Outcome::Refused(Refused {
        refusal: format!("expected {}{}", problem.expected, sent.unwrap_or_default()),
    })
}
