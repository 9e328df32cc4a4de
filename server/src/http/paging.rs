//! Listings, page by page.

use std::str::FromStr;

use axum::http::StatusCode;
use kerncast_wire::Problem;
use serde::Deserialize;
use utoipa::IntoParams;

use super::{field, field_problem};
use crate::db::limit::Limit;

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

/// The value that a cursor stands for.
pub(crate) fn parse_cursor<T: FromStr>(cursor: Option<&str>) -> Result<Option<T>, Problem> {
    let parse = |it: &str| it.parse().map_err(|_| bad_cursor(it));
    cursor.map(parse).transpose()
}

/// The problem of a cursor that no page gave.
pub(crate) fn bad_cursor(cursor: &str) -> Problem {
    let expected = "what an earlier page of this listing gave as `next`";
    field_problem(StatusCode::BAD_REQUEST, field("cursor", cursor, expected))
}
