//! A forecast from a stored fit.

use std::{collections::BTreeSet, sync::Arc};

use kerncast_models::{
    Fitted, NoInterval,
    across::{BY_CEILINGS, SOURCE_TIME},
};
use kerncast_wire::{Baseline, FieldProblem, Forecast};
use ndarray::Array1;
use uuid::Uuid;

use super::{
    asked::Set,
    explain::{explanation, interval, outside},
};
use crate::{db::forecasters::Forecaster, problem::field};

/// A model that answers.
pub(super) struct Answering {
    model: Uuid,
    pub(super) forecaster: Forecaster,
    /// The level of its intervals, and how far they reach; absent where no kernel could be left out.
    level: f64,
    factor: Option<Result<f64, NoInterval>>,
}

impl Answering {
    pub(super) fn new(model: Uuid, forecaster: Forecaster, level: f64) -> Self {
        let calibration = forecaster.calibration.as_ref();
        let factor = calibration.map(|calibration| calibration.factor(level));
        Self {
            model,
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
struct Row {
    /// In the order of the fit's columns; means stand in for what is missing.
    values: Array1<f64>,
    /// The fit's counters that are.
    missing: Vec<String>,
}

impl Row {
    fn new(forecaster: &Forecaster, fit: &Fitted, set: &Set) -> Self {
        let in_fit: BTreeSet<usize> = fit.columns().collect();
        let mut missing = Vec::new();
        let columns = forecaster.counters.iter().zip(&fit.seen).enumerate();
        let values = columns.map(|(column, (name, seen))| {
            set.value(name).unwrap_or_else(|| {
                if in_fit.contains(&column) {
                    missing.push(name.clone());
                }
                seen.mean
            })
        });
        Self {
            values: values.collect(),
            missing,
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
    } = answering;
    let fit = forecaster.fit.as_ref().map_err(|why| {
        let expected = format!("a model with a fit; this one has none: {why}");
        field(&set.at, model, expected)
    })?;
    let posted = set.names();
    let used: BTreeSet<&String> = fit.columns().map(|it| &forecaster.counters[it]).collect();
    // The plainest baseline uses none.
    if !used.is_empty() && !posted.iter().any(|name| used.contains(name)) {
        let names: Vec<&str> = used.iter().map(|it| it.as_str()).collect();
        let expected = format!("at least one of the model's counters: {}", names.join(", "));
        return Err(field(&set.at, posted_text(&posted), expected));
    }
    if set.source_time_s.is_none() && used.iter().any(|name| *name == SOURCE_TIME) {
        let expected = "time_s beside it: the model asks for the time on its source";
        return Err(field(&set.at, "no time_s", expected));
    }
    let Row { values, missing } = Row::new(forecaster, fit, set);
    let time_s = fit.predict(values.view());
    if !time_s.is_finite() {
        let expected =
            "counters that are less far from the model's samples: the forecast overflows";
        return Err(field(&set.at, posted_text(&posted), expected));
    }
    let outside = outside(fit, values.view(), &forecaster.counters, &posted);
    let (interval, no_interval) = match interval(time_s, &missing, *level, factor.as_ref()) {
        Ok(interval) => (Some(interval), None),
        Err(why) => (None, Some(why)),
    };

    let means = missing.iter().map(|name| {
        let column = forecaster.counters.iter().position(|it| it == name);
        let mean = column.map_or(0.0, |column| fit.seen[column].mean);
        let mean = short(mean);
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
    warnings.extend(unheard(set, &posted, &used));
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
    let unknown = posted.iter().filter(|name| !used.contains(name));
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
        missing,
        unknown: unknown.cloned().collect(),
        warnings,
    })
}

/// What the baseline says, where it says anything.
fn beside(baseline: &Answering, set: &Set) -> Option<Baseline> {
    let Answering {
        model, forecaster, ..
    } = baseline;
    let fit = forecaster.fit.as_ref().ok()?;
    let Row { values, missing } = Row::new(forecaster, fit, set);
    let time_s = fit.predict(values.view());
    let known = missing.len() < fit.columns().count();
    (known && time_s.is_finite()).then_some(Baseline {
        time_s,
        model: *model,
        leave_one_kernel_out_mean_ape: forecaster.leave_one_kernel_out_mean_ape,
        missing,
    })
}

/// Where the model uses nothing of what was counted, only the geometry that came with it.
fn unheard(set: &Set, posted: &BTreeSet<String>, used: &BTreeSet<&String>) -> Option<String> {
    let providers = set.counters.keys().map(String::as_str);
    let counting: Vec<&str> = providers.filter(|provider| *provider != "launch").collect();
    let heard = posted
        .iter()
        .any(|name| used.contains(name) && !name.starts_with("launch:"));
    (!heard && !used.is_empty() && !counting.is_empty()).then(|| {
        let counting = counting.join(", ");
        format!("no counter of {counting} is used: the forecast knows only the launch's geometry")
    })
}

fn posted_text(posted: &BTreeSet<String>) -> String {
    let names: Vec<&str> = posted.iter().map(String::as_str).collect();
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
