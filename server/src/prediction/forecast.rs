//! A forecast from a stored fit.

use std::sync::Arc;

use kerncast_models::{
    Fitted, NoInterval,
    across::{BY_CEILINGS, SOURCE_TIME},
};
use kerncast_wire::{Baseline, FieldProblem, Forecast};
use ndarray::Array1;
use uuid::Uuid;

use super::{
    asked::{Counter, Set},
    columns::Columns,
    explain::{explanation, interval, outside},
};
use crate::{db::forecasters::Forecaster, problem::field};

/// A model that answers.
pub(super) struct Answering {
    model: Uuid,
    pub(super) forecaster: Forecaster,
    columns: Columns,
    /// Of each column whether it is in the fit.
    in_fit: Vec<bool>,
    /// The level of its intervals, and how far they reach; absent where no kernel could be left out.
    level: f64,
    factor: Option<Result<f64, NoInterval>>,
}

impl Answering {
    pub(super) fn new(model: Uuid, forecaster: Forecaster, level: f64) -> Self {
        let calibration = forecaster.calibration.as_ref();
        let factor = calibration.map(|calibration| calibration.factor(level));
        let mut in_fit = vec![false; forecaster.counters.len()];
        let columns = forecaster.fit.iter().flat_map(Fitted::columns);
        columns.for_each(|column| in_fit[column] = true);
        Self {
            model,
            columns: Columns::new(&forecaster.counters),
            in_fit,
            forecaster,
            level,
            factor,
        }
    }
}

/// Models whose forecasts stand beside another's.
pub(super) struct Beside {
    /// The paper's.
    pub(super) paper: Option<Arc<Answering>>,
    /// The source's time, scaled by the devices' ceilings.
    pub(super) ceilings: Option<Arc<Answering>>,
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

/// The model's forecast of a set, and the baselines' beside it.
///
/// # Errors
/// Where the model has no fit, the set has nothing that it knows, or the time overflows.
pub(super) fn forecast(
    answering: &Answering,
    baselines: &Beside,
    set: &Set,
) -> Result<Forecast, FieldProblem> {
    let Answering {
        model,
        forecaster,
        level,
        factor,
        ..
    } = answering;
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
    } = Row::new(answering, fit, set);
    // The plainest baseline uses none.
    if used.is_empty() && answering.in_fit.contains(&true) {
        let columns: Vec<usize> = fit.columns().collect();
        let names = names(forecaster, &columns).join(", ");
        let expected = format!("at least one of the model's counters: {names}");
        return Err(field(&set.at, posted_text(set), expected));
    }
    if missing
        .iter()
        .any(|&it| forecaster.counters[it] == SOURCE_TIME)
    {
        let expected = "time_s beside it: the model asks for the time on its source";
        return Err(field(&set.at, "no time_s", expected));
    }
    let time_s = fit.predict(values.view());
    if !time_s.is_finite() {
        let expected =
            "counters that are less far from the model's samples: the forecast overflows";
        return Err(field(&set.at, posted_text(set), expected));
    }
    let outside = outside(fit, values.view(), &forecaster.counters, &posted);
    let (interval, no_interval) =
        match interval(time_s, missing.is_empty(), *level, factor.as_ref()) {
            Ok(interval) => (Some(interval), None),
            Err(why) => (None, Some(why)),
        };

    let means = missing.iter().map(|&column| {
        let (name, mean) = (&forecaster.counters[column], short(fit.seen[column].mean));
        format!("{name} is missing: the mean of the model's samples, {mean}, stands in")
    });
    let mut warnings: Vec<String> = means.collect();
    warnings.extend(outside.iter().map(|it| {
        let (name, value, min, max) = (&it.counter, short(it.value), short(it.min), short(it.max));
        format!(
            "{name} is {value}, outside the {min} to {max} that the model has seen: this is an \
             extrapolation"
        )
    }));
    if !used.is_empty() && used.iter().all(|it| it.provider == Some("launch")) {
        warnings.extend(unheard(set));
    }
    if time_s <= 0.0 {
        warnings.push(
            "the time is not above 0: a linear model can come out so, most of all for short kernels with \
             small counters; take it as \"short\""
                .to_owned(),
        );
    }
    if forecaster.method == BY_CEILINGS {
        warnings.push(
            "the device has run nothing but its ceilings: this is how other devices' kernels go by theirs; \
             the model says how far off that is for each of those devices left out"
                .to_owned(),
        );
    } else if forecaster.leave_one_kernel_out_mean_ape.is_none() {
        warnings.push("the model could not be validated on kernels it had not seen".to_owned());
    }
    Ok(Forecast {
        time_s,
        interval,
        no_interval,
        explanation: explanation(fit, values.view(), &forecaster.counters),
        model: *model,
        method: forecaster.method.clone(),
        provider: forecaster.provider.clone(),
        leave_one_kernel_out_mean_ape: forecaster.leave_one_kernel_out_mean_ape,
        baseline: baselines.paper.as_ref().and_then(|it| beside(it, set)),
        by_ceilings: baselines.ceilings.as_ref().and_then(|it| beside(it, set)),
        outside,
        missing: names(forecaster, &missing),
        unknown: unknown.iter().map(Counter::full_name).collect(),
        warnings,
    })
}

/// What the baseline says, where it says anything.
fn beside(baseline: &Answering, set: &Set) -> Option<Baseline> {
    let Answering {
        model, forecaster, ..
    } = baseline;
    let fit = forecaster.fit.as_ref().ok()?;
    let Row {
        values,
        missing,
        used,
        ..
    } = Row::new(baseline, fit, set);
    let time_s = fit.predict(values.view());
    (!used.is_empty() && time_s.is_finite()).then_some(Baseline {
        time_s,
        model: *model,
        leave_one_kernel_out_mean_ape: forecaster.leave_one_kernel_out_mean_ape,
        missing: names(forecaster, &missing),
    })
}

fn names(forecaster: &Forecaster, columns: &[usize]) -> Vec<String> {
    let name = |&column: &usize| forecaster.counters[column].clone();
    columns.iter().map(name).collect()
}

/// Where the model uses nothing of what was counted, only the geometry that came with it.
fn unheard(set: &Set) -> Option<String> {
    let providers = set.counters.keys().map(String::as_str);
    let counting: Vec<&str> = providers.filter(|provider| *provider != "launch").collect();
    (!counting.is_empty()).then(|| {
        let counting = counting.join(", ");
        format!("no counter of {counting} is used: the forecast knows only the launch's geometry")
    })
}

fn posted_text(set: &Set) -> String {
    let names: Vec<String> = set.counters().map(|it| it.full_name()).collect();
    if names.is_empty() {
        "empty".to_owned()
    } else {
        names.join(", ")
    }
}

/// A number for a person to read.
fn short(value: f64) -> String {
    if value.abs() < 1e9 {
        ((value * 1000.0).round() / 1000.0).to_string()
    } else {
        format!("{value:.4e}")
    }
}
