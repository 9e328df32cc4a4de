use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{Localized, VariantAnalysis};

/// What is known of a kernel's memory accesses from its sources alone (docs/analysis.md), and what becomes of them in
/// local memory: sent to `PUT /v1/sources/{hash}/analysis`.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct KernelAnalysis {
    /// Who read the sources: programs and their versions.
    #[schema(example = "kerncast 0.2.0, Debian clang version 15.0.6")]
    pub tool: String,
    /// One a variant, in the launch file's order.
    pub variants: Vec<VariantAnalysis>,
    /// What `kerncast localize` has made of it, where that has been asked for.
    pub localized: Option<Localized>,
}

/// What is known of a kernel's sources.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct KnownAnalysis {
    /// Their hash.
    pub source_hash: String,
    /// What is known of these.
    pub analysis: KernelAnalysis,
    /// What `kerncast localize` has changed, as a unified diff; absent where it has written nothing.
    pub diff: Option<String>,
}
