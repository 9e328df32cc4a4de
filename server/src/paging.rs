//! Listings, page by page.

use std::str::FromStr;

use axum::http::StatusCode;
use kerncast_wire::{Page, Problem};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::problem::{field, field_problem};

/// Which page of a listing.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Paging {
    /// `next` of the page before; absent: the first page.
    pub(crate) cursor: Option<String>,
    /// Items on a page.
    #[serde(default)]
    #[param(value_type = Option<u16>, minimum = 1, maximum = 1000, default = 100)]
    pub(crate) limit: Limit,
}

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

/// What a cursor says.
pub(crate) fn parsed<T: FromStr>(cursor: Option<&str>) -> Result<Option<T>, Problem> {
    let parsed = |it: &str| it.parse().map_err(|_| bad_cursor(it));
    cursor.map(parsed).transpose()
}

/// A cursor that no page had.
pub(crate) fn bad_cursor(cursor: &str) -> Problem {
    let expected = "what an earlier page of this listing gave as `next`";
    field_problem(StatusCode::BAD_REQUEST, field("cursor", cursor, expected))
}
