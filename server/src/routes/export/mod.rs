//! Exports as tables, for those who live in pandas.

mod csv;
mod samples;

use serde::Deserialize;
use utoipa::ToSchema;

pub(super) use self::samples::{Pages, samples};

/// In which form a listing is answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Format {
    /// As JSON.
    #[default]
    Json,
    /// As CSV (RFC 4180).
    Csv,
}
