//! What a stored fit says of a counter set, whatever its response is.

use kerncast_models::{Fitted, NoInterval, across::COUNTED_ON_TIME, widening};
use kerncast_profilers::catalogue::{describe, of_provider, role, roles};
use kerncast_training::{LAUNCH, LEVEL};
use kerncast_wire::{CounterValue, Facts, FieldProblem, Outside, Role, Unmeasured, Warning};
use ndarray::{Array1, ArrayView1};
use uuid::Uuid;

use super::{
    asked::{Counter, Set, Took},
    columns::Columns,
    explain::outside,
};
use crate::{db::forecasts::forecasters::Forecaster, http::problem::field};

/// A model that answers.
pub(super) struct Answering {
    pub(super) model: Uuid,
    pub(super) forecaster: Forecaster,
    columns: Columns,
    /// Of each column whether it is in the fit.
    in_fit: Vec<bool>,
    /// How far an interval of doubt 1 reaches; absent where nothing could be left out.
    factor: Option<Result<f64, NoInterval>>,
    /// How many times as doubtful it is as on the device that it was fitted to.
    widening: f64,
}

/// What a GPU is forecast by.
#[derive(Clone)]
pub(super) struct Elsewhere {
    /// What the models that answer were fitted to.
    pub(super) from: &'static Facts,
    /// What is forecast.
    pub(super) to: &'static Facts,
    pub(super) unmeasured: Unmeasured,
}

impl Elsewhere {
    /// What a set took on the device whose models answer, where that tells of the GPU.
    pub(super) fn measured_there_s(&self, set: &Set) -> Option<f64> {
        let is_told = self.unmeasured.same_architecture;
        match set.measured.filter(|_| is_told)? {
            Took::On { device, time_s } => (device == self.unmeasured.like).then_some(time_s),
            Took::There(_) => None,
        }
    }
}

/// What a model says beside another's answer.
pub(super) struct Opinion {
    pub(super) time_s: f64,
    /// Low and high.
    pub(super) interval: [f64; 2],
    /// Whether it is far beyond all that the model has seen.
    pub(super) extrapolates: bool,
}

impl Answering {
    pub(super) fn new(model: Uuid, forecaster: Forecaster) -> Self {
        let calibration = forecaster.calibration.as_ref();
        let factor = calibration.map(|it| it.factor(LEVEL));
        let mut in_fit = vec![false; forecaster.counters.len()];
        let columns = forecaster.fit.iter().flat_map(Fitted::columns);
        columns.for_each(|column| in_fit[column] = true);
        Self {
            model,
            columns: Columns::new(&forecaster.counters),
            in_fit,
            forecaster,
            factor,
            widening: 1.0,
        }
    }

    /// The same of a GPU that it was not fitted to; none where its form knows nothing of hardware.
    pub(super) fn elsewhere(&self, of: &Elsewhere) -> Option<Self> {
        let fit = self.forecaster.fit.as_ref().ok()?;
        let fit = fit.elsewhere(&roles(&self.forecaster.counters), of.from, of.to)?;
        Some(Self {
            forecaster: Forecaster {
                fit: Ok(fit),
                provider: self.forecaster.provider.clone(),
                method: self.forecaster.method.clone(),
                response: self.forecaster.response.clone(),
                counters: self.forecaster.counters.clone(),
                calibration: None,
                ..self.forecaster
            },
            columns: self.columns.clone(),
            in_fit: self.in_fit.clone(),
            widening: widening(of.from, of.to),
            ..*self
        })
    }

    /// How doubtful the fit is of a row.
    fn doubt_of(&self, fit: &Fitted, values: ArrayView1<'_, f64>) -> f64 {
        fit.doubt(values) * self.widening
    }
}

/// The response of a set, and what to know of it.
pub(super) struct Answer<'a> {
    pub(super) fit: &'a Fitted,
    /// In the response's unit.
    pub(super) value: f64,
    /// Where the response of an unseen kernel lies, from low to high, or why that is not known.
    pub(super) interval: Result<[f64; 2], Warning>,
    /// By column; means stand in for what is missing.
    pub(super) values: Array1<f64>,
    pub(super) outside: Vec<Outside>,
    /// The model's counters that the set lacks.
    pub(super) missing: Vec<String>,
    /// The set's counters that the model does not use.
    pub(super) unknown: Vec<String>,
    pub(super) warnings: Vec<Warning>,
}

/// A set as a fit sees it.
struct Row<'a> {
    /// By column; means stand in for what is missing.
    values: Array1<f64>,
    /// By column: whether the set has it.
    posted: Vec<bool>,
    /// The fit's columns that the set lacks.
    missing: Vec<usize>,
    /// The set's counters that the fit uses, and those that it does not.
    used: Vec<Counter<'a>>,
    unknown: Vec<Counter<'a>>,
}

impl<'a> Row<'a> {
    fn new(answering: &'a Answering, fit: &Fitted, set: &'a Set) -> Self {
        let Answering {
            columns, in_fit, ..
        } = answering;
        let mut values: Array1<f64> = fit.seen.iter().map(|seen| seen.mean).collect();
        let mut posted = vec![false; in_fit.len()];
        let (mut used, mut unknown) = (Vec::new(), Vec::new());
        for (counter, column) in columns.places(set) {
            if let Some(column) = column {
                values[column] = counter.value;
                posted[column] = true;
            }
            match column.filter(|&column| in_fit[column]) {
                Some(_) => used.push(counter),
                None => unknown.push(counter),
            }
        }
        let missing = |&column: &usize| in_fit[column] && !posted[column];
        Self {
            values,
            missing: (0..in_fit.len()).filter(missing).collect(),
            posted,
            used,
            unknown,
        }
    }
}

impl Answering {
    /// The counters that are in the fit, as `PROVIDER:NAME`.
    pub(super) fn takes(&self) -> impl Iterator<Item = &String> {
        let columns = self.forecaster.counters.iter().zip(&self.in_fit);
        columns.filter(|(_, in_fit)| **in_fit).map(|(name, _)| name)
    }

    /// What the fit says of a set.
    ///
    /// # Errors
    /// Where the model has no fit, the set has nothing that it knows, or the response overflows.
    pub(super) fn answer(&self, set: &Set) -> Result<Answer<'_>, FieldProblem> {
        let Self {
            model, forecaster, ..
        } = self;
        let fit = forecaster.fit.as_ref().map_err(|why| {
            let expected = format!("a model with a fit; this one has none: {why}");
            field(&set.at, model, expected)
        })?;
        let Row {
            values,
            posted,
            missing,
            used,
            unknown,
        } = Row::new(self, fit, set);
        // The plainest baseline uses none.
        if used.is_empty() && self.in_fit.contains(&true) {
            let columns: Vec<usize> = fit.columns().collect();
            let names = names(forecaster, &columns).join(", ");
            let expected = format!("at least one of the model's counters: {names}");
            return Err(field(&set.at, posted_text(set), expected));
        }
        let lacks_time = |&it: &usize| forecaster.counters[it] == COUNTED_ON_TIME;
        if missing.iter().any(lacks_time) {
            let expected = "time_s beside it: the model asks for the time on the device counted on";
            return Err(field(&set.at, "no time_s", expected));
        }
        let value = fit.predict(values.view());
        if !value.is_finite() {
            let expected =
                "counters that are less far from the model's samples: the forecast overflows";
            return Err(field(&set.at, posted_text(set), expected));
        }
        let mut outside = outside(fit, values.view(), &forecaster.counters, &posted);
        // What another GPU holds at once is its data sheet's.
        outside.retain(|it| self.widening <= 1.0 || !is_limit(&it.counter));
        let mut warnings = Vec::new();
        let only_launch = used.iter().all(|it| it.provider == Some(LAUNCH));
        if !used.is_empty() && only_launch && self.forecaster.provider != LAUNCH {
            warnings.extend(unheard(set));
        }
        warnings.extend(self.lacks(fit, &missing));
        warnings.extend(self.atomics_unplaced(set));
        warnings.extend(extrapolates(&outside));
        let unlearnt = several(set).into_iter().chain(self.geometry_alone(set));
        let unlearnt: Vec<Warning> = unlearnt.collect();
        let doubt = self.doubt_of(fit, values.view());
        let complete = missing.is_empty();
        let interval = interval(self.factor, value, doubt, complete, unlearnt.first());
        warnings.splice(..0, unlearnt);
        Ok(Answer {
            fit,
            value,
            interval,
            outside,
            missing: names(forecaster, &missing),
            unknown: unknown.iter().map(Counter::full_name).collect(),
            warnings,
            values,
        })
    }

    /// What the model says of a set that misses none of its counters; none where it has no interval.
    pub(super) fn opinion(&self, set: &Set) -> Option<Opinion> {
        let fit = self.forecaster.fit.as_ref().ok()?;
        let row = Row::new(self, fit, set);
        let values = row.values.view();
        let (time_s, doubt) = (fit.predict(values), self.doubt_of(fit, values));
        let unlearnt = several(set);
        let complete = row.missing.is_empty();
        let interval = interval(self.factor, time_s, doubt, complete, unlearnt.as_ref()).ok()?;
        let outside = outside(fit, values, &self.forecaster.counters, &row.posted);
        Some(Opinion {
            time_s,
            interval,
            extrapolates: outside.iter().any(Outside::is_far_above),
        })
    }

    /// Where the model knows only how a launch is spread: kernels that differ in all else look the same to it, and how
    /// the suite's do says nothing of others.
    fn geometry_alone(&self, set: &Set) -> Option<Warning> {
        let knows_time = self.takes().any(|it| it == COUNTED_ON_TIME);
        (self.forecaster.provider == LAUNCH && !knows_time).then(|| Warning::OnlyGeometry {
            unused: counting(set),
        })
    }

    /// Where the provider could count how many atomics the busiest part of L2 gets, and the model is of sets that lack it.
    fn atomics_unplaced(&self, set: &Set) -> Option<Warning> {
        let provider = &self.forecaster.provider;
        let busiest = Some(Role::BusiestL2AtomicSectors);
        let could_count = of_provider(provider).any(|it| it.role == busiest);
        let is_unplaced = could_count
            && !self
                .forecaster
                .counters
                .iter()
                .any(|it| role(it) == busiest);
        let is_atomic = |name: &str| {
            let role = describe(provider, name).and_then(|it| it.role);
            matches!(
                role,
                Some(Role::GlobalAtomicRequests | Role::GlobalReductionRequests)
            )
        };
        let mut counted = set.counters.get(provider)?.iter();
        let is_there = counted.any(|(name, count)| *count > 0.0 && is_atomic(name));
        let provider = provider.clone();
        (is_unplaced && is_there).then_some(Warning::AtomicsUnplaced { provider })
    }

    /// One line for all counters that are missing.
    fn lacks(&self, fit: &Fitted, missing: &[usize]) -> Option<Warning> {
        let named = missing.iter().take(SOME).map(|&column| CounterValue {
            counter: self.forecaster.counters[column].clone(),
            value: fit.seen[column].mean,
        });
        (!missing.is_empty()).then(|| Warning::Missing {
            counters: missing.len(),
            of: self.in_fit.iter().filter(|in_fit| **in_fit).count(),
            provider: self.forecaster.provider.clone(),
            named: named.collect(),
        })
    }

    /// How doubtful the fit is of a set; none where there is no fit.
    pub(super) fn doubt(&self, set: &Set) -> Option<f64> {
        let fit = self.forecaster.fit.as_ref().ok()?;
        Some(self.doubt_of(fit, Row::new(self, fit, set).values.view()))
    }

    /// By how much the interval of nine in ten kernels reaches up and down; none where there is none.
    pub(super) fn reach(&self, answer: &Answer<'_>) -> Option<f64> {
        let doubt = self.doubt_of(answer.fit, answer.values.view());
        Some(self.factor?.ok()?.powf(doubt))
    }
}

/// The interval of a response, or why there is none. `complete`: no counter is missing; `unlearnt`: what else keeps
/// the model from knowing how far off it is.
fn interval(
    factor: Option<Result<f64, NoInterval>>,
    value: f64,
    doubt: f64,
    complete: bool,
    unlearnt: Option<&Warning>,
) -> Result<[f64; 2], Warning> {
    if let Some(why) = unlearnt {
        return Err(why.clone());
    }
    let factor = factor.ok_or(Warning::NotValidated)??.powf(doubt);
    if !complete {
        return Err(Warning::MeansUnknown);
    }
    if value <= 0.0 {
        return Err(Warning::NothingToBound { time_s: value });
    }
    let [low, high] = [value / factor, value * factor];
    if !high.is_finite() {
        return Err(Warning::TooFarOff);
    }
    Ok([low, high])
}

/// Whether a counter says how many work-groups a multiprocessor holds.
fn is_limit(counter: &str) -> bool {
    use Role::{LocalMemoryLimit, RegisterLimit, WarpLimit, WorkGroupLimit};
    let limits = [LocalMemoryLimit, RegisterLimit, WarpLimit, WorkGroupLimit];
    role(counter).is_some_and(|it| limits.contains(&it))
}

/// So many counters are named in a warning.
pub(super) const SOME: usize = 5;

/// One line for all counters that lie outside, the farthest first.
pub(super) fn extrapolates(outside: &[Outside]) -> Option<Warning> {
    let mut far: Vec<&Outside> = outside.iter().filter(|it| is_far(it)).collect();
    let by = |it: &Outside| it.times.map_or(f64::INFINITY, |times| times.ln().abs());
    far.sort_by(|a, b| by(b).total_cmp(&by(a)));
    let (farthest, others) = far.split_first()?;
    let named = others.iter().take(SOME).map(|it| CounterValue {
        counter: it.counter.clone(),
        value: it.value,
    });
    let named: Vec<CounterValue> = named.collect();
    Some(Warning::Outside {
        counter: farthest.counter.clone(),
        value: farthest.value,
        min: farthest.min,
        max: farthest.max,
        more: others.len() - named.len(),
        others: named,
    })
}

/// A counter that is a little more than any seen makes no difference: `outside` lists it, no warning does.
fn is_far(it: &Outside) -> bool {
    const FAR: f64 = 1.1;
    it.times
        .is_none_or(|times| !(1.0 / FAR..=FAR).contains(&times))
}

fn names(forecaster: &Forecaster, columns: &[usize]) -> Vec<String> {
    let name = |&column: &usize| forecaster.counters[column].clone();
    columns.iter().map(name).collect()
}

/// Where the counters are of several launches: models have learnt from single ones.
fn several(set: &Set) -> Option<Warning> {
    let launches = *set.counters.get("launch")?.get("launches")?;
    (launches > 1.0).then_some(Warning::SeveralLaunches { launches })
}

/// Providers of the set that count what a kernel does.
fn counting(set: &Set) -> Vec<String> {
    let providers = set.counters.keys();
    let counting = providers.filter(|provider| *provider != LAUNCH);
    counting.cloned().collect()
}

/// Where the model uses nothing of what was counted, only the geometry that came with it.
fn unheard(set: &Set) -> Option<Warning> {
    let providers = counting(set);
    (!providers.is_empty()).then_some(Warning::CountersUnused { providers })
}

fn posted_text(set: &Set) -> String {
    let names: Vec<String> = set.counters().map(|it| it.full_name()).collect();
    if names.is_empty() {
        "empty".to_owned()
    } else {
        names.join(", ")
    }
}
