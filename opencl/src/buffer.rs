//! Memory on a device.

use std::{ops::Range, ptr, sync::Arc};

use opencl3::{
    memory::{CL_MEM_READ_WRITE, ClMem},
    types::cl_mem,
};

use super::{Context, OpenClError, Tried, loan::Loan};

/// Memory on the device, or a part of it.
pub struct Buffer {
    inner: opencl3::memory::Buffer<u8>,
    bytes: usize,
    /// Of which this is a part. Released after the part, as the fields stand.
    _whole: Option<Arc<Buffer>>,
    /// Where it is memory of a caller.
    loan: Option<Arc<Loan>>,
}

impl Context {
    /// A buffer that holds anything.
    ///
    /// # Errors
    /// Too little memory, for one; a driver may also say so at the first use.
    #[expect(unsafe_code, reason = "no host pointer is handed over")]
    pub fn buffer(&self, bytes: usize) -> Result<Buffer, OpenClError> {
        let (flags, host) = (CL_MEM_READ_WRITE, ptr::null_mut());
        let inner = unsafe { opencl3::memory::Buffer::create(self.inner(), flags, bytes, host) };
        Ok(Buffer {
            inner: inner.tried(&format!("a buffer of {bytes} bytes"))?,
            bytes,
            _whole: None,
            loan: None,
        })
    }
}

impl Buffer {
    /// The part `range`, in bytes, which is a buffer too and keeps the whole one alive. It starts at a
    /// multiple of [`sub_buffer_alignment`](super::DeviceFacts::sub_buffer_alignment).
    ///
    /// # Errors
    /// The driver's: no aligned start, an empty part, or a part of a part.
    ///
    /// # Panics
    /// If `range` is not within the buffer.
    #[expect(
        unsafe_code,
        reason = "the part lies within the buffer, which it keeps alive"
    )]
    pub fn part(self: &Arc<Self>, range: Range<usize>) -> Result<Self, OpenClError> {
        assert!(range.end <= self.bytes, "{range:?} of {} bytes", self.bytes);
        let (start, bytes) = (range.start, range.len());
        let inner = unsafe {
            self.inner
                .create_sub_buffer(CL_MEM_READ_WRITE, start, bytes)
        };
        Ok(Self {
            inner: inner.tried(&format!("a buffer's bytes {range:?}"))?,
            bytes,
            _whole: Some(self.clone()),
            loan: self.loan.clone(),
        })
    }

    /// Its length.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Of a caller's memory.
    pub(super) fn lent(inner: opencl3::memory::Buffer<u8>, bytes: usize, loan: Arc<Loan>) -> Self {
        Self {
            inner,
            bytes,
            _whole: None,
            loan: Some(loan),
        }
    }

    pub(super) fn handle(&self) -> cl_mem {
        self.inner.get()
    }

    pub(super) fn inner(&self) -> &opencl3::memory::Buffer<u8> {
        &self.inner
    }

    /// Whose memory it is, where it is a caller's.
    pub(super) fn loan(&self) -> Option<&Loan> {
        self.loan.as_deref()
    }
}
