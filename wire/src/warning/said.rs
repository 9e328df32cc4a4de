use serde::{Deserialize, Serialize};
use serde_json::Value;
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
    #[serde(default)]
    #[schema(value_type = Vec<Warning>, required = true)]
    warned: Vec<Value>,
}

impl From<Warnings> for Said {
    fn from(Warnings(all): Warnings) -> Self {
        let value = |it| serde_json::to_value(it).expect("names and numbers have a JSON form");
        Self {
            warnings: all.iter().map(ToString::to_string).collect(),
            warned: all.iter().map(value).collect(),
        }
    }
}

/// Of another version there may be a text alone, or a kind that is not known here.
impl From<Said> for Warnings {
    fn from(Said { warnings, warned }: Said) -> Self {
        let mut texts = warnings.into_iter();
        let mut all: Vec<Warning> = warned
            .into_iter()
            .map(|value| {
                let text = texts.next().unwrap_or_else(|| value.to_string());
                serde_json::from_value(value).unwrap_or(Warning::Text { text })
            })
            .collect();
        all.extend(texts.map(|text| Warning::Text { text }));
        Self(all)
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

    #[test]
    fn what_another_version_says_is_read_as_its_text() {
        let read = |json| serde_json::from_value::<Warnings>(json).expect("reads").0;
        let text = |text: &str| Warning::Text {
            text: text.to_owned(),
        };
        assert_eq!(
            read(json!({ "warnings": ["an older one"] })),
            [text("an older one")]
        );
        assert_eq!(
            read(
                json!({ "warnings": ["of tomorrow", "no"], "warned": [{ "kind": "tomorrow" }, { "kind": "not_validated" }] })
            ),
            [text("of tomorrow"), Warning::NotValidated]
        );
        // As the database has them.
        let stored = json!({ "warned": [{ "kind": "text", "text": "of version 0.1" }] });
        assert_eq!(read(stored), [text("of version 0.1")]);
    }
}
