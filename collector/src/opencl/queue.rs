//! Buffers and launches on one device, in order, with times.

use std::{ptr, sync::Arc};

use opencl3::{
    command_queue::{CL_QUEUE_PROFILING_ENABLE, CommandQueue},
    context::Context as ClContext,
    event::Event,
    memory::{CL_MEM_READ_WRITE, ClMem},
    types::{CL_BLOCKING, cl_mem},
};

use super::{Context, Function, OpenClDevice, OpenClError};

/// An in-order queue with event profiling.
pub struct Queue {
    // Released before the context, as the fields stand.
    pub(super) queue: CommandQueue,
    context: Arc<ClContext>,
}

/// Memory on the device.
pub struct Buffer {
    pub(super) inner: opencl3::memory::Buffer<u8>,
    pub(super) bytes: usize,
}

/// A launch or a transfer that was enqueued.
pub struct Launched(pub(super) Event);

impl Queue {
    /// A queue on `device`.
    ///
    /// # Errors
    /// The driver's.
    #[expect(
        unsafe_code,
        reason = "context and device are valid and belong together"
    )]
    pub fn new(device: &OpenClDevice) -> Result<Self, OpenClError> {
        let context = device.context()?;
        // The form of OpenCL 1.2, which every device and Oclgrind have.
        let queue =
            unsafe { CommandQueue::create(&context, device.inner.id(), CL_QUEUE_PROFILING_ENABLE) }
                .context("clCreateCommandQueue")?;
        Ok(Self { queue, context })
    }

    /// A buffer that holds `data`.
    ///
    /// # Errors
    /// Too little memory, for one.
    pub fn buffer(&self, data: &[u8]) -> Result<Buffer, OpenClError> {
        let mut buffer = self.empty_buffer(data.len())?;
        self.write(&mut buffer, data)?;
        Ok(buffer)
    }

    /// A buffer that holds anything.
    ///
    /// # Errors
    /// Too little memory, for one; a driver may also say so at the first use.
    #[expect(unsafe_code, reason = "no host pointer is handed over")]
    pub fn empty_buffer(&self, bytes: usize) -> Result<Buffer, OpenClError> {
        let (flags, host) = (CL_MEM_READ_WRITE, ptr::null_mut());
        let inner = unsafe { opencl3::memory::Buffer::create(&self.context, flags, bytes, host) };
        let inner = inner.context(&format!("a buffer of {bytes} bytes"))?;
        Ok(Buffer { inner, bytes })
    }

    /// Writes a whole buffer.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Panics
    /// If `data` has another size than the buffer.
    #[expect(
        unsafe_code,
        reason = "the sizes are equal and the write ends before it returns"
    )]
    pub fn write(&self, buffer: &mut Buffer, data: &[u8]) -> Result<(), OpenClError> {
        assert_eq!(buffer.bytes, data.len(), "a buffer is written whole");
        unsafe {
            self.queue
                .enqueue_write_buffer(&mut buffer.inner, CL_BLOCKING, 0, data, &[])
        }
        .context(&format!("writing {} bytes to the device", buffer.bytes))?;
        Ok(())
    }

    /// Sets every byte of a buffer, on the device.
    ///
    /// # Errors
    /// The driver's.
    #[expect(
        unsafe_code,
        reason = "the fill is as long as the buffer, and the driver copies the pattern"
    )]
    pub fn fill(&self, buffer: &mut Buffer, byte: u8) -> Result<(), OpenClError> {
        let bytes = buffer.bytes;
        unsafe {
            self.queue
                .enqueue_fill_buffer(&mut buffer.inner, &[byte], 0, bytes, &[])
        }
        .context(&format!("filling {bytes} bytes on the device"))?;
        Ok(())
    }

    /// Reads a whole buffer, after everything before it in the queue has ended.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Panics
    /// If `into` has another size than the buffer.
    #[expect(
        unsafe_code,
        reason = "the sizes are equal and the read ends before it returns"
    )]
    pub fn read(&self, buffer: &Buffer, into: &mut [u8]) -> Result<(), OpenClError> {
        assert_eq!(buffer.bytes, into.len(), "a buffer is read whole");
        unsafe {
            self.queue
                .enqueue_read_buffer(&buffer.inner, CL_BLOCKING, 0, into, &[])
        }
        .context(&format!("reading {} bytes from the device", buffer.bytes))?;
        Ok(())
    }

    /// Copies a buffer over another of the same size, on the device.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Panics
    /// If the sizes differ.
    #[expect(
        unsafe_code,
        reason = "the sizes are equal and the buffers belong to this context"
    )]
    pub fn copy(&self, from: &Buffer, to: &mut Buffer) -> Result<Launched, OpenClError> {
        assert_eq!(from.bytes, to.bytes, "buffers are copied whole");
        let event = unsafe {
            self.queue
                .enqueue_copy_buffer(&from.inner, &mut to.inner, 0, 0, from.bytes, &[])
        };
        event
            .map(Launched)
            .context(&format!("copying {} bytes on the device", from.bytes))
    }

    /// Enqueues a launch; `local` divides `global`, dimension by dimension.
    ///
    /// # Errors
    /// The driver's; what the kernel does wrong may show up at any later call.
    ///
    /// # Panics
    /// If there are not as many local as global sizes.
    #[expect(
        unsafe_code,
        reason = "both size arrays have as many numbers as there are dimensions"
    )]
    pub fn launch(
        &self,
        function: &Function,
        global: &[usize],
        local: &[usize],
    ) -> Result<Launched, OpenClError> {
        assert_eq!(global.len(), local.len(), "as many local as global sizes");
        let dimensions = u32::try_from(global.len()).unwrap_or(u32::MAX);
        let event = unsafe {
            self.queue.enqueue_nd_range_kernel(
                function.kernel().get(),
                dimensions,
                ptr::null(),
                global.as_ptr(),
                local.as_ptr(),
                &[],
            )
        };
        event
            .map(Launched)
            .context(&format!("launching {global:?} in groups of {local:?}"))
    }

    /// Waits until the device has done everything.
    ///
    /// # Errors
    /// The driver's.
    pub fn finish(&self) -> Result<(), OpenClError> {
        self.queue.finish().context("clFinish")
    }

    pub(super) fn context(&self) -> &ClContext {
        &self.context
    }
}

impl Buffer {
    pub(super) fn handle(&self) -> cl_mem {
        self.inner.get()
    }
}

impl Launched {
    /// When it started and ended, in the device's nanoseconds. Wait for it first.
    ///
    /// # Errors
    /// The launch failed, or the driver keeps no times.
    pub fn start_and_end(&self) -> Result<(u64, u64), OpenClError> {
        let start = self
            .0
            .profiling_command_start()
            .context("CL_PROFILING_COMMAND_START")?;
        let end = self
            .0
            .profiling_command_end()
            .context("CL_PROFILING_COMMAND_END")?;
        Ok((start, end))
    }
}
