//! Device memory within a budget. What is given back is kept for who asks for as much.

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
    /// Bytes, lent and free.
    used: u64,
    free: Vec<Arc<Buffer>>,
}

/// A buffer, lent until it is dropped.
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

    /// `bytes` of device memory that hold anything.
    ///
    /// # Errors
    /// The budget has no room, or the device.
    pub(crate) fn take(&self, what: &'static str, bytes: usize) -> Result<Lease, StreamError> {
        let mut shelf = lock(&self.shelf);
        let same = shelf.free.iter().position(|free| free.bytes() == bytes);
        let buffer = match same {
            Some(place) => shelf.free.swap_remove(place),
            None => {
                let wanted = bytes as u64;
                while shelf.used + wanted > self.budget {
                    let Some(free) = shelf.free.pop() else {
                        return Err(StreamError::Memory {
                            what,
                            needed: shelf.used + wanted,
                            budget: self.budget,
                        });
                    };
                    shelf.used -= free.bytes() as u64;
                }
                let buffer = match self.allocate(bytes) {
                    Err(StreamError::Device(why)) if why.is_out_of_memory() => {
                        let free = std::mem::take(&mut shelf.free);
                        shelf.used -= free.iter().map(|it| it.bytes() as u64).sum::<u64>();
                        drop(free);
                        self.allocate(bytes)?
                    }
                    other => other?,
                };
                shelf.used += wanted;
                buffer
            }
        };
        Ok(Lease {
            buffer,
            shelf: self.shelf.clone(),
        })
    }

    /// Some drivers allocate at the first use.
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
    type Target = Buffer;

    fn deref(&self) -> &Buffer {
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
