//! Nsight Compute's counters that others know by name.

/// The launch's time.
pub const TIME: &str = "gpu__time_duration.sum";

/// A replayed launch's time without the profiler, in the unit of [`TIME`]: to be compared with
/// OpenCL's. Measured by the replay itself, so ncu is not asked for it.
pub const REPLAY_TIME: &str = "replay_time.median";
