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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_kind_and_its_text_stand_side_by_side_and_come_back() {
        let warnings = Warnings(vec![
            Warning::NotValidated,
            Warning::TooFewLeftOut {
                folds: 3,
                needed: 9.0,
                level: 0.9,
            },
        ]);
        let json = serde_json::to_value(&warnings).expect("JSON");
        assert_eq!(
            json,
            json!({
                "warnings": [
                    "the model could not be validated on kernels it had not seen",
                    "too few kernels, or regions of kernels, (3) were left out for an interval at level \
                     0.9: 9 are needed",
                ],
                "warned": [
                    { "kind": "not_validated" },
                    { "kind": "too_few_left_out", "folds": 3, "needed": 9.0, "level": 0.9 },
                ],
            })
        );
        assert_eq!(
            serde_json::from_value::<Warnings>(json).expect("reads"),
            warnings
        );
    }
}
