//! The best candidates, measured here.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use kerncast_collector::{
    child::{Children, Job, Launching, Outputs, Timed},
    localize::GENERATED,
    workload::Target,
};
use kerncast_opencl::DeviceFacts;
use kerncast_suite::{Kernel, Size, load, sizes};
use kerncast_wire::TimeSummary;

use super::{
    asked::Asked,
    candidate::{Candidate, to_measure},
};
use crate::cli::choose;

/// Repetitions of a variant go on for so long at most.
const BUDGET: Duration = Duration::from_secs(3);
/// A variant's process may take so long.
const LIMIT: Duration = Duration::from_secs(60);

/// Measures the first candidates that do the same as what they are made of, the fastest then first. Seconds of that; none
/// where no candidate does the same.
///
/// # Errors
/// The device is a simulator, or a launch fails.
pub(super) fn measure(
    asked: &Asked<'_>,
    of: &str,
    candidates: &mut [Candidate],
    most: usize,
) -> Result<Option<f64>> {
    let (children, device) = (asked.children, asked.device);
    if choose::is_simulator(device) {
        bail!(
            "--tune: {} is a simulator: its times mean nothing",
            device.name
        );
    }
    let mut before_s = None;
    for place in to_measure(candidates, asked.wishes, most) {
        let candidate = &mut candidates[place];
        let kernel = load(&candidate.folder)?.pop();
        let kernel = kernel.context("a folder is a kernel's")?;
        if candidate.is_right(children, device, of, &asked.arguments.size)? {
            let checked = candidate.checked.as_ref();
            let equal = checked
                .and_then(|it| it.equal.last().cloned())
                .unwrap_or_default();
            let size = kernel
                .sizes
                .iter()
                .find(|it| sizes(&it.parameters) == equal);
            let size = size.context("what was run is a size of the launch file")?;
            if before_s.is_none() {
                before_s = Some(timed(children, device, &kernel, of, size)?);
            }
            candidate.measured_s = Some(timed(children, device, &kernel, GENERATED, size)?);
        }
    }
    candidates.sort_by(|one, other| {
        let time = |it: &Candidate| it.measured_s.unwrap_or(f64::INFINITY);
        time(one).total_cmp(&time(other))
    });
    Ok(before_s)
}

/// The median, seconds.
fn timed(
    children: &Children,
    device: &DeviceFacts,
    kernel: &Kernel,
    variant: &str,
    size: &Size,
) -> Result<f64> {
    let job = Job::Time {
        launching: Launching {
            device: device.index,
            target: Target {
                folder: kernel.folder.clone(),
                variant: variant.to_owned(),
                parameters: size.parameters.clone(),
            },
            outputs: Outputs::Ignore,
        },
        budget: BUDGET,
    };
    let timed: Timed = children.ask(job, &[], LIMIT)?.value;
    Ok(TimeSummary::of(&timed.times.repetitions_s).median_s)
}
