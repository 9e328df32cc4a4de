//! Names of the providers that Kerncast itself runs or reads by name.

/// The launch's geometry, beside every other provider's counters.
pub const LAUNCH: &str = "launch";
/// The source alone, by the analyser.
pub const ANALYSIS: &str = "analysis";
/// Oclgrind's simulation.
pub const OCLGRIND: &str = "oclgrind";
/// NVIDIA's Nsight Compute.
pub const NCU: &str = "ncu";
/// NVIDIA's profiler before Nsight Compute.
pub const NVPROF: &str = "nvprof";
/// AMD's rocprofv3.
pub const ROCPROFV3: &str = "rocprofv3";
/// The microbenchmark of local memory (docs/microbenchmark.md): its counts, and how long they took.
pub const LOCAL_MEMORY: &str = "local_memory";
