//! NVIDIA's devices by NVML, which comes with their driver and is loaded at run time.

use std::{collections::BTreeSet, ffi::OsStr};

use kerncast_opencl::DeviceFacts;
use nvml_wrapper::{
    Device, Nvml,
    bitmasks::device::ThrottleReasons,
    enum_wrappers::device::{Clock, TemperatureSensor},
    error::NvmlError,
};
use thiserror::Error;

use super::Snapshot;
use crate::device::NVIDIA;

/// The library's name; containers have it by this name only.
const LIBRARY: &str = "libnvidia-ml.so.1";

/// Why a device's conditions are absent.
#[expect(missing_docs, reason = "their messages say it")]
#[derive(Debug, Error)]
pub enum NoConditions {
    #[error("only NVIDIA's devices tell their clocks so far")]
    Vendor,
    #[error("NVML, of NVIDIA's driver: {0}")]
    Nvml(#[from] NvmlError),
    #[error("NVML does not know which of its {0} devices is OpenCL's {1}")]
    NoSuch(u32, String),
}

/// A device that NVML knows.
pub(super) struct Nvidia {
    nvml: Nvml,
    index: u32,
}

impl Nvidia {
    /// Opens the device with the same UUID. Without a UUID, the device with the same name, if there is only one.
    pub(super) fn open(facts: &DeviceFacts) -> Result<Self, NoConditions> {
        if facts.vendor != NVIDIA {
            return Err(NoConditions::Vendor);
        }
        let nvml = Nvml::builder().lib_path(OsStr::new(LIBRARY)).init()?;
        let count = nvml.device_count()?;
        let is_it = |device: &Device<'_>| match facts.uuid {
            Some(uuid) => device.uuid().is_ok_and(|its| its == nvml_uuid(uuid)),
            None => device.name().is_ok_and(|its| its == facts.name),
        };
        let is_number = |index: &u32| {
            nvml.device_by_index(*index)
                .is_ok_and(|device| is_it(&device))
        };
        let numbers: Vec<u32> = (0..count).filter(is_number).collect();
        match numbers[..] {
            [index] => Ok(Self { nvml, index }),
            _ => Err(NoConditions::NoSuch(count, facts.name.clone())),
        }
    }

    pub(super) fn version(&self) -> String {
        let version = self.nvml.sys_nvml_version();
        format!("NVML {}", version.as_deref().unwrap_or("?"))
    }

    /// The percentage of recent time in which the device computed; none where it does not tell.
    pub(super) fn utilization_percent(&self) -> Option<u32> {
        let device = self.nvml.device_by_index(self.index).ok()?;
        Some(device.utilization_rates().ok()?.gpu)
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        let Ok(device) = self.nvml.device_by_index(self.index) else {
            return Snapshot::default();
        };
        let processes = device.running_compute_processes().ok();
        Snapshot {
            compute_clock_mhz: device.clock_info(Clock::SM).ok().map(f64::from),
            memory_clock_mhz: device.clock_info(Clock::Memory).ok().map(f64::from),
            temperature_c: device
                .temperature(TemperatureSensor::Gpu)
                .ok()
                .map(f64::from),
            power_w: device
                .power_usage()
                .ok()
                .map(|milliwatts| f64::from(milliwatts) / 1e3),
            throttle_reasons: device.current_throttle_reasons().ok().map(names),
            processes: processes.map(|all| all.into_iter().map(|process| process.pid).collect()),
        }
    }
}

/// A UUID as NVML and CUDA write it: `GPU-6b2f1c3e-…`.
fn nvml_uuid(uuid: [u8; 16]) -> String {
    format!("GPU-{}", uuid::Uuid::from_bytes(uuid))
}

/// The names of throttle reasons, without idleness: a look may fall between two launches.
fn names(reasons: ThrottleReasons) -> BTreeSet<String> {
    (reasons - ThrottleReasons::GPU_IDLE)
        .iter_names()
        .map(|(name, _)| name.to_lowercase())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_called_as_nvml_calls_them() {
        let named = |reasons| names(reasons).into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!(named(ThrottleReasons::NONE), "");
        assert_eq!(named(ThrottleReasons::GPU_IDLE), "");
        let all = "applications_clocks_setting display_clock_setting hw_power_brake_slowdown \
                   hw_slowdown hw_thermal_slowdown sw_power_cap sw_thermal_slowdown sync_boost";
        assert_eq!(named(ThrottleReasons::all()), all);
    }

    #[test]
    fn a_uuid_is_written_as_nvml_writes_it() {
        let bytes = std::array::from_fn(|place| u8::try_from(place * 17).unwrap());
        assert_eq!(nvml_uuid(bytes), "GPU-00112233-4455-6677-8899-aabbccddeeff");
    }
}
