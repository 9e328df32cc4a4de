//! `--device`: a device of this machine, by name, short name or number.

use std::cmp::Reverse;

use anyhow::Result;
use kerncast_opencl::{DeviceFacts, DeviceKind};
use kerncast_wire::{short_name, with_platform, with_units};

use crate::{UsageError, child::Failure, device, units::joined};

/// The error for a device that is not here, where none has a similar name: its driver may have gone.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct AbsentDevice(String);

/// The platform of a simulator, which is measured only if it is named.
const SIMULATOR: &str = "Oclgrind";

/// Whether the device is a simulator, whose times mean nothing.
pub fn is_simulator(device: &DeviceFacts) -> bool {
    device.platform == SIMULATOR
}

/// Devices of this name, also with the suffix by which `kerncast devices` distinguishes the same hardware: `EPYC
/// (PoCL)`, `Xeon (PoCL, 2 units)`.
fn with_name<'a>(all: &'a [DeviceFacts], wish: &str) -> Vec<&'a DeviceFacts> {
    let name = wish.trim().to_lowercase();
    let has_suffix = |it: &&DeviceFacts| {
        let by_units = |units| with_units(&it.name, &it.vendor, units).to_lowercase() == name;
        with_platform(&it.name, &it.vendor).to_lowercase() == name
            || it.compute_units.is_some_and(by_units)
    };
    let exact: Vec<&DeviceFacts> = all.iter().filter(has_suffix).collect();
    if exact.is_empty() {
        return device::find_by_name(all, |device| &device.name, wish);
    }
    exact
}

/// All devices but simulators, GPUs first, then by compute units × clock.
fn by_speed(all: &[DeviceFacts]) -> Vec<&DeviceFacts> {
    let mut devices: Vec<&DeviceFacts> = all.iter().filter(|it| !is_simulator(it)).collect();
    devices.sort_by_key(|it| {
        let kind = match it.kind {
            DeviceKind::Gpu => 0,
            DeviceKind::Accelerator => 1,
            DeviceKind::Cpu => 2,
        };
        let [units, mhz] = [it.compute_units, it.clock_mhz].map(|it| u64::from(it.unwrap_or(1)));
        (kind, Reverse(units * mhz))
    });
    devices
}

/// The devices that `wishes` name; without wishes one of each model, GPUs first.
pub fn select(all: &[DeviceFacts], wishes: &[String]) -> Result<Vec<DeviceFacts>> {
    let mut candidates: Vec<&DeviceFacts> = Vec::new();
    for wish in wishes {
        let before = candidates.len();
        match wish.parse::<usize>() {
            Ok(index) => candidates.extend(all.iter().filter(|it| it.index == index)),
            Err(_) => candidates.extend(with_name(all, wish)),
        }
        if candidates.len() == before {
            return Err(no_such_device(all, wish));
        }
    }
    if wishes.is_empty() {
        candidates = by_speed(all);
    }
    let mut selection: Vec<DeviceFacts> = Vec::new();
    for device in candidates {
        let is_same = |it: &DeviceFacts| {
            if wishes.is_empty() {
                (&it.vendor, &it.name) == (&device.vendor, &device.name)
            } else {
                it.index == device.index
            }
        };
        if !selection.iter().any(is_same) {
            selection.push(device.clone());
        }
    }
    Ok(selection)
}

/// The first device of [`select`]. Says which one it is if there are others.
pub fn select_one(all: &[DeviceFacts], wish: Option<&str>) -> Result<DeviceFacts> {
    let wishes: Vec<String> = wish.map(str::to_owned).into_iter().collect();
    let selection = select(all, &wishes)?;
    let [device, others @ ..] = &selection[..] else {
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

/// The devices, unless one is a simulator: these are not measured.
pub fn refuse_simulators(devices: Vec<DeviceFacts>) -> Result<Vec<DeviceFacts>, UsageError> {
    match devices.iter().find(|device| is_simulator(device)) {
        None => Ok(devices),
        Some(DeviceFacts { name, .. }) => Err(UsageError(format!(
            "--device {name}: a simulator's times mean nothing; expected a device"
        ))),
    }
}

fn no_such_device(all: &[DeviceFacts], wish: &str) -> anyhow::Error {
    let numbered = all.iter().map(|it| format!("{}: {}", it.index, it.name));
    let numbered = joined(numbered, ", ");
    let short: Vec<String> = all.iter().map(|device| short_name(&device.name)).collect();
    let names = all.iter().map(|device| device.name.as_str());
    let names = names.chain(short.iter().map(String::as_str));
    let likely = device::suggest_device(wish, names);
    let problem =
        format!("--device {wish}: there is no such device here; there are {numbered}{likely}");
    if likely.is_empty() {
        AbsentDevice(problem).into()
    } else {
        UsageError(problem).into()
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
        let indices = |devices: Vec<DeviceFacts>| Vec::from_iter(devices.iter().map(|it| it.index));
        assert_eq!(indices(select(&all, &[]).expect("some")), [3, 2, 1]);
        assert_eq!(select_one(&all, None).expect("one").index, 3);
        assert_eq!(select_one(&all, Some("pocl")).expect("one").index, 1);
        let both = select(&all, &["h100".to_owned(), "4".to_owned()]);
        assert_eq!(indices(both.expect("two")), [3, 4]);
        assert!(refuse_simulators(select(&all, &["0".to_owned()]).expect("it")).is_err());
    }

    #[test]
    fn another_number_is_no_typo() {
        let all = [device(0, DeviceKind::Gpu, "NVIDIA H200", 132, 1980)];
        let why = |wish| select_one(&all, Some(wish)).expect_err("none").to_string();
        assert!(!why("h100").contains("Did you mean"), "{}", why("h100"));
        assert!(
            why("h20O").contains("Did you mean `H200`?"),
            "{}",
            why("h20O")
        );
    }
}
