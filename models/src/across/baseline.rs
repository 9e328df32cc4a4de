use super::{AcrossError, Workloads, folds::weights, weighted_median::weighted_median};
use crate::HoldOut;

/// The plainest forecast across devices, where no ceilings are known: the source's time times the median
/// ratio of the two devices' times over the other kernels, each kernel counted once.
///
/// # Errors
/// None of its own.
///
/// # Panics
/// Where there is no such device.
pub fn by_median_ratio(
    workloads: &Workloads,
    [source, target]: [usize; 2],
) -> Result<HoldOut, AcrossError> {
    workloads.leave_kernels_out(|rest, left_out| {
        let times = workloads.times_of(source, rest).into_iter();
        let times = times.zip(workloads.times_of(target, rest));
        let ratios: Vec<f64> = times.map(|(source, target)| target / source).collect();
        let ratio = weighted_median(&ratios, &weights(&workloads.kernels_of(rest)));
        let sources = workloads.times_of(source, left_out).into_iter();
        Ok(sources.map(|time| time * ratio).collect())
    })
}
