//! Lists of warnings: in JSON two fields.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Warning;

/// Warnings, the worst first. In JSON they are two fields: `warnings` in English, and `warned`, what they are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "WarningFields", into = "WarningFields")]
pub struct Warnings(pub Vec<Warning>);

/// What a reader should know before believing it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Warnings)]
pub(crate) struct WarningFields {
    /// What a reader should know before believing it, in English, the worst first.
    #[serde(default)]
    #[schema(required = true)]
    warnings: Vec<String>,
    /// The same, one by one, as kinds with their numbers.
    warned: Vec<Warning>,
}

impl From<Warnings> for WarningFields {
    fn from(Warnings(warned): Warnings) -> Self {
        Self {
            warnings: warned.iter().map(ToString::to_string).collect(),
            warned,
        }
    }
}

impl From<WarningFields> for Warnings {
    fn from(fields: WarningFields) -> Self {
        Self(fields.warned)
    }
}
