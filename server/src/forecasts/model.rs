//! A model that was loaded, and what its fit says of a counter set, whatever its response is.

use kerncast_models::{Fitted, across::COUNTED_ON_TIME, widening};
use kerncast_profilers::catalogue::{role, roles};
use kerncast_training::LEVEL;
use kerncast_wire::{Facts, FieldProblem, Outside, Role, Warning, provider::LAUNCH};
use ndarray::{Array1, ArrayView1};
use uuid::Uuid;

use super::{
    columns::Columns,
    counter_set::{Counter, PostedSet, full_name},
    doubts::{
        atomics_unplaced, counters_unused, extrapolates, missing_counters, only_geometry,
        several_launches,
    },
    explain::outside,
    interval::ends,
};
use crate::{db::forecasts::forecasters::Forecaster, http::field};

/// A model that can answer.
pub(super) struct LoadedModel {
    pub(super) id: Uuid,
    pub(super) forecaster: Forecaster,
    columns: Columns,
    /// By column: whether it is in the fit.
    in_fit: Vec<bool>,
    /// How far an interval of doubt 1 reaches up and down; absent where nothing could be left out.
    interval_factor: Option<Result<f64, Warning>>,
    /// How many times as doubtful it is as on the device that it was fitted to.
    widening: f64,
}

/// The response of a set, and what to know of it.
pub(super) struct Answer<'a> {
    pub(super) fit: &'a Fitted,
    /// In the response's unit.
    pub(super) value: f64,
    /// Low and high end of where the response of an unseen kernel lies, or why that is not known.
    pub(super) interval: Result<[f64; 2], Warning>,
    /// Nine in ten kernels lie within this factor, up and down; absent where that is not known.
    pub(super) reach: Option<f64>,
    /// By column; means stand in for what is missing.
    pub(super) values: Array1<f64>,
    pub(super) outside: Vec<Outside>,
    /// The model's counters that the set lacks.
    pub(super) missing: Vec<String>,
    /// The set's counters that the model does not use.
    pub(super) unknown: Vec<String>,
    pub(super) warnings: Vec<Warning>,
}

/// What a model says beside another's answer.
pub(super) struct Opinion {
    pub(super) time_s: f64,
    /// Low and high.
    pub(super) interval: [f64; 2],
    /// Whether it is far beyond all that the model has seen.
    pub(super) extrapolates: bool,
}

/// A set as a row of a fit.
struct Row<'a> {
    /// By column; means stand in for what is missing.
    values: Array1<f64>,
    /// By column: whether the set has it.
    is_posted: Vec<bool>,
    /// The fit's columns that the set lacks.
    missing: Vec<usize>,
    /// The set's counters that the fit uses.
    used: Vec<Counter<'a>>,
    /// Those that it does not.
    unused: Vec<Counter<'a>>,
}

impl LoadedModel {
    pub(super) fn new(id: Uuid, forecaster: Forecaster) -> Self {
        let calibration = forecaster.calibration.as_ref();
        let interval_factor = calibration.map(|it| it.factor(LEVEL));
        let mut in_fit = vec![false; forecaster.counters.len()];
        let columns = forecaster.fit.iter().flat_map(Fitted::columns);
        columns.for_each(|column| in_fit[column] = true);
        Self {
            id,
            columns: Columns::new(&forecaster.counters),
            in_fit,
            forecaster,
            interval_factor,
            widening: 1.0,
        }
    }

    /// The model of the GPU `from` told that it forecasts the GPU `to`; none where its form knows nothing of hardware.
    pub(super) fn told_of(&self, from: &Facts, to: &Facts) -> Option<Self> {
        let fit = self.forecaster.fit.as_ref().ok()?;
        let fit = fit.for_other_gpu(&roles(&self.forecaster.counters), from, to)?;
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
            interval_factor: self.interval_factor.clone(),
            widening: widening(from, to),
            ..*self
        })
    }

    /// The counters that are in the fit, as `PROVIDER:NAME`.
    pub(super) fn counters(&self) -> impl Iterator<Item = &String> {
        let columns = self.forecaster.counters.iter().zip(&self.in_fit);
        columns.filter(|(_, in_fit)| **in_fit).map(|(name, _)| name)
    }

    /// Whether it starts from the time on the device counted on.
    pub(super) fn uses_time(&self) -> bool {
        self.counters().any(|it| it == COUNTED_ON_TIME)
    }

    /// What the fit says of a set.
    /// Fails where the model has no fit, the set has nothing that it knows, or the response overflows.
    pub(super) fn answer(&self, set: &PostedSet) -> Result<Answer<'_>, FieldProblem> {
        let forecaster = &self.forecaster;
        let fit = forecaster.fit.as_ref().map_err(|why| {
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
        let mut outside = outside(fit, values, &forecaster.counters, &row.is_posted);
        // What another GPU holds at once is its data sheet's.
        outside.retain(|it| self.widening <= 1.0 || !is_limit(&it.counter));
        let several = several_launches(set);
        let only_geometry = only_geometry(forecaster, self.uses_time(), set);
        let mut warnings: Vec<Warning> = several.into_iter().chain(only_geometry).collect();
        let complete = row.missing.is_empty();
        let reach = self.reach(fit, values);
        let interval = ends(reach.clone(), value, complete, warnings.first());
        let only_launch = row.used.iter().all(|it| it.provider == Some(LAUNCH));
        if !row.used.is_empty() && only_launch && forecaster.provider != LAUNCH {
            warnings.extend(counters_unused(set));
        }
        let columns = self.counters().count();
        warnings.extend(missing_counters(forecaster, fit, &row.missing, columns));
        warnings.extend(atomics_unplaced(forecaster, set));
        warnings.extend(extrapolates(&outside));
        Ok(Answer {
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
        let fit = self.forecaster.fit.as_ref().ok()?;
        let row = self.row(fit, set);
        let values = row.values.view();
        let time_s = fit.predict(values);
        let unlearnt = several_launches(set);
        let complete = row.missing.is_empty();
        let reach = self.reach(fit, values);
        let interval = ends(reach, time_s, complete, unlearnt.as_ref()).ok()?;
        let outside = outside(fit, values, &self.forecaster.counters, &row.is_posted);
        Some(Opinion {
            time_s,
            interval,
            extrapolates: outside.iter().any(Outside::is_far_above),
        })
    }

    /// How doubtful the fit is of a set; none where there is no fit.
    pub(super) fn doubt(&self, set: &PostedSet) -> Option<f64> {
        let fit = self.forecaster.fit.as_ref().ok()?;
        Some(self.doubt_of_row(fit, self.row(fit, set).values.view()))
    }

    fn doubt_of_row(&self, fit: &Fitted, values: ArrayView1<'_, f64>) -> f64 {
        fit.expected_error(values) * self.widening
    }

    /// The factor up and down within which nine in ten kernels lie, or why it is not known.
    fn reach(&self, fit: &Fitted, values: ArrayView1<'_, f64>) -> Result<f64, Warning> {
        let factor = self
            .interval_factor
            .clone()
            .ok_or(Warning::NotValidated)??;
        Ok(factor.powf(self.doubt_of_row(fit, values)))
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
        let is_time = |&column: &usize| self.forecaster.counters[column] == COUNTED_ON_TIME;
        if row.missing.iter().any(is_time) {
            let expected = "time_s beside it: the model asks for the time on the device counted on";
            return Err(field(&set.at, "no time_s", expected));
        }
        Ok(())
    }

    fn names(&self, columns: &[usize]) -> Vec<String> {
        let name = |&column: &usize| self.forecaster.counters[column].clone();
        columns.iter().map(name).collect()
    }
}

/// Whether a counter says how many work-groups a multiprocessor holds.
fn is_limit(counter: &str) -> bool {
    use Role::{LocalMemoryLimit, RegisterLimit, WarpLimit, WorkGroupLimit};
    let limits = [LocalMemoryLimit, RegisterLimit, WarpLimit, WorkGroupLimit];
    role(counter).is_some_and(|it| limits.contains(&it))
}
