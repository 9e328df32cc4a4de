//! Memory on a device.

use std::{ptr, sync::Arc};

use opencl3::{
    memory::{CL_MEM_READ_WRITE, ClMem},
    types::cl_mem,
};

use super::{Context, ErrorContext, OpenClError, loan::Loan};

/// Memory on the device.
pub struct Buffer {
    pub(super) inner: opencl3::memory::Buffer<u8>,
    pub(super) bytes: usize,
    /// The loan, where the memory is a caller's.
    pub(super) loan: Option<Arc<Loan>>,
}

impl Context {
    /// A buffer of `bytes` bytes with arbitrary contents.
    ///
    /// # Errors
    /// There is too little memory, for one; a driver may also say so at the first use.
    #[expect(unsafe_code, reason = "no host pointer is handed over")]
    pub fn buffer(&self, bytes: usize) -> Result<Buffer, OpenClError> {
        let (flags, host) = (CL_MEM_READ_WRITE, ptr::null_mut());
        let inner = unsafe { opencl3::memory::Buffer::create(self.inner(), flags, bytes, host) };
        Ok(Buffer {
            inner: inner.when(&format!("a buffer of {bytes} bytes"))?,
            bytes,
            loan: None,
        })
    }
}

impl Buffer {
    /// The length in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn handle(&self) -> cl_mem {
        self.inner.get()
    }

    /// The loan, where the memory is a caller's.
    pub(super) fn loan(&self) -> Option<&Loan> {
        self.loan.as_deref()
    }
}
