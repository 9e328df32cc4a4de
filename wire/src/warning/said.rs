use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Warning;

/// Warnings, the worst first. In JSON they are two fields: `warnings` in English, and `warned`, what they are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Said", into = "Said")]
pub struct Warnings(pub Vec<Warning>);

/// What a reader should know before believing it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Warnings)]
pub(crate) struct Said {
    /// What a reader should know before believing it, in English, the worst first.
    #[serde(default)]
    #[schema(required = true)]
    warnings: Vec<String>,
    /// The same, one by one, as kinds with their numbers.
    warned: Vec<Warning>,
}

impl From<Warnings> for Said {
    fn from(Warnings(warned): Warnings) -> Self {
        Self {
            warnings: warned.iter().map(ToString::to_string).collect(),
            warned,
        }
    }
}

impl From<Said> for Warnings {
    fn from(said: Said) -> Self {
        Self(said.warned)
    }
}
