//! Which device streams go through, and the files of what was measured of it.

use std::{
    io,
    path::{Path, PathBuf},
};

use anyhow::Result;
use kerncast_collector::{UsageError, child::Failure, folders};
use kerncast_opencl::{DeviceFacts, OpenClDevice, OpenClError};
use serde::Serialize;

use super::super::choose;

/// By name or number, or the fastest.
pub(in super::super) fn choose(asked: Option<&str>) -> Result<OpenClDevice> {
    let mut all = kerncast_opencl::devices().map_err(absent)?;
    let facts: Vec<DeviceFacts> = all.iter().map(|it| it.facts.clone()).collect();
    let chosen = choose::no_simulators(vec![choose::one(&facts, asked)?])?;
    Ok(all.swap_remove(chosen[0].index))
}

fn absent(why: OpenClError) -> anyhow::Error {
    match why.is_absence() {
        true => Failure::NoOpenCl(why.to_string()).into(),
        false => why.into(),
    }
}

/// Bytes of the device's memory that may be used: as asked, or three quarters.
pub(in super::super) fn memory(device: &OpenClDevice, asked: Option<u64>) -> Result<u64> {
    let has = device.facts.global_memory_bytes;
    let memory = asked.or_else(|| Some(has? / 4 * 3));
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

pub(super) fn keep(rates: &impl Serialize, path: &Path) -> io::Result<()> {
    folders::write(path, &serde_json::to_vec_pretty(rates)?)
}

pub(super) fn path(device: &OpenClDevice, kind: &str) -> Option<PathBuf> {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = device.facts.name.chars().map(plain).collect();
    let folder = folders::cache()?.join("streams");
    Some(folder.join(format!("{name}.{kind}")))
}
