//! Why a workload can't be run.

use std::{io, path::PathBuf};

use kerncast_opencl::OpenClError;
use kerncast_suite::{BadValue, FillError, SuiteError, TooLarge};
use thiserror::Error;

/// Why a workload can't be run.
#[derive(Debug, Error)]
pub enum RunError {
    /// OpenCL failed.
    #[error(transparent)]
    OpenCl(#[from] OpenClError),
    /// The kernel's folder can't be read any more.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// An expression has no usable value.
    #[error(transparent)]
    BadValue(#[from] BadValue),
    /// A fill has no usable value.
    #[error(transparent)]
    Fill(#[from] FillError),
    /// The kernel has no such variant.
    #[error("kernel {kernel} has no variant `{variant}`")]
    NoVariant {
        /// The kernel.
        kernel: String,
        /// The variant that was asked for.
        variant: String,
    },
    /// The source can't be read.
    #[error("cannot read {}: {source}", path.display())]
    Source {
        /// The file that can't be read.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The source holds nothing: some drivers crash of it.
    #[error("there is no OpenCL function `{function}`: {} is empty", path.display())]
    Empty {
        /// The OpenCL function that is asked for.
        function: String,
        /// The file.
        path: PathBuf,
    },
    /// No LLVM text was made of the source.
    #[error("{0}")]
    Llvm(String),
    /// The launch file and the source differ.
    #[error("function `{function}` takes {takes} arguments, and the launch file gives {given}")]
    ArgumentCount {
        /// The OpenCL function.
        function: String,
        /// By the source.
        takes: usize,
        /// By the launch file.
        given: usize,
    },
    /// The launch file gives an argument of another type than the function takes.
    #[error(
        "argument `{name}` of function `{function}`: the launch file gives {given}; expected {expected}"
    )]
    ArgumentType {
        /// Its name in the launch file.
        name: String,
        /// The OpenCL function.
        function: String,
        /// By the launch file.
        given: String,
        /// By the source.
        expected: String,
    },
    /// The launch file's work-groups are not those that the source asks for.
    #[error(
        "`local` of function `{function}`: the launch file gives {given:?}; expected {expected:?}, as its reqd_work_group_size says"
    )]
    LocalSize {
        /// The OpenCL function.
        function: String,
        /// By the launch file.
        given: Vec<usize>,
        /// By the source.
        expected: Vec<usize>,
    },
    /// The launch file gives an argument that the function does not take.
    #[error("argument `{name}` of function `{function}`: {source}")]
    Argument {
        /// Its name in the launch file.
        name: String,
        /// The OpenCL function.
        function: String,
        /// OpenCL's.
        source: OpenClError,
    },
    /// The device can't run it.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// A launch that took no time.
    #[error("the device's timer stood still during a launch")]
    Timer,
}

impl RunError {
    /// Whether there is nothing wrong but that this device can't do it.
    pub fn is_beyond_the_device(&self) -> bool {
        matches!(
            self,
            Self::TooLarge(_) | Self::OpenCl(OpenClError::NoImageFormat { .. })
        )
    }
}
