//! Measures a variant on this machine.

use std::time::Duration;

use anyhow::Result;
use kerncast_opencl::DeviceFacts;
use kerncast_suite::{Kernel, Parameters};
use kerncast_wire::TimeSummary;

use crate::{
    child::{Children, Job, Launching, Outputs, Timed},
    workload::Target,
};

/// Time for the repetitions of a variant.
const REPETITIONS_BUDGET: Duration = Duration::from_secs(3);
/// Time limit of a variant's process.
const PROCESS_LIMIT: Duration = Duration::from_secs(60);

/// The median time of a variant, seconds.
///
/// # Errors
/// The launch fails.
pub(super) fn median_s(
    children: &Children,
    device: &DeviceFacts,
    kernel: &Kernel,
    variant: &str,
    parameters: &Parameters,
) -> Result<f64> {
    let job = Job::Time {
        launching: Launching {
            device: device.index,
            target: Target::new(kernel, variant, parameters),
            outputs: Outputs::Ignore,
        },
        budget: REPETITIONS_BUDGET,
    };
    let timed: Timed = children.ask(job, &[], PROCESS_LIMIT)?.value;
    Ok(TimeSummary::of(&timed.times.repetitions_s).median_s)
}
