//! Measures a device itself: its ceilings and its local memory.

use anyhow::Result;
use kerncast_opencl::DeviceFacts;
use kerncast_wire::Agent;

use super::ceilings_upload::{CeilingsUpload, ceilings_in_child};
use crate::{
    child::{Children, Failure},
    client::Client,
    local_memory::{MeasuredPoints, samples},
    measure::Budget,
    spool::{Spool, SpoolError},
};

/// Measures a device's ceilings and stores them in the spool. If that fails it only warns, so that workloads are
/// measured all the same.
pub fn measure_ceilings(
    device: &DeviceFacts,
    agent: &Agent,
    children: &Children,
    budget: &Budget,
    spool: &Spool,
) -> Result<Option<CeilingsUpload>, SpoolError> {
    let name = &device.name;
    say!("{name}: ceilings");
    match ceilings_in_child(device, agent, children, budget) {
        Ok(ceilings) => {
            spool.put_ceilings(&ceilings.ceilings)?;
            Ok(Some(ceilings))
        }
        Err(failure) => {
            say!("warning: {name}: no ceilings: {failure}");
            Ok(None)
        }
    }
}

/// Measures a device's local memory and stores the points in the spool. If measuring fails it only warns, so that
/// workloads are measured all the same.
///
/// # Errors
/// The OpenCL device is gone, or the spool can't be written.
pub fn measure_local_memory(
    device: &DeviceFacts,
    agent: &Agent,
    children: &Children,
    spool: &Spool,
) -> Result<Option<MeasuredPoints>> {
    let name = &device.name;
    say!("{name}: local memory");
    match children.local_memory(device) {
        Ok((measured, conditions)) => {
            for sample in samples(&measured, conditions.as_ref(), agent, device) {
                spool.put_sample(&sample)?;
            }
            Ok(Some(measured))
        }
        Err(failure @ Failure::NoOpenCl(_)) => Err(failure.into()),
        Err(failure) => {
            say!("warning: {name}: no local-memory loads: {failure}");
            Ok(None)
        }
    }
}

/// Whether the server has a device's local-memory loads already; false where it gives no answer.
pub(super) fn has_local_memory(server: &Client, device: &DeviceFacts) -> bool {
    let devices = server.devices().unwrap_or_default();
    let mut devices = devices.iter().map(|it| (it.id, &it.device));
    let same = devices.find(|(_, it)| it.vendor == device.vendor && it.name == device.name);
    same.is_some_and(|(id, _)| server.has_local_memory(id).unwrap_or(false))
}
