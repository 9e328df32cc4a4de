//! `--device`.

use anyhow::Result;
use kerncast_collector::{UsageError, device::meant};
use kerncast_opencl::DeviceFacts;
use kerncast_wire::{short_name, with_platform, with_units, words::did_you_mean};

/// A device that was named is not there, nor one that is called nearly so: its driver may have gone.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct AbsentDevice(String);

/// It is measured only where it is named.
const SIMULATOR: &str = "Oclgrind";

/// Whether its times mean nothing.
pub(super) fn is_simulator(device: &DeviceFacts) -> bool {
    device.platform == SIMULATOR
}

/// Those that are called so, also as `kerncast devices` tells the same hardware apart: `EPYC (PoCL)`,
/// `Xeon (PoCL, 2 units)`.
fn called<'a>(all: &'a [DeviceFacts], wish: &str) -> Vec<&'a DeviceFacts> {
    let wanted = wish.trim().to_lowercase();
    let told_apart = |it: &&DeviceFacts| {
        let by_units = |units| with_units(&it.name, &it.vendor, units).to_lowercase() == wanted;
        with_platform(&it.name, &it.vendor).to_lowercase() == wanted
            || it.compute_units.is_some_and(by_units)
    };
    let found: Vec<&DeviceFacts> = all.iter().filter(told_apart).collect();
    match found.is_empty() {
        true => meant(all, |device| &device.name, wish),
        false => found,
    }
}

/// The devices that were asked for; without a wish the first of each model.
pub(super) fn devices(all: &[DeviceFacts], asked: &[String]) -> Result<Vec<DeviceFacts>> {
    let mut chosen: Vec<DeviceFacts> = Vec::new();
    let wishes = asked.iter().map(|wish| {
        let found: Vec<&DeviceFacts> = match wish.parse::<usize>() {
            Ok(index) => all.iter().filter(|device| device.index == index).collect(),
            Err(_) => called(all, wish),
        };
        if found.is_empty() {
            Err(no_such_device(all, wish))
        } else {
            Ok(found)
        }
    });
    for device in wishes.collect::<Result<Vec<_>, _>>()?.into_iter().flatten() {
        if !chosen.iter().any(|other| other.index == device.index) {
            chosen.push(device.clone());
        }
    }
    if asked.is_empty() {
        for device in all.iter().filter(|device| !is_simulator(device)) {
            let model = |other: &DeviceFacts| {
                (&other.vendor, &other.name) == (&device.vendor, &device.name)
            };
            if !chosen.iter().any(model) {
                chosen.push(device.clone());
            }
        }
    }
    Ok(chosen)
}

/// The same, of which none may be a simulator.
pub(super) fn no_simulators(all: &[DeviceFacts], asked: &[String]) -> Result<Vec<DeviceFacts>> {
    let chosen = devices(all, asked)?;
    match chosen.iter().find(|device| is_simulator(device)) {
        None => Ok(chosen),
        Some(DeviceFacts { name, .. }) => Err(UsageError(format!(
            "--device {name}: a simulator's times mean nothing; expected a device"
        ))
        .into()),
    }
}

fn no_such_device(all: &[DeviceFacts], wish: &str) -> anyhow::Error {
    let known: Vec<String> = all
        .iter()
        .map(|device| format!("{}: {}", device.index, device.name))
        .collect();
    let short: Vec<String> = all.iter().map(|device| short_name(&device.name)).collect();
    let names = all.iter().map(|device| device.name.as_str());
    let names = names.chain(short.iter().map(String::as_str));
    let likely = did_you_mean(wish, names);
    let what = format!(
        "--device {wish}: there is no such device; there are {}{likely}",
        known.join(", ")
    );
    match likely.is_empty() {
        true => AbsentDevice(what).into(),
        false => UsageError(what).into(),
    }
}
