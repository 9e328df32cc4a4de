use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::VariantAnalysis;

/// What is known of a kernel's memory accesses from its sources alone (docs/analysis.md): sent to
/// `PUT /v1/sources/{hash}/analysis`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct KernelAnalysis {
    /// Who read the sources: programs and their versions.
    #[schema(example = "kerncast 0.3.0, Debian clang version 15.0.6")]
    pub tool: String,
    /// One a variant, in the launch file's order.
    pub variants: Vec<VariantAnalysis>,
}

/// What is known of a kernel's sources.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct KnownAnalysis {
    /// Their hash.
    pub source_hash: String,
    /// What is known of these.
    pub analysis: KernelAnalysis,
}
