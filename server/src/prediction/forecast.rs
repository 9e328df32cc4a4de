//! A time from a stored fit, with what stands beside it.

use std::sync::Arc;

use kerncast_models::across::BY_CEILINGS;
use kerncast_wire::{Baseline, FieldProblem, Forecast, Interval};

use super::{
    answer::{Answer, Answering, NOT_VALIDATED},
    asked::Set,
    explain::explanation,
};

/// Models whose forecasts stand beside another's.
pub(super) struct Beside {
    /// The paper's.
    pub(super) paper: Option<Arc<Answering>>,
    /// The time on the device counted on, scaled by the devices' ceilings.
    pub(super) ceilings: Option<Arc<Answering>>,
}

/// The model's forecast of a set, and the baselines' beside it.
///
/// # Errors
/// See [`Answering::answer`].
pub(super) fn forecast(
    answering: &Answering,
    baselines: &Beside,
    set: &Set,
) -> Result<Forecast, FieldProblem> {
    let Answering {
        model, forecaster, ..
    } = answering;
    let Answer {
        fit,
        value: time_s,
        interval,
        values,
        outside,
        missing,
        unknown,
        mut warnings,
    } = answering.answer(set)?;
    if time_s <= 0.0 {
        warnings.push(
            "the time is not above 0: a linear model can come out so, most of all for short kernels with \
             small counters; take it as \"short\""
                .to_owned(),
        );
    }
    if forecaster.method == BY_CEILINGS {
        warnings.push(
            "the device has run nothing but its ceilings: the forecast takes how other devices' times follow from their ceilings; \
             the model says how far off that is for each of those devices left out"
                .to_owned(),
        );
    } else if forecaster.leave_one_kernel_out_mean_ape.is_none() {
        warnings.push(NOT_VALIDATED.to_owned());
    }
    let (interval, no_interval) = match interval {
        Ok([low_s, high_s]) => {
            let level = answering.level;
            (
                Some(Interval {
                    level,
                    low_s,
                    high_s,
                }),
                None,
            )
        }
        Err(why) => (None, Some(why)),
    };
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
        unknown,
        warnings,
    })
}

/// What the baseline says, where it says anything.
fn beside(baseline: &Answering, set: &Set) -> Option<Baseline> {
    let answer = baseline.answer(set).ok()?;
    Some(Baseline {
        time_s: answer.value,
        model: baseline.model,
        leave_one_kernel_out_mean_ape: baseline.forecaster.leave_one_kernel_out_mean_ape,
        missing: answer.missing,
    })
}
