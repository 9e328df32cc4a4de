//! Host memory that a device uses in place; useful where the device is the host's processor.

use std::{ptr, sync::Arc};

use opencl3::{
    memory::{CL_MAP_READ, CL_MEM_READ_ONLY, CL_MEM_READ_WRITE, CL_MEM_USE_HOST_PTR, ClMem},
    types::CL_BLOCKING,
};

use super::{Buffer, ErrorContext, OpenClError, Queue, loan::LoanGuard};

impl Queue {
    /// Has `work` use host memory as buffers, without a copy if the device's driver can do that
    /// (`CL_MEM_USE_HOST_PTR`): first the buffers of `read`, which no kernel may write, then those of `write`. All
    /// commands with these buffers have ended when this returns. Buffers that `work` keeps can't be used any more.
    ///
    /// # Errors
    /// The driver fails: on an empty slice, for one.
    #[expect(
        unsafe_code,
        reason = "nothing is enqueued with the memory after this returns, and what was has ended"
    )]
    pub fn lend<R>(
        &self,
        read: &[&[u8]],
        write: &mut [&mut [u8]],
        work: impl FnOnce(&[Arc<Buffer>]) -> R,
    ) -> Result<R, OpenClError> {
        let loan = LoanGuard::default();
        let reads = read.iter().map(|it| {
            let only = it.as_ptr().cast_mut();
            (CL_MEM_READ_ONLY, only, it.len())
        });
        let writes = write
            .iter_mut()
            .map(|it| (CL_MEM_READ_WRITE, it.as_mut_ptr(), it.len()));
        let mut buffers = Vec::new();
        for (access, start, bytes) in reads.chain(writes) {
            let (flags, context) = (access | CL_MEM_USE_HOST_PTR, self.context().inner());
            let buffer = unsafe {
                opencl3::memory::Buffer::<u8>::create(context, flags, bytes, start.cast())
            };
            buffers.push(Arc::new(Buffer {
                inner: buffer.when(&format!("a buffer of {bytes} bytes of the host's"))?,
                bytes,
                loan: Some(loan.0.clone()),
            }));
        }
        let result = work(&buffers);
        drop(loan);
        // Mapping brings what the device wrote; unmapping changes nothing, because it was only read.
        for buffer in &buffers[read.len()..] {
            let (handle, mut mapped) = (&buffer.inner, ptr::null_mut());
            let (flags, bytes, queue) = (CL_MAP_READ, buffer.bytes, &self.inner);
            unsafe {
                queue.enqueue_map_buffer(handle, CL_BLOCKING, flags, 0, bytes, &mut mapped, &[])
            }
            .when("mapping memory that was lent")?;
            let unmapped = unsafe { queue.enqueue_unmap_mem_object(handle.get(), mapped, &[]) };
            let unmapped = unmapped.when("unmapping memory that was lent")?;
            unmapped.wait().when("unmapping memory that was lent")?;
        }
        Ok(result)
    }
}
