use serde::{Deserialize, Serialize};
use thiserror::Error;
use utoipa::ToSchema;

/// Why there is no fit: a kind with its numbers. In English by its `Display`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Error)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FitRefusal {
    /// No sample has all of the counters.
    #[error("no sample has all of the counters")]
    NoSample,
    /// The fit would pass through every row, whatever the counters are worth.
    #[error("too few rows ({rows}) for the counters ({counters}): {needed} are needed")]
    TooFewRows {
        /// Rows that there are.
        rows: usize,
        /// Counters that are not constant over them.
        counters: usize,
        /// Rows that are enough for so many counters.
        needed: usize,
    },
    /// There is nothing to tell the rows apart by.
    #[error("none of the counters ({counters}) varies over the rows ({rows})")]
    NothingVaries {
        /// Rows that there are.
        rows: usize,
        /// Counters, none of which varies.
        counters: usize,
    },
    /// The method knows the cost of events of no counter that varies.
    #[error("nothing is known of what events of the counters ({counters}) cost")]
    NothingKnown {
        /// Counters that vary.
        counters: usize,
    },
    /// Too few kernels to learn from, or to choose anything by leaving kernels out.
    #[error("too few kernels ({found}): {needed} are needed")]
    TooFewKernels {
        /// Kernels that there are.
        found: usize,
        /// Kernels that are needed.
        needed: usize,
    },
    /// The fit overflowed.
    #[error("the fit overflowed: an intercept or coefficient is not finite")]
    NotFinite,
    /// Another reason, which is rare.
    #[error("{text}")]
    Text {
        /// The reason, in English.
        text: String,
    },
}

impl From<String> for FitRefusal {
    fn from(text: String) -> Self {
        Self::Text { text }
    }
}
