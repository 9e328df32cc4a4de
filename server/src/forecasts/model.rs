//! A model that was loaded, and what its fit says of a counter set, whatever its response is.

use kerncast_models::{Fitted, across::COUNTED_ON_TIME, widening};
use kerncast_profilers::catalogue::{role, roles};
use kerncast_training::LEVEL;
use kerncast_wire::{Facts, FieldProblem, Interval, Outside, Role, Warning, provider::LAUNCH};
use ndarray::{Array1, ArrayView1};
use uuid::Uuid;

use super::{
    columns::Columns,
    counter_set::{Counter, PostedSet, full_name},
    counter_warnings::{
        atomics_unplaced, counters_unused, extrapolates, missing_counters, only_geometry,
        several_launches,
    },
    explain::outside,
};
use crate::{db::forecasts::stored_models::StoredModel, http::field};

/// A model that can answer.
pub(crate) struct LoadedModel {
    pub(super) id: Uuid,
    pub(crate) stored: StoredModel,
    columns: Columns,
    /// Whether each column is in the fit.
    in_fit: Vec<bool>,
    /// How far an interval of expected error 1 reaches up and down; absent where nothing could be left out.
    interval_factor: Option<Result<f64, Warning>>,
    /// How many times as far off it is expected to be as on the device that it was fitted to.
    widening: f64,
}

/// The response of a set, and what to know of it.
pub(crate) struct FitAnswer<'a> {
    pub(super) fit: &'a Fitted,
    /// In the response's unit.
    pub(crate) value: f64,
    /// Where the response of nine in ten unseen kernels lies, or why that is not known.
    pub(super) interval: Result<Interval, Warning>,
    /// Nine in ten kernels lie within this factor, up and down; absent where that is not known.
    pub(crate) reach: Option<f64>,
    /// The columns' values; means stand in for what is missing.
    pub(super) values: Array1<f64>,
    pub(super) outside: Vec<Outside>,
    /// The model's counters that the set lacks.
    pub(crate) missing: Vec<String>,
    /// The set's counters that the model does not use.
    pub(super) unknown: Vec<String>,
    pub(super) warnings: Vec<Warning>,
}

/// What a model says beside another's answer.
pub(super) struct Opinion {
    pub(super) time_s: f64,
    pub(super) interval: Interval,
    /// Whether it is far beyond all that the model has seen.
    pub(super) extrapolates: bool,
}

/// A set as a row of a fit.
struct Row<'a> {
    /// The columns' values; means stand in for what is missing.
    values: Array1<f64>,
    /// Whether the set has each column.
    is_posted: Vec<bool>,
    /// The fit's columns that the set lacks.
    missing: Vec<usize>,
    /// The set's counters that the fit uses.
    used: Vec<Counter<'a>>,
    /// The set's counters that it does not use.
    unused: Vec<Counter<'a>>,
}

impl LoadedModel {
    pub(crate) fn new(id: Uuid, stored: StoredModel) -> Self {
        let calibration = stored.calibration.as_ref();
        let interval_factor = calibration.map(|it| it.factor(LEVEL));
        let mut in_fit = vec![false; stored.counters.len()];
        let columns = stored.fit.iter().flat_map(Fitted::columns);
        columns.for_each(|column| in_fit[column] = true);
        Self {
            id,
            columns: Columns::new(&stored.counters),
            in_fit,
            stored,
            interval_factor,
            widening: 1.0,
        }
    }

    /// The model of the GPU `from`, transferred to the GPU `to`; none where its form knows nothing of hardware.
    pub(super) fn transferred(&self, from: &Facts, to: &Facts) -> Option<Self> {
        let fit = self.stored.fit.as_ref().ok()?;
        let fit = fit.for_other_gpu(&roles(&self.stored.counters), from, to)?;
        Some(Self {
            stored: StoredModel {
                fit: Ok(fit),
                key: self.stored.key.clone(),
                method: self.stored.method.clone(),
                response: self.stored.response.clone(),
                counters: self.stored.counters.clone(),
                calibration: None,
                ..self.stored
            },
            columns: self.columns.clone(),
            in_fit: self.in_fit.clone(),
            interval_factor: self.interval_factor.clone(),
            widening: widening(from, to),
            ..*self
        })
    }

    /// The counters that are in the fit, as `PROVIDER:NAME`.
    pub(crate) fn counters(&self) -> impl Iterator<Item = &String> {
        let columns = self.stored.counters.iter().zip(&self.in_fit);
        columns.filter(|(_, in_fit)| **in_fit).map(|(name, _)| name)
    }

    /// Whether it starts from the time on the device counted on.
    pub(super) fn uses_time(&self) -> bool {
        self.counters().any(|it| it == COUNTED_ON_TIME)
    }

    /// What the fit says of a set.
    /// Fails where the model has no fit, the set has nothing that it knows, or the response overflows.
    pub(crate) fn answer(&self, set: &PostedSet) -> Result<FitAnswer<'_>, FieldProblem> {
        let stored = &self.stored;
        let fit = stored.fit.as_ref().map_err(|why| {
            let expected = format!("a model with a fit; this one has none: {why}");
            field(&set.at, self.id, expected)
        })?;
        let row = self.row(fit, set);
        self.check_used(&row, fit, set)?;
        let values = row.values.view();
        let value = fit.predict(values);
        if !value.is_finite() {
            let expected =
                "counters that are less far from the model's samples: the forecast overflows";
            return Err(field(&set.at, set.counter_names(), expected));
        }
        let mut outside = outside(fit, values, &stored.counters, &row.is_posted);
        // What another GPU holds at once is its data sheet's.
        outside.retain(|it| self.widening <= 1.0 || !is_limit(&it.counter));
        let several = several_launches(set);
        let only_geometry = only_geometry(stored, self.uses_time(), set);
        let unlearnt = several.clone().or_else(|| only_geometry.clone());
        let mut warnings: Vec<Warning> = several.into_iter().chain(only_geometry).collect();
        let complete = row.missing.is_empty();
        let reach = self.reach(fit, values);
        let interval = interval(reach.clone(), value, complete, unlearnt.as_ref());
        let only_launch = row.used.iter().all(|it| it.provider == Some(LAUNCH));
        if !row.used.is_empty() && only_launch && stored.key.provider != LAUNCH {
            warnings.extend(counters_unused(set));
        }
        let columns = self.counters().count();
        warnings.extend(missing_counters(stored, fit, &row.missing, columns));
        warnings.extend(atomics_unplaced(stored, set));
        warnings.extend(extrapolates(&outside));
        Ok(FitAnswer {
            fit,
            value,
            interval,
            reach: reach.ok(),
            outside,
            missing: self.names(&row.missing),
            unknown: row.unused.iter().map(|it| full_name(it.key())).collect(),
            warnings,
            values: row.values,
        })
    }

    /// What the model says of a set that misses none of its counters; none where it has no interval.
    pub(super) fn opinion(&self, set: &PostedSet) -> Option<Opinion> {
        let fit = self.stored.fit.as_ref().ok()?;
        let row = self.row(fit, set);
        let values = row.values.view();
        let time_s = fit.predict(values);
        let unlearnt = several_launches(set);
        let complete = row.missing.is_empty();
        let reach = self.reach(fit, values);
        let interval = interval(reach, time_s, complete, unlearnt.as_ref()).ok()?;
        let outside = outside(fit, values, &self.stored.counters, &row.is_posted);
        Some(Opinion {
            time_s,
            interval,
            extrapolates: outside.iter().any(Outside::is_far_above),
        })
    }

    /// How far off the fit is expected to be for a set; none where there is no fit.
    pub(super) fn expected_error(&self, set: &PostedSet) -> Option<f64> {
        let fit = self.stored.fit.as_ref().ok()?;
        Some(self.expected_error_of_row(fit, self.row(fit, set).values.view()))
    }

    fn expected_error_of_row(&self, fit: &Fitted, values: ArrayView1<'_, f64>) -> f64 {
        fit.expected_error(values) * self.widening
    }

    /// The factor up and down within which nine in ten kernels lie, or why it is not known.
    fn reach(&self, fit: &Fitted, values: ArrayView1<'_, f64>) -> Result<f64, Warning> {
        let factor = self
            .interval_factor
            .clone()
            .ok_or(Warning::NotValidated)??;
        Ok(factor.powf(self.expected_error_of_row(fit, values)))
    }

    fn row<'a>(&'a self, fit: &Fitted, set: &'a PostedSet) -> Row<'a> {
        let mut values: Array1<f64> = fit.ranges.iter().map(|it| it.mean).collect();
        let mut is_posted = vec![false; self.in_fit.len()];
        let (mut used, mut unused) = (Vec::new(), Vec::new());
        for (counter, column) in self.columns.places(set) {
            if let Some(column) = column {
                values[column] = counter.value;
                is_posted[column] = true;
            }
            match column.filter(|&column| self.in_fit[column]) {
                Some(_) => used.push(counter),
                None => unused.push(counter),
            }
        }
        let is_missing = |&column: &usize| self.in_fit[column] && !is_posted[column];
        Row {
            values,
            missing: (0..self.in_fit.len()).filter(is_missing).collect(),
            is_posted,
            used,
            unused,
        }
    }

    /// Fails where the set has nothing that the fit uses, or lacks a time that it asks for.
    fn check_used(&self, row: &Row<'_>, fit: &Fitted, set: &PostedSet) -> Result<(), FieldProblem> {
        // The plainest baseline uses none.
        if row.used.is_empty() && self.in_fit.contains(&true) {
            let columns: Vec<usize> = fit.columns().collect();
            let names = self.names(&columns).join(", ");
            let expected = format!("at least one of the model's counters: {names}");
            return Err(field(&set.at, set.counter_names(), expected));
        }
        let is_time = |&column: &usize| self.stored.counters[column] == COUNTED_ON_TIME;
        if row.missing.iter().any(is_time) {
            let expected = "time_s beside it: the model asks for the time on the device counted on";
            return Err(field(&set.at, "no time_s", expected));
        }
        Ok(())
    }

    fn names(&self, columns: &[usize]) -> Vec<String> {
        let name = |&column: &usize| self.stored.counters[column].clone();
        columns.iter().map(name).collect()
    }
}

/// Whether a counter says how many work-groups a multiprocessor holds.
fn is_limit(counter: &str) -> bool {
    use Role::{LocalMemoryLimit, RegisterLimit, WarpLimit, WorkGroupLimit};
    let limits = [LocalMemoryLimit, RegisterLimit, WarpLimit, WorkGroupLimit];
    role(counter).is_some_and(|it| limits.contains(&it))
}

/// The interval around a response, or why there is none. `reach`: the factor up and down, or why it is not known;
/// `complete`: no counter is missing; `unlearnt`: what else keeps the model from knowing how far off it is.
fn interval(
    reach: Result<f64, Warning>,
    response: f64,
    complete: bool,
    unlearnt: Option<&Warning>,
) -> Result<Interval, Warning> {
    if let Some(why) = unlearnt {
        return Err(why.clone());
    }
    let reach = reach?;
    if !complete {
        return Err(Warning::MeansUnknown);
    }
    if response <= 0.0 {
        return Err(Warning::NothingToBound { time_s: response });
    }
    let (low_s, high_s) = (response / reach, response * reach);
    if !high_s.is_finite() {
        return Err(Warning::TooFarOff);
    }
    Ok(Interval {
        level: LEVEL,
        low_s,
        high_s,
    })
}
