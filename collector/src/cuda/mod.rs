//! Replays of OpenCL launches through the CUDA driver, because NVIDIA's profiler sees only CUDA.
//!
//! The PTX that NVIDIA's OpenCL compiler made is patched ([`ptx`]) and launched with the same data
//! and geometry ([`Replay`]). Nothing here knows OpenCL or the profiler.

use cudarc::driver::DriverError;
use thiserror::Error;

mod device;
mod function;
mod grid;
mod local;
pub mod ptx;
mod replay;
mod wait;

pub use device::Device;
pub use grid::Grid;
pub use replay::{Argument, Replay};

/// An error of CUDA, and what to do about it.
#[expect(missing_docs, reason = "their messages say it")]
#[derive(Debug, Error)]
pub enum CudaError {
    #[error(
        "there is no CUDA driver: libcuda.so.1 could not be loaded. NVIDIA's driver brings it; a \
         container needs --gpus all and NVIDIA_DRIVER_CAPABILITIES=compute,utility"
    )]
    NoDriver,
    #[error(
        "the CUDA driver does not show the OpenCL device (UUID {0}): does CUDA_VISIBLE_DEVICES \
         hide it?"
    )]
    NoDevice(String),
    #[error("the CUDA driver refused the patched PTX: {0}")]
    Refused(String),
    #[error(
        "{groups} work-groups in dimension {dimension}; CUDA launches at most {most} there at once, and \
         2147483647 in dimension 1. To have it counted, exchange the dimensions in the kernel and in its \
         launch file, or let each work-item do more in this one"
    )]
    Grid {
        /// The dimension, from 1.
        dimension: usize,
        groups: usize,
        most: usize,
    },
    #[error("the PTX's function takes {takes}; the launch gives {given}")]
    Arguments {
        /// The parameters of the PTX.
        takes: String,
        /// The arguments of the launch.
        given: String,
    },
    #[error("{action}: {source}")]
    Call {
        action: &'static str,
        source: DriverError,
    },
}

/// Adds what was tried to the error of a failed call.
trait Context<T> {
    fn context(self, action: &'static str) -> Result<T, CudaError>;
}

impl<T> Context<T> for Result<T, DriverError> {
    fn context(self, action: &'static str) -> Result<T, CudaError> {
        self.map_err(|source| CudaError::Call { action, source })
    }
}
