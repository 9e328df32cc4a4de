//! A GPU's data sheet.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{Device, DeviceKind, NVIDIA};

/// The facts that a GPU's times depend on, by its data sheet and its architecture's tables. With them a model of another
/// GPU forecasts this one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Facts {
    /// Its name, as the driver says it.
    #[schema(example = "NVIDIA GeForce RTX 4090")]
    pub name: String,
    /// NVIDIA's compute capability.
    #[schema(example = "8.9")]
    pub architecture: String,
    /// Number of multiprocessors.
    pub multiprocessors: u32,
    /// Clock of busy multiprocessors, MHz.
    pub clock_mhz: f64,
    /// Memory bandwidth, 10⁹ bytes a second.
    pub dram_gb_per_s: f64,
    /// The last cache, KiB.
    pub l2_kib: u32,
    /// Memory, GiB.
    pub memory_gib: u32,
    /// Power at most, watts.
    pub watts: f64,
    /// Where these figures come from.
    pub source: String,
    /// What a multiprocessor does in a cycle.
    pub per_cycle: PerCycle,
    /// What a multiprocessor holds at once.
    pub holds: Holds,
}

/// Results of work-items that a multiprocessor has in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PerCycle {
    /// Single-precision results.
    pub fp32: f64,
    /// Double-precision results.
    pub fp64: f64,
    /// 32-bit integer results.
    pub int32: f64,
    /// Results of special functions, such as a reciprocal.
    pub special: f64,
}

/// What a multiprocessor holds at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Holds {
    /// Most warps.
    pub warps: u32,
    /// Most work-groups.
    pub work_groups: u32,
    /// Local memory, KiB.
    pub local_kib: u32,
    /// What the first cache and local memory share, KiB.
    pub l1_kib: u32,
}

impl Facts {
    /// Schedulers of a multiprocessor, each with its own warps: since Maxwell (CUDA C++ programming guide, compute
    /// capabilities).
    pub const SCHEDULERS: f64 = 4.0;

    /// The GPU as samples would have it.
    #[must_use]
    pub fn device(&self) -> Device {
        let bytes = u64::from(self.memory_gib) << 30;
        Device {
            vendor: NVIDIA.to_owned(),
            name: self.name.clone(),
            kind: DeviceKind::Gpu,
            compute_units: Some(self.multiprocessors),
            global_memory_bytes: Some(bytes),
            local_memory_bytes: Some(48 << 10),
            max_work_group_size: Some(1024),
            max_buffer_bytes: Some(bytes / 4),
            cache_bytes: None,
        }
    }
}

/// A GPU that nobody here has measured, forecast by the models of another one that were told its [`Facts`].
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Unmeasured {
    /// Its name.
    pub gpu: String,
    /// The id of the device whose models answer.
    pub like: i64,
    /// The short name of that device.
    pub like_name: String,
    /// Whether both are of one architecture.
    pub same_architecture: bool,
    /// Seconds on that device, where the forecast starts from them: both are of one architecture, and the time was
    /// measured there. The forecast is then this × the models' forecast of the GPU ÷ theirs of the device.
    pub measured_there_s: Option<f64>,
}
