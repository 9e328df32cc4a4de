//! Why local memory can't be measured.

use kerncast_opencl::OpenClError;
use thiserror::Error;

/// Why local memory can't be measured.
#[derive(Debug, Error)]
pub enum LocalMemoryError {
    /// OpenCL failed.
    #[error("local memory can't be measured: {0}")]
    OpenCl(#[from] OpenClError),
    /// Loads are missing: the compiler took some for superfluous.
    #[error(
        "local memory can't be measured: thread {thread} loaded {found} words; expected {expected}"
    )]
    Loads {
        /// The thread.
        thread: usize,
        /// What it added up.
        found: u32,
        /// i times rounds.
        expected: u32,
    },
    /// A launch that took no time.
    #[error("local memory can't be measured: the device's timer stood still during a launch")]
    Timer,
}
