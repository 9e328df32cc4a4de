//! OpenCL without `unsafe`: its functions take raw pointers and sizes, and these wrappers take them from memory that
//! lives long enough.
//!
//! What no wrapper can promise is what a kernel does on the device: run those of others in a child
//! process.
//!
//! A [`Device`](OpenClDevice) has one [`Context`]; in it are programs, buffers, and any number of
//! [`Queue`]s. What one queue is given runs in order; [`Event`]s order what several are given.

use opencl3::error_codes::{
    CL_INVALID_BUFFER_SIZE, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY,
    CL_OUT_OF_RESOURCES, ClError, DLOPEN_RUNTIME_LOAD_FAILED,
};
use thiserror::Error;

mod buffer;
mod context;
mod device;
mod event;
mod image;
// Compiled as a library of its own (build.rs); here to be checked.
mod host_memory;
#[cfg(clippy)]
mod layer;
mod loan;
mod non_temporal_copy;
mod pinned;
mod program;
mod queue;

pub use buffer::Buffer;
pub use context::Context;
pub use device::{DeviceFacts, DeviceKind, OpenClDevice, devices};
pub use event::Event;
pub use image::{Image, Sampler, image_format, sampler_words};
pub use pinned::{Pinned, Transfer};
pub use program::{Function, Parameter, Program, Space};
pub use queue::Queue;

/// The shared library of the tracing layer (layer/), as a file's bytes: a layer of the OpenCL loader that records how a
/// program launches its kernels.
pub static TRACING_LAYER: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/layer.so"));

/// `CL_PLATFORM_NOT_FOUND_KHR`: the loader found no driver.
const PLATFORM_NOT_FOUND: i32 = -1001;

/// An error of OpenCL, and what to do about it.
#[derive(Debug, Error)]
pub enum OpenClError {
    /// libOpenCL could not be loaded.
    #[error(
        "there is no OpenCL loader: libOpenCL.so.1 could not be loaded. Install Debian's \
         ocl-icd-libopencl1, or set OPENCL_DYLIB_PATH to the library's path"
    )]
    NoLoader,
    /// The file that OPENCL_DYLIB_PATH names does not exist.
    #[error(
        "OPENCL_DYLIB_PATH names {0}, which is not there; expected the path of an OpenCL library"
    )]
    NamedLoader(String),
    /// The loader found no driver.
    #[error(
        "the OpenCL loader found no driver. Install one: for the CPU Debian's pocl-opencl-icd; for \
         an NVIDIA GPU its driver, and a file /etc/OpenCL/vendors/nvidia.icd that says \
         libnvidia-opencl.so.1; for an AMD GPU mesa-opencl-icd or ROCm"
    )]
    NoDriver,
    /// The drivers found no device.
    #[error(
        "OpenCL's drivers found no device ({0}). Is the GPU visible to this user and container? \
         Debian's pocl-opencl-icd makes the CPU a device"
    )]
    NoDevice(String),
    /// The device's compiler refused a kernel.
    #[error("the device's compiler refused the source:\n{0}")]
    Build(String),
    /// The source lacks a function.
    #[error("there is no OpenCL function `{name}` in the source; it has: {found}")]
    NoFunction {
        /// The function that was asked for.
        name: String,
        /// The functions of the program, with `, ` between them.
        found: String,
    },
    /// The device has no images of a format.
    #[error("the device has no image of {format} that is {used}; it has {found}")]
    NoImageFormat {
        /// The wanted format.
        format: String,
        /// The use by kernels: `read` or `written`.
        used: &'static str,
        /// The formats that the device has, as far as they have a name here.
        found: String,
    },
    /// A call failed.
    #[error("{action}: {code}")]
    Call {
        /// The action that failed.
        action: String,
        /// OpenCL's name for the error.
        code: ClError,
    },
}

impl OpenClError {
    /// Whether the call might succeed with less memory.
    pub fn is_out_of_memory(&self) -> bool {
        let Self::Call { code, .. } = self else {
            return false;
        };
        [
            CL_MEM_OBJECT_ALLOCATION_FAILURE,
            CL_OUT_OF_RESOURCES,
            CL_OUT_OF_HOST_MEMORY,
            CL_INVALID_BUFFER_SIZE,
        ]
        .contains(&code.0)
    }

    /// Whether there is no OpenCL device at all.
    pub fn is_absence(&self) -> bool {
        matches!(
            self,
            Self::NoLoader | Self::NamedLoader(_) | Self::NoDriver | Self::NoDevice(_)
        )
    }
}

/// Adds the attempted action to the error of a failed call.
trait ErrorContext<T> {
    fn when(self, action: &str) -> Result<T, OpenClError>;
}

impl<T> ErrorContext<T> for opencl3::Result<T> {
    fn when(self, action: &str) -> Result<T, OpenClError> {
        self.map_err(|code| match code.0 {
            DLOPEN_RUNTIME_LOAD_FAILED => OpenClError::NoLoader,
            PLATFORM_NOT_FOUND => OpenClError::NoDriver,
            _ => OpenClError::Call {
                action: action.to_owned(),
                code,
            },
        })
    }
}
