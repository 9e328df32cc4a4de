//! What is carried from chunk to chunk where these are on several devices.

use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use kerncast_opencl::{Buffer, OpenClError};

use super::scan::{Kernels, Scanned};
use crate::pipeline::Launches;

/// How long a device waits until it looks whether another one has failed.
const PATIENCE: Duration = Duration::from_millis(20);

/// What all chunks until one come to.
pub(crate) struct Carried {
    before: Mutex<Before>,
    changed: Condvar,
}

struct Before {
    /// Of which chunk it is what comes before.
    chunk: usize,
    /// An element; none before the first chunk of an inclusive scan.
    value: Option<Vec<u8>>,
}

impl Carried {
    /// With what comes before the first chunk.
    pub(crate) fn new(first: Option<Vec<u8>>) -> Self {
        Self {
            before: Mutex::new(Before {
                chunk: 0,
                value: first,
            }),
            changed: Condvar::new(),
        }
    }

    /// Scans a chunk: tiles are summed at once, and wait then for what the chunk before comes to, on whichever device that is.
    /// Devices take chunks in their order, so the first one that is not done waits for nobody.
    pub(crate) fn launch(
        &self,
        chunk: usize,
        kernels: &mut Kernels,
        scanned: Scanned<'_>,
        [sums, carry]: [&Arc<Buffer>; 2],
        launches: &mut Launches<'_>,
    ) -> Result<(), OpenClError> {
        kernels.sums(&scanned, sums, launches)?;
        let Some(before) = self.wait(chunk, launches) else {
            // Another device has failed, and so has the scan.
            return Ok(());
        };
        let scanned = Scanned {
            carried: before.is_some(),
            ..scanned
        };
        if let Some(value) = &before {
            launches.write(carry, value)?;
        }
        kernels.scan_sums(&scanned, sums, carry, launches)?;
        let mut value = vec![0; carry.bytes()];
        launches.read(carry, &mut value)?;
        *self.lock() = Before {
            chunk: chunk + 1,
            value: Some(value),
        };
        self.changed.notify_all();
        kernels.scan(&scanned, sums, launches)
    }

    fn wait(&self, chunk: usize, launches: &Launches<'_>) -> Option<Option<Vec<u8>>> {
        let mut before = self.lock();
        while before.chunk != chunk {
            if launches.is_stopped() {
                return None;
            }
            let waited = self.changed.wait_timeout(before, PATIENCE);
            before = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        Some(before.value.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Before> {
        self.before.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
