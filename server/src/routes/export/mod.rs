//! Exports as tables, for those who live in pandas: CSV, or Parquet.

mod csv;
mod parquet;
mod samples;
mod table;
mod validation;

use axum::{
    body::Body,
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use utoipa::ToSchema;

pub(super) use self::parquet::ROOM as PARQUET_ROOM;
pub(super) use self::samples::{Pages, samples};
pub(super) use self::validation::validation;

const CSV: &str = "text/csv";
const PARQUET: &str = "application/vnd.apache.parquet";

/// In which form a listing is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Format {
    /// As JSON.
    Json,
    /// As CSV (RFC 4180).
    Csv,
    /// As Apache Parquet, with types, compressed by Snappy.
    Parquet,
}

impl Format {
    /// The table that was asked for by parameter, else by the `Accept` header; none: JSON.
    pub(super) fn of_table(parameter: Option<Self>, headers: &HeaderMap) -> Option<TableFormat> {
        let accept = headers
            .get(header::ACCEPT)
            .and_then(|it| it.to_str().ok())
            .unwrap_or_default();
        match parameter {
            Some(Self::Json) => None,
            Some(Self::Csv) => Some(TableFormat::Csv),
            Some(Self::Parquet) => Some(TableFormat::Parquet),
            None if accept.contains(PARQUET) => Some(TableFormat::Parquet),
            None if accept.contains(CSV) => Some(TableFormat::Csv),
            None => None,
        }
    }
}

/// In which form a table is.
#[derive(Clone, Copy)]
pub(super) enum TableFormat {
    Csv,
    Parquet,
}

impl TableFormat {
    /// The table called `name` as a file.
    fn attachment(self, name: &str, body: Body) -> Response {
        let (media_type, extension) = match self {
            Self::Csv => (format!("{CSV}; charset=utf-8"), "csv"),
            Self::Parquet => (PARQUET.to_owned(), "parquet"),
        };
        let headers = [
            (header::CONTENT_TYPE, media_type),
            (
                header::CONTENT_DISPOSITION,
                format!("attachment; filename=\"{name}.{extension}\""),
            ),
        ];
        (headers, body).into_response()
    }
}
