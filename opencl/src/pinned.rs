//! Pinned host memory, which the device reads and writes directly.

use std::{
    mem::{self, MaybeUninit},
    ops::{Deref, DerefMut, Range},
    ptr::{self, NonNull},
    slice,
    sync::{
        Arc,
        atomic::{Ordering, fence},
    },
    thread,
};

use opencl3::{
    memory::{CL_MAP_READ, CL_MAP_WRITE, CL_MEM_ALLOC_HOST_PTR, CL_MEM_READ_WRITE, ClMem},
    types::{CL_BLOCKING, CL_NON_BLOCKING},
};

use super::{Buffer, ErrorContext, Event, OpenClError, Queue};

/// The fewest bytes that are worth a thread.
const SMALLEST_SHARE: usize = 16 << 20;

/// Host memory, allocated by the driver (`CL_MEM_ALLOC_HOST_PTR`) and mapped as long as it or a part of it lives.
///
/// # Panics
/// Its bytes are used while there are [parts](Self::parts) of it, which may have another owner.
pub struct Pinned {
    /// The start of `bytes` initialised bytes; nobody else uses them, except through parts.
    mapped: NonNull<u8>,
    bytes: usize,
    /// The reference count of this memory: each of its parts holds one more.
    parts: Arc<()>,
    /// The `parts` of the memory that this is a part of.
    _part_of: Option<Arc<()>>,
    memory: Arc<Mapping>,
}

/// A mapped buffer; it is unmapped when its last user is dropped.
struct Mapping {
    mapped: NonNull<u8>,
    buffer: opencl3::memory::Buffer<u8>,
    /// The queue that maps and unmaps it.
    queue: Queue,
}

/// An enqueued transfer from or to pinned memory. It owns the memory until the transfer has ended; dropping it waits
/// for that.
pub struct Transfer {
    event: Event,
    pinned: Option<Pinned>,
}

impl Queue {
    /// Pinned host memory of `bytes` bytes, all 0.
    ///
    /// # Errors
    /// There is too little memory, for one.
    #[expect(
        unsafe_code,
        reason = "no host pointer is handed over; what was mapped is as long as the buffer"
    )]
    pub fn pinned(&self, bytes: usize) -> Result<Pinned, OpenClError> {
        let action = format!("{bytes} bytes of pinned host memory");
        let flags = CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR;
        let context = self.context().inner();
        let buffer = unsafe {
            opencl3::memory::Buffer::<u8>::create(context, flags, bytes, ptr::null_mut())
        };
        let buffer = buffer.when(&action)?;
        let (flags, mut mapped) = (CL_MAP_READ | CL_MAP_WRITE, ptr::null_mut());
        unsafe {
            self.inner
                .enqueue_map_buffer(&buffer, CL_BLOCKING, flags, 0, bytes, &mut mapped, &[])
        }
        .when(&action)?;
        let mapped = NonNull::new(mapped.cast::<u8>()).expect("a map that succeeded is somewhere");
        // Its pages come with the first touch.
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let all =
            unsafe { slice::from_raw_parts_mut(mapped.as_ptr().cast::<MaybeUninit<u8>>(), bytes) };
        thread::scope(|scope| {
            for part in all.chunks_mut(bytes.div_ceil(threads).max(SMALLEST_SHARE)) {
                scope.spawn(|| part.fill(MaybeUninit::new(0)));
            }
        });
        let queue = self.clone();
        Ok(Pinned {
            mapped,
            bytes,
            parts: Arc::default(),
            _part_of: None,
            memory: Arc::new(Mapping {
                mapped,
                buffer,
                queue,
            }),
        })
    }

    /// Writes the first bytes of `pinned` to `range` of a buffer, without waiting.
    ///
    /// # Errors
    /// The driver fails; the memory is then lost.
    ///
    /// # Panics
    /// `range` is longer than `pinned` or not within the buffer.
    #[expect(unsafe_code, reason = "the transfer has the memory until it has ended")]
    pub fn write_pinned(
        &self,
        pinned: Pinned,
        buffer: &Buffer,
        range: Range<usize>,
        after: &[&Event],
    ) -> Result<Transfer, OpenClError> {
        assert!(range.end <= buffer.bytes(), "within the buffer");
        let data = &pinned[..range.len()];
        let event =
            unsafe { self.enqueue_write(buffer, range.start, data, CL_NON_BLOCKING, after) }?;
        Ok(Transfer {
            event,
            pinned: Some(pinned),
        })
    }

    /// Reads `range` of a buffer to the first bytes of `pinned`, without waiting.
    ///
    /// # Errors
    /// The driver fails; the memory is then lost.
    ///
    /// # Panics
    /// `range` is longer than `pinned` or not within the buffer.
    #[expect(unsafe_code, reason = "the transfer has the memory until it has ended")]
    pub fn read_pinned(
        &self,
        buffer: &Buffer,
        range: Range<usize>,
        mut pinned: Pinned,
        after: &[&Event],
    ) -> Result<Transfer, OpenClError> {
        assert!(range.end <= buffer.bytes(), "within the buffer");
        let into = &mut pinned[..range.len()];
        let event =
            unsafe { self.enqueue_read(buffer, range.start, into, CL_NON_BLOCKING, after) }?;
        Ok(Transfer {
            event,
            pinned: Some(pinned),
        })
    }
}

impl Pinned {
    /// Parts of `lengths` bytes each, one after the other. Each part is pinned memory too. Nobody may use the whole
    /// until all parts are dropped.
    ///
    /// # Panics
    /// The lengths add up to more than there is, or earlier parts are still in use.
    #[expect(
        unsafe_code,
        reason = "no two parts overlap, and each is within the whole"
    )]
    pub fn parts(&mut self, lengths: impl IntoIterator<Item = usize>) -> Vec<Self> {
        self.assert_without_parts();
        let mut start = 0;
        let mut parts = Vec::new();
        for bytes in lengths {
            assert!(bytes <= self.bytes - start, "parts of {} bytes", self.bytes);
            parts.push(Self {
                mapped: unsafe { self.mapped.add(start) },
                bytes,
                parts: Arc::default(),
                _part_of: Some(self.parts.clone()),
                memory: self.memory.clone(),
            });
            start += bytes;
        }
        parts
    }

    /// The length in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    fn assert_without_parts(&self) {
        let has_parts = Arc::strong_count(&self.parts) > 1;
        // Writes to dropped parts come before what follows.
        fence(Ordering::Acquire);
        assert!(!has_parts, "parts of this pinned memory are still in use");
    }
}

impl Transfer {
    /// The event of the transfer, for commands that must wait for it.
    pub fn event(&self) -> &Event {
        &self.event
    }

    /// Waits until the transfer has ended, and returns the memory.
    ///
    /// # Errors
    /// The transfer failed.
    ///
    /// # Panics
    /// Never: the memory is there until it ends.
    pub fn wait(mut self) -> Result<Pinned, OpenClError> {
        self.event.wait()?;
        Ok(self.pinned.take().expect("there until now"))
    }
}

impl Drop for Transfer {
    fn drop(&mut self) {
        if self.pinned.is_some() && self.event.wait().is_err() && !self.event.has_ended() {
            // The device may still write: only a broken driver can't tell, and then memory is lost.
            mem::forget(self.pinned.take());
        }
    }
}

#[expect(unsafe_code, reason = "it is mapped, and written, as long as it lives")]
impl Deref for Pinned {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.assert_without_parts();
        unsafe { slice::from_raw_parts(self.mapped.as_ptr(), self.bytes) }
    }
}

#[expect(unsafe_code, reason = "as above, and ours alone")]
impl DerefMut for Pinned {
    fn deref_mut(&mut self) -> &mut [u8] {
        self.assert_without_parts();
        unsafe { slice::from_raw_parts_mut(self.mapped.as_ptr(), self.bytes) }
    }
}

// A mapping belongs to the process, and any thread may use a queue.
#[expect(unsafe_code, reason = "the pointer is ours alone, as a Box's is")]
unsafe impl Send for Pinned {}
#[expect(unsafe_code, reason = "what is shared is only read")]
unsafe impl Sync for Pinned {}
#[expect(unsafe_code, reason = "it only unmaps, which any thread may")]
unsafe impl Send for Mapping {}
#[expect(unsafe_code, reason = "it has nothing to share")]
unsafe impl Sync for Mapping {}

impl Drop for Mapping {
    #[expect(unsafe_code, reason = "mapped once, and unmapped here alone")]
    fn drop(&mut self) {
        let mapped = self.mapped.as_ptr().cast();
        let unmapped = unsafe {
            self.queue
                .inner
                .enqueue_unmap_mem_object(self.buffer.get(), mapped, &[])
        };
        // Only a broken driver can't, and it will say so at the next call.
        let _ = unmapped.map(|unmapped| unmapped.wait());
    }
}
