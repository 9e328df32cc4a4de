use thiserror::Error;

use crate::DatasetError;

/// Why there is no forecast from one device to another.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum AcrossError {
    /// No times at all.
    #[error("no device has times: expected one or more")]
    NoDevice,
    /// A role speaks of a column that is not there.
    #[error("a role names column {column} of {counters} counters")]
    NoSuchColumn {
        /// The column, from 0.
        column: usize,
        /// How many there are.
        counters: usize,
    },
    /// Numbers that are no samples.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// Too few kernels to choose anything by leaving kernels out.
    #[error("{found} kernels; {needed} are needed to choose terms by leaving kernels out")]
    TooFewKernels {
        /// Kernels in the rows to learn from.
        found: usize,
        /// As many as are enough.
        needed: usize,
    },
    /// A solver's answer is no number.
    #[error("the fit overflowed: a cost is not finite")]
    NotFinite,
}
