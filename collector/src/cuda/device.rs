//! The CUDA device that corresponds to an OpenCL device.

use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaSlice, CudaStream, DevicePtr, sys};

use super::{Context, CudaError};

/// A device of the CUDA driver, and its default stream.
#[derive(Clone)]
pub struct Device {
    pub(super) context: Arc<CudaContext>,
    pub(super) stream: Arc<CudaStream>,
}

impl Device {
    /// The device with this UUID: OpenCL's `CL_DEVICE_UUID_KHR` and CUDA's are the same.
    ///
    /// # Errors
    /// There is no CUDA driver, or it does not have the device.
    pub fn open(uuid: [u8; 16]) -> Result<Self, CudaError> {
        if !is_driver_present() {
            return Err(CudaError::NoDriver);
        }
        cudarc::driver::result::init().context("cuInit")?;
        for ordinal in 0..CudaContext::device_count().context("cuDeviceGetCount")? {
            let ordinal = usize::try_from(ordinal).unwrap_or_default();
            let context = CudaContext::new(ordinal).context("cuDevicePrimaryCtxRetain")?;
            let its = context.uuid().context("cuDeviceGetUuid")?;
            if its.bytes.map(|byte| byte.to_ne_bytes()[0]) == uuid {
                let stream = context.default_stream();
                return Ok(Self { context, stream });
            }
        }
        Err(CudaError::NoDevice(hex::encode(uuid)))
    }

    /// A buffer's address, as a kernel takes it.
    pub(super) fn address(&self, buffer: &CudaSlice<u8>) -> Vec<u8> {
        let (address, _) = buffer.device_ptr(&self.stream);
        address.to_le_bytes().into()
    }
}

#[expect(
    unsafe_code,
    reason = "loads libcuda, whose loading has no preconditions"
)]
fn is_driver_present() -> bool {
    unsafe { sys::is_culib_present() }
}
