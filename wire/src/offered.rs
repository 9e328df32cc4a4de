use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

/// A kernel that the server offers to agents that fetch kernels from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OfferedKernel {
    /// Its name.
    pub name: String,
    /// The hash of its sources, by which `GET /v1/sources/{hash}` has them.
    pub source_hash: String,
    /// Since when it is offered.
    pub offered_at: DateTime<Utc>,
}

/// All kernels that the server offers.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OfferedKernels {
    /// By name.
    pub kernels: Vec<OfferedKernel>,
    /// HMAC-SHA256, hexadecimal, by the SHA-256 of the asker's token, over the question's nonce and the kernels' names and
    /// hashes (docs/security.md); absent where no nonce or no token came.
    pub signature: Option<String>,
}
