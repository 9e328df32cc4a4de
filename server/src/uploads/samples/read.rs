use std::ops::Range;

use axum::http::StatusCode;
use chrono::{DateTime, Utc};
use kerncast_profilers::catalogue;
use kerncast_wire::{AtMost, FieldProblem, NewSample, Problem, SampleBatch};
use serde::Deserialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::check;
use crate::{
    db::uploads::{content_hash::content_hash, store_samples::Arrival},
    http::{escaped, extract::parse, field, field_problem, two_names},
};

/// Most samples in a batch.
const MOST_SAMPLES: usize = 10_000;
/// Bytes of samples that are read together.
const PIECE_BYTES: usize = 2 << 20;
/// Bytes of a sample at most: one with all repetitions and all counters that there may be has fewer.
const LARGEST_SAMPLE: usize = 8 << 20;
/// Bytes of memory that a byte of samples takes on its way into the database.
const MEMORY_PER_BYTE: usize = 32;

/// A batch, its samples still to be read: piece by piece, so that a large batch takes little more memory than a
/// small one, and sample by sample where one is wrong, so that it sinks no other.
pub(crate) struct Batch {
    body: Vec<u8>,
    /// Where the samples are in it.
    samples: Vec<Range<usize>>,
}

/// A sample of a batch, or why it is none.
pub(crate) struct CheckedSample {
    /// The sample's place in the batch.
    pub(crate) index: usize,
    /// The sample's id, where it could be read.
    pub(crate) id: Option<Uuid>,
    /// The sample, or what is wrong with it.
    pub(crate) sample: Result<Arrival, Vec<FieldProblem>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope<'a> {
    #[serde(borrow)]
    samples: AtMost<MOST_SAMPLES, &'a RawValue>,
}

/// The id of a sample that is wrong elsewhere.
#[derive(Deserialize)]
struct Identified {
    id: Uuid,
}

impl Batch {
    /// Fails where the body is no batch at all: not JSON, another shape, no sample or too many.
    pub(crate) fn parse(body: Vec<u8>) -> Result<Self, Problem> {
        let Envelope {
            samples: AtMost(samples),
        } = parse(&body, "").map_err(|field| bad(find_deeper_problem(&body, field)))?;
        if samples.is_empty() {
            let expected = format!("1 to {MOST_SAMPLES} samples");
            return Err(bad(field("/samples", "0 samples", expected)));
        }
        let start = body.as_ptr().addr();
        let place = |sample: &RawValue| {
            let text = sample.get();
            let at = text.as_ptr().addr() - start;
            at..at + text.len()
        };
        Ok(Self {
            samples: samples.into_iter().map(place).collect(),
            body,
        })
    }

    /// The samples in pieces of about two megabytes, each with the bytes of memory that checking and storing it takes.
    pub(crate) fn pieces(&self) -> Vec<(Range<usize>, usize)> {
        let mut pieces = Vec::new();
        let mut first = 0;
        for (index, sample) in self.samples.iter().enumerate() {
            let (start, next) = (self.samples[first].start, self.samples.get(index + 1));
            if next.is_none_or(|next| next.end - start > PIECE_BYTES) {
                let bytes = sample.end - start;
                pieces.push((
                    first..index + 1,
                    MEMORY_PER_BYTE * bytes.min(LARGEST_SAMPLE),
                ));
                first = index + 1;
            }
        }
        pieces
    }

    /// Reads a piece and checks each sample of it by itself.
    pub(crate) fn check(&self, piece: Range<usize>) -> Vec<CheckedSample> {
        let now = Utc::now();
        let mut whole_piece = self.parse_piece(&piece).into_iter().flatten();
        piece
            .map(|index| {
                let base = format!("/samples/{index}");
                let parsed = match whole_piece.next() {
                    Some(sample) => Ok(sample),
                    None => self.parse_sample(index, &base),
                };
                let (id, sample) = match parsed {
                    Ok(sample) => (Some(sample.id), check_and_resolve(sample, &base, now)),
                    Err((id, problem)) => (id, Err(vec![problem])),
                };
                CheckedSample { index, id, sample }
            })
            .collect()
    }

    /// All samples of a piece; none where one is wrong: most pieces are in order.
    fn parse_piece(&self, piece: &Range<usize>) -> Option<Vec<NewSample>> {
        let text = &self.body[self.samples[piece.start].start..self.samples[piece.end - 1].end];
        if text.len() > LARGEST_SAMPLE {
            return None;
        }
        let text = [b"[", text, b"]"].concat();
        parse(&text, "").ok()
    }

    fn parse_sample(
        &self,
        index: usize,
        base: &str,
    ) -> Result<NewSample, (Option<Uuid>, FieldProblem)> {
        let text = &self.body[self.samples[index].clone()];
        if text.len() > LARGEST_SAMPLE {
            let size = format!("{} bytes", text.len());
            let expected = format!("at most {LARGEST_SAMPLE} bytes of JSON");
            return Err((None, field(base, size, expected)));
        }
        parse(text, base).map_err(|problem| {
            let identified = serde_json::from_slice(text);
            (identified.ok().map(|Identified { id }| id), problem)
        })
    }
}

/// The sample with the names that counters have here, or everything wrong with it. `base`: its pointer.
fn check_and_resolve(
    mut sample: NewSample,
    base: &str,
    now: DateTime<Utc>,
) -> Result<Arrival, Vec<FieldProblem>> {
    let mut problems = check::check(&sample, base, now);
    // The hash is of what was sent: a repeat is one also where a counter's name has changed meanwhile.
    let content_hash = content_hash(&sample);
    for (provider, reading) in &mut sample.readings {
        if let Err(error) = catalogue::resolve(provider, &mut reading.counters) {
            let at = format!("{base}/readings/{}/counters", escaped(provider));
            problems.push(two_names(&at, &error));
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    Ok(Arrival {
        sample,
        content_hash,
    })
}

/// What is wrong with a body that is no batch. Where the text is no JSON (NaN, say) only the whole types can
/// tell in which field.
fn find_deeper_problem(body: &[u8], problem: FieldProblem) -> FieldProblem {
    if body.len() > PIECE_BYTES {
        return problem;
    }
    match parse::<SampleBatch>(body, "") {
        Err(deeper) if deeper.expected == problem.expected => deeper,
        _ => problem,
    }
}

fn bad(field: FieldProblem) -> Problem {
    field_problem(StatusCode::BAD_REQUEST, field)
}
