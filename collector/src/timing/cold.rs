//! Times launches whose data is not in the device's caches.

use std::time::{Duration, Instant};

use kerncast_opencl::{DeviceFacts, DeviceKind, Function, OpenClError, Queue};

use super::seconds;
use crate::{PreparedLaunch, RunError};

/// The most cold launches: they only show what the caches bring, and the warm median counts.
const MOST_LAUNCHES: usize = 5;
/// The kernel that overwrites the caches. A fill command would not do: every compute unit has its own caches, and CPU
/// drivers fill from one of them.
const SOURCE: &str = "kernel void overwrite(global uint4 *all) { all[get_global_id(0)] += 1; }";
const ITEM_BYTES: usize = 16;
const GROUP: usize = 64;

/// Seconds of a few single launches, each after the device's caches were overwritten, for as long as `budget` lasts.
/// Empty where a launch, which takes `warm` seconds, would not end within it, where the driver knows of no cache, or
/// where memory is full.
///
/// # Errors
/// OpenCL fails, or the device's timer stands still.
pub fn cold(
    prepared: &PreparedLaunch,
    facts: &DeviceFacts,
    warm: f64,
    budget: Duration,
) -> Result<Vec<f64>, RunError> {
    let start = Instant::now();
    let bytes = bytes_to_overwrite(facts).filter(|_| warm < budget.as_secs_f64());
    let caches = bytes.and_then(|bytes| Caches::new(prepared.queue(), bytes).ok());
    let Some(caches) = caches else {
        return Ok(Vec::new());
    };
    let mut times = Vec::new();
    while times.is_empty() || (times.len() < MOST_LAUNCHES && start.elapsed() < budget) {
        prepared.refill()?;
        caches.overwrite(prepared.queue())?;
        let (start, end) = prepared.launch()?.start_and_end()?;
        times.push(seconds(end.saturating_sub(start), 1)?);
    }
    Ok(times)
}

/// Bytes that overwrite the caches: many on a GPU, which writes fast; fewer on a CPU, whose memory is slower.
fn bytes_to_overwrite(facts: &DeviceFacts) -> Option<usize> {
    let cache = facts.cache_bytes?;
    let bytes = match facts.kind {
        DeviceKind::Gpu => cache.saturating_mul(4).max(256 << 20),
        DeviceKind::Cpu | DeviceKind::Accelerator => cache.saturating_mul(2),
    };
    let quarter = facts.global_memory_bytes.map_or(u64::MAX, |all| all / 4);
    usize::try_from(bytes.min(quarter).min(facts.max_buffer_bytes)).ok()
}

/// A buffer that displaces a workload's data from the caches.
struct Caches {
    function: Function,
    items: usize,
}

impl Caches {
    fn new(queue: &Queue, bytes: usize) -> Result<Self, OpenClError> {
        let items = (bytes / ITEM_BYTES).next_multiple_of(GROUP);
        let context = queue.context();
        let mut function = context.build(SOURCE, "")?.function("overwrite")?;
        let all = context.buffer(items * ITEM_BYTES)?;
        // A CPU's pages are there once they are written. Left to the kernel, each would first be read as a page of
        // zeros that all share, then be copied, and every core be told so: seconds in place of a fraction of one.
        queue.fill(&all, 0, &[])?.wait()?;
        function.set_buffer(0, all.into())?;
        Ok(Self { function, items })
    }

    fn overwrite(&self, queue: &Queue) -> Result<(), OpenClError> {
        queue.launch(&self.function, &[self.items], &[GROUP], &[])?;
        queue.finish()
    }
}
