//! Which models answer, before anything is forecast: so that forecasting asks nobody anything any more, and may
//! go on away from the threads that serve everybody.

use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    sync::Arc,
};

use kerncast_models::across::COUNTED_ON_TIME;
use kerncast_wire::{
    Better, FieldProblem, FileNote, Forecast, Outcome, Prediction, Problem, Refused, Trust,
    Unmeasured, Warning, short_name,
};
use uuid::Uuid;

use super::{
    Store,
    answer::{Answering, Elsewhere},
    asked::{Asked, By},
    candidates::Candidates,
    floor::floor,
    forecast::{Beside, alarm, forecast, interval, lies, profiled},
    kept::TIME,
    limits::{too_even, too_large},
    pending::{Pending, warning},
    trust,
    unmeasured::{elsewhere, known_gpus, scale},
};
use crate::{
    cpu_bound::heavy,
    db::{self, forecasts::machines::Machine},
    http::{
        error::Error,
        problem::{field, unprocessable},
    },
};

/// Every set on every device, by the model named, or by champions, or by the best of a method.
pub(crate) struct Plan {
    pub(super) asked: Asked,
    pub(super) targets: Vec<Target>,
    /// The first set on every target, then the second, and so on.
    choices: Vec<Choice>,
    models: BTreeMap<Uuid, Arc<Answering>>,
    /// What they are once they are told of a GPU, by the target's place; none of those that can't be.
    told: BTreeMap<(usize, Uuid), Option<Arc<Answering>>>,
    pending: Pending,
    /// Devices with a ceiling that a workload exceeds.
    beaten: Arc<BTreeSet<i64>>,
    machines: Arc<BTreeMap<i64, Machine>>,
}

/// What is forecast.
pub(super) struct Target {
    /// Whose models answer.
    pub(super) device: i64,
    /// A GPU that nobody has measured, in the device's place.
    elsewhere: Option<Elsewhere>,
}

/// The models of a set on a device.
struct Choice {
    answers: Result<Uuid, FieldProblem>,
    /// The baseline, where it is not what answers.
    paper: Option<Uuid>,
    /// What the answer is held against.
    others: Vec<Uuid>,
    /// What would be answered more surely.
    better: Vec<Better>,
    /// The champion's method, where that could not answer for want of counters.
    champion: Option<String>,
}

impl Plan {
    /// # Errors
    /// Where a model or device is named that can't answer.
    pub(crate) async fn new(app: &Store, asked: Asked) -> Result<Self, Error> {
        // At once: each may have to be waited for.
        let (candidates, jobs, beaten, machines) = tokio::try_join!(
            app.kept.candidates(&app.pool),
            app.kept.jobs(&app.pool),
            app.kept.beaten(&app.pool),
            app.kept.machines(&app.pool),
        )?;
        let mut models = BTreeMap::new();
        let (named, devices) = match asked.by {
            By::Model(model) => {
                let answering = named(app, model, &asked).await?;
                let device = answering.forecaster.device;
                let provider = answering.forecaster.provider.clone();
                models.insert(model, answering);
                (Some((model, provider)), vec![device])
            }
            By::Champions | By::Method(_) => (None, candidates.devices(&asked)?),
        };
        let targets = targets(&asked, &devices, &candidates, &machines)?;
        let pending = match named {
            Some(_) => Pending::default(),
            None => Pending::new(jobs, asked.counted_on),
        };
        let short = asked.is_short();
        let choose = move || {
            let choices = choices(&candidates, &asked, named.as_ref(), &targets);
            (choices, asked, targets)
        };
        let (choices, asked, targets) = match short {
            true => choose(),
            false => heavy(choose).await?,
        };
        for choice in &choices {
            let chosen = [choice.answers.as_ref().ok(), choice.paper.as_ref()];
            for &model in chosen.into_iter().flatten().chain(&choice.others) {
                if let Entry::Vacant(vacant) = models.entry(model) {
                    let found = app.kept.fit(&app.pool, model).await?;
                    // Models are never deleted.
                    vacant.insert(found.ok_or_else(|| {
                        let gone = format!("model {model} is not stored any more");
                        db::Error::Inconsistent(gone)
                    })?);
                }
            }
        }
        if asked.time_is_named && asked.by != By::Champions {
            let uses = |model: &Uuid| models[model].takes().any(|it| it == COUNTED_ON_TIME);
            let mut answers = choices.iter().flat_map(|it| &it.answers).peekable();
            if answers.peek().is_some() && !answers.any(uses) {
                let expected = "no time_s: what was named does not use it; without model and method, one that does \
                                answers";
                let found = asked.sets[0].counted_on_time_s;
                let found = found.map_or("absent".to_owned(), |it| it.to_string());
                return Err(unprocessable("/time_s", found, expected).into());
            }
        }
        Ok(Self {
            asked,
            told: told(&targets, &choices, &models),
            targets,
            choices,
            models,
            pending,
            beaten,
            machines,
        })
    }

    /// Predictions in all.
    pub(crate) fn len(&self) -> usize {
        self.choices.len()
    }

    pub(super) fn notes(&self) -> &[FileNote] {
        &self.asked.notes
    }

    /// The prediction at a place, and what was wrong where it is a refusal.
    pub(super) fn predict(&self, place: usize) -> (Prediction, Option<FieldProblem>) {
        let (counter_set, target) = (place / self.targets.len(), place % self.targets.len());
        let set = &self.asked.sets[counter_set];
        let Target { device, elsewhere } = &self.targets[target];
        let device = *device;
        let there_s = elsewhere.as_ref().and_then(|it| it.measured_there_s(set));
        let unmeasured = elsewhere.as_ref().map(|it| Unmeasured {
            measured_there_s: there_s,
            ..it.unmeasured.clone()
        });
        let unmeasured = unmeasured.as_ref();
        let Choice {
            answers,
            paper,
            others,
            better,
            champion,
        } = &self.choices[place];
        let model = |id: &Uuid| match elsewhere {
            Some(_) => self.told.get(&(target, *id)).cloned().flatten(),
            None => Some(Arc::clone(&self.models[id])),
        };
        let known = elsewhere.is_none().then_some(device);
        let machine = known.and_then(|it| self.machines.get(&it));
        let name = match elsewhere {
            Some(of) => Some(of.to.name.clone()),
            None => machine.map(|it| it.device.name.clone()),
        };
        // The time that a file gives is its own device's, which a forecast of another is not held against.
        let is_its = |of: &String| {
            name.as_ref()
                .is_none_or(|it| short_name(it) == short_name(of))
        };
        let measured = set
            .measured
            .filter(|_| set.measured_on.as_ref().is_none_or(is_its));
        let measured_s = set.measured.and_then(|took| took.on(known));
        // What was measured there has run.
        let too_large = match (elsewhere, machine, measured_s) {
            (Some(of), _, _) => too_large(&of.to.device(), set),
            (None, Some(machine), None) => too_large(&machine.device, set),
            _ => None,
        };
        // Who counted for a GPU that nobody has measured is not known.
        let counted_on = self.asked.counted_on.or(known);
        let counted_on = counted_on.and_then(|it| self.machines.get(&it));
        let too_even = counted_on.and_then(|it| too_even(&it.device, set));
        let outcome = match too_large.or(too_even) {
            Some(problem) => Err(problem),
            None => answers.clone(),
        };
        let outcome = outcome.and_then(|answers| {
            let beside = Beside {
                paper: paper.as_ref().and_then(model),
                // How far they are off there is not known.
                others: match there_s {
                    Some(_) => Vec::new(),
                    None => others.iter().filter_map(model).collect(),
                },
            };
            let is_beaten = self.beaten.contains(&device);
            let floor = machine.filter(|_| !is_beaten).and_then(|it| floor(it, set));
            let Some(answering) = model(&answers) else {
                return Err(field(
                    &set.at,
                    answers,
                    "a model that can be told of another GPU",
                ));
            };
            let (mut forecast, reach) = forecast(&answering, &beside, set, floor)?;
            let mut alarm_there = None;
            if let Some(there_s) = there_s {
                let there = self.models[&answers].answer(set)?;
                scale(&mut forecast, there_s / there.value);
                // What the model is wrong about there it is wrong about here.
                alarm_there = there
                    .interval
                    .ok()
                    .and_then(|ends| alarm(&interval(ends), there_s));
            }
            Ok((forecast, reach, alarm_there))
        });
        let judging = measured.filter(|it| it.judges(self.targets.len()));
        let judging_s = judging.and_then(|took| took.on(known));
        let pending = self.pending.of(device, set);
        let (mut measured_lies, mut trust) = (None, Trust::without_forecast());
        let outcome = outcome
            .map(|(mut forecast, reach, alarm_there)| {
                forecast.better.clone_from(better);
                for warning in &mut forecast.warnings.0 {
                    if let Warning::Misspelt { champion: of, .. } = warning {
                        of.clone_from(champion);
                    }
                }
                forecast.warnings.0.splice(..0, warning(&pending));
                let mut alarmed = false;
                if let (Some(interval), Some(measured_s)) = (forecast.interval, judging_s) {
                    measured_lies = Some(lies(&interval, measured_s));
                    let alarm = alarm(&interval, measured_s);
                    alarmed = alarm.is_some();
                    forecast.warnings.0.splice(..0, alarm);
                } else if let Some(interval) = forecast.interval
                    && self.asked.counted_on.is_none()
                    && unmeasured.is_none()
                {
                    let profiled = profiled(&interval, set);
                    forecast.warnings.0.splice(..0, profiled);
                }
                if let Some(unmeasured) = unmeasured.filter(|it| !it.same_architecture) {
                    forecast.warnings.0.push(Warning::OtherArchitecture {
                        gpu: unmeasured.gpu.clone(),
                        like: unmeasured.like_name.clone(),
                    });
                }
                alarmed |= alarm_there.is_some();
                forecast.warnings.0.splice(..0, alarm_there);
                let borrows = self.models[&forecast.model].forecaster.borrows;
                trust = trust::of(&forecast, reach, alarmed, &pending, unmeasured, borrows);
                forecast
            })
            .map_err(|mut problem| {
                problem
                    .expected
                    .extend(warning(&pending).map(|it| format!("; {it}")));
                problem
            });
        let problem = outcome.as_ref().err().cloned();
        let prediction = Prediction {
            counter_set: u32::try_from(counter_set).unwrap_or(u32::MAX),
            name: set.name.clone(),
            measured_s,
            measured_lies,
            device,
            unmeasured: unmeasured.cloned(),
            trust,
            pending,
            outcome: in_words(outcome),
        };
        (prediction, problem)
    }
}

/// Devices, and behind them GPUs: one that has models here is a device, too.
fn targets(
    asked: &Asked,
    devices: &[i64],
    candidates: &Candidates,
    machines: &BTreeMap<i64, Machine>,
) -> Result<Vec<Target>, Problem> {
    let of_device = |device| Target {
        device,
        elsewhere: None,
    };
    let mut targets: Vec<Target> = devices.iter().copied().map(of_device).collect();
    if asked.gpus.is_empty() {
        return Ok(targets);
    }
    let known = known_gpus(candidates, machines);
    for (place, gpu) in asked.gpus.iter().enumerate() {
        let has_models = |id: &&i64| machines[id].device.name == gpu.name && candidates.has(**id);
        targets.push(match machines.keys().find(has_models) {
            Some(&device) => of_device(device),
            None => {
                let at = asked.field(&format!("gpus/{place}"));
                let found = elsewhere(at, gpu, &known)?;
                Target {
                    device: found.unmeasured.like,
                    elsewhere: Some(found),
                }
            }
        });
    }
    Ok(targets)
}

/// Each model that a GPU's forecasts need, told what the GPU is made of.
fn told(
    targets: &[Target],
    choices: &[Choice],
    models: &BTreeMap<Uuid, Arc<Answering>>,
) -> BTreeMap<(usize, Uuid), Option<Arc<Answering>>> {
    let mut told = BTreeMap::new();
    for (place, choice) in choices.iter().enumerate() {
        let target = place % targets.len();
        let Some(of) = &targets[target].elsewhere else {
            continue;
        };
        for &model in choice.answers.iter().chain(&choice.others) {
            told.entry((target, model))
                .or_insert_with(|| models[&model].elsewhere(of).map(Arc::new));
        }
    }
    told
}

fn choices(
    candidates: &Candidates,
    asked: &Asked,
    named: Option<&(Uuid, String)>,
    targets: &[Target],
) -> Vec<Choice> {
    let mut choices = Vec::with_capacity(asked.sets.len() * targets.len());
    for set in &asked.sets {
        for Target { device, elsewhere } in targets {
            let device = *device;
            let best = match named {
                Some((model, provider)) => Ok((*model, provider.as_str(), None)),
                None => candidates.best(asked, device, elsewhere.is_some(), set),
            };
            choices.push(match best {
                Err(problem) => Choice {
                    answers: Err(problem),
                    paper: None,
                    others: Vec::new(),
                    better: Vec::new(),
                    champion: None,
                },
                Ok((model, provider, champion)) => {
                    let other = |baseline: Option<Uuid>| baseline.filter(|&it| it != model);
                    let to = (device, provider);
                    Choice {
                        answers: Ok(model),
                        paper: other(candidates.baseline(asked, to, set)),
                        others: candidates.others(asked, device, set, model),
                        champion: champion.map(str::to_owned),
                        better: match named {
                            Some(_) => Vec::new(),
                            None => candidates.better(device, set, model),
                        },
                    }
                }
            });
        }
    }
    choices
}

/// The model that was named.
async fn named(app: &Store, model: Uuid, asked: &Asked) -> Result<Arc<Answering>, Error> {
    let Some(answering) = app.kept.fit(&app.pool, model).await? else {
        let expected = "a model's id; /v1/models lists them";
        return Err(unprocessable(asked.field("model"), model, expected).into());
    };
    let forecaster = &answering.forecaster;
    let device = forecaster.device;
    if let Some(other) = asked.devices.iter().find(|&&asked| asked != device) {
        let expected = format!("{device}, the device of the model named, or none");
        return Err(unprocessable(asked.field("device"), other, expected).into());
    }
    if forecaster.counted_on != asked.counted_on {
        let expected = match forecaster.counted_on {
            Some(counted_on) => {
                format!("{counted_on}, the device that the model named was counted on")
            }
            None => {
                "no counted_on: the model named forecasts from the device's own counters".to_owned()
            }
        };
        let found = asked
            .counted_on
            .map_or("absent".to_owned(), |it| it.to_string());
        return Err(unprocessable(asked.field("counted_on"), found, expected).into());
    }
    let none = match (&forecaster.fit, &*forecaster.response) {
        (Err(why), _) => Some(why.clone()),
        (Ok(_), TIME) => None,
        (Ok(_), response) => Some(format!("it forecasts {response}, no time")),
    };
    if let Some(why) = none {
        let expected = format!("a model with a fit; this one has none: {why}");
        return Err(unprocessable(asked.field("model"), model, expected).into());
    }
    Ok(answering)
}

fn in_words(outcome: Result<Forecast, FieldProblem>) -> Outcome {
    match outcome {
        Ok(forecast) => Outcome::Forecast(Box::new(forecast)),
        Err(problem) => {
            let FieldProblem {
                value, expected, ..
            } = problem;
            let found = value.map(|it| format!(", not {it}")).unwrap_or_default();
            Outcome::Refused(Refused {
                refusal: format!("expected {expected}{found}"),
            })
        }
    }
}
