//! A counter set as it was posted, and what it must be to be forecast.

use std::collections::{BTreeMap, BTreeSet};

use axum::http::StatusCode;
use kerncast_models::across::COUNTED_ON_TIME;
use kerncast_profilers::catalogue::{geometry, resolve};
use kerncast_wire::{CounterSet, Measured, NamedCounterSet, Problem, provider::LAUNCH};

use super::contradiction::contradiction;
use crate::{
    http::{escaped, field_problem, refuse_wrong_fields, two_names, unprocessable},
    uploads::samples::{LONGEST_TIME, MOST_COUNTERS},
};

/// Bytes that an entry of a map takes beside its name.
const BYTES_PER_COUNTER: usize = 100;

/// A counter set, and what came with it.
#[derive(Default)]
pub(crate) struct PostedSet {
    pub(super) name: Option<String>,
    /// What it took. A file does not say on which device.
    pub(super) measured: Option<Measured>,
    /// The device's name that a file gives.
    pub(super) measured_on: Option<String>,
    /// Seconds on the device counted on.
    pub(super) counted_on_time_s: Option<f64>,
    pub(crate) counters: CounterSet,
    /// Providers that were posted, not derived from others: their models answer first.
    pub(super) posted_providers: BTreeSet<String>,
    /// Where it is in the request: a JSON pointer, or the line of a file.
    pub(super) at: String,
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
}

/// A counter's key as `PROVIDER:NAME`.
pub(super) fn full_name((provider, name): (Option<&str>, &str)) -> String {
    match provider {
        Some(provider) => format!("{provider}:{name}"),
        None => name.to_owned(),
    }
}

impl PostedSet {
    /// These counters alone.
    pub(crate) fn from_counters(counters: CounterSet) -> Self {
        Self {
            counters,
            ..Self::default()
        }
    }

    /// The set of a request: counters under their first names, and the launch's geometry.
    pub(super) fn from_json(mut set: NamedCounterSet, at: String) -> Result<Self, Problem> {
        for (provider, counters) in &mut set.counters {
            resolve(provider, counters).map_err(|error| {
                let at = format!("{at}/{}", escaped(provider));
                field_problem(StatusCode::UNPROCESSABLE_ENTITY, two_names(&at, &error))
            })?;
        }
        Ok(Self {
            name: set.name,
            measured: set.measured,
            measured_on: None,
            counted_on_time_s: set.time_s,
            posted_providers: set.counters.keys().cloned().collect(),
            counters: with_geometry(set.counters),
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

    /// Its counters' names for a problem.
    pub(super) fn counter_names(&self) -> String {
        let names: Vec<String> = self.counters().map(|it| full_name(it.key())).collect();
        match &names[..] {
            [] => "empty".to_owned(),
            names => names.join(", "),
        }
    }

    /// Providers that count what a kernel does, not only how it is launched.
    pub(super) fn counting_providers(&self) -> Vec<String> {
        let providers = self.counters.keys();
        providers.filter(|it| *it != LAUNCH).cloned().collect()
    }

    /// Launches that it consists of, where it says so.
    pub(super) fn launches(&self) -> Option<f64> {
        self.counters.get(LAUNCH)?.get("launches").copied()
    }

    /// Seconds that were measured on a device, or, where it names none, on whichever is forecast. `device`: absent for a
    /// GPU that is no device here.
    pub(super) fn measured_s(&self, device: Option<i64>) -> Option<f64> {
        let is_there = |it: &Measured| it.device.is_none() || it.device == device;
        self.measured.filter(is_there).map(|it| it.time_s)
    }

    /// Bytes that it takes, about.
    pub(super) fn bytes(&self) -> usize {
        let counters = self.counters.values().flatten();
        let names: usize = counters
            .map(|(name, _)| name.len() + BYTES_PER_COUNTER)
            .sum();
        size_of::<Self>() + self.at.len() + self.name.as_ref().map_or(0, String::len) + names
    }

    /// Fails where no sample could have such times or counters, or the counters contradict each other.
    pub(super) fn check(&self, counted_on: Option<i64>) -> Result<(), Problem> {
        if let Some(time) = self.counted_on_time_s {
            let at = self.at.replace("counters", "time_s");
            if counted_on.is_none() {
                let expected = "counted_on beside it: the device that took so long";
                return Err(unprocessable(at, time, expected));
            }
            check_time(at, time)?;
        }
        if let Some(measured) = self.measured {
            let at = self.at.replace("counters", "measured/time_s");
            check_time(at, measured.time_s)?;
        }
        let count: usize = self.counters.values().map(BTreeMap::len).sum();
        if count > MOST_COUNTERS {
            let sent = format!("{count} counters");
            let expected = format!("at most {MOST_COUNTERS} counters");
            return Err(unprocessable(&self.at, sent, expected));
        }
        for (provider, named) in &self.counters {
            if let Some((name, value)) = named.iter().find(|&(_, &value)| value < 0.0) {
                let at = format!("{}/{}/{}", self.at, escaped(provider), escaped(name));
                return Err(unprocessable(at, value, "a number, 0 or above"));
            }
        }
        let problem = contradiction(&self.counters, &self.at);
        refuse_wrong_fields(problem.into_iter().collect())
    }
}

/// Counters with the launch's geometry as those of `launch`, where other providers tell it and `launch` does not.
pub(super) fn with_geometry(mut counters: CounterSet) -> CounterSet {
    for (name, number) in geometry(&counters) {
        let launch = counters.entry(LAUNCH.to_owned()).or_default();
        launch.entry(name.to_owned()).or_insert(number);
    }
    counters
}

fn check_time(at: String, time: f64) -> Result<(), Problem> {
    if time > 0.0 && time < LONGEST_TIME {
        return Ok(());
    }
    let expected = format!("seconds above 0 and below {LONGEST_TIME}");
    Err(unprocessable(at, time, expected))
}
