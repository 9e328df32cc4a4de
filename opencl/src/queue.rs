//! Queues: transfers and launches of a device.

use std::{ptr, sync::Arc};

use opencl3::{
    command_queue::{
        CL_QUEUE_PROFILING_ENABLE, CommandQueue, enqueue_copy_buffer, enqueue_copy_image,
        enqueue_fill_buffer, enqueue_nd_range_kernel, enqueue_read_buffer, enqueue_read_image,
        enqueue_write_buffer, enqueue_write_image,
    },
    error_codes::ClError,
    types::{CL_BLOCKING, cl_bool, cl_command_queue, cl_event, cl_int},
};

use super::{Buffer, Context, ErrorContext, Event, Function, Image, OpenClError, loan::Loan};

/// An in-order queue with event profiling. Cloning makes another handle of the same one.
///
/// A command that is enqueued `after` events starts when their commands have ended. If another queue has these
/// commands, it must be [flushed](Queue::flush): otherwise they may never start.
#[derive(Clone, Debug)]
pub struct Queue {
    // Released before the context, as the fields stand.
    pub(super) inner: Arc<CommandQueue>,
    context: Context,
}

impl Context {
    /// A new queue on the device.
    ///
    /// # Errors
    /// The driver fails.
    #[expect(
        unsafe_code,
        reason = "context and device are valid and belong together"
    )]
    pub fn queue(&self) -> Result<Queue, OpenClError> {
        let device = self.inner().default_device();
        // The form of OpenCL 1.2, which every device and Oclgrind have.
        let queue =
            unsafe { CommandQueue::create(self.inner(), device, CL_QUEUE_PROFILING_ENABLE) };
        Ok(Queue {
            inner: Arc::new(queue.when("clCreateCommandQueue")?),
            context: self.clone(),
        })
    }
}

impl Queue {
    /// A buffer that holds `data`.
    ///
    /// # Errors
    /// There is too little memory, for one.
    pub fn buffer(&self, data: &[u8]) -> Result<Buffer, OpenClError> {
        let buffer = self.context.buffer(data.len())?;
        self.write(&buffer, data)?;
        Ok(buffer)
    }

    /// Writes a whole buffer and waits for that.
    ///
    /// # Errors
    /// The driver fails.
    ///
    /// # Panics
    /// `data` has another size than the buffer.
    #[expect(unsafe_code, reason = "the write ends before it returns")]
    pub fn write(&self, buffer: &Buffer, data: &[u8]) -> Result<Event, OpenClError> {
        assert_eq!(buffer.bytes(), data.len(), "a buffer is written whole");
        unsafe { self.enqueue_write(buffer, 0, data, CL_BLOCKING, &[]) }
    }

    /// Reads a whole buffer and waits for that, after everything before it in the queue has ended.
    ///
    /// # Errors
    /// The driver fails.
    ///
    /// # Panics
    /// `into` has another size than the buffer.
    #[expect(unsafe_code, reason = "the read ends before it returns")]
    pub fn read(&self, buffer: &Buffer, into: &mut [u8]) -> Result<Event, OpenClError> {
        assert_eq!(buffer.bytes(), into.len(), "a buffer is read whole");
        unsafe { self.enqueue_read(buffer, 0, into, CL_BLOCKING, &[]) }
    }

    /// Writes `data` to a buffer from byte `at` on, and waits for that.
    ///
    /// # Errors
    /// The driver fails.
    ///
    /// # Panics
    /// The bytes are not all within the buffer.
    #[expect(unsafe_code, reason = "the write ends before it returns")]
    pub fn write_at(&self, buffer: &Buffer, at: usize, data: &[u8]) -> Result<Event, OpenClError> {
        assert!(at + data.len() <= buffer.bytes(), "within the buffer");
        unsafe { self.enqueue_write(buffer, at, data, CL_BLOCKING, &[]) }
    }

    /// Sets every byte of a buffer, on the device.
    ///
    /// # Errors
    /// The driver fails.
    #[expect(
        unsafe_code,
        reason = "the fill is as long as the buffer, and the driver copies the pattern"
    )]
    pub fn fill(&self, buffer: &Buffer, byte: u8, after: &[&Event]) -> Result<Event, OpenClError> {
        let (handle, bytes) = (buffer.handle(), buffer.bytes());
        let pattern = ptr::from_ref(&byte).cast();
        let action = || format!("filling {bytes} bytes on the device");
        let loans = buffer.loan().into_iter();
        self.enqueue_lent(loans, after, action, |queue, count, list| unsafe {
            enqueue_fill_buffer(queue, handle, pattern, 1, 0, bytes, count, list)
        })
    }

    /// Copies a buffer over another of the same size, on the device.
    ///
    /// # Errors
    /// The driver fails.
    ///
    /// # Panics
    /// The sizes differ.
    pub fn copy(&self, from: &Buffer, to: &Buffer, after: &[&Event]) -> Result<Event, OpenClError> {
        assert_eq!(from.bytes(), to.bytes(), "buffers are copied whole");
        self.copy_first(from.bytes(), from, to, after)
    }

    /// Copies the first `bytes` of a buffer over those of another, on the device.
    ///
    /// # Errors
    /// The driver fails.
    ///
    /// # Panics
    /// Either buffer is shorter.
    #[expect(
        unsafe_code,
        reason = "both are as long, and the driver checks whose buffers they are"
    )]
    pub fn copy_first(
        &self,
        bytes: usize,
        from: &Buffer,
        to: &Buffer,
        after: &[&Event],
    ) -> Result<Event, OpenClError> {
        assert!(bytes <= from.bytes().min(to.bytes()), "within the buffers");
        let loans = from.loan().into_iter().chain(to.loan());
        let (from, to) = (from.handle(), to.handle());
        let action = || format!("copying {bytes} bytes on the device");
        self.enqueue_lent(loans, after, action, |queue, count, list| unsafe {
            enqueue_copy_buffer(queue, from, to, 0, 0, bytes, count, list)
        })
    }

    /// Writes a whole image, row by row, and waits for that.
    ///
    /// # Errors
    /// The driver fails.
    ///
    /// # Panics
    /// `data` has another size than the image.
    #[expect(
        unsafe_code,
        reason = "the write ends before it returns, and rows without gaps are as many bytes as the image has"
    )]
    pub fn write_image(&self, image: &Image, data: &[u8]) -> Result<Event, OpenClError> {
        assert_eq!(image.bytes(), data.len(), "an image is written whole");
        // It only reads, whatever the binding says.
        let data = data.as_ptr().cast_mut().cast();
        let (handle, region) = (image.handle(), region(image));
        let (from, region, wait) = (CORNER.as_ptr(), region.as_ptr(), CL_BLOCKING);
        let action = || format!("writing {} bytes to an image", image.bytes());
        self.enqueue(&[], action, |queue, count, list| unsafe {
            enqueue_write_image(queue, handle, wait, from, region, 0, 0, data, count, list)
        })
    }

    /// Reads a whole image, row by row, and waits for that, after everything before it in the queue has ended.
    ///
    /// # Errors
    /// The driver fails.
    ///
    /// # Panics
    /// `into` has another size than the image.
    #[expect(
        unsafe_code,
        reason = "the read ends before it returns, and rows without gaps are as many bytes as the image has"
    )]
    pub fn read_image(&self, image: &Image, into: &mut [u8]) -> Result<Event, OpenClError> {
        assert_eq!(image.bytes(), into.len(), "an image is read whole");
        let (handle, into, region) = (image.handle(), into.as_mut_ptr().cast(), region(image));
        let (from, region, wait) = (CORNER.as_ptr(), region.as_ptr(), CL_BLOCKING);
        let action = || format!("reading {} bytes from an image", image.bytes());
        self.enqueue(&[], action, |queue, count, list| unsafe {
            enqueue_read_image(queue, handle, wait, from, region, 0, 0, into, count, list)
        })
    }

    /// Copies an image over another of the same size and format, on the device.
    ///
    /// # Errors
    /// The driver fails: on other formats, for one.
    ///
    /// # Panics
    /// The sizes differ.
    #[expect(
        unsafe_code,
        reason = "the sizes are equal, and the driver checks formats and whose images they are"
    )]
    pub fn copy_image(&self, from: &Image, to: &Image) -> Result<Event, OpenClError> {
        assert_eq!(from.size(), to.size(), "images are copied whole");
        let (from, to, region) = (from.handle(), to.handle(), region(from));
        let (corner, region) = (CORNER.as_ptr(), region.as_ptr());
        let action = || "copying an image on the device".to_owned();
        self.enqueue(&[], action, |queue, count, list| unsafe {
            enqueue_copy_image(queue, from, to, corner, corner, region, count, list)
        })
    }

    /// Enqueues a launch; `local` divides `global`, dimension by dimension.
    ///
    /// # Errors
    /// The driver fails; errors of the kernel may show up at any later call.
    ///
    /// # Panics
    /// The numbers of local and global sizes differ.
    #[expect(
        unsafe_code,
        reason = "both size arrays have as many numbers as there are dimensions"
    )]
    pub fn launch(
        &self,
        function: &Function,
        global: &[usize],
        local: &[usize],
        after: &[&Event],
    ) -> Result<Event, OpenClError> {
        assert_eq!(global.len(), local.len(), "as many local as global sizes");
        let loans = function.loans();
        let (function, dimensions) = (function.handle(), length(global));
        let (from, items, group) = (ptr::null(), global.as_ptr(), local.as_ptr());
        let action = || format!("launching {global:?} in groups of {local:?}");
        self.enqueue_lent(loans, after, action, |queue, count, list| unsafe {
            enqueue_nd_range_kernel(queue, function, dimensions, from, items, group, count, list)
        })
    }

    /// Has the device start the enqueued commands, without waiting.
    ///
    /// # Errors
    /// The driver fails.
    pub fn flush(&self) -> Result<(), OpenClError> {
        self.inner.flush().when("clFlush")
    }

    /// Waits until the device has finished all commands.
    ///
    /// # Errors
    /// The driver fails.
    pub fn finish(&self) -> Result<(), OpenClError> {
        self.inner.finish().when("clFinish")
    }

    /// The context of the queue's programs and buffers.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Enqueues writing `data` to a buffer from byte `at` on.
    ///
    /// # Safety
    /// If the write does not block, `data` must stay unchanged until it has ended.
    #[expect(unsafe_code, reason = "what is not sure here is the caller's")]
    pub(super) unsafe fn enqueue_write(
        &self,
        buffer: &Buffer,
        at: usize,
        data: &[u8],
        blocking: cl_bool,
        after: &[&Event],
    ) -> Result<Event, OpenClError> {
        let (handle, bytes, data) = (buffer.handle(), data.len(), data.as_ptr().cast());
        let action = || format!("writing {bytes} bytes to the device");
        let loans = buffer.loan().into_iter();
        self.enqueue_lent(loans, after, action, |queue, count, list| unsafe {
            enqueue_write_buffer(queue, handle, blocking, at, bytes, data, count, list)
        })
    }

    /// Enqueues reading a buffer from byte `at` on.
    ///
    /// # Safety
    /// If the read does not block, nobody else may use `into` until it has ended.
    #[expect(unsafe_code, reason = "what is not sure here is the caller's")]
    pub(super) unsafe fn enqueue_read(
        &self,
        buffer: &Buffer,
        at: usize,
        into: &mut [u8],
        blocking: cl_bool,
        after: &[&Event],
    ) -> Result<Event, OpenClError> {
        let (handle, bytes, into) = (buffer.handle(), into.len(), into.as_mut_ptr().cast());
        let action = || format!("reading {bytes} bytes from the device");
        let loans = buffer.loan().into_iter();
        self.enqueue_lent(loans, after, action, |queue, count, list| unsafe {
            enqueue_read_buffer(queue, handle, blocking, at, bytes, into, count, list)
        })
    }

    /// Enqueues like [`enqueue`](Self::enqueue), and notes the command in the loans of callers' memory that it uses.
    fn enqueue_lent<'l>(
        &self,
        loans: impl Iterator<Item = &'l Loan>,
        after: &[&Event],
        action: impl FnOnce() -> String,
        call: impl FnOnce(cl_command_queue, u32, *const cl_event) -> Result<cl_event, cl_int>,
    ) -> Result<Event, OpenClError> {
        let guards = loans.map(|loan| Ok((loan, loan.hold()?)));
        let guards: Vec<_> = guards.collect::<Result<_, OpenClError>>()?;
        let event = self.enqueue(after, action, call)?;
        for (loan, _) in guards {
            loan.add_command(event.clone());
        }
        Ok(event)
    }

    /// Has `call` enqueue a command. `call` gets the queue, the number of events to wait for and a pointer to them.
    /// `action` makes its text only for an error, since launches take microseconds.
    fn enqueue(
        &self,
        after: &[&Event],
        action: impl FnOnce() -> String,
        call: impl FnOnce(cl_command_queue, u32, *const cl_event) -> Result<cl_event, cl_int>,
    ) -> Result<Event, OpenClError> {
        let list: Vec<cl_event> = after.iter().map(|event| event.handle()).collect();
        let place = if list.is_empty() {
            ptr::null()
        } else {
            list.as_ptr()
        };
        match call(self.inner.get(), length(&list), place) {
            Ok(event) => Ok(Event::new(event)),
            Err(code) => Err(ClError(code)).when(&action()),
        }
    }
}

/// The origin of images, for whole-image commands.
const CORNER: [usize; 3] = [0; 3];

/// The region that covers a whole image.
fn region(image: &Image) -> [usize; 3] {
    let [width, height] = image.size();
    [width, height, 1]
}

/// The length of a list as OpenCL's type.
fn length<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}
