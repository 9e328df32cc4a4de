use kerncast_wire::{BatchVerdict, FieldProblem, NewSample, SampleBatch, SampleVerdict, Verdict};

use uuid::Uuid;

use super::Import;
use crate::client::{Client, ServerError};

/// The most samples in a batch: with tens of counters each, some 10 MB.
const BATCH_SAMPLES: usize = 2_000;

/// The outcome of sending a file's samples.
#[derive(Debug, Default)]
pub struct Sent {
    /// Samples that are new to the server.
    pub stored: Vec<Uuid>,
    /// Number of samples that the server had already.
    pub repeated: usize,
    /// Samples that the server refused: lines of the file, with the problems.
    pub rejected: Vec<(u64, Vec<FieldProblem>)>,
}

/// Sends everything in an import. `progress` gets the number of answered samples after each batch. What was sent before
/// an error stays stored; sending everything again is harmless.
///
/// # Errors
/// The server gives no usable answer.
pub fn send(
    import: &Import,
    server: &Client,
    mut progress: impl FnMut(usize),
) -> Result<Sent, ServerError> {
    let mut sent = Sent::default();
    for batch in import.samples.chunks(BATCH_SAMPLES) {
        let samples: Vec<NewSample> = batch.iter().map(|(_, sample)| sample.clone()).collect();
        let BatchVerdict { verdicts, .. } = server.send(&SampleBatch { samples })?;
        for ((line, _), verdict) in batch.iter().zip(verdicts) {
            match verdict.verdict {
                Verdict::Stored => sent.stored.extend(verdict.id),
                Verdict::Repeated => sent.repeated += 1,
                Verdict::Rejected if import.own_ids && is_taken(&verdict) => sent.repeated += 1,
                Verdict::Rejected => sent.rejected.push((*line, verdict.problems)),
            }
        }
        progress(batch.len());
    }
    for (_, ceilings) in &import.ceilings {
        server.send_ceilings(ceilings)?;
    }
    for (_, rates) in &import.streams {
        server.send_streams(rates)?;
    }
    Ok(sent)
}

/// Whether the id of a sample was there with other content. Where the id is made of the measurement, only who imported
/// it and when can differ.
fn is_taken(verdict: &SampleVerdict) -> bool {
    let fields = verdict.problems.iter().map(|problem| &problem.field);
    verdict.problems.len() == 1 && fields.clone().all(|field| field.ends_with("/id"))
}
