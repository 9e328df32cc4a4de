//! Transfer rates between pinned host memory and the device.

use super::{
    Way,
    bench::{Bench, LaunchTime, Missing},
};

/// Bytes of a transfer: enough that its start does not count.
const BYTES: usize = 256 << 20;

pub(super) fn to_device(bench: Bench<'_>) -> Result<Vec<Way>, Missing> {
    let bytes = bench.buffer_bytes(BYTES);
    let host = bench.queue.pinned(bytes)?;
    let device = bench.buffer(bytes)?;
    let took = bench.time(|| bench.queue.write(&device, &host))?;
    Ok(vec![way(bytes, took)])
}

pub(super) fn from_device(bench: Bench<'_>) -> Result<Vec<Way>, Missing> {
    let bytes = bench.buffer_bytes(BYTES);
    let mut host = bench.queue.pinned(bytes)?;
    let device = bench.buffer(bytes)?;
    let took = bench.time(|| bench.queue.read(&device, &mut host))?;
    Ok(vec![way(bytes, took)])
}

fn way(bytes: usize, took: LaunchTime) -> Way {
    let rate = took.rate(bytes as f64);
    rate.way(format_args!("pinned, {} MiB", bytes >> 20))
}
