use super::{AcrossError, Workloads, from_source};
use crate::{ErrorReport, HoldOut, HoldOutKey, errors};

/// How well it is known, for kernels never seen, whether local memory pays off. A gain is the time of
/// `local` ÷ the time of `global`; below 1, local memory pays off.
#[derive(Clone, Debug, PartialEq)]
pub struct PayOff {
    /// Errors of the forecast gains.
    pub forecast: ErrorReport,
    /// Errors of saying that nothing changes: a gain of 1, always.
    pub no_change: ErrorReport,
    /// Share of workloads whose sign (pays off or not) was forecast right; absent without workloads.
    pub sign_right: Option<f64>,
    /// The same for always saying what is so for most of the other kernels' workloads.
    pub majority_right: Option<f64>,
    /// The forecast gain of each workload, in their order.
    pub gains: Vec<Option<f64>>,
}

/// Forecasts the time of `local` for workloads measured as `global`, by fits that have not seen their
/// kernels. `workloads` holds the counters of `global`, and the two variants as its devices;
/// `variants`: `global` and `local`.
///
/// # Errors
/// [`AcrossError`] where a fit overflows.
///
/// # Panics
/// Where there are no such variants.
pub fn pay_off(workloads: &Workloads, variants: [usize; 2]) -> Result<PayOff, AcrossError> {
    let [global, local] = variants;
    let forecast = from_source(workloads, variants)?;
    let dataset = workloads.dataset(local);
    let unchanged = workloads.times(global).iter().map(|&time| Ok(time));
    let unchanged = HoldOut {
        key: HoldOutKey::Kernel,
        forecasts: unchanged.collect(),
    };
    let majority = workloads.leave_kernels_out(|rest, left_out| {
        let pays = rest
            .iter()
            .filter(|&&row| pays(workloads, variants, row))
            .count();
        // Any time below or above that of `global` says the sign.
        let factor = if 2 * pays > rest.len() { 0.5 } else { 2.0 };
        let times = workloads.times_of(global, left_out).into_iter();
        Ok(times.map(|time| factor * time).collect())
    })?;
    let right = |hold_out: &HoldOut| {
        let rows = hold_out.forecasts.iter().enumerate();
        let right = rows.filter(|(row, forecast)| {
            let measured = pays(workloads, variants, *row);
            matches!(forecast, Ok(time) if (*time < workloads.times(global)[*row]) == measured)
        });
        let count = workloads.len();
        (count > 0).then(|| right.count() as f64 / count as f64)
    };
    let gain = |(row, forecast): (usize, &Result<f64, _>)| {
        let time = forecast.as_ref().ok()?;
        Some(time / workloads.times(global)[row])
    };
    Ok(PayOff {
        no_change: errors(&dataset, &unchanged),
        sign_right: right(&forecast),
        majority_right: right(&majority),
        gains: forecast.forecasts.iter().enumerate().map(gain).collect(),
        // The error of a gain is that of the time: both are divided by the same measured time.
        forecast: errors(&dataset, &forecast),
    })
}

fn pays(workloads: &Workloads, [global, local]: [usize; 2], row: usize) -> bool {
    workloads.times(local)[row] < workloads.times(global)[row]
}
