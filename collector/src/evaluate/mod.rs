//! The comparison of methods on samples of a file: a researcher's tool, without server or database.

use std::{collections::BTreeSet, time::Instant};

use kerncast_models::{
    Dataset, GAIN_METHODS, HoldOut, HoldOutKey, METHODS, Method, across::FromCounters, coverage,
    errors, hold_out,
};
use kerncast_profilers::catalogue::resolve;
use kerncast_wire::{NewCeilings, NewSample};
use serde::Serialize;
use thiserror::Error;

mod across;
mod columns;
mod gains;
mod judged;

use crate::import::Import;
use columns::Columns;
pub use judged::{Covered, Judged};

/// What files hold.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// Samples of any devices.
    pub samples: Vec<NewSample>,
    /// What devices can do at most; tables of CSV have none.
    pub ceilings: Vec<NewCeilings>,
}

impl Measured {
    /// Adds what a file holds, counters under the names that they have here.
    ///
    /// # Errors
    /// [`EvaluateError::Unfit`] where a sample has a counter under two names, and not the same.
    pub fn add(&mut self, import: Import) -> Result<(), EvaluateError> {
        for (_, mut sample) in import.samples {
            for (provider, reading) in &mut sample.readings {
                resolve(provider, &mut reading.counters).map_err(|error| EvaluateError::Unfit {
                    device: sample.device.name.clone(),
                    provider: provider.clone(),
                    problem: error.to_string(),
                })?;
            }
            self.samples.push(sample);
        }
        let ceilings = import.ceilings.into_iter();
        self.ceilings.extend(ceilings.map(|(_, ceilings)| ceilings));
        Ok(())
    }
}

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question {
    /// Only this device; absent: each one of the file.
    pub device: Option<String>,
    /// Forecast it from this device's counters and time; absent: from its own counters.
    pub source: Option<String>,
    /// Only this provider's counters; absent: each one's.
    pub provider: Option<String>,
    /// What a fold leaves out, each in turn.
    pub keys: Vec<HoldOutKey>,
    /// Only these methods; empty: all.
    pub methods: Vec<String>,
    /// The intervals' level.
    pub level: f64,
}

impl Question {
    /// Whether the method of this name is asked for.
    fn asks(&self, method: &str) -> bool {
        self.methods.is_empty() || self.methods.iter().any(|it| it == method)
    }
}

/// Every method on the same rows, leaving out the same.
#[derive(Debug, Serialize)]
pub struct Comparison {
    /// What is forecast.
    pub device: String,
    /// Whose counters and time forecast it, where they are another's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Whose counters.
    pub provider: String,
    /// What of it: `time`, or `gain`, the time with local memory ÷ the time without.
    pub response: &'static str,
    /// What a fold leaves out.
    pub hold_out: &'static str,
    /// Samples; across devices: workloads.
    pub rows: usize,
    /// Kernels among them.
    pub kernels: usize,
    /// The counters used.
    pub counters: Vec<String>,
    /// Counters that more than a tenth of the rows lack, or that hold the time: left out.
    pub left_out: Vec<String>,
    /// How many rows lack one of the counters used: left out.
    pub rows_left_out: usize,
    /// Of a forecast across devices: those without ceilings, so that the baseline by ceilings is missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without_ceilings: Vec<String>,
    /// One a method.
    pub methods: Vec<Judged>,
}

/// Why there is nothing to compare.
#[derive(Debug, Error)]
pub enum EvaluateError {
    /// A device that the file does not have.
    #[error("there is no device `{asked}`; the file has: {there}")]
    NoDevice {
        /// What was asked for.
        asked: String,
        /// The file's devices.
        there: String,
    },
    /// A method that there is not.
    #[error("there is no method `{asked}`; expected one of {there}")]
    NoMethod {
        /// What was asked for.
        asked: String,
        /// All methods.
        there: String,
    },
    /// A provider that counted nothing there.
    #[error("no sample of {device} has counters of `{provider}`; the file has: {there}")]
    NoCounters {
        /// The device.
        device: String,
        /// The provider.
        provider: String,
        /// The providers that counted.
        there: String,
    },
    /// Counters that no kind of forecast can use.
    #[error("{provider} of {device}: {problem}")]
    Unfit {
        /// The device.
        device: String,
        /// The provider.
        provider: String,
        /// What is wrong.
        problem: String,
    },
}

/// Compares the methods on what files hold. `told` hears of each comparison before it is made.
///
/// # Errors
/// See [`EvaluateError`].
pub fn evaluate(
    measured: &Measured,
    question: &Question,
    mut told: impl FnMut(&str),
) -> Result<Vec<Comparison>, EvaluateError> {
    let samples = &measured.samples;
    let devices: BTreeSet<&str> = samples.iter().map(|it| &*it.device.name).collect();
    for asked in [&question.device, &question.source].into_iter().flatten() {
        if !devices.contains(&**asked) {
            let there = listed(&devices);
            let asked = asked.clone();
            return Err(EvaluateError::NoDevice { asked, there });
        }
    }
    let gains = GAIN_METHODS.iter().map(|it| it.name());
    if let Some(source) = &question.source {
        check_methods(
            question,
            kerncast_models::across::NAMES.into_iter().chain(gains),
        )?;
        let targets = devices.iter().filter(|&&it| it != source);
        let targets = targets.filter(|&&it| question.device.as_deref().is_none_or(|d| d == it));
        let mut comparisons = Vec::new();
        for target in targets {
            let pair = [source.as_str(), target];
            comparisons.extend(across::compare(measured, question, pair)?);
            comparisons.extend(gains::compare(
                measured,
                question,
                pair,
                HoldOutKey::Kernel,
            )?);
        }
        return Ok(comparisons);
    }
    // Counters that are the same on every device are as good as a source's.
    let single = [METHODS, &[&FromCounters]].concat();
    check_methods(question, single.iter().map(|it| it.name()).chain(gains))?;
    let methods = asked(&single, question);
    let pooled = question.keys.contains(&HoldOutKey::Device);
    let mut comparisons = Vec::new();
    for device in devices {
        if pooled || question.device.as_deref().is_some_and(|it| it != device) {
            continue;
        }
        let own: Vec<&NewSample> = samples
            .iter()
            .filter(|it| it.device.name == device)
            .collect();
        for provider in providers(&own, device, question.provider.as_deref())? {
            for &key in question.keys.iter().filter(|_| !methods.is_empty()) {
                told(&format!(
                    "{device}, {provider}, leaving a {} out",
                    word(key)
                ));
                comparisons.push(compare(
                    &own,
                    device,
                    &provider,
                    key,
                    &methods,
                    question.level,
                )?);
            }
        }
        for &key in &question.keys {
            comparisons.extend(gains::compare(measured, question, [device; 2], key)?);
        }
    }
    if pooled {
        let all: Vec<&NewSample> = samples.iter().collect();
        for provider in providers(&all, "the file", question.provider.as_deref())? {
            told(&format!("all devices, {provider}, leaving a device out"));
            let key = HoldOutKey::Device;
            comparisons.push(compare(
                &all,
                "all",
                &provider,
                key,
                &methods,
                question.level,
            )?);
        }
    }
    Ok(comparisons)
}

/// Those of `all` that are asked for.
fn asked(all: &[&'static dyn Method], question: &Question) -> Vec<&'static dyn Method> {
    let all = all.iter().copied();
    all.filter(|it| question.asks(it.name())).collect()
}

fn check_methods<'a>(
    question: &Question,
    known: impl Iterator<Item = &'a str>,
) -> Result<(), EvaluateError> {
    let known: BTreeSet<&str> = known.collect();
    let mut asked = question.methods.iter();
    match asked.find(|asked| !known.contains(&***asked)) {
        None => Ok(()),
        Some(asked) => Err(EvaluateError::NoMethod {
            asked: asked.clone(),
            there: listed(&known),
        }),
    }
}

/// The providers with counters: the one asked for, else all but `launch`, which is beside every other;
/// `launch` where it is alone.
fn providers(
    samples: &[&NewSample],
    device: &str,
    asked: Option<&str>,
) -> Result<Vec<String>, EvaluateError> {
    let readings = samples.iter().flat_map(|it| &it.readings);
    let counted = readings.filter(|(_, reading)| !reading.counters.is_empty());
    let there: BTreeSet<&str> = counted.map(|(provider, _)| &**provider).collect();
    let no_counters = |provider: &str| EvaluateError::NoCounters {
        device: device.to_owned(),
        provider: provider.to_owned(),
        there: listed(&there),
    };
    match asked {
        Some(asked) if there.contains(asked) => Ok(vec![asked.to_owned()]),
        Some(asked) => Err(no_counters(asked)),
        None if there.is_empty() => Err(no_counters("any provider")),
        None => Ok(there
            .iter()
            .filter(|&&it| it != columns::LAUNCH || there.len() == 1)
            .map(|&it| it.to_owned())
            .collect()),
    }
}

fn compare(
    samples: &[&NewSample],
    device: &str,
    provider: &str,
    key: HoldOutKey,
    methods: &[&'static dyn Method],
    level: f64,
) -> Result<Comparison, EvaluateError> {
    let columns = Columns::of(samples, provider);
    let unfit = |problem: String| EvaluateError::Unfit {
        device: device.to_owned(),
        provider: provider.to_owned(),
        problem,
    };
    let dataset = columns
        .dataset()
        .map_err(|error| unfit(error.to_string()))?;
    let judge = |method: &&'static dyn Method| {
        let start = Instant::now();
        let held_out = hold_out(&dataset, key, *method);
        let seconds = start.elapsed().as_secs_f64();
        judge(&dataset, &held_out, method.name(), level, seconds)
    };
    Ok(Comparison {
        device: device.to_owned(),
        source: None,
        provider: provider.to_owned(),
        response: "time",
        hold_out: word(key),
        rows: dataset.y().len(),
        kernels: dataset.kernels().iter().collect::<BTreeSet<_>>().len(),
        without_ceilings: Vec::new(),
        methods: methods.iter().map(judge).collect(),
        counters: columns.counters,
        left_out: columns.left_out,
        rows_left_out: columns.lacking,
    })
}

fn judge(dataset: &Dataset, held_out: &HoldOut, method: &str, level: f64, seconds: f64) -> Judged {
    Judged::new(
        method,
        held_out,
        errors(dataset, held_out),
        coverage(dataset, held_out, level),
        seconds,
    )
}

/// The key's word.
pub fn word(key: HoldOutKey) -> &'static str {
    match key {
        HoldOutKey::Row => "row",
        HoldOutKey::Kernel => "kernel",
        HoldOutKey::Family => "family",
        HoldOutKey::Device => "device",
    }
}

fn listed(names: &BTreeSet<&str>) -> String {
    names.iter().copied().collect::<Vec<_>>().join(", ")
}
