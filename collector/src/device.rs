//! A device as OpenCL, samples, launch files and people describe it.

use kerncast_opencl::{DeviceFacts, DeviceKind};
use kerncast_suite::{ImageLimits, Limits, Size};
pub use kerncast_wire::NVIDIA;
use kerncast_wire::{self as wire, short_name, words::did_you_mean};

/// The vendor name of AMD's OpenCL platforms.
pub const AMD: &str = "Advanced Micro Devices, Inc.";

/// The device as samples describe it.
pub fn sample_device(facts: &DeviceFacts) -> wire::Device {
    // Whoever knows no limit says 0, or the largest number that there is.
    let limit = |most: u64| Some(most).filter(|&most| most > 0 && i64::try_from(most).is_ok());
    wire::Device {
        vendor: facts.vendor.clone(),
        name: facts.name.clone(),
        kind: kind(facts),
        compute_units: facts.compute_units,
        global_memory_bytes: facts.global_memory_bytes,
        local_memory_bytes: facts.local_memory_bytes,
        max_work_group_size: limit(facts.max_work_group_size as u64),
        max_buffer_bytes: limit(facts.max_buffer_bytes),
        // NVIDIA's driver tells the sum of the multiprocessors' first caches, 4 MB of an H200 whose last one has 60.
        cache_bytes: facts
            .cache_bytes
            .filter(|_| facts.vendor != NVIDIA)
            .and_then(limit),
    }
}

/// The provenance of what the device's present driver gives.
pub fn provenance(facts: &DeviceFacts) -> wire::Provenance {
    wire::Provenance {
        driver_version: Some(facts.driver_version.clone()),
        platform_version: Some(facts.platform_version.clone()),
        ..wire::Provenance::default()
    }
}

/// The kind of the device, as launch files name it.
pub fn kind(facts: &DeviceFacts) -> wire::DeviceKind {
    match facts.kind {
        DeviceKind::Cpu => wire::DeviceKind::Cpu,
        DeviceKind::Gpu => wire::DeviceKind::Gpu,
        DeviceKind::Accelerator => wire::DeviceKind::Accelerator,
    }
}

/// Whether the launch file has the size for devices of this kind.
pub fn is_for(size: &Size, kind: wire::DeviceKind) -> bool {
    size.on.is_empty() || size.on.contains(&kind)
}

/// Limits that the device sets to a launch.
pub fn limits(facts: &DeviceFacts) -> Limits {
    Limits {
        work_group_items: facts.max_work_group_size as u64,
        buffer_bytes: facts.max_buffer_bytes,
        global_bytes: facts.global_memory_bytes.unwrap_or(u64::MAX),
        local_bytes: facts.local_memory_bytes.unwrap_or(u64::MAX),
        images: facts
            .largest_image
            .map(|[width, height]| ImageLimits { width, height }),
    }
}

/// Limits of a device that need not be here; an unknown limit counts as none.
pub fn known_limits(device: &wire::Device) -> Limits {
    let most = |limit: Option<u64>| limit.unwrap_or(u64::MAX);
    Limits {
        work_group_items: most(device.largest_work_group()),
        buffer_bytes: most(device.max_buffer_bytes),
        global_bytes: most(device.global_memory_bytes),
        local_bytes: most(device.local_memory_bytes),
        images: Some(ImageLimits {
            width: u64::MAX,
            height: u64::MAX,
        }),
    }
}

/// The items of `all` whose full or short name is `wish`; if there are none, those whose name contains it. Case is
/// ignored.
pub fn find_by_name<'a, T>(all: &'a [T], name: impl Fn(&T) -> &str, wish: &str) -> Vec<&'a T> {
    let wish = wish.trim().to_lowercase();
    let is_whole = |it: &&T| {
        let name = name(it);
        name.to_lowercase() == wish || short_name(name).to_lowercase() == wish
    };
    let whole: Vec<&T> = all.iter().filter(is_whole).collect();
    if !whole.is_empty() {
        return whole;
    }
    let has_part = |it: &&T| name(it).to_lowercase().contains(&wish);
    all.iter().filter(has_part).collect()
}

/// `. Did you mean …?` of names of devices. One with another number is another device: `H100` is no spelling of `H200`.
pub fn suggest_device<'a>(wish: &str, names: impl Iterator<Item = &'a str>) -> String {
    let is_other = |name: &&str| {
        let differ = wish.chars().zip(name.chars());
        let mut differ = differ.filter(|(one, other)| !one.eq_ignore_ascii_case(other));
        wish.len() == name.len()
            && differ.all(|(one, other)| one.is_ascii_digit() && other.is_ascii_digit())
    };
    did_you_mean(wish, names.filter(|it| !is_other(it)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gpu_that_nobody_described_has_its_makers_largest_work_group() {
        let device = |vendor: &str, kind, most| wire::Device {
            vendor: vendor.to_owned(),
            name: "A GPU".to_owned(),
            kind,
            compute_units: None,
            global_memory_bytes: None,
            local_memory_bytes: None,
            max_work_group_size: most,
            max_buffer_bytes: None,
            cache_bytes: None,
        };
        let largest = |device| known_limits(&device).work_group_items;
        let gpu = wire::DeviceKind::Gpu;
        assert_eq!(largest(device(NVIDIA, gpu, None)), 1024);
        assert_eq!(largest(device(NVIDIA, gpu, Some(512))), 512);
        assert_eq!(largest(device(AMD, gpu, None)), u64::MAX);
        assert_eq!(
            largest(device(NVIDIA, wire::DeviceKind::Cpu, None)),
            u64::MAX
        );
    }

    #[test]
    fn a_whole_name_goes_before_a_part_of_others() {
        let all = ["NVIDIA H200", "NVIDIA H200 NVL", "NVIDIA A100"];
        let find_by_name = |wish| find_by_name(&all, |name| name, wish);
        assert_eq!(find_by_name("h200"), [&"NVIDIA H200"]);
        assert_eq!(find_by_name("nvidia h200 nvl"), [&"NVIDIA H200 NVL"]);
        assert_eq!(find_by_name("NVIDIA").len(), 3);
        assert!(find_by_name("v100").is_empty());
    }
}
