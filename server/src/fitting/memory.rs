//! Memory for fits: as many are made side by side as there is room for.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

const MIB: usize = 1 << 20;

/// What all fits may take together.
#[derive(Clone, Debug)]
pub struct Memory {
    free: Arc<Semaphore>,
    all: u32,
}

impl Memory {
    /// Memory of so many MiB.
    #[must_use]
    pub fn from_mib(all: u32) -> Self {
        // Tokio's semaphores have at least 2²⁹ permits.
        let all = all.clamp(1, 1 << 28);
        Self {
            free: Arc::new(Semaphore::new(all as usize)),
            all,
        }
    }

    /// Takes about as much memory as fits to so many samples with so many counters each need, or all that there is,
    /// until the permit is dropped.
    pub(super) async fn hold(
        &self,
        (rows, columns): (usize, usize),
    ) -> Option<OwnedSemaphorePermit> {
        let mib = bytes(rows, columns).div_ceil(MIB);
        let mib = u32::try_from(mib).unwrap_or(u32::MAX).clamp(1, self.all);
        // It is never closed.
        Arc::clone(&self.free).acquire_many_owned(mib).await.ok()
    }
}

/// What fits to so many rows are taken to need: a thousand bytes for each number, for the copies that candidates and folds
/// make of them. An estimate, not a measurement.
fn bytes(rows: usize, columns: usize) -> usize {
    rows * columns * 1000
}
