//! Tables as CSV (RFC 4180). Absent is empty.

use kerncast_profilers::as_text;

use super::table::{Cell, Column};

pub(super) fn header(columns: &[Column]) -> Vec<u8> {
    record(columns.iter().map(|column| column.name.clone()))
}

pub(super) fn row(cells: Vec<Cell>) -> Vec<u8> {
    record(cells.into_iter().map(|cell| match cell {
        Cell::Text(text) => text,
        Cell::Whole(number) => number.to_string(),
        Cell::Number(number) => number.to_string(),
        Cell::Flag(flag) => flag.to_string(),
        Cell::Time(time) => time.to_rfc3339(),
        Cell::Absent => String::new(),
    }))
}

fn record(fields: impl Iterator<Item = String>) -> Vec<u8> {
    // Names are always quoted: in a tidy table a line that begins with == is a profiler's remark.
    let mut writer = csv::WriterBuilder::new()
        .quote_style(csv::QuoteStyle::NonNumeric)
        .from_writer(Vec::new());
    // Writing to a Vec cannot fail, and each writer has one record, so lengths cannot disagree.
    let _ = writer.write_record(fields.map(|it| as_text(&it).into_owned()));
    writer.into_inner().unwrap_or_default()
}
