//! Uploads everything in the spool.

use std::{mem, path::PathBuf};

use kerncast_wire::{BatchVerdict, NewSample, SampleBatch, Verdict};
use serde::{Serialize, de::DeserializeOwned};
use thiserror::Error;

use super::{Client, ServerError};
use crate::spool::{Spool, SpoolError};

const BATCH_SAMPLES: usize = 500;
const BATCH_BYTES: usize = 8 << 20;

/// The outcome of an upload, by files of the spool.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Uploaded {
    /// Samples that are new to the server.
    pub stored: usize,
    /// Samples that the server had already.
    pub repeated: usize,
    /// Ceilings that the server has now.
    pub ceilings: usize,
    /// Kernels whose sources the server has now.
    pub sources: usize,
    /// Files that the server refused; they were moved aside, with the problems beside them.
    pub rejected: Vec<PathBuf>,
    /// Files of the spool that can't be read, and why; they stay in the spool.
    pub unreadable: Vec<(PathBuf, String)>,
}

/// Why the spool could not be sent whole.
#[expect(missing_docs, reason = "their messages say it")]
#[derive(Debug, Error)]
pub enum UploadError {
    #[error(transparent)]
    Server(#[from] ServerError),
    #[error(transparent)]
    Spool(#[from] SpoolError),
    /// The answer has another number of verdicts than the batch has samples.
    #[error(
        "the server gave {verdicts} verdicts on {samples} samples: none was taken out of the spool"
    )]
    Verdicts { verdicts: usize, samples: usize },
}

/// Sends all samples, ceilings and sources of the spool. Each file leaves the spool when the server has said what
/// became of it.
///
/// # Errors
/// The server or the disk failed; files without a verdict stay in the spool.
pub fn upload(spool: &Spool, server: &Client) -> Result<Uploaded, UploadError> {
    let mut uploaded = Uploaded::default();
    spool.retry_refused_for_their_time()?;
    let mut batch: Vec<(PathBuf, NewSample)> = Vec::new();
    let mut batch_bytes = 0;
    for path in spool.samples()? {
        let Some(file) = spool.read(&path) else {
            continue;
        };
        match file.content {
            Err(problem) => uploaded.unreadable.push((path, problem)),
            Ok(sample) => {
                if batch.len() == BATCH_SAMPLES || batch_bytes + file.bytes > BATCH_BYTES {
                    send_batch(spool, server, mem::take(&mut batch), &mut uploaded)?;
                    batch_bytes = 0;
                }
                batch_bytes += file.bytes;
                batch.push((path, sample));
            }
        }
    }
    send_batch(spool, server, batch, &mut uploaded)?;
    for path in spool.ceilings()? {
        let send = |ceilings| server.send_ceilings(&ceilings);
        if send_one(spool, path, send, &mut uploaded)? {
            uploaded.ceilings += 1;
        }
    }
    for (path, hash) in spool.sources()? {
        let send = |source| server.send_source(&hash, &source);
        if send_one(spool, path, send, &mut uploaded)? {
            uploaded.sources += 1;
        }
    }
    Ok(uploaded)
}

/// Sends one file of the spool. Returns whether the server has it now.
fn send_one<T: DeserializeOwned>(
    spool: &Spool,
    path: PathBuf,
    send: impl FnOnce(T) -> Result<(), ServerError>,
    uploaded: &mut Uploaded,
) -> Result<bool, UploadError> {
    let Some(file) = spool.read(&path) else {
        return Ok(false);
    };
    match file.content {
        Err(problem) => uploaded.unreadable.push((path, problem)),
        Ok(content) => match send(content) {
            Ok(()) => {
                spool.remove(&path)?;
                return Ok(true);
            }
            // It names the fields: sending them again would change nothing.
            Err(ServerError::Status { problems, .. }) if !problems.is_empty() => {
                uploaded.rejected.push(spool.reject(&path, &problems)?);
            }
            Err(error) => return Err(error.into()),
        },
    }
    Ok(false)
}

fn send_batch(
    spool: &Spool,
    server: &Client,
    batch: Vec<(PathBuf, NewSample)>,
    uploaded: &mut Uploaded,
) -> Result<(), UploadError> {
    if batch.is_empty() {
        return Ok(());
    }
    let (paths, samples): (Vec<PathBuf>, Vec<NewSample>) = batch.into_iter().unzip();
    let samples = SampleBatch { samples };
    let BatchVerdict { verdicts, .. } = server.send(&samples)?;
    if verdicts.len() != paths.len() {
        return Err(UploadError::Verdicts {
            verdicts: verdicts.len(),
            samples: paths.len(),
        });
    }
    for (path, verdict) in paths.iter().zip(verdicts) {
        match verdict.verdict {
            Verdict::Stored => uploaded.stored += 1,
            Verdict::Repeated => uploaded.repeated += 1,
            Verdict::Rejected => {
                let aside = spool.reject(path, &verdict.problems)?;
                uploaded.rejected.push(aside);
                continue;
            }
        }
        spool.remove(path)?;
    }
    Ok(())
}
