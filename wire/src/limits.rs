//! The largest requests for forecasts that a server takes. Clients split what is larger.

/// Bytes of a body that anybody may send.
pub const MOST_BODY_BYTES: usize = 8 << 20;
/// Counter sets × devices in one request.
pub const MOST_PREDICTIONS: usize = 10_000;
/// Cells of a profiler's file: a line of the widest has every counter of a launch.
pub const MOST_FILE_CELLS: usize = 500_000;
