use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Why there is no fit: a kind with its numbers. In English by its `Display`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FitRefusal {
    /// No sample has all of the counters.
    NoSample,
    /// The fit would pass through every row, whatever the counters are worth.
    TooFewRows {
        /// Rows that there are.
        rows: usize,
        /// Counters that are not constant over them.
        counters: usize,
        /// Rows that are enough for so many counters.
        needed: usize,
    },
    /// There is nothing to tell the rows apart by.
    NothingVaries {
        /// Rows that there are.
        rows: usize,
        /// Counters, none of which varies.
        counters: usize,
    },
    /// Of no counter that varies it is known what its events cost.
    NothingKnown {
        /// Counters that vary.
        counters: usize,
    },
    /// Too few kernels to learn from, or to choose anything by leaving kernels out.
    TooFewKernels {
        /// Kernels that there are.
        found: usize,
        /// As many as are enough.
        needed: usize,
    },
    /// The fit overflowed.
    NotFinite,
    /// What is rare.
    Text {
        /// In English.
        text: String,
    },
}

impl From<String> for FitRefusal {
    fn from(text: String) -> Self {
        Self::Text { text }
    }
}

impl fmt::Display for FitRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSample => f.write_str("no sample has all of the counters"),
            Self::TooFewRows {
                rows,
                counters,
                needed,
            } => write!(
                f,
                "too few rows ({rows}) for the counters ({counters}): {needed} are needed"
            ),
            Self::NothingVaries { rows, counters } => write!(
                f,
                "none of the counters ({counters}) varies over the rows ({rows})"
            ),
            Self::NothingKnown { counters } => write!(
                f,
                "nothing is known of what events of the counters ({counters}) cost"
            ),
            Self::TooFewKernels { found, needed } => {
                write!(f, "too few kernels ({found}): {needed} are needed")
            }
            Self::NotFinite => {
                f.write_str("the fit overflowed: an intercept or coefficient is not finite")
            }
            Self::Text { text } => f.write_str(text),
        }
    }
}
