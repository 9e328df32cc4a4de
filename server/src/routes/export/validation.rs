//! A model's hold-outs as a table: a row a sample and key; numbers in the response's unit.

use axum::{body::Body, response::Response};
use kerncast_wire::Validation;

use super::{
    TableFormat, csv,
    parquet::Table,
    table::{Cell, Column, Kind},
};
use crate::error::Error;

const COLUMNS: [(&str, Kind); 9] = [
    ("model", Kind::Text),
    ("key", Kind::Text),
    ("sample", Kind::Text),
    ("kernel", Kind::Text),
    ("variant", Kind::Text),
    ("parameters", Kind::Text),
    ("measured", Kind::Number),
    ("predicted", Kind::Number),
    ("refusal", Kind::Text),
];

/// # Errors
/// Where the table can't be written.
pub(in crate::routes) fn validation(
    validation: Validation,
    format: TableFormat,
) -> Result<Response, Error> {
    let columns = COLUMNS.map(|(name, kind)| Column::new(name, kind));
    let rows = rows(validation);
    let table = match format {
        TableFormat::Csv => {
            let mut text = csv::header(&columns);
            rows.for_each(|row| text.extend(csv::row(row)));
            text
        }
        TableFormat::Parquet => {
            let mut table = Table::new(&columns)?;
            let mut bytes = Vec::new();
            for row in rows {
                if table.push(row) {
                    bytes.extend(table.write()?);
                }
            }
            bytes.extend(table.end()?);
            bytes
        }
    };
    Ok(format.attachment("validation", Body::from(table)))
}

fn rows(validation: Validation) -> impl Iterator<Item = Vec<Cell>> {
    let model = validation.model.to_string();
    validation.hold_outs.into_iter().flat_map(move |hold_out| {
        let (model, key) = (model.clone(), hold_out.key.word());
        hold_out.rows.into_iter().map(move |row| {
            vec![
                Cell::text(&model),
                Cell::text(key),
                Cell::text(row.sample),
                Cell::Text(row.kernel),
                Cell::Text(row.variant),
                Cell::Text(serde_json::json!(row.parameters).to_string()),
                Cell::Number(row.measured),
                Cell::or_absent(row.predicted, Cell::Number),
                Cell::or_absent(row.refusal, Cell::Text),
            ]
        })
    })
}
