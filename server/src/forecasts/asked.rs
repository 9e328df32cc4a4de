use std::collections::{BTreeMap, BTreeSet};

use axum::http::StatusCode;
use kerncast_models::{
    METHODS,
    across::{self, COUNTED_ON_TIME},
};
use kerncast_profilers::{
    catalogue::{geometry, resolve},
    gpus,
};
use kerncast_training::LAUNCH;
use kerncast_wire::{
    CounterSet, Facts, FileNote, Measured, PredictionRequest, Problem, words::did_you_mean,
};
use uuid::Uuid;

use super::contradiction;
use crate::{
    problem::{escaped, field_problem, two_names, unprocessable},
    samples::{LONGEST_TIME, MOST_COUNTERS},
};

/// Most predictions in one answer.
pub(super) const MOST_PREDICTIONS: usize = 10_000;

/// So few predictions take less time than it takes to make them elsewhere.
const FEW: usize = 8;

/// That an entry of a map takes beside its name, and a prediction until it is told, bytes.
const OF_COUNTER: usize = 100;
const OF_PREDICTION: usize = 500;

/// What is asked for, in whatever form it came.
pub(crate) struct Asked {
    /// At least one.
    pub(super) sets: Vec<Set>,
    /// Empty: none was named.
    pub(super) devices: Vec<i64>,
    /// GPUs of the table of data sheets, behind the devices.
    pub(super) gpus: Vec<&'static Facts>,
    /// The device that was counted on, where that is another than the one to forecast.
    pub(super) counted_on: Option<i64>,
    pub(super) by: By,
    /// Whether somebody named the one set's time on the device counted on: that has to change something.
    pub(super) time_is_named: bool,
    /// What a file's parser left out.
    pub(super) notes: Vec<FileNote>,
    /// What fields' names begin with: `/` in JSON, nothing in a query.
    pub(super) root: &'static str,
}

/// What should forecast.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum By {
    /// Champions.
    #[default]
    Champions,
    /// The best models of this method.
    Method(String),
    /// This model.
    Model(Uuid),
}

/// What to forecast by, and on which devices.
#[derive(Debug, Default)]
pub(crate) struct Wishes {
    pub(crate) model: Option<Uuid>,
    pub(crate) method: Option<String>,
    pub(crate) devices: Vec<i64>,
    pub(crate) gpus: Vec<String>,
    pub(crate) counted_on: Option<i64>,
}

impl Wishes {
    /// `root`: what fields' names begin with.
    fn read(self, root: &'static str) -> Result<(By, Vec<i64>, Vec<&'static Facts>), Problem> {
        let by = match (self.model, self.method) {
            (Some(_), Some(method)) => {
                let expected = "model or method, not both";
                return Err(unprocessable(format!("{root}method"), method, expected));
            }
            (Some(model), None) => By::Model(model),
            (None, Some(method)) => By::Method(method),
            (None, None) => By::Champions,
        };
        let own = METHODS.iter().map(|it| it.name());
        let names: Vec<&str> = match self.counted_on {
            None => own.collect(),
            Some(_) => across::NAMES.to_vec(),
        };
        if let By::Method(method) = &by
            && !names.contains(&method.as_str())
        {
            let expected = format!("one of: {}", names.join(", "));
            return Err(unprocessable(format!("{root}method"), method, expected));
        }
        let cannot = match (&by, self.counted_on) {
            (By::Model(_), _) => Some("model"),
            (_, Some(_)) => Some("counted_on"),
            _ => None,
        };
        if let (Some(name), Some(other)) = (self.gpus.first(), cannot) {
            let expected = format!("gpus or {other}, not both");
            return Err(unprocessable(format!("{root}gpus"), name, expected));
        }
        let gpus = self.gpus.iter().enumerate();
        let gpus = gpus.map(|(place, name)| gpu(format!("{root}gpus/{place}"), name));
        Ok((by, self.devices, gpus.collect::<Result<_, _>>()?))
    }
}

/// A counter set, and what to call it.
pub(super) struct Set {
    pub(super) name: Option<String>,
    /// What it took, where that was measured.
    pub(super) measured: Option<Took>,
    /// The device's name that a file gives.
    pub(super) measured_on: Option<String>,
    /// Seconds on the device counted on.
    pub(super) counted_on_time_s: Option<f64>,
    pub(super) counters: CounterSet,
    /// Providers that came with it and were not derived of it: their models answer first.
    pub(super) providers: BTreeSet<String>,
    /// Where it was in the request.
    pub(super) at: String,
}

/// A measured time.
#[derive(Clone, Copy)]
pub(super) enum Took {
    /// Seconds, on whatever device is forecast: a file does not say.
    There(f64),
    /// The same, of this device alone.
    On { device: i64, time_s: f64 },
}

impl Took {
    fn of(Measured { device, time_s }: Measured) -> Self {
        match device {
            None => Self::There(time_s),
            Some(device) => Self::On { device, time_s },
        }
    }

    fn time_s(self) -> f64 {
        match self {
            Self::There(time_s) | Self::On { time_s, .. } => time_s,
        }
    }

    /// Seconds on a device, or on a GPU that is none.
    pub(super) fn on(self, device: Option<i64>) -> Option<f64> {
        match self {
            Self::There(time_s) => Some(time_s),
            Self::On { device: of, time_s } => (Some(of) == device).then_some(time_s),
        }
    }

    /// Whether a forecast is held against it, where so many devices are forecast: a file's time can't be that of all.
    pub(super) fn judges(self, devices: usize) -> bool {
        matches!(self, Self::On { .. }) || devices == 1
    }
}

/// A counter of a set.
#[derive(Clone, Copy)]
pub(super) struct Counter<'a> {
    /// Absent: the time on the device counted on.
    pub(super) provider: Option<&'a str>,
    pub(super) name: &'a str,
    pub(super) value: f64,
}

impl<'a> Counter<'a> {
    /// What tells it from others.
    pub(super) fn key(&self) -> (Option<&'a str>, &'a str) {
        (self.provider, self.name)
    }

    /// `PROVIDER:NAME`.
    pub(super) fn full_name(&self) -> String {
        match self.provider {
            Some(provider) => [provider, ":", self.name].concat(),
            None => self.name.to_owned(),
        }
    }
}

impl Set {
    fn posted(
        name: Option<String>,
        mut counters: CounterSet,
        counted_on_time_s: Option<f64>,
        measured: Option<Measured>,
        at: String,
    ) -> Result<Self, Problem> {
        for (provider, counters) in &mut counters {
            resolve(provider, counters).map_err(|error| {
                let at = format!("{at}/{}", escaped(provider));
                field_problem(StatusCode::UNPROCESSABLE_ENTITY, two_names(&at, &error))
            })?;
        }
        Ok(Self {
            measured_on: None,
            name,
            measured: measured.map(Took::of),
            counted_on_time_s,
            providers: counters.keys().cloned().collect(),
            counters: with_geometry(counters),
            at,
        })
    }

    /// Its counters by their keys, ascending.
    pub(super) fn counters(&self) -> impl Iterator<Item = Counter<'_>> {
        let time = self.counted_on_time_s.map(|value| Counter {
            provider: None,
            name: COUNTED_ON_TIME,
            value,
        });
        let counted = self.counters.iter().flat_map(|(provider, named)| {
            named.iter().map(move |(name, &value)| Counter {
                provider: Some(provider),
                name,
                value,
            })
        });
        time.into_iter().chain(counted)
    }

    /// Bytes that it takes, about.
    fn bytes(&self) -> usize {
        let counters = self.counters.values().flatten();
        let names: usize = counters.map(|(name, _)| name.len() + OF_COUNTER).sum();
        size_of::<Self>() + self.at.len() + self.name.as_ref().map_or(0, String::len) + names
    }

    /// Nothing that a sample could not have.
    pub(super) fn check(&self, counted_on: Option<i64>) -> Result<(), Problem> {
        if let Some(time) = self.counted_on_time_s {
            let at = self.at.replace("counters", "time_s");
            if counted_on.is_none() {
                let expected = "counted_on beside it: the device that took so long";
                return Err(unprocessable(at, time, expected));
            }
            check_time(at, time)?;
        }
        if let Some(took) = self.measured {
            check_time(
                self.at.replace("counters", "measured/time_s"),
                took.time_s(),
            )?;
        }
        let counters: usize = self.counters.values().map(BTreeMap::len).sum();
        if counters > MOST_COUNTERS {
            let found = format!("{counters} counters");
            let expected = format!("at most {MOST_COUNTERS} counters");
            return Err(unprocessable(&self.at, found, expected));
        }
        for (provider, named) in &self.counters {
            if let Some((name, value)) = named.iter().find(|&(_, &value)| value < 0.0) {
                let at = format!("{}/{}/{}", self.at, escaped(provider), escaped(name));
                return Err(unprocessable(at, value, "a number, 0 or above"));
            }
        }
        match contradiction::found(&self.counters, &self.at) {
            Some(problem) => Err(field_problem(StatusCode::UNPROCESSABLE_ENTITY, problem)),
            None => Ok(()),
        }
    }
}

impl Asked {
    /// From JSON.
    ///
    /// # Errors
    /// Where both or none of two fields that stand for one another are there, a counter is below 0, or
    /// there is nothing or too much to forecast.
    pub(crate) fn of_json(request: PredictionRequest) -> Result<Self, Problem> {
        let (time_s, counted_on) = (request.time_s, request.counted_on);
        if let (Some(time), Some(_)) = (time_s, &request.counter_sets) {
            let expected = "time_s in each of counter_sets";
            return Err(unprocessable("/time_s", time, expected));
        }
        let sets: Vec<Set> = match (request.counters, request.counter_sets) {
            (Some(_), Some(_)) => return Err(both("counters", "counter_sets")),
            (None, None) => {
                let expected = "counters (one set) or counter_sets (many)";
                return Err(unprocessable("/counters", "", expected));
            }
            (Some(counters), None) => {
                let at = "/counters".to_owned();
                vec![Set::posted(None, counters, time_s, None, at)?]
            }
            (None, Some(sets)) => (0..)
                .zip(sets)
                .map(|(place, set): (usize, _)| {
                    let at = format!("/counter_sets/{place}/counters");
                    Set::posted(set.name, set.counters, set.time_s, set.measured, at)
                })
                .collect::<Result<_, _>>()?,
        };
        let devices = match (request.device, request.devices) {
            (Some(_), Some(_)) => return Err(both("device", "devices")),
            (one, many) => many.unwrap_or_else(|| Vec::from_iter(one)),
        };
        let wishes = Wishes {
            model: request.model,
            method: request.method,
            devices,
            gpus: request.gpus.unwrap_or_default(),
            counted_on,
        };
        let mut asked = Self::new(sets, wishes, Vec::new(), "/")?;
        asked.time_is_named = time_s.is_some();
        asked.check("/counter_sets")?;
        asked
            .sets
            .iter()
            .try_for_each(|set| set.check(counted_on))?;
        Ok(asked)
    }

    pub(super) fn new(
        sets: Vec<Set>,
        wishes: Wishes,
        notes: Vec<FileNote>,
        root: &'static str,
    ) -> Result<Self, Problem> {
        let counted_on = wishes.counted_on;
        let (by, devices, gpus) = wishes.read(root)?;
        Ok(Self {
            sets,
            devices,
            gpus,
            counted_on,
            by,
            time_is_named: false,
            notes,
            root,
        })
    }

    /// Devices and GPUs that it names, at least one.
    fn targets(&self) -> usize {
        (self.devices.len() + self.gpus.len()).max(1)
    }

    /// Predictions that it asks for, where devices are named; else at least so many.
    fn predictions(&self) -> usize {
        self.sets.len().saturating_mul(self.targets())
    }

    /// Neither nothing nor too much. `at`: where the sets are.
    pub(super) fn check(&self, at: &str) -> Result<(), Problem> {
        let (sets, devices) = (self.sets.len(), self.targets());
        if sets == 0 || self.predictions() > MOST_PREDICTIONS {
            let found = match sets {
                0 => "no counter set".to_owned(),
                _ => format!("{sets} × {devices} predictions"),
            };
            let expected = format!("1 to {MOST_PREDICTIONS} sets × devices");
            return Err(unprocessable(at, found, expected));
        }
        Ok(())
    }

    /// Whether its forecasts take next to no time and memory.
    pub(crate) fn is_short(&self) -> bool {
        self.predictions() <= FEW
    }

    /// Bytes that it takes until its forecasts are told, about.
    pub(crate) fn bytes(&self) -> usize {
        self.sets.iter().map(Set::bytes).sum::<usize>() + OF_PREDICTION * self.predictions()
    }

    /// The name of a field beside the sets, for a problem.
    pub(super) fn field(&self, name: &str) -> String {
        format!("{}{name}", self.root)
    }
}

/// With the launch's geometry as counters of `launch`, where other providers tell it and `launch` does not.
pub(super) fn with_geometry(mut counters: CounterSet) -> CounterSet {
    for (name, number) in geometry(&counters) {
        let launch = counters.entry(LAUNCH.to_owned()).or_default();
        launch.entry(name.to_owned()).or_insert(number);
    }
    counters
}

/// The GPU of the table that a name means.
///
/// # Errors
/// None is, or several are.
fn gpu(at: String, name: &str) -> Result<&'static Facts, Problem> {
    match gpus::matching(name)[..] {
        [one] => Ok(one),
        [] => {
            let known = gpus::all().iter().map(|it| &*it.name);
            let expected = "a GPU of /v1/gpus".to_owned() + &did_you_mean(name, known);
            Err(unprocessable(at, name, expected))
        }
        ref several => {
            let names: Vec<&str> = several.iter().map(|it| &*it.name).collect();
            let expected = format!("one of {}", names.join(", "));
            Err(unprocessable(at, name, expected))
        }
    }
}

fn check_time(at: String, time: f64) -> Result<(), Problem> {
    if time > 0.0 && time < LONGEST_TIME {
        return Ok(());
    }
    let expected = format!("seconds above 0 and below {LONGEST_TIME}");
    Err(unprocessable(at, time, expected))
}

fn both(one: &str, other: &str) -> Problem {
    let expected = format!("{one} or {other}, not both");
    unprocessable(format!("/{other}"), "", expected)
}
