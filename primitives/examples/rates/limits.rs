//! What streams are held against: the bus as it is in the same run, and the host's memory that there was before.

use std::fs;

use kerncast_opencl::OpenClDevice;
use kerncast_primitives::{Move, Report, bus};
use serde_json::json;

use crate::{Done, say};

/// Enough for a bus of 60 GB/s to be measured.
const LENGTH: usize = 1 << 30;

/// What the bus does, told as a line.
pub(crate) fn limit(device: &OpenClDevice, most: u64) -> Done<Move> {
    let limit = bus(device, LENGTH.min(usize::try_from(most)?))?;
    let rate = |line: kerncast_primitives::Line| line.bytes_per_s * 1e-9;
    say(&json!({
        "what": "bus", "GB_per_s_in": rate(limit.to_device), "GB_per_s_out": rate(limit.from_device),
        "GB_per_s_both": rate(limit.both),
    }))?;
    Ok(limit)
}

/// Of each trip, the least time that its bytes take the bus, as a share of what the trip took.
pub(crate) fn shares(report: &Report, limit: &Move) -> Vec<f64> {
    let trips = report.trips.iter().map(|it| {
        let (there, back) = (it.bytes_in as f64, it.bytes_out as f64);
        let there_s = there / limit.to_device.bytes_per_s;
        let back_s = back / limit.from_device.bytes_per_s;
        // Both at once share the bus only while both last.
        let both_s = 2.0 * there.min(back) / limit.both.bytes_per_s;
        there_s.max(back_s).max(both_s) / it.seconds
    });
    trips.collect()
}

/// This process's memory that is in use, and the most since the last call, bytes; none where there is no /proc.
pub(crate) fn memory() -> Option<[u64; 2]> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let of = |name: &str| {
        let line = status.lines().find_map(|it| it.strip_prefix(name))?;
        let kib: u64 = line.trim().trim_end_matches(" kB").parse().ok()?;
        Some(kib << 10)
    };
    let found = [of("VmRSS:")?, of("VmHWM:")?];
    fs::write("/proc/self/clear_refs", "5").ok()?;
    Some(found)
}
