use axum::http::StatusCode;
use chrono::{DateTime, Utc};
use kerncast_profilers::catalogue;
use kerncast_wire::{FieldProblem, NewSample, Problem, SampleBatch};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use uuid::Uuid;

use super::{check::check, renamed::rename};
use crate::{
    db::upload::Arrival,
    extract::parse,
    problem::{escaped, field, field_problem, two_names},
};

/// Most samples in a batch.
const MOST_SAMPLES: usize = 10_000;

/// A sample of a batch, or why it is none.
pub(crate) struct Judged<T = Arrival> {
    /// Its id, where it could be read.
    pub(crate) id: Option<Uuid>,
    /// The sample, or what is wrong with it.
    pub(crate) sample: Result<T, Vec<FieldProblem>>,
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
    // Most batches are in order: only others are read sample by sample.
    let samples = match parse::<SampleBatch>(body, "") {
        Ok(SampleBatch { samples }) => samples.into_iter().map(well_formed).collect(),
        Err(first) => one_by_one(body, first)?,
    };
    if samples.is_empty() || samples.len() > MOST_SAMPLES {
        let found = format!("{} samples", samples.len());
        let expected = format!("1 to {MOST_SAMPLES} samples");
        return Err(bad(field("/samples", found, expected)));
    }
    let now = Utc::now();
    let judge = |(index, Judged { id, sample }): (usize, Judged<NewSample>)| {
        let sample = sample.and_then(|sample| judged(sample, &base(index), now));
        Judged { id, sample }
    };
    Ok(samples.into_iter().enumerate().map(judge).collect())
}

/// The sample with the names that counters have here, or everything wrong with it. `base`: its pointer.
fn judged(
    mut sample: NewSample,
    base: &str,
    now: DateTime<Utc>,
) -> Result<Arrival, Vec<FieldProblem>> {
    let mut problems = check(&sample, base, now);
    // Of what was sent: what is sent again is the same, also where a counter's name has changed meanwhile.
    let content_hash = rename(&mut sample);
    for (provider, reading) in &mut sample.readings {
        if let Err(error) = catalogue::resolve(provider, &mut reading.counters) {
            let at = format!("{base}/readings/{}/counters", escaped(provider));
            problems.push(two_names(&at, &error));
        }
    }
    match problems.is_empty() {
        true => Ok(Arrival {
            sample,
            content_hash,
        }),
        false => Err(problems),
    }
}

fn well_formed(sample: NewSample) -> Judged<NewSample> {
    Judged {
        id: Some(sample.id),
        sample: Ok(sample),
    }
}

/// Each sample by itself; `first` is the first thing wrong with the batch.
fn one_by_one(body: &[u8], first: FieldProblem) -> Result<Vec<Judged<NewSample>>, Problem> {
    let Envelope { samples } = parse(body, "").map_err(|field| {
        // Where the text is no JSON (NaN, say) only the whole types can tell in which field.
        let deeper = first.expected == field.expected;
        bad(if deeper { first } else { field })
    })?;
    let read = |(index, text): (usize, &RawValue)| {
        let text = text.get().as_bytes();
        match parse(text, &base(index)) {
            Ok(sample) => well_formed(sample),
            Err(problem) => Judged {
                id: id_of(text),
                sample: Err(vec![problem]),
            },
        }
    };
    Ok(samples.into_iter().enumerate().map(read).collect())
}

/// The pointer to a sample.
fn base(index: usize) -> String {
    format!("/samples/{index}")
}

fn bad(field: FieldProblem) -> Problem {
    field_problem(StatusCode::BAD_REQUEST, field)
}

/// The id of a sample that is wrong elsewhere.
fn id_of(text: &[u8]) -> Option<Uuid> {
    let sample: Value = serde_json::from_slice(text).ok()?;
    sample.get("id")?.as_str()?.parse().ok()
}
