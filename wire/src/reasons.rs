use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};
use serde_json::Value;

/// What is told one after the other, as kinds with their numbers. A kind of another version, which has none here, is
/// read as its text.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Reasons<T>(pub Vec<T>);

impl<T> Reasons<T> {
    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T> Default for Reasons<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> From<T> for Reasons<T> {
    fn from(one: T) -> Self {
        Self(vec![one])
    }
}

/// In English, in one line.
impl<T: fmt::Display> fmt::Display for Reasons<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, one) in self.0.iter().enumerate() {
            let between = if place == 0 { "" } else { "; " };
            write!(f, "{between}{one}")?;
        }
        Ok(())
    }
}

impl<'de, T: DeserializeOwned + From<String>> Deserialize<'de> for Reasons<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let all = Vec::<Value>::deserialize(deserializer)?;
        Ok(Self(all.into_iter().map(or_text).collect()))
    }
}

/// The same for one alone: `#[serde(default, deserialize_with = "one_or_text")]`.
pub(crate) fn one_or_text<'de, D: Deserializer<'de>, T: DeserializeOwned + From<String>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    Ok(Option::<Value>::deserialize(deserializer)?.map(or_text))
}

/// What another version says otherwise is read as absent: its words stand beside it.
pub(crate) fn known<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let value = Option::<Value>::deserialize(deserializer)?;
    Ok(value.and_then(|value| serde_json::from_value(value).ok()))
}

fn or_text<T: DeserializeOwned + From<String>>(value: Value) -> T {
    let text = value.to_string();
    serde_json::from_value(value).unwrap_or_else(|_| T::from(text))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Doubt;

    #[test]
    fn what_another_version_says_is_read_as_its_text() {
        let json = json!([{ "kind": "tomorrow" }, { "kind": "no_time", "time_s": 0.0 }]);
        let read: Reasons<Doubt> = serde_json::from_value(json).expect("reads");
        let text = r#"{"kind":"tomorrow"}"#.to_owned();
        let expected = Reasons(vec![Doubt::Text { text }, Doubt::NoTime { time_s: 0.0 }]);
        assert_eq!(read, expected);
        assert_eq!(read.to_string(), r#"{"kind":"tomorrow"}; 0 s is no time"#);
    }
}
