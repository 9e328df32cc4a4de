//! Samples, and the server's verdicts on uploads.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Conditions, Doubt, FieldProblem, Flag, Reasons, Standing, unique_names};

/// A batch of samples, as an agent uploads it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SampleBatch {
    /// 1 to 10,000 samples; each is judged by itself.
    pub samples: Vec<NewSample>,
}

/// One workload measured once on one device: its times and its counters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewSample {
    /// Made by the client, so that sending a sample again is a no-op: a UUID of version 7, or of version 8
    /// where an import makes it of what was measured.
    pub id: Uuid,
    /// When the measurement ended.
    pub measured_at: DateTime<Utc>,
    /// The agent that measured.
    pub agent: Agent,
    /// The device that was measured.
    pub device: Device,
    /// The workload that ran.
    pub workload: Workload,
    /// How long it took, without any profiler.
    pub times: Times,
    /// What each provider counted, by the provider's name: `launch`, `oclgrind`, `ncu`, …
    #[serde(default, deserialize_with = "unique_names::map")]
    pub readings: BTreeMap<String, Reading>,
    /// The device's state while it was timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Conditions>,
    /// What makes its times doubtful.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub flags: BTreeSet<Flag>,
    /// How the sample was made.
    #[serde(default)]
    pub provenance: Provenance,
    /// Where it comes from.
    #[serde(default)]
    pub origin: Origin,
}

/// Where a measurement comes from.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Kerncast's own agent measured it.
    #[default]
    Measured,
    /// Another profiler's file, read by `kerncast import`.
    Imported,
    /// It came with Kerncast: the folder `data/`.
    Shipped,
}

/// An installation of the collector on one machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Agent {
    /// The machine's host name, or what `KERNCAST_AGENT` says.
    #[schema(example = "lab-3")]
    pub name: String,
    /// The collector's version.
    #[schema(example = "0.3.0")]
    pub version: String,
}

/// A model of OpenCL device: `vendor` and `name` identify it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Device {
    /// `CL_PLATFORM_VENDOR`, trimmed.
    #[schema(example = "NVIDIA Corporation")]
    pub vendor: String,
    /// `CL_DEVICE_NAME`, trimmed.
    #[schema(example = "NVIDIA H200")]
    pub name: String,
    /// What OpenCL calls it.
    pub kind: DeviceKind,
    /// `CL_DEVICE_MAX_COMPUTE_UNITS`.
    pub compute_units: Option<u32>,
    /// `CL_DEVICE_GLOBAL_MEM_SIZE`.
    pub global_memory_bytes: Option<u64>,
    /// `CL_DEVICE_LOCAL_MEM_SIZE`.
    pub local_memory_bytes: Option<u64>,
    /// `CL_DEVICE_MAX_WORK_GROUP_SIZE`, work-items.
    pub max_work_group_size: Option<u64>,
    /// `CL_DEVICE_MAX_MEM_ALLOC_SIZE`, of one buffer.
    pub max_buffer_bytes: Option<u64>,
    /// `CL_DEVICE_GLOBAL_MEM_CACHE_SIZE`, of the last cache; absent too where the driver knows of none, or, as NVIDIA's
    /// does, tells the first ones' sum.
    pub cache_bytes: Option<u64>,
}

/// How NVIDIA's OpenCL driver calls its maker.
pub const NVIDIA: &str = "NVIDIA Corporation";
/// Threads of a block, on all of NVIDIA's GPUs since compute capability 2.0 (CUDA C++ Programming Guide, "Technical
/// Specifications per Compute Capability").
const NVIDIAS_WORK_GROUP: u64 = 1024;

impl Device {
    /// The largest work-group, work-items: as the device was described, else as is known of its maker's; none where
    /// nobody knows.
    #[must_use]
    pub fn largest_work_group(&self) -> Option<u64> {
        let of_maker = self.kind == DeviceKind::Gpu && self.vendor == NVIDIA;
        self.max_work_group_size
            .or(of_maker.then_some(NVIDIAS_WORK_GROUP))
    }
}

/// What OpenCL calls a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DeviceKind {
    /// `CL_DEVICE_TYPE_CPU`.
    Cpu,
    /// `CL_DEVICE_TYPE_GPU`.
    Gpu,
    /// `CL_DEVICE_TYPE_ACCELERATOR`, and whatever is neither.
    Accelerator,
}

/// A kernel, a variant of it, and its parameters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Workload {
    /// The kernel's name: its folder's name in the suite.
    #[schema(example = "matmul_float")]
    pub kernel: String,
    /// Siblings that one hold-out fold should leave out together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "dense")]
    pub family: Option<String>,
    /// `global` (no local memory), `local` (with it), or another name.
    #[schema(example = "local")]
    pub variant: String,
    /// The sizes.
    #[serde(default, deserialize_with = "unique_names::map")]
    #[schema(example = json!({"n": 1024}))]
    pub parameters: BTreeMap<String, i64>,
    /// Whether the kernel is one of `kerncast run --generated`: models learn from it and are not judged by it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub generated: bool,
}

/// The timed repetitions of one workload.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Times {
    /// Seconds per launch, one number a repetition, in the order measured; at least one, each above 0.
    #[schema(example = json!([0.00102, 0.00101, 0.00101]))]
    pub repetitions_s: Vec<f64>,
    /// Launches that one repetition averages over (short launches are batched).
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub launches_per_repetition: u32,
    /// Whether the median had settled before the budget ended; absent where nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled: Option<bool>,
    /// Seconds of single launches right after the device's caches were overwritten; the other repetitions
    /// find them warm. Empty where nobody measured it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cold_repetitions_s: Vec<f64>,
}

fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_one(n: &u32) -> bool {
    *n == 1
}

/// What one provider counted, or why it could not: `counters` or `refusal`, not both.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// Counter → number, for the whole launch.
    #[serde(
        default,
        skip_serializing_if = "BTreeMap::is_empty",
        deserialize_with = "unique_names::map"
    )]
    #[schema(example = json!({"load_global": 2097152, "store_global": 1048576}))]
    pub counters: BTreeMap<String, f64>,
    /// What part of the launch was counted.
    #[serde(default)]
    pub scope: Scope,
    /// Why this provider has no counters here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
}

/// What part of a launch a provider counted. The counters always speak of the whole launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Every work-group.
    #[default]
    Full,
    /// The first and the last work-group, scaled to the number of work-groups.
    FirstAndLastGroup,
    /// Some work-groups, of all kinds, that stand for the others.
    SampledGroups,
    /// A smaller size of the same kernel.
    ReducedSize,
}

/// How a sample was made. All of it optional: an upload from another tool may know little.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Provenance {
    /// SHA-256 of the kernel's sources and launch file, hexadecimal.
    pub source_hash: Option<String>,
    /// Options given to `clBuildProgram`.
    pub build_options: Option<String>,
    /// `CL_DRIVER_VERSION`.
    pub driver_version: Option<String>,
    /// `CL_PLATFORM_VERSION`.
    pub platform_version: Option<String>,
    /// Other tools and their versions.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tools: BTreeMap<String, String>,
}

/// What the server answers to a batch: one verdict a sample, in the batch's order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BatchVerdict {
    /// Samples that are new and durably stored.
    pub stored: u32,
    /// Samples that the server already had.
    pub repeated: u32,
    /// Samples that it refused.
    pub rejected: u32,
    /// One a sample.
    pub verdicts: Vec<SampleVerdict>,
}

/// The server's verdict on one sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SampleVerdict {
    /// The sample's place in the batch, from 0.
    pub index: u32,
    /// Its id, where it could be read. A shipped sample gets a new one where another sample has its own.
    pub id: Option<Uuid>,
    /// What became of it.
    pub verdict: Verdict,
    /// Why it was rejected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<FieldProblem>,
}

/// What became of an uploaded sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// New, and durably stored.
    Stored,
    /// Already there: nothing changed.
    Repeated,
    /// Refused; the problems say why.
    Rejected,
}

/// A stored sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Sample {
    /// As it was uploaded.
    #[serde(flatten)]
    pub sample: NewSample,
    /// When the server stored it.
    pub received_at: DateTime<Utc>,
    /// The id of the token that brought it; absent: an earlier server stored it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<i64>,
    /// Its times in four numbers.
    pub time: TimeSummary,
    /// Whether it may be learned from.
    #[serde(default)]
    pub standing: Standing,
    /// Why the gate or an admin says so; absent where it is sound or unjudged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standing_reason: Option<String>,
    /// The same where the gate says so, as kinds with their numbers; absent where an admin does, or it is sound.
    #[serde(default, skip_serializing_if = "Reasons::is_empty")]
    #[schema(value_type = Vec<Doubt>)]
    pub standing_doubts: Reasons<Doubt>,
    /// Which admin says so: what the token is called, or `command line`; absent: the gate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standing_by: Option<String>,
}

/// Repetitions in four numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TimeSummary {
    /// Fastest repetition, seconds.
    pub min_s: f64,
    /// Median repetition, seconds: what models are fitted to.
    pub median_s: f64,
    /// Number of repetitions.
    pub n: u32,
    /// Coefficient of variation: standard deviation (n − 1) ÷ mean; absent for one repetition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cv: Option<f64>,
}

impl TimeSummary {
    /// The summary of repetitions (seconds).
    ///
    /// # Panics
    /// Where there is none.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "at most 100,000 repetitions")]
    pub fn of(repetitions: &[f64]) -> Self {
        let mut sorted = repetitions.to_vec();
        sorted.sort_by(f64::total_cmp);
        let n = sorted.len();
        let mean = sorted.iter().sum::<f64>() / n as f64;
        let square = |time: &f64| ((time - mean) / mean).powi(2);
        let squares: f64 = sorted.iter().map(square).sum();
        Self {
            min_s: sorted[0],
            median_s: f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2]),
            n: u32::try_from(n).unwrap_or(u32::MAX),
            cv: (n > 1).then(|| (squares / (n - 1) as f64).sqrt()),
        }
    }
}
