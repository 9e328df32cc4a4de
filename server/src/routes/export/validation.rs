//! A model's hold-outs as a table: a row a sample and key; numbers in the response's unit.

use axum::{body::Body, response::Response};
use kerncast_wire::Validation;

use super::csv::{self, or_empty};

const COLUMNS: [&str; 9] = [
    "model",
    "key",
    "sample",
    "kernel",
    "variant",
    "parameters",
    "measured",
    "predicted",
    "refusal",
];

pub(in crate::routes) fn validation(validation: Validation) -> Response {
    let mut text = csv::record(COLUMNS.map(str::to_owned));
    rows(validation).for_each(|row| text.extend(csv::record(row)));
    csv::attachment("validation", Body::from(text))
}

fn rows(validation: Validation) -> impl Iterator<Item = [String; 9]> {
    let model = validation.model.to_string();
    validation.hold_outs.into_iter().flat_map(move |hold_out| {
        let (model, key) = (model.clone(), hold_out.key.word());
        hold_out.rows.into_iter().map(move |row| {
            [
                model.clone(),
                key.to_owned(),
                row.sample.to_string(),
                row.kernel,
                row.variant,
                serde_json::json!(row.parameters).to_string(),
                row.measured.to_string(),
                or_empty(row.predicted),
                row.refusal.unwrap_or_default(),
            ]
        })
    })
}
