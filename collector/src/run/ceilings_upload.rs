//! Measures a device's ceilings in a child, for the upload.

use std::time::Duration;

use chrono::Utc;
use kerncast_opencl::DeviceFacts;
use kerncast_wire::{Agent, NewCeilings, Origin};
use uuid::Uuid;

use crate::{
    ceilings::CeilingsReport,
    child,
    device::{provenance, sample_device},
    measure::Budget,
    units::joined,
};

/// Time for all ceilings of a device.
const MOST_TIME: Duration = Duration::from_secs(20);
/// The child is killed after this long. No way is cut short, and the slowest ones compile for seconds.
const CHILD_LIMIT: Duration = Duration::from_secs(60);
/// Ceilings take at most one part in this many of the budget: the workloads come first.
const PART_OF_BUDGET: usize = 4;

/// A device's ceilings, as they are sent, and how they came about.
pub type CeilingsUpload = CeilingsReport<NewCeilings>;

/// Measures a device's ceilings in a child.
///
/// # Errors
/// Nothing could be measured.
pub(super) fn ceilings_in_child(
    device: &DeviceFacts,
    agent: &Agent,
    children: &child::Children,
    budget: &Budget,
) -> Result<CeilingsUpload, child::Failure> {
    let share = budget.share(PART_OF_BUDGET).unwrap_or(MOST_TIME);
    let job = child::ChildJob::Ceilings {
        device: device.index,
        budget: share.min(MOST_TIME),
    };
    let (measured, conditions): child::Observed<CeilingsReport> =
        children.ask(job, &[], CHILD_LIMIT)?.value;
    if measured.ways.is_empty() {
        let reasons = joined(measured.missing.values(), "; ");
        return Err(child::Failure::Refused(reasons));
    }
    Ok(CeilingsUpload {
        ceilings: NewCeilings {
            id: Uuid::now_v7(),
            measured_at: Utc::now(),
            agent: agent.clone(),
            device: sample_device(device),
            ceilings: measured.ceilings,
            conditions,
            provenance: provenance(device),
            origin: Origin::Measured,
        },
        ways: measured.ways,
        missing: measured.missing,
    })
}
