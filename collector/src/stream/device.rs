//! The device of streams, the part of its memory that they may use, and the files with its rates.

use std::{
    io,
    path::{Path, PathBuf},
};

use anyhow::Result;
use kerncast_opencl::{DeviceFacts, OpenClDevice};
use serde::Serialize;

use crate::{UsageError, child::Failure, device_choice::local, folders};

/// The device of this name or number; without one the fastest.
pub fn select_device(wish: Option<&str>) -> Result<OpenClDevice> {
    let devices = kerncast_opencl::devices();
    let mut devices = devices.map_err(|error| -> anyhow::Error {
        if error.is_absence() {
            Failure::NoOpenCl(error.to_string()).into()
        } else {
            error.into()
        }
    })?;
    let facts: Vec<DeviceFacts> = devices.iter().map(|it| it.facts.clone()).collect();
    let selection = local::refuse_simulators(vec![local::select_one(&facts, wish)?])?;
    Ok(devices.swap_remove(selection[0].index))
}

/// Bytes of the device's memory that may be used: `limit`, or three quarters of it.
///
/// # Errors
/// The limit is more than the device has, or is missing for a device that does not say how much it has.
pub fn memory_limit(device: &OpenClDevice, limit: Option<u64>) -> Result<u64> {
    let has = device.facts.global_memory_bytes;
    let memory = limit.or_else(|| Some(has? / 4 * 3));
    let memory = memory.ok_or_else(|| {
        let name = &device.facts.name;
        UsageError(format!(
            "--device-memory is missing; expected bytes, as {name} does not say how many it has"
        ))
    })?;
    match has {
        Some(has) if memory > has => Err(UsageError(format!(
            "--device-memory {memory}: {} has {has} bytes; expected no more",
            device.facts.name
        ))
        .into()),
        _ => Ok(memory),
    }
}

pub(super) fn write(content: &impl Serialize, path: &Path) -> io::Result<()> {
    folders::write(path, &serde_json::to_vec_pretty(content)?)
}

/// The path of the file with this extension for this device; none where no cache folder is known.
pub(super) fn path(device: &str, extension: &str) -> Option<PathBuf> {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = device.chars().map(plain).collect();
    let folder = folders::cache()?.join("streams");
    Some(folder.join(format!("{name}.{extension}")))
}
