//! Memory for fits: as many are made side by side as there is room for.

use tokio::sync::{Semaphore, SemaphorePermit};

const MIB: usize = 1 << 20;
/// What all fits may take together, MiB.
const MOST_MIB: u32 = 512;
/// What a number is taken to need, for the copies that candidates and folds make of it. An estimate, not a measurement.
const BYTES_PER_NUMBER: usize = 1000;

static FREE_MIB: Semaphore = Semaphore::const_new(MOST_MIB as usize);

/// Takes about as much memory as fits to so many samples with so many counters each need, or all that there is, until the
/// permit is dropped.
pub(super) async fn hold_memory(
    samples: usize,
    counters: usize,
) -> Option<SemaphorePermit<'static>> {
    let mib = (samples * counters * BYTES_PER_NUMBER).div_ceil(MIB);
    let mib = u32::try_from(mib).unwrap_or(u32::MAX).clamp(1, MOST_MIB);
    // It is never closed.
    FREE_MIB.acquire_many(mib).await.ok()
}
