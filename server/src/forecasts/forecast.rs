//! A time from a stored fit, with what stands beside it.

use kerncast_wire::{Baseline, FieldProblem, Floor, Forecast, Outside, Warning, Warnings};

use super::{
    counter_set::PostedSet,
    counter_warnings::misspelt_counters,
    explain::explanation,
    floor::raise,
    model::LoadedModel,
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
    let stored = &model.stored;
    let answer = model.answer(set)?;
    let time_s = answer.value;
    let mut warnings = Vec::new();
    if time_s <= 0.0 {
        warnings.push(Warning::NoTime { time_s });
    }
    let (mut interval, no_interval) = match answer.interval {
        Ok(interval) => (Some(interval), None),
        Err(why) => (None, Some(why)),
    };
    let least_s = floor.as_ref().map(|it| it.time_s);
    let is_far = answer.outside.iter().any(Outside::is_far_above);
    let others = other_forecasts(others, set, time_s, least_s, is_far, interval.as_mut());
    warnings.extend(misspelt_counters(set));
    warnings.extend(disagreement(&others, time_s));
    warnings.extend(answer.warnings);
    if stored.leave_one_kernel_out_mean_ape.is_none() {
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
        explanation: explanation(answer.fit, answer.values.view(), &stored.counters),
        model: model.id,
        method: stored.method.clone(),
        provider: stored.key.provider.clone(),
        leave_one_kernel_out_mean_ape: stored.leave_one_kernel_out_mean_ape,
        baseline: baseline.and_then(|it| baseline_forecast(it, set)),
        outside: answer.outside,
        missing: answer.missing,
        unknown: answer.unknown,
        warnings: Warnings(warnings),
    };
    if let Some(floor) = floor {
        raise(&mut forecast, floor);
    }
    Ok((forecast, answer.reach))
}

/// None where the baseline can't forecast the set.
fn baseline_forecast(baseline: &LoadedModel, set: &PostedSet) -> Option<Baseline> {
    let answer = baseline.answer(set).ok()?;
    Some(Baseline {
        time_s: answer.value,
        model: baseline.id,
        leave_one_kernel_out_mean_ape: baseline.stored.leave_one_kernel_out_mean_ape,
        missing: answer.missing,
    })
}
