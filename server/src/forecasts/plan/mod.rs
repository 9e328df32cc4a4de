//! The models of a request, chosen and loaded before anything is forecast: predictions then wait for nobody and can be
//! made on any thread.

mod prediction;

use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    iter,
    sync::Arc,
};

use kerncast_wire::{Better, FieldProblem, FileNote, FittingJob, Problem};
use uuid::Uuid;

use super::{
    cache::{ForecastCache, TIME_RESPONSE},
    candidates::{Candidates, Selection},
    counter_set::PostedSet,
    model::LoadedModel,
    request::{ForecastRequest, ModelChoice},
    unmeasured::{UnmeasuredGpu, measured_gpus},
};
use crate::{
    cpu_bound::heavy,
    db::{self, forecasts::devices::KnownDevice},
    http::{Error, unprocessable},
};

/// Every set on every target, by the model named, by champions, or by the best models of a method.
pub(crate) struct Plan {
    pub(super) request: ForecastRequest,
    pub(super) targets: Vec<Target>,
    /// The first set on every target, then the second, and so on.
    choices: Vec<Result<ChosenModels, FieldProblem>>,
    pub(super) models: BTreeMap<Uuid, Arc<LoadedModel>>,
    /// The models transferred to an unmeasured GPU, by the target's place; none where a model can't be.
    transferred_models: BTreeMap<(usize, Uuid), Option<LoadedModel>>,
    /// Fits under way; none where a model is named, which stays the same.
    jobs: Arc<[FittingJob]>,
    /// Devices with a ceiling that a workload exceeds.
    exceeded_ceilings: Arc<BTreeSet<i64>>,
    known_devices: Arc<BTreeMap<i64, KnownDevice>>,
}

/// A device or GPU to forecast.
pub(super) struct Target {
    /// The device whose models answer.
    pub(super) device: i64,
    /// A GPU that nobody has measured, in the device's place.
    gpu: Option<UnmeasuredGpu>,
}

/// The model that answers a set on a target, and those beside it.
struct ChosenModels {
    answering: Uuid,
    /// The paper's method, where another one answers.
    baseline: Option<Uuid>,
    /// Those that should say the same.
    others: Vec<Uuid>,
    /// Counters that would be answered more surely.
    better: Vec<Better>,
    /// The champion's method, where it could not answer for want of counters.
    unable_champion: Option<String>,
}

impl ChosenModels {
    fn ids(&self) -> impl Iterator<Item = Uuid> {
        let beside = self.baseline.iter().chain(&self.others);
        iter::once(self.answering).chain(beside.copied())
    }
}

impl Plan {
    /// Fails where a model or device is named that can't answer.
    pub(crate) async fn new(
        cache: &Arc<ForecastCache>,
        request: ForecastRequest,
    ) -> Result<Self, Error> {
        // At once: each may have to be waited for.
        let (candidates, jobs, exceeded_ceilings, known_devices) = tokio::try_join!(
            cache.candidates(),
            cache.jobs(),
            cache.exceeded_ceilings(),
            cache.known_devices(),
        )?;
        let named = match request.models {
            ModelChoice::Model(id) => Some(named_model(cache, id, &request).await?),
            ModelChoice::Champions | ModelChoice::Method(_) => None,
        };
        let devices = match &named {
            Some(model) => vec![model.stored.key.device],
            None => candidates.devices(&request)?,
        };
        let targets = targets(&request, &devices, &candidates, &known_devices)?;
        let jobs = if named.is_some() {
            Arc::default()
        } else {
            jobs
        };
        let is_short = request.is_short();
        let choose = move || {
            let choices = choose_models(&candidates, &request, named.as_deref(), &targets);
            (choices, request, named, targets)
        };
        let (choices, request, named, targets) = if is_short {
            choose()
        } else {
            heavy(choose).await?
        };
        let models = load_models(cache, named, &choices).await?;
        check_time_is_used(&request, &choices, &models)?;
        Ok(Self {
            request,
            transferred_models: transfer_models(&targets, &choices, &models),
            targets,
            choices,
            models,
            jobs,
            exceeded_ceilings,
            known_devices,
        })
    }

    /// Predictions in all.
    pub(crate) fn len(&self) -> usize {
        self.choices.len()
    }

    pub(super) fn notes(&self) -> &[FileNote] {
        &self.request.notes
    }
}

/// The model that was named.
/// Fails where it forecasts something else than what is asked for.
async fn named_model(
    cache: &Arc<ForecastCache>,
    id: Uuid,
    request: &ForecastRequest,
) -> Result<Arc<LoadedModel>, Error> {
    let Some(model) = cache.model(id).await? else {
        let expected = "a model's id; /v1/models lists them";
        return Err(unprocessable(request.field("model"), id, expected).into());
    };
    let stored = &model.stored;
    let device = stored.key.device;
    if let Some(other) = request.devices.iter().find(|it| **it != device) {
        let expected = format!("{device}, the device of the model named, or none");
        return Err(unprocessable(request.field("device"), other, expected).into());
    }
    if stored.key.counted_on != request.counted_on {
        let expected = match stored.key.counted_on {
            Some(counted_on) => {
                format!("{counted_on}, the device that the model named was counted on")
            }
            None => {
                "no counted_on: the model named forecasts from the device's own counters".to_owned()
            }
        };
        let sent = or_absent(request.counted_on);
        return Err(unprocessable(request.field("counted_on"), sent, expected).into());
    }
    let why_not = match (&stored.fit, &*stored.response) {
        (Err(why), _) => Some(why.clone()),
        (Ok(_), TIME_RESPONSE) => None,
        (Ok(_), response) => Some(format!("it forecasts {response}, no time")),
    };
    if let Some(why) = why_not {
        let expected = format!("a model with a fit; this one has none: {why}");
        return Err(unprocessable(request.field("model"), id, expected).into());
    }
    Ok(model)
}

/// The devices, then the GPUs. A GPU that has models here is a device.
fn targets(
    request: &ForecastRequest,
    devices: &[i64],
    candidates: &Candidates,
    known_devices: &BTreeMap<i64, KnownDevice>,
) -> Result<Vec<Target>, Problem> {
    let measured = |device| Target { device, gpu: None };
    let mut targets: Vec<Target> = devices.iter().copied().map(measured).collect();
    if request.gpus.is_empty() {
        return Ok(targets);
    }
    let measured_gpus = measured_gpus(candidates, known_devices);
    for (place, gpu) in request.gpus.iter().enumerate() {
        let has_models = |id: &&i64| {
            known_devices[id].device.name == gpu.name && candidates.have_models_of(**id)
        };
        targets.push(match known_devices.keys().find(has_models) {
            Some(&device) => measured(device),
            None => {
                let at = request.field(&format!("gpus/{place}"));
                let gpu = UnmeasuredGpu::new(at, gpu, &measured_gpus)?;
                let device = gpu.summary.like;
                Target {
                    device,
                    gpu: Some(gpu),
                }
            }
        });
    }
    Ok(targets)
}

/// The models of each set on each target. `named`: the one that answers all.
fn choose_models(
    candidates: &Candidates,
    request: &ForecastRequest,
    named: Option<&LoadedModel>,
    targets: &[Target],
) -> Vec<Result<ChosenModels, FieldProblem>> {
    let mut choices = Vec::with_capacity(request.sets.len() * targets.len());
    for set in &request.sets {
        for target in targets {
            let device = target.device;
            let selection = match named {
                Some(model) => Ok(Selection {
                    id: model.id,
                    key: &model.stored.key,
                    unable_champion: None,
                }),
                None => candidates.select(request, device, target.gpu.is_some(), set),
            };
            let with_beside = |it| choose_beside(candidates, request, device, set, &it);
            choices.push(selection.map(with_beside));
        }
    }
    choices
}

/// Adds the models that stand beside the one that answers.
fn choose_beside(
    candidates: &Candidates,
    request: &ForecastRequest,
    device: i64,
    set: &PostedSet,
    selection: &Selection<'_>,
) -> ChosenModels {
    let answering = selection.id;
    let baseline = candidates.baseline(selection.key, set);
    ChosenModels {
        answering,
        baseline: baseline.filter(|it| *it != answering),
        others: candidates.others(request, device, set, answering),
        better: match request.models {
            ModelChoice::Model(_) => Vec::new(),
            ModelChoice::Champions | ModelChoice::Method(_) => {
                candidates.better(device, set, answering)
            }
        },
        unable_champion: selection.unable_champion.map(str::to_owned),
    }
}

/// Each model that was chosen, once.
async fn load_models(
    cache: &Arc<ForecastCache>,
    named: Option<Arc<LoadedModel>>,
    choices: &[Result<ChosenModels, FieldProblem>],
) -> Result<BTreeMap<Uuid, Arc<LoadedModel>>, Error> {
    let mut models: BTreeMap<_, _> = named.into_iter().map(|it| (it.id, it)).collect();
    for id in choices.iter().flatten().flat_map(ChosenModels::ids) {
        if let Entry::Vacant(vacant) = models.entry(id) {
            // Models are never deleted.
            let gone = || db::Error::Inconsistent(format!("model {id} is not stored any more"));
            vacant.insert(cache.model(id).await?.ok_or_else(gone)?);
        }
    }
    Ok(models)
}

/// Fails where a request has `time_s`, and none of the models that it names uses that.
fn check_time_is_used(
    request: &ForecastRequest,
    choices: &[Result<ChosenModels, FieldProblem>],
    models: &BTreeMap<Uuid, Arc<LoadedModel>>,
) -> Result<(), Problem> {
    if !request.names_time || request.models == ModelChoice::Champions {
        return Ok(());
    }
    let mut answering = choices.iter().flatten().peekable();
    if answering.peek().is_none() || answering.any(|it| models[&it.answering].uses_time()) {
        return Ok(());
    }
    let expected = "no time_s: what was named does not use it; without model and method, one that does \
                    answers";
    let sent = or_absent(request.sets[0].counted_on_time_s);
    Err(unprocessable("/time_s", sent, expected))
}

/// Each model that an unmeasured GPU's forecasts need, transferred to that GPU.
fn transfer_models(
    targets: &[Target],
    choices: &[Result<ChosenModels, FieldProblem>],
    models: &BTreeMap<Uuid, Arc<LoadedModel>>,
) -> BTreeMap<(usize, Uuid), Option<LoadedModel>> {
    let mut transferred_models = BTreeMap::new();
    for (place, choice) in choices.iter().enumerate() {
        let target = place % targets.len();
        let (Some(gpu), Ok(chosen)) = (&targets[target].gpu, choice) else {
            continue;
        };
        for &id in iter::once(&chosen.answering).chain(&chosen.others) {
            let transfer = || models[&id].transferred(gpu.from, gpu.to);
            transferred_models
                .entry((target, id))
                .or_insert_with(transfer);
        }
    }
    transferred_models
}

fn or_absent(value: Option<impl ToString>) -> String {
    value.map_or("absent".to_owned(), |it| it.to_string())
}
