//! How long a page of a listing is.

use kerncast_wire::Page;
use serde::Deserialize;

use super::Result;

/// Items on a page: 1 to 1000, 100 unless told.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Limit(u16);

impl Default for Limit {
    fn default() -> Self {
        Self(100)
    }
}

impl TryFrom<String> for Limit {
    type Error = String;

    // As it stands in the query: whatever it is, the same is expected.
    fn try_from(limit: String) -> Result<Self, String> {
        match limit.parse() {
            Ok(limit @ 1..=1000) => Ok(Self(limit)),
            _ => Err("expected a whole number from 1 to 1000".to_owned()),
        }
    }
}

impl Limit {
    /// Items on a page at most.
    pub(crate) fn items(self) -> i64 {
        self.0.into()
    }

    /// Rows to ask the database for: one more than a page, to know whether a next page exists.
    pub(crate) fn rows(self) -> i64 {
        i64::from(self.0) + 1
    }

    /// The page of what the database gave for [`Limit::rows`].
    pub(crate) fn page<T>(self, mut items: Vec<T>, cursor: impl Fn(&T) -> String) -> Page<T> {
        let full = usize::from(self.0);
        let more = items.len() > full;
        items.truncate(full);
        let next = items.last().filter(|_| more).map(cursor);
        Page { items, next }
    }
}
