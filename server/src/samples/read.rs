use axum::http::StatusCode;
use chrono::Utc;
use kerncast_wire::{FieldProblem, NewSample, Problem, SampleBatch};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use uuid::Uuid;

use super::check::check;
use crate::{
    extract::parse,
    problem::{field, field_problem},
};

/// Most samples in a batch.
const MOST_SAMPLES: usize = 10_000;

/// A sample of a batch, or why it is none.
pub(crate) struct Judged {
    /// Its id, where it could be read.
    pub(crate) id: Option<Uuid>,
    /// The sample, or what is wrong with it.
    pub(crate) sample: Result<NewSample, Vec<FieldProblem>>,
}

/// The batch with its samples still unread, so that a wrong one does not sink the others.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope<'a> {
    #[serde(borrow)]
    samples: Vec<&'a RawValue>,
}

/// Reads a batch and judges each sample by itself.
///
/// # Errors
/// Where the body is no batch at all: not JSON, another shape, no sample or too many.
pub(crate) fn read_batch(body: &[u8]) -> Result<Vec<Judged>, Problem> {
    let bad = |field| field_problem(StatusCode::BAD_REQUEST, field);
    let Envelope { samples } = parse(body, "").map_err(|field| {
        // Where the text is no JSON (NaN, say) only the whole types can tell in which field.
        let deeper = parse::<SampleBatch>(body, "").err();
        bad(deeper
            .filter(|deeper| deeper.expected == field.expected)
            .unwrap_or(field))
    })?;
    if samples.is_empty() || samples.len() > MOST_SAMPLES {
        let found = format!("{} samples", samples.len());
        return Err(bad(field(
            "/samples",
            found,
            format!("1 to {MOST_SAMPLES} samples"),
        )));
    }
    let now = Utc::now();
    let judge = |(index, text): (usize, &&RawValue)| {
        let text = text.get().as_bytes();
        let base = format!("/samples/{index}");
        match parse::<NewSample>(text, &base) {
            Ok(sample) => {
                let id = Some(sample.id);
                let problems = check(&sample, &base, now);
                Judged {
                    id,
                    sample: if problems.is_empty() {
                        Ok(sample)
                    } else {
                        Err(problems)
                    },
                }
            }
            Err(problem) => Judged {
                id: id_of(text),
                sample: Err(vec![problem]),
            },
        }
    };
    Ok(samples.iter().enumerate().map(judge).collect())
}

/// The id of a sample that is wrong elsewhere.
fn id_of(text: &[u8]) -> Option<Uuid> {
    let sample: Value = serde_json::from_slice(text).ok()?;
    sample.get("id")?.as_str()?.parse().ok()
}
