//! What OpenCL knows of a device, as samples and launch files say it.

use kerncast_opencl::{DeviceFacts, DeviceKind};
use kerncast_suite::{ImageLimits, Limits};
use kerncast_wire as wire;

/// How NVIDIA's OpenCL driver calls its maker.
pub const NVIDIA: &str = "NVIDIA Corporation";
/// How AMD's does.
pub const AMD: &str = "Advanced Micro Devices, Inc.";

/// The device that samples are of.
pub fn sampled(facts: &DeviceFacts) -> wire::Device {
    wire::Device {
        vendor: facts.vendor.clone(),
        name: facts.name.clone(),
        kind: kind(facts),
        compute_units: facts.compute_units,
        global_memory_bytes: facts.global_memory_bytes,
        local_memory_bytes: facts.local_memory_bytes,
    }
}

/// The kind of device that launch files have sizes for.
pub fn kind(facts: &DeviceFacts) -> wire::DeviceKind {
    match facts.kind {
        DeviceKind::Cpu => wire::DeviceKind::Cpu,
        DeviceKind::Gpu => wire::DeviceKind::Gpu,
        DeviceKind::Accelerator => wire::DeviceKind::Accelerator,
    }
}

/// What a launch must keep to.
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
