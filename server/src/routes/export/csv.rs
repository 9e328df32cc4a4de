//! Tables as CSV (RFC 4180). Absent is empty.

use axum::{
    body::Body,
    http::header,
    response::{IntoResponse, Response},
};
use kerncast_profilers::as_text;
use serde::Serialize;

/// One line.
pub(super) fn record(fields: impl IntoIterator<Item = String>) -> Vec<u8> {
    // Names are always quoted: in a tidy table a line that begins with == is a profiler's remark.
    let mut writer = csv::WriterBuilder::new()
        .quote_style(csv::QuoteStyle::NonNumeric)
        .from_writer(Vec::new());
    // Writing to a Vec cannot fail, and each writer has one record, so lengths cannot disagree.
    let _ = writer.write_record(fields.into_iter().map(|it| as_text(&it).into_owned()));
    writer.into_inner().unwrap_or_default()
}

/// A table as a file.
pub(super) fn attachment(body: Body) -> Response {
    const AS_FILE: &str = "attachment; filename=\"samples.csv\"";
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, AS_FILE),
    ];
    (headers, body).into_response()
}

/// A cell that may be absent.
pub(super) fn or_empty(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |it| it.to_string())
}

/// An enumeration's word, as JSON has it.
pub(super) fn word(value: impl Serialize) -> String {
    match serde_json::json!(value) {
        serde_json::Value::String(word) => word,
        other => other.to_string(),
    }
}
