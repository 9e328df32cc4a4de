//! Measures the best candidates on this machine.

use std::time::Duration;

use anyhow::{Context, Result};
use kerncast_opencl::DeviceFacts;
use kerncast_suite::{Kernel, Size, load, sizes};
use kerncast_wire::TimeSummary;

use super::{GENERATED, Search, candidates};
use crate::{child, workload::WorkloadKey};

/// Time limit for the repetitions of a variant.
const BUDGET: Duration = Duration::from_secs(3);
/// Time limit of a variant's process.
const LIMIT: Duration = Duration::from_secs(60);

/// Measures the best candidates whose outputs are right, at most `most`, and sorts the fastest first. Returns the
/// seconds of the original variant; none where no candidate is right.
///
/// # Errors
/// A launch fails.
pub(super) fn measure(
    search: &Search<'_>,
    of: &str,
    candidates: &mut [candidates::Candidate],
    most: usize,
) -> Result<Option<f64>> {
    let (children, device) = (search.children, search.device);
    let mut before_s = None;
    for place in candidates::to_measure(candidates, search.options, most) {
        let candidate = &mut candidates[place];
        let kernel = load(&candidate.folder)?.pop();
        let kernel = kernel.context("a folder is a kernel's")?;
        if candidate.is_right(search, of)? {
            let check = candidate.check.as_ref();
            let equal = check.and_then(|it| it.equal.last().cloned());
            let equal = equal.unwrap_or_default();
            let mut all = kernel.sizes.iter();
            let size = all.find(|it| sizes(&it.parameters) == equal);
            let size = size.context("what was run is a size of the launch file")?;
            if before_s.is_none() {
                before_s = Some(time(children, device, &kernel, of, size)?);
            }
            candidate.measured_s = Some(time(children, device, &kernel, GENERATED, size)?);
        }
    }
    candidates.sort_by(|one, other| {
        let time = |it: &candidates::Candidate| it.measured_s.unwrap_or(f64::INFINITY);
        time(one).total_cmp(&time(other))
    });
    Ok(before_s)
}

/// The median time of a variant, in seconds.
fn time(
    children: &child::Children,
    device: &DeviceFacts,
    kernel: &Kernel,
    variant: &str,
    size: &Size,
) -> Result<f64> {
    let job = child::Job::Time {
        launching: child::Launching {
            device: device.index,
            workload: WorkloadKey::new(kernel, variant, &size.parameters),
            outputs: child::Outputs::Ignore,
        },
        budget: BUDGET,
    };
    let timed: child::Timed = children.ask(job, &[], LIMIT)?.value;
    Ok(TimeSummary::of(&timed.times.repetitions_s).median_s)
}
