//! Lists of reasons, with their text.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Reasons, as kinds with their numbers, the most telling first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
