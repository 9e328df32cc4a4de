//! Host memory that the device reaches by itself.

use std::{ptr, slice};

use opencl3::{
    memory::{CL_MAP_READ, CL_MAP_WRITE, CL_MEM_ALLOC_HOST_PTR, CL_MEM_READ_WRITE, ClMem},
    types::{CL_BLOCKING, cl_mem},
};

use super::{Buffer, Context, Launched, OpenClError, Queue};

/// Memory of the host, allocated by the driver (`CL_MEM_ALLOC_HOST_PTR`) and mapped as long as it lives.
pub struct Pinned<'q> {
    queue: &'q Queue,
    buffer: opencl3::memory::Buffer<u8>,
    /// `bytes` long, and written.
    mapped: cl_mem,
    bytes: usize,
}

impl Queue {
    /// `bytes` of pinned host memory, all 0.
    ///
    /// # Errors
    /// Too little memory, for one.
    #[expect(
        unsafe_code,
        reason = "no host pointer is handed over; what was mapped is as long as the buffer"
    )]
    pub fn pinned(&self, bytes: usize) -> Result<Pinned<'_>, OpenClError> {
        let what = format!("{bytes} bytes of pinned host memory");
        let flags = CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR;
        let buffer = unsafe {
            opencl3::memory::Buffer::<u8>::create(self.context(), flags, bytes, ptr::null_mut())
        };
        let buffer = buffer.context(&what)?;
        let (flags, mut mapped) = (CL_MAP_READ | CL_MAP_WRITE, ptr::null_mut());
        unsafe {
            self.queue
                .enqueue_map_buffer(&buffer, CL_BLOCKING, flags, 0, bytes, &mut mapped, &[])
        }
        .context(&what)?;
        unsafe { ptr::write_bytes(mapped.cast::<u8>(), 0, bytes) };
        Ok(Pinned {
            queue: self,
            buffer,
            mapped,
            bytes,
        })
    }
}

impl Pinned<'_> {
    /// Writes all of it to a buffer of the same size, and waits for that.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Panics
    /// If the sizes differ.
    #[expect(
        unsafe_code,
        reason = "the memory is mapped and written; the sizes are equal and the write ends before it returns"
    )]
    pub fn write_to(&self, buffer: &mut Buffer) -> Result<Launched, OpenClError> {
        assert_eq!(buffer.bytes, self.bytes, "buffers are written whole");
        let event = unsafe {
            let data = slice::from_raw_parts(self.mapped.cast::<u8>(), self.bytes);
            self.queue
                .queue
                .enqueue_write_buffer(&mut buffer.inner, CL_BLOCKING, 0, data, &[])
        };
        event
            .map(Launched)
            .context(&format!("writing {} bytes to the device", self.bytes))
    }

    /// Reads all of it from a buffer of the same size, and waits for that.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Panics
    /// If the sizes differ.
    #[expect(
        unsafe_code,
        reason = "the memory is mapped and ours alone; the sizes are equal and the read ends before it returns"
    )]
    pub fn read_from(&mut self, buffer: &Buffer) -> Result<Launched, OpenClError> {
        assert_eq!(buffer.bytes, self.bytes, "buffers are read whole");
        let event = unsafe {
            let data = slice::from_raw_parts_mut(self.mapped.cast::<u8>(), self.bytes);
            self.queue
                .queue
                .enqueue_read_buffer(&buffer.inner, CL_BLOCKING, 0, data, &[])
        };
        event
            .map(Launched)
            .context(&format!("reading {} bytes from the device", self.bytes))
    }
}

impl Drop for Pinned<'_> {
    #[expect(unsafe_code, reason = "mapped once, and unmapped here alone")]
    fn drop(&mut self) {
        let unmapped = unsafe {
            self.queue
                .queue
                .enqueue_unmap_mem_object(self.buffer.get(), self.mapped, &[])
        };
        // Only a broken driver can't, and it will say so at the next call.
        let _ = unmapped.map(|_| self.queue.finish());
    }
}
