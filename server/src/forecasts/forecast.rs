//! A time from a stored fit, with what stands beside it.

use kerncast_wire::{Baseline, FieldProblem, Floor, Forecast, Outside, Warning, Warnings};

use super::{
    counter_set::PostedSet,
    doubts::misspelt_counters,
    explain::explanation,
    floor::raise,
    interval::interval,
    model::{Answer, LoadedModel},
    other_models::{disagreement, other_forecasts},
};

/// The model's forecast of a set, none of it below `floor`, beside the baseline's and those of `others` that should say
/// the same; and the factor up and down within which nine in ten kernels lie.
///
/// # Errors
/// See [`LoadedModel::answer`].
pub(super) fn forecast(
    model: &LoadedModel,
    baseline: Option<&LoadedModel>,
    others: &[&LoadedModel],
    set: &PostedSet,
    floor: Option<Floor>,
) -> Result<(Forecast, Option<f64>), FieldProblem> {
    let forecaster = &model.forecaster;
    let Answer {
        fit,
        value: time_s,
        interval: ends,
        reach,
        values,
        outside,
        missing,
        unknown,
        warnings: of_answer,
    } = model.answer(set)?;
    let mut warnings = Vec::new();
    if time_s <= 0.0 {
        warnings.push(Warning::NoTime { time_s });
    }
    let (mut interval, no_interval) = match ends {
        Ok(ends) => (Some(interval(ends)), None),
        Err(why) => (None, Some(why)),
    };
    let least_s = floor.as_ref().map(|it| it.time_s);
    let is_far = outside.iter().any(Outside::is_far_above);
    let others = other_forecasts(others, set, time_s, least_s, is_far, interval.as_mut());
    warnings.extend(misspelt_counters(set));
    warnings.extend(disagreement(&others, time_s));
    warnings.extend(of_answer);
    if forecaster.leave_one_kernel_out_mean_ape.is_none() {
        warnings.push(Warning::NotValidated);
    }
    let mut forecast = Forecast {
        time_s,
        interval,
        no_interval: no_interval.as_ref().map(ToString::to_string),
        no_interval_kind: no_interval,
        others,
        better: Vec::new(),
        floor: None,
        explanation: explanation(fit, values.view(), &forecaster.counters),
        model: model.id,
        method: forecaster.method.clone(),
        provider: forecaster.provider.clone(),
        leave_one_kernel_out_mean_ape: forecaster.leave_one_kernel_out_mean_ape,
        baseline: baseline.and_then(|it| baseline_forecast(it, set)),
        outside,
        missing,
        unknown,
        warnings: Warnings(warnings),
    };
    if let Some(floor) = floor {
        raise(&mut forecast, floor);
    }
    Ok((forecast, reach))
}

/// None where the baseline can't forecast the set.
fn baseline_forecast(baseline: &LoadedModel, set: &PostedSet) -> Option<Baseline> {
    let answer = baseline.answer(set).ok()?;
    Some(Baseline {
        time_s: answer.value,
        model: baseline.id,
        leave_one_kernel_out_mean_ape: baseline.forecaster.leave_one_kernel_out_mean_ape,
        missing: answer.missing,
    })
}
