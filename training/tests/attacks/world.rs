//! A device with honest samples and a champion, and what an attack makes of it.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::{Arc, OnceLock},
};

use chrono::{DateTime, TimeDelta, Utc};
use kerncast_models::{
    Calibration, Contender, Fitted, HoldOutKey, Method, forecast_shift, may_succeed,
};
use kerncast_training::{
    Approach, LEVEL, Question, Response, Sample, Samples, Training, approaches,
    gate::{ArrivedSample, ChampionForecast, History, Judgement, judge},
    validate_method,
};
use kerncast_wire::Ceilings;
use ndarray::ArrayView1;
use uuid::Uuid;

use super::{
    attack::Attack,
    data::{DEVICE, Measured, Numbers, samples},
};

const PROVIDER: &str = "ncu";
/// The champion on an H200.
const METHOD: &str = "known_costs";

/// Histories by workload.
type Histories = BTreeMap<i32, Arc<History>>;

/// What is honest: forecasts and learning.
pub(crate) struct World {
    pub(crate) measured: Vec<Measured>,
    /// Kernels that no fit sees.
    unseen: Vec<Measured>,
    numbers: Numbers,
    honest: Vec<Sample>,
    approach: Approach,
    champion: Fitted,
    /// The factor of the champion's interval.
    factor: f64,
    /// The champion's forecasts of `measured`, then of `unseen`, seconds.
    forecasts: Vec<f64>,
    ceilings: Option<Ceilings>,
    contender: OnceLock<Contender>,
}

/// What came of an attack.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) uploaded: usize,
    pub(crate) quarantined: usize,
    /// By how much forecasts of honest workloads moved: 0.25 for a factor of 1.25, or of 1 ÷ 1.25.
    pub(crate) median: f64,
    pub(crate) worst: f64,
    /// The same of kernels that no fit has seen.
    pub(crate) worst_unseen: f64,
    /// Whether the model was held, where that was asked.
    pub(crate) is_held: bool,
    /// Whether attention says that forecasts of the known kernels have moved.
    pub(crate) is_news: bool,
}

/// One in so many attacks that are named is followed up.
const NAMED: u64 = 50;

/// What forecasts may move unnoticed.
pub(crate) const MEDIAN: f64 = 0.05;
pub(crate) const WORST: f64 = 0.25;

impl Outcome {
    pub(crate) fn moved(&self) -> bool {
        self.median > MEDIAN || self.worst > WORST
    }

    pub(crate) fn is_named(&self) -> bool {
        self.quarantined > 0 || self.is_held || self.is_news
    }
}

fn question() -> Question {
    Question {
        target: DEVICE,
        counted_on: None,
        provider: PROVIDER.to_owned(),
        variant: None,
        response: Response::Time,
    }
}

pub(crate) fn start() -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000, 0).expect("a date")
}

impl World {
    /// The world of a file's samples; a tenth of the kernels is kept from all fits.
    pub(crate) fn new((mut all, ceilings): (Vec<Measured>, Option<Ceilings>)) -> Self {
        let kernels: BTreeSet<String> = all.iter().map(|it| it.kernel.clone()).collect();
        let out: BTreeSet<String> = kernels.iter().skip(4).step_by(10).cloned().collect();
        let places: BTreeMap<String, usize> = kernels.into_iter().zip(0..).collect();
        // Kernels are left out by eights, so that a validation takes eight fits.
        for it in &mut all {
            it.family = Some(format!("eighth {}", places[&it.kernel] % 8));
        }
        let (unseen, known): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|it| out.contains(&it.kernel));
        let mut numbers = Numbers::default();
        let honest: Vec<Sample> = (known.iter().zip(1..))
            .map(|(it, id)| numbers.sample(it, id))
            .collect();
        let it = samples(&numbers, honest.clone());
        let mut approaches = approaches(&question(), &it).into_iter();
        let approach = approaches
            .find(|it| it.method.name() == METHOD)
            .expect("the champion");
        let champion = fit(&approach, &it);
        let factor = factor(&approach, &it);
        eprintln!("{METHOD}: intervals × {factor:.2}");
        let mut world = Self {
            measured: known,
            unseen,
            numbers,
            honest,
            approach,
            champion,
            factor,
            forecasts: Vec::new(),
            ceilings,
            contender: OnceLock::new(),
        };
        world.forecasts = world.forecasts_by(&world.champion);
        world
    }

    fn forecasts_by(&self, fitted: &Fitted) -> Vec<f64> {
        let all = self.measured.iter().chain(&self.unseen);
        all.map(|it| self.forecast(fitted, it)).collect()
    }

    fn forecast(&self, fitted: &Fitted, it: &Measured) -> f64 {
        let x: Vec<f64> = self
            .approach
            .counters
            .iter()
            .map(|name| it.counters[&**name])
            .collect();
        fitted.predict(ArrayView1::from(&x))
    }

    /// A sample of the attack as the gate sees it, with the champion's forecast.
    fn arrived(
        &self,
        id: Uuid,
        when: DateTime<Utc>,
        workload: i32,
        it: &Measured,
        histories: &Histories,
    ) -> ArrivedSample {
        ArrivedSample {
            id,
            agent: "mallory".to_owned(),
            measured_at: when,
            received_at: when,
            workload,
            kernel: it.kernel.clone(),
            variant: it.variant.clone(),
            median_s: it.median_s,
            counters: it.counters.clone(),
            history: histories.get(&workload).cloned().unwrap_or_default(),
            forecasts: vec![ChampionForecast {
                provider: PROVIDER.to_owned(),
                time_s: self.forecast(&self.champion, it),
                factor: Some(self.factor),
            }],
        }
    }

    /// Uploads, gate, fit and champion, as the server does it.
    pub(crate) fn suffer(&self, number: u64, attack: &Attack) -> Outcome {
        let mut numbers = self.numbers.clone();
        let mut histories: Histories = BTreeMap::new();
        for it in &self.measured {
            add_to_history(&mut histories, numbers.workload(it), it);
        }
        let mut counted = self.honest.clone();
        let (mut uploaded, mut quarantined) = (0, 0);
        for (day, upload) in (1_u32..).zip(&attack.uploads) {
            let when = start() + TimeDelta::days(i64::from(day));
            let arrived: Vec<ArrivedSample> = (upload.iter().enumerate())
                .map(|(at, it)| {
                    let id = Uuid::from_u128(u128::from(day) * 100_000 + at as u128);
                    self.arrived(id, when, numbers.workload(it), it, &histories)
                })
                .collect();
            let judgements = judge(&arrived, self.ceilings.as_ref());
            for ((it, arrived), judgement) in upload.iter().zip(&arrived).zip(judgements) {
                uploaded += 1;
                if judgement != Judgement::Sound {
                    quarantined += 1;
                    continue;
                }
                let history = add_to_history(&mut histories, arrived.workload, it);
                history.times_s.truncate(15);
                let mut sample = numbers.sample(it, arrived.id.as_u128());
                sample.measured_at = when;
                counted.push(sample);
            }
        }
        let mut outcome = Outcome {
            uploaded,
            quarantined,
            median: 0.0,
            worst: 0.0,
            worst_unseen: 0.0,
            is_held: false,
            is_news: false,
        };
        // Somebody has been told already: what it does meanwhile is looked at in some cases.
        let is_looked_at = quarantined == 0 || number.is_multiple_of(NAMED);
        if counted.len() == self.honest.len() || !is_looked_at {
            return outcome;
        }
        let after = samples(&numbers, counted);
        let fitted = fit(&self.approach, &after);
        let now = self.forecasts_by(&fitted);
        let of = |whose: Range<usize>| forecast_shift(&self.forecasts[whose.clone()], &now[whose]);
        let honest = self.measured.len();
        let all = of(0..now.len()).expect("forecasts");
        (outcome.median, outcome.worst) = (all.median, all.worst);
        outcome.worst_unseen = of(honest..now.len()).expect("forecasts").worst;
        outcome.is_news = of(0..honest).expect("forecasts").is_news();
        if outcome.moved() && outcome.quarantined == 0 {
            let before = self.contender.get_or_init(|| {
                contender(&self.approach, &samples(&self.numbers, self.honest.clone()))
            });
            outcome.is_held = may_succeed(before, &contender(&self.approach, &after)).is_err();
        }
        outcome
    }
}

fn add_to_history<'a>(
    histories: &'a mut Histories,
    workload: i32,
    it: &Measured,
) -> &'a mut History {
    let history = Arc::make_mut(histories.entry(workload).or_default());
    history.times_s.insert(0, it.median_s);
    history.counters.clone_from(&it.counters);
    history.counted_by.insert(PROVIDER.to_owned());
    history
}

fn training(approach: &Approach, it: &Samples) -> Training {
    Training::new(&question(), it, &approach.counters, approach.input)
}

fn fit(approach: &Approach, it: &Samples) -> Fitted {
    let training = training(approach, it);
    let dataset = training.dataset.expect("a dataset");
    approach.method.fit(&dataset.rows()).expect("a fit")
}

/// The factor of the interval that the server would give: from regions left out.
fn factor(approach: &Approach, it: &Samples) -> f64 {
    let dataset = training(approach, it).dataset.expect("a dataset");
    let report = validate_method(&dataset, approach.method, HoldOutKey::Region, LEVEL);
    let calibration = Calibration::new(&dataset, &report.hold_out);
    calibration.factor(LEVEL).expect("an interval")
}

fn contender(approach: &Approach, it: &Samples) -> Contender {
    let training = training(approach, it);
    let dataset = training.dataset.expect("a dataset");
    let method: &dyn Method = approach.method;
    let report = validate_method(&dataset, method, HoldOutKey::Family, LEVEL);
    let kernels = report.errors.kernels.into_iter();
    Contender {
        all_variants: true,
        complete: true,
        complexity: 0,
        error: report.errors.overall.map(|it| it.mean_ape),
        kernels: kernels
            .map(|it| (it.kernel, it.errors.map(|it| it.mean_ape)))
            .collect(),
    }
}
