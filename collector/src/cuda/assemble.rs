//! PTX → a module.

use std::{
    ffi::{CString, c_void},
    ptr,
};

use cudarc::driver::sys;

use super::CudaError;

/// What the driver says of a program that it refuses is cut to this.
const LOG_BYTES: usize = 4096;

/// Assembles PTX as a whole program, as the OpenCL driver does. (The driver's linker would assemble it
/// as a part of one, with more registers.) The context must be current.
#[expect(
    unsafe_code,
    reason = "the text ends in NUL; options and values are as many as said, and the log is as long \
              as said"
)]
pub(super) fn module(text: &str) -> Result<sys::CUmodule, CudaError> {
    let text = CString::new(text).map_err(|_| CudaError::Refused("a NUL in it".to_owned()))?;
    let mut log = vec![0_u8; LOG_BYTES];
    let mut options = [
        sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
        sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
    ];
    let mut values = [
        log.as_mut_ptr().cast::<c_void>(),
        ptr::without_provenance_mut(LOG_BYTES), // a number where pointers are expected
    ];
    let mut module = ptr::null_mut();
    let loaded = unsafe {
        let (options, values) = (options.as_mut_ptr(), values.as_mut_ptr());
        sys::cuModuleLoadDataEx(&raw mut module, text.as_ptr().cast(), 2, options, values)
    };
    loaded.result().map(|()| module).map_err(|error| {
        let log = String::from_utf8_lossy(&log);
        CudaError::Refused(format!(
            "{:?} {}",
            error.0,
            log.trim_end_matches('\0').trim()
        ))
    })
}
