//! Why a primitive was not done.

use std::io;

use kerncast_offload::Type;
use kerncast_opencl::OpenClError;
use thiserror::Error;

/// Why a primitive was not done, or not to its end.
#[derive(Debug, Error)]
pub enum StreamError {
    /// The device's driver.
    #[error(transparent)]
    Device(#[from] OpenClError),
    /// The operation does not compile; lines and columns are those of its text.
    #[error("the operation does not compile; lines are those of its text:\n{0}")]
    Operation(String),
    /// Arrays that go together have different lengths, or types other than the primitive's.
    #[error("{what}: {found}; expected {expected}")]
    Shape {
        /// Which array.
        what: String,
        /// As it is.
        found: String,
        /// As it should be.
        expected: String,
    },
    /// An index is beyond the output of a scatter.
    #[error("the index at place {place} is beyond the output, which has {length} elements")]
    Index {
        /// One of them.
        place: u64,
        /// Of the output.
        length: u64,
    },
    /// The device has no `double`.
    #[error("the device {0} has no 64-bit floating point (cl_khr_fp64)")]
    NoDouble(String),
    /// Even the smallest chunks need more.
    #[error(
        "{what} needs {needed} bytes of device memory, {} more than the {budget} that it may have",
        needed - budget
    )]
    Memory {
        /// What was to be done.
        what: &'static str,
        /// At least.
        needed: u64,
        /// Given.
        budget: u64,
    },
    /// A file could not be read or written.
    #[error("{what}: {why}")]
    File {
        /// Which, and what was tried.
        what: String,
        /// The system's word.
        why: io::Error,
    },
    /// Somebody has [cancelled](crate::Cancel) it.
    #[error("the stream was cancelled")]
    Cancelled,
    /// A file is no array that streams take.
    #[error("{0}")]
    Format(String),
}

impl StreamError {
    /// Whether another question mends it; else a device or a file failed, or somebody cancelled it.
    pub fn is_of_what_was_asked(&self) -> bool {
        !matches!(self, Self::Device(_) | Self::File { .. } | Self::Cancelled)
    }

    pub(crate) fn length(what: &str, found: u64, expected: u64) -> Self {
        Self::Shape {
            what: what.to_owned(),
            found: format!("{found} elements"),
            expected: expected.to_string(),
        }
    }

    pub(crate) fn types(what: &str, found: Type, expected: Type) -> Self {
        Self::Shape {
            what: what.to_owned(),
            found: format!("elements of type {}", found.name()),
            expected: expected.name().to_owned(),
        }
    }
}
