use kerncast_wire::{BatchVerdict, FieldProblem, NewSample, SampleBatch, SampleVerdict, Verdict};

use uuid::Uuid;

use super::Import;
use crate::client::{Client, ServerError};

/// Samples in a batch: tens of counters each, some 10 MB.
const BATCH: usize = 2_000;

/// What became of a file's samples.
#[derive(Debug, Default)]
pub struct Sent {
    /// New to the server.
    pub stored: Vec<Uuid>,
    /// It had them already.
    pub repeated: usize,
    /// It refused them: lines of the file, with the problems.
    pub rejected: Vec<(u64, Vec<FieldProblem>)>,
}

/// Sends all of an import; `progress` hears after each batch how many samples have an answer. What was
/// sent before an error stays; sending all again is harmless.
///
/// # Errors
/// No usable answer.
pub fn send(
    import: &Import,
    server: &Client,
    mut progress: impl FnMut(usize),
) -> Result<Sent, ServerError> {
    let mut sent = Sent::default();
    for batch in import.samples.chunks(BATCH) {
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

/// Whether its id was there with another content. Where the id is that of what was measured, only who
/// imported it and when can differ.
fn is_taken(verdict: &SampleVerdict) -> bool {
    let fields = verdict.problems.iter().map(|problem| &problem.field);
    verdict.problems.len() == 1 && fields.clone().all(|field| field.ends_with("/id"))
}
