//! Errors of preparing and running a workload.

use std::{io, path::PathBuf};

use kerncast_opencl::OpenClError;
use kerncast_suite::{BadValue, FillError, SuiteError, TooLarge};
use thiserror::Error;

/// Why a workload can't be run.
#[expect(missing_docs, reason = "their messages say it")]
#[derive(Debug, Error)]
pub enum RunError {
    #[error(transparent)]
    OpenCl(#[from] OpenClError),
    #[error(transparent)]
    Suite(#[from] SuiteError),
    #[error(transparent)]
    BadValue(#[from] BadValue),
    #[error(transparent)]
    Fill(#[from] FillError),
    #[error("kernel {kernel} has no variant `{variant}`")]
    NoVariant { kernel: String, variant: String },
    #[error("cannot read {}: {source}", path.display())]
    Source { path: PathBuf, source: io::Error },
    /// The source is empty: some drivers crash on that.
    #[error("there is no OpenCL function `{function}`: {} is empty", path.display())]
    Empty { function: String, path: PathBuf },
    #[error("{0}")]
    Llvm(String),
    #[error("function `{function}` takes {takes} arguments, and the launch file gives {given}")]
    ArgumentCount {
        function: String,
        takes: usize,
        given: usize,
    },
    /// The launch file gives an argument of a type that the function does not take.
    #[error(
        "argument `{name}` of function `{function}`: the launch file gives {given}; expected {expected}"
    )]
    ArgumentType {
        name: String,
        function: String,
        given: String,
        expected: String,
    },
    /// The launch file's work-group size differs from the one that the source requires.
    #[error(
        "`local` of function `{function}`: the launch file gives {given:?}; expected {expected:?}, as its reqd_work_group_size says"
    )]
    LocalSize {
        function: String,
        given: Vec<usize>,
        expected: Vec<usize>,
    },
    /// The launch file gives an argument that the driver refuses for the function.
    #[error("argument `{name}` of function `{function}`: {source}")]
    Argument {
        name: String,
        function: String,
        source: OpenClError,
    },
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    #[error("the device's timer stood still during a launch")]
    Timer,
}

impl RunError {
    /// Whether only this device is unable to run the workload.
    pub fn is_beyond_the_device(&self) -> bool {
        matches!(
            self,
            Self::TooLarge(_) | Self::OpenCl(OpenClError::NoImageFormat { .. })
        )
    }
}
