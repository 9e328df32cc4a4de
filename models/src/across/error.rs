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
    /// Too few kernels to choose anything by leaving kernels out of those that are left.
    #[error("{found} kernels; leaving one out needs {needed}")]
    TooFewKernels {
        /// Kernels that there are.
        found: usize,
        /// As many as are enough.
        needed: usize,
    },
    /// No counter can play a role that every forecast across devices needs.
    #[error("no counter of {what}: none is called {}", .names.join(", "))]
    NoRole {
        /// What it would count.
        what: &'static str,
        /// What those known are called.
        names: &'static [&'static str],
    },
    /// A forecast from the source's time without it.
    #[error("there is no column of the source's time")]
    NoSourceTime,
    /// No kind of demand is counted for every workload and measured as a ceiling on every device.
    #[error("the devices have no ceiling in common that every workload's demand is counted for")]
    NoCommonCeiling,
    /// Numbers that fill no table.
    #[error("{found} values; {expected} were expected")]
    Shape {
        /// How many there are.
        found: usize,
        /// How many rows and columns ask for.
        expected: usize,
    },
    /// A solver's answer is no number.
    #[error("the fit overflowed: a cost is not finite")]
    NotFinite,
}
