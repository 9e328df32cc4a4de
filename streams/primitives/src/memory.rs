//! Device memory within a budget. Freed buffers are reused for requests of the same size.

use std::{
    ops::Deref,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use kerncast_opencl::{Buffer, Queue};

use crate::StreamError;

/// Buffers of a device, at most `budget` bytes in all.
pub(crate) struct Memory {
    queue: Queue,
    pub(crate) budget: u64,
    shelf: Arc<Mutex<Shelf>>,
}

#[derive(Default)]
struct Shelf {
    /// Bytes of all buffers, leased and free.
    allocated: u64,
    free: Vec<Arc<Buffer>>,
}

/// A buffer that goes back to the shelf when it is dropped.
pub(crate) struct Lease {
    buffer: Arc<Buffer>,
    shelf: Arc<Mutex<Shelf>>,
}

impl Memory {
    pub(crate) fn new(queue: Queue, budget: u64) -> Self {
        Self {
            queue,
            budget,
            shelf: Arc::default(),
        }
    }

    /// `bytes` of device memory with arbitrary contents.
    ///
    /// # Errors
    /// The budget or the device has no room for it.
    pub(crate) fn lease(&self, what: &'static str, bytes: usize) -> Result<Lease, StreamError> {
        let mut shelf = lock(&self.shelf);
        let same = shelf.free.iter().position(|free| free.bytes() == bytes);
        let buffer = match same {
            Some(place) => shelf.free.swap_remove(place),
            None => {
                let needed = bytes as u64;
                while shelf.allocated + needed > self.budget {
                    let Some(free) = shelf.free.pop() else {
                        return Err(StreamError::Memory {
                            what,
                            needed: shelf.allocated + needed,
                            budget: self.budget,
                        });
                    };
                    shelf.allocated -= free.bytes() as u64;
                }
                let buffer = match self.allocate(bytes) {
                    Err(StreamError::Device(why)) if why.is_out_of_memory() => {
                        let free = std::mem::take(&mut shelf.free);
                        shelf.allocated -= free.iter().map(|it| it.bytes() as u64).sum::<u64>();
                        drop(free);
                        self.allocate(bytes)?
                    }
                    other => other?,
                };
                shelf.allocated += needed;
                buffer
            }
        };
        Ok(Lease {
            buffer,
            shelf: self.shelf.clone(),
        })
    }

    /// Allocates a buffer and has the driver provide its memory now: some drivers do so only at the first use.
    fn allocate(&self, bytes: usize) -> Result<Arc<Buffer>, StreamError> {
        let buffer = self.queue.context().buffer(bytes)?;
        self.queue.write_at(&buffer, bytes - 1, &[0])?;
        Ok(Arc::new(buffer))
    }
}

impl Lease {
    pub(crate) fn share(&self) -> Arc<Buffer> {
        self.buffer.clone()
    }
}

impl Deref for Lease {
    type Target = Arc<Buffer>;

    fn deref(&self) -> &Arc<Buffer> {
        &self.buffer
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        lock(&self.shelf).free.push(self.buffer.clone());
    }
}

fn lock(shelf: &Mutex<Shelf>) -> MutexGuard<'_, Shelf> {
    shelf.lock().unwrap_or_else(PoisonError::into_inner)
}
