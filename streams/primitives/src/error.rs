//! Why a primitive failed.

use std::io;

use kerncast_offload::ElementType;
use kerncast_opencl::OpenClError;
use thiserror::Error;

/// Why a primitive failed.
#[derive(Debug, Error)]
pub enum StreamError {
    /// The device or its driver failed.
    #[error(transparent)]
    Device(#[from] OpenClError),
    /// The operation does not compile; lines and columns are those of its text.
    #[error("the operation does not compile; lines are those of its text:\n{0}")]
    Operation(String),
    /// Arrays that go together have different lengths, or types other than the primitive's.
    #[error("{what}: {actual}; expected {expected}")]
    Shape {
        /// Which array.
        what: String,
        /// Its length or type.
        actual: String,
        /// The length or type that it should have.
        expected: String,
    },
    /// An index is beyond the output of a scatter.
    #[error("the index at place {place} is beyond the output, which has {length} elements")]
    Index {
        /// The place of such an index in the input.
        place: u64,
        /// Length of the output.
        length: u64,
    },
    /// The device has no `double`.
    #[error("the device {0} has no 64-bit floating point (cl_khr_fp64)")]
    NoDouble(String),
    /// The device memory that may be used has no room even for the shortest chunks.
    #[error(
        "{what} needs {needed} bytes of device memory, {} more than the {budget} that it may have",
        needed - budget
    )]
    Memory {
        /// The primitive.
        what: &'static str,
        /// Bytes that it needs at least.
        needed: u64,
        /// Bytes that it may use.
        budget: u64,
    },
    /// A file could not be read or written.
    #[error("{what}: {why}")]
    File {
        /// The operation and the file.
        what: String,
        /// The system's error.
        why: io::Error,
    },
    /// Somebody has [cancelled](crate::Cancel) it.
    #[error("the stream was cancelled")]
    Cancelled,
    /// A file does not hold an array that streams can read.
    #[error("{0}")]
    Format(String),
}

impl StreamError {
    /// Whether the arguments are wrong. Otherwise a device or a file failed, or somebody cancelled the call.
    pub fn is_wrong_argument(&self) -> bool {
        !matches!(self, Self::Device(_) | Self::File { .. } | Self::Cancelled)
    }

    pub(crate) fn length(what: &str, actual: u64, expected: u64) -> Self {
        Self::Shape {
            what: what.to_owned(),
            actual: format!("{actual} elements"),
            expected: expected.to_string(),
        }
    }

    pub(crate) fn types(what: &str, actual: ElementType, expected: ElementType) -> Self {
        Self::Shape {
            what: what.to_owned(),
            actual: format!("elements of type {}", actual.name()),
            expected: expected.name().to_owned(),
        }
    }
}
