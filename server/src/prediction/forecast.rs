//! A time from a stored fit, with what stands beside it.

use std::sync::Arc;

use kerncast_models::across::BY_CEILINGS;
use kerncast_training::words::{number, seconds};
use kerncast_wire::{Baseline, FieldProblem, Forecast, Interval, Lies};

use super::{
    answer::{Answer, Answering, NOT_VALIDATED},
    asked::Set,
    explain::explanation,
    others::{disagreement, others},
};

/// Models whose forecasts stand beside another's.
pub(super) struct Beside {
    /// The paper's.
    pub(super) paper: Option<Arc<Answering>>,
    /// The time on the device counted on, scaled by the devices' ceilings.
    pub(super) ceilings: Option<Arc<Answering>>,
    /// Those that should say the same.
    pub(super) others: Vec<Arc<Answering>>,
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
        warnings: of_answer,
    } = answering.answer(set)?;
    let mut warnings = Vec::new();
    if time_s <= 0.0 {
        warnings.push(format!(
            "{} is no time: a linear model can come out at or below 0, most of all for short kernels with small \
             counters; nothing more is known than \"short\"",
            seconds(time_s)
        ));
    }
    let (mut interval, no_interval) = match interval {
        Ok([low_s, high_s]) => {
            let level = answering.level;
            let interval = Interval {
                level,
                low_s,
                high_s,
            };
            (Some(interval), None)
        }
        Err(why) => (None, Some(why)),
    };
    let others = match &mut interval {
        Some(interval) => others(&baselines.others, set, time_s, interval),
        None => Vec::new(),
    };
    warnings.extend(disagreement(&others, time_s));
    warnings.extend(of_answer);
    if forecaster.method == BY_CEILINGS {
        warnings.push(
            "the device has run nothing but its ceilings: the forecast takes how other devices' times follow from their ceilings; \
             the model says how far off that is for each of those devices left out"
                .to_owned(),
        );
    } else if forecaster.leave_one_kernel_out_mean_ape.is_none() {
        warnings.push(NOT_VALIDATED.to_owned());
    }
    Ok(Forecast {
        time_s,
        interval,
        no_interval,
        others,
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

/// Where a measured time lies beside a forecast, and what to say of it: outside the interval is an alarm.
pub(super) fn beside_measured(interval: &Interval, measured_s: f64) -> (Lies, Option<String>) {
    let Interval {
        level,
        low_s,
        high_s,
    } = *interval;
    let (lies, off, end) = match measured_s {
        it if it < low_s => (Lies::Below, low_s / it, "below the lower"),
        it if it > high_s => (Lies::Above, it / high_s, "above the upper"),
        _ => return (Lies::Within, None),
    };
    let alarm = format!(
        "the time measured, {}, lies outside the {:.0} % interval, a factor of {} {end} end: do not rely on this \
         forecast, nor on those of kernels like it",
        seconds(measured_s),
        100.0 * level,
        number(off)
    );
    (lies, Some(alarm))
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
