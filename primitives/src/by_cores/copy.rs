//! Whole arrays to and from memory, by all cores: from files, too.

use std::{
    io,
    os::unix::fs::FileExt,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use rayon::prelude::*;

use super::go_on;
use crate::{
    Sink, Source, StreamError,
    array::{From, Into},
    pipeline::Cancel,
};

/// Bytes that a thread copies at once.
const PIECE: usize = 4 << 20;

/// What a copy tells, and is told.
pub(super) struct Told<'c> {
    pub(super) cancel: &'c Cancel,
    /// Bytes that were moved.
    pub(super) moved: &'c AtomicU64,
}

/// All of an array to `to`, which is as long.
///
/// # Errors
/// A file cannot be read, or somebody has ended the call.
pub(super) fn read(from: &Source<'_>, to: &mut [u8], told: &Told<'_>) -> Result<(), StreamError> {
    let memory = from.memory();
    let piece = |(index, to): (usize, &mut [u8])| -> io::Result<()> {
        let start = index * PIECE;
        match (memory, &from.place) {
            (Some(from), _) => to.copy_from_slice(&from[start..start + to.len()]),
            (None, From::File(file, first)) => file.read_exact_at(to, first + start as u64)?,
            (None, _) => unreachable!("what is no file is memory"),
        }
        told.moved.fetch_add(to.len() as u64, Relaxed);
        Ok(())
    };
    let pieces = to.par_chunks_mut(PIECE).enumerate();
    pieces.try_for_each(|it| tried(piece(it), "reading an array", told))
}

/// All of `from` to an array, which is as long.
///
/// # Errors
/// As [`read`], of writing.
pub(super) fn write(from: &[u8], to: &mut Sink<'_>, told: &Told<'_>) -> Result<(), StreamError> {
    if let Some(to) = to.memory_mut() {
        let pairs = to.par_chunks_mut(PIECE).zip(from.par_chunks(PIECE));
        return pairs.try_for_each(|(to, from)| {
            to.copy_from_slice(from);
            go_on(told.cancel)
        });
    }
    let Into::File(file, first) = to.place else {
        unreachable!("what is no file is memory")
    };
    let piece = |(index, from): (usize, &[u8])| -> io::Result<()> {
        file.write_all_at(from, first + (index * PIECE) as u64)?;
        told.moved.fetch_add(from.len() as u64, Relaxed);
        Ok(())
    };
    let pieces = from.par_chunks(PIECE).enumerate();
    pieces.try_for_each(|it| tried(piece(it), "writing an array", told))
}

fn tried(done: io::Result<()>, what: &str, told: &Told<'_>) -> Result<(), StreamError> {
    done.map_err(|why| StreamError::File {
        what: what.to_owned(),
        why,
    })?;
    go_on(told.cancel)
}
