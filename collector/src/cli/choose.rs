//! `--device`: which of this machine's devices.

use std::cmp::Reverse;

use anyhow::Result;
use kerncast_collector::{
    UsageError,
    child::Failure,
    device::{likely, meant},
};
use kerncast_opencl::{DeviceFacts, DeviceKind};
use kerncast_wire::{short_name, with_platform, with_units};

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

/// GPUs before other devices, the fastest first: by compute units × clock. Simulators are none.
fn ranked(all: &[DeviceFacts]) -> Vec<&DeviceFacts> {
    let mut ranked: Vec<&DeviceFacts> = all.iter().filter(|it| !is_simulator(it)).collect();
    ranked.sort_by_key(|it| {
        let kind = match it.kind {
            DeviceKind::Gpu => 0,
            DeviceKind::Accelerator => 1,
            DeviceKind::Cpu => 2,
        };
        let [units, mhz] = [it.compute_units, it.clock_mhz].map(|it| u64::from(it.unwrap_or(1)));
        (kind, Reverse(units * mhz))
    });
    ranked
}

/// The devices that were asked for; without a wish one of each model, GPUs first.
pub(super) fn devices(all: &[DeviceFacts], asked: &[String]) -> Result<Vec<DeviceFacts>> {
    let mut found: Vec<&DeviceFacts> = Vec::new();
    for wish in asked {
        let before = found.len();
        match wish.parse::<usize>() {
            Ok(index) => found.extend(all.iter().filter(|it| it.index == index)),
            Err(_) => found.extend(called(all, wish)),
        }
        if found.len() == before {
            return Err(no_such_device(all, wish));
        }
    }
    let is_same = |one: &DeviceFacts, other: &DeviceFacts| match asked.is_empty() {
        true => (&one.vendor, &one.name) == (&other.vendor, &other.name),
        false => one.index == other.index,
    };
    if asked.is_empty() {
        found = ranked(all);
    }
    let mut chosen: Vec<DeviceFacts> = Vec::new();
    for device in found {
        if !chosen.iter().any(|it| is_same(it, device)) {
            chosen.push(device.clone());
        }
    }
    Ok(chosen)
}

/// The first of [`devices`]. Where there are others, says which it is.
pub(super) fn one(all: &[DeviceFacts], asked: Option<&str>) -> Result<DeviceFacts> {
    let asked: Vec<String> = asked.map(str::to_owned).into_iter().collect();
    let chosen = devices(all, &asked)?;
    let [device, others @ ..] = &chosen[..] else {
        let none = "there is no device but a simulator, whose times mean nothing";
        return Err(Failure::NoOpenCl(none.to_owned()).into());
    };
    let others = others.iter().map(|it| &*it.name);
    let others: Vec<&str> = others.filter(|it| *it != device.name).collect();
    if !others.is_empty() {
        let (name, others) = (&device.name, others.join(", "));
        say!("on {name}; --device names another: {others}");
    }
    Ok(device.clone())
}

/// For what measures.
pub(super) fn no_simulators(chosen: Vec<DeviceFacts>) -> Result<Vec<DeviceFacts>, UsageError> {
    match chosen.iter().find(|device| is_simulator(device)) {
        None => Ok(chosen),
        Some(DeviceFacts { name, .. }) => Err(UsageError(format!(
            "--device {name}: a simulator's times mean nothing; expected a device"
        ))),
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
    let likely = likely(wish, names);
    let what = format!(
        "--device {wish}: there is no such device here; there are {}{likely}",
        known.join(", ")
    );
    match likely.is_empty() {
        true => AbsentDevice(what).into(),
        false => UsageError(what).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(index: usize, kind: DeviceKind, name: &str, units: u32, mhz: u32) -> DeviceFacts {
        DeviceFacts {
            index,
            vendor: name.to_owned(),
            name: name.to_owned(),
            kind,
            compute_units: Some(units),
            clock_mhz: Some(mhz),
            global_memory_bytes: None,
            local_memory_bytes: None,
            platform: if name == SIMULATOR { name } else { "a driver" }.to_owned(),
            platform_version: String::new(),
            driver_version: String::new(),
            max_work_group_size: 1024,
            max_buffer_bytes: 1 << 30,
            largest_image: None,
            cache_bytes: None,
            uuid: None,
        }
    }

    #[test]
    fn gpus_come_first_and_faster_ones_before_slower_ones() {
        let (cpu, gpu) = (DeviceKind::Cpu, DeviceKind::Gpu);
        let all = [
            device(0, cpu, SIMULATOR, 900, 9000),
            device(1, cpu, "PoCL", 192, 4000),
            device(2, gpu, "T400", 6, 1425),
            device(3, gpu, "H100", 132, 1980),
            device(4, gpu, "H100", 132, 1980),
        ];
        let places = |chosen: Vec<DeviceFacts>| Vec::from_iter(chosen.iter().map(|it| it.index));
        assert_eq!(places(devices(&all, &[]).expect("some")), [3, 2, 1]);
        assert_eq!(one(&all, None).expect("one").index, 3);
        assert_eq!(one(&all, Some("pocl")).expect("one").index, 1);
        let both = devices(&all, &["h100".to_owned(), "4".to_owned()]);
        assert_eq!(places(both.expect("two")), [3, 4]);
        assert!(no_simulators(devices(&all, &["0".to_owned()]).expect("it")).is_err());
    }

    #[test]
    fn another_number_is_no_typo() {
        let all = [device(0, DeviceKind::Gpu, "NVIDIA H200", 132, 1980)];
        let why = |wish| one(&all, Some(wish)).expect_err("none").to_string();
        assert!(!why("h100").contains("Did you mean"), "{}", why("h100"));
        assert!(
            why("h20O").contains("Did you mean `H200`?"),
            "{}",
            why("h20O")
        );
    }
}
