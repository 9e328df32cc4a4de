//! Why a model waits for an admin.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use utoipa::ToSchema;

/// Why a model waits for an admin: a kind with its numbers. In English by its `Display`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema, Error)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum HeldBecause {
    /// On the unseen kernels that both are judged by it is far worse than its predecessor.
    #[error(
        "on the {kernels} unseen kernels that both are judged by it is off by {:.1} % on average, its predecessor by \
         {:.1} %",
        100.0 * .now,
        100.0 * .before
    )]
    Worse {
        /// Kernels that both are judged by.
        kernels: usize,
        /// Its mean absolute percentage error: 0.05 is 5 %.
        now: f64,
        /// Its predecessor's.
        before: f64,
    },
    /// Every fit is refused, where there was one before.
    #[error("every fit is refused, where there was one before")]
    NoFit,
}

/// What an agent has uploaded of a model's devices since the champion before it was fitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Uploads {
    /// Its name.
    pub agent: String,
    /// Number of samples.
    pub samples: i64,
}
