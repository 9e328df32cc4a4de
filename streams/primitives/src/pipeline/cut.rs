//! Cuts arrays into segments and pieces.

use std::{mem, ops::Range};

use kerncast_opencl::Pinned;

use crate::{
    Type,
    array::{Array, Origin, Part, Place, Sink, Source, Target},
};

/// A range of an array on the host, and its place in a chunk.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub(crate) chunk: usize,
    /// Elements of the array.
    pub(crate) host: Range<u64>,
    /// Elements of the chunk before this segment.
    pub(crate) device: u64,
}

/// A range of bytes that moves at once, or that is still to be [split](split_origin).
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) chunk: usize,
    /// Index of the buffer in its slot.
    pub(crate) buffer: usize,
    /// Its bytes in that buffer.
    pub(crate) device: Range<usize>,
    /// Its first byte in the host's array.
    host: u64,
}

/// The segments of an array of `length` elements in chunks of `chunk` elements.
pub(crate) fn in_order(length: u64, chunk: u64) -> Vec<Segment> {
    let starts = (0..length).step_by(size(chunk));
    let segment = |(index, start): (usize, u64)| Segment {
        chunk: index,
        host: start..length.min(start + chunk),
        device: 0,
    };
    starts.enumerate().map(segment).collect()
}

/// The pieces of a source, one for each segment.
pub(crate) fn pieces_of<'a>(
    source: Source<'a>,
    segments: &[Segment],
    buffer: usize,
) -> Vec<(Piece, Origin<'a>)> {
    pieces(source, segments, buffer, |data, pieces| {
        let whole = |piece: Piece| {
            let start = size(piece.host);
            let data = &data[start..start + piece.device.len()];
            (piece, Part::Slice(data))
        };
        pieces.into_iter().map(whole).collect()
    })
}

/// The pieces of a sink, one for each segment.
pub(crate) fn pieces_to<'a>(
    sink: Sink<'a>,
    segments: &[Segment],
    buffer: usize,
) -> Vec<(Piece, Target<'a>)> {
    pieces(sink, segments, buffer, |mut rest, pieces| {
        let mut cut = in_host_order(pieces, |gap, piece| {
            let (_, after) = mem::take(&mut rest).split_at_mut(gap);
            let (part, after) = after.split_at_mut(piece.device.len());
            rest = after;
            Part::Slice(part)
        });
        cut.sort_by_key(|(index, ..)| *index);
        let without_index = |(_, piece, target)| (piece, target);
        cut.into_iter().map(without_index).collect()
    })
}

type Parts<'a, S> = Vec<(Piece, Part<'a, S>)>;

fn pieces<'a, S>(
    array: Array<'a, S>,
    segments: &[Segment],
    buffer: usize,
    of_slice: impl FnOnce(S, Vec<Piece>) -> Parts<'a, S>,
) -> Parts<'a, S> {
    let pieces = cut(array.element, segments, buffer);
    match array.place {
        Place::Slice(data) => of_slice(data, pieces),
        Place::Pinned(data) => {
            let parts = parts(data, pieces);
            let own = |(piece, part)| (piece, Part::Pinned(part));
            parts.into_iter().map(own).collect()
        }
        Place::File(file, start) => {
            let at = |piece: Piece| {
                let at = start + piece.host;
                (piece, Part::File(file, at))
            };
            pieces.into_iter().map(at).collect()
        }
    }
}

/// Splits a piece into pieces of at most `most` bytes. Pinned memory is not split.
pub(super) fn split_origin<'a>(of: (Piece, Origin<'a>), most: usize) -> Vec<(Piece, Origin<'a>)> {
    split(of, most, |data| data.chunks(most).collect())
}

/// [`split_origin`] for a target.
pub(super) fn split_target<'a>(of: (Piece, Target<'a>), most: usize) -> Vec<(Piece, Target<'a>)> {
    split(of, most, |data| data.chunks_mut(most).collect())
}

fn split<'a, S>(
    (piece, part): (Piece, Part<'a, S>),
    most: usize,
    chunks: impl FnOnce(S) -> Vec<S>,
) -> Parts<'a, S> {
    match part {
        Part::Slice(data) => {
            let parts = chunks(data).into_iter().map(Part::Slice);
            piece.split(most).zip(parts).collect()
        }
        Part::File(file, at) => {
            let starts = (at..).step_by(most);
            let parts = starts.map(|at| Part::File(file, at));
            piece.split(most).zip(parts).collect()
        }
        Part::Pinned(part) => vec![(piece, Part::Pinned(part))],
    }
}

impl Piece {
    fn split(&self, most: usize) -> impl Iterator<Item = Self> {
        let end = self.device.end;
        let starts = self.device.clone().step_by(most);
        starts.map(move |start| Self {
            device: start..end.min(start + most),
            host: self.host + (start - self.device.start) as u64,
            ..self.clone()
        })
    }
}

fn cut(element: Type, segments: &[Segment], buffer: usize) -> Vec<Piece> {
    let width = element.bytes();
    let of = |segment: &Segment| {
        let bytes = size(segment.host.end - segment.host.start) * width;
        let device = size(segment.device) * width;
        Piece {
            chunk: segment.chunk,
            buffer,
            device: device..device + bytes,
            host: segment.host.start * width as u64,
        }
    };
    let pieces = segments.iter().map(of);
    pieces.filter(|piece| !piece.device.is_empty()).collect()
}

/// Each piece with its part of `data`.
fn parts(data: &mut Pinned, pieces: Vec<Piece>) -> Vec<(Piece, Pinned)> {
    let ordered = in_host_order(pieces, |gap, _| gap);
    let lengths = ordered
        .iter()
        .flat_map(|(_, piece, gap)| [*gap, piece.device.len()]);
    let parts = data.parts(lengths).into_iter().skip(1).step_by(2);
    let mut parts: Vec<_> = ordered.into_iter().zip(parts).collect();
    parts.sort_by_key(|((index, ..), _)| *index);
    let without_index = |((_, piece, _), part)| (piece, part);
    parts.into_iter().map(without_index).collect()
}

/// Calls `take` for each piece in the order of their places on the host, with the bytes between it and the piece before it.
/// Returns the piece's index in `pieces`, the piece, and what `take` gave. No two pieces overlap.
fn in_host_order<T>(
    pieces: Vec<Piece>,
    mut take: impl FnMut(usize, &Piece) -> T,
) -> Vec<(usize, Piece, T)> {
    let mut ordered: Vec<_> = pieces.into_iter().enumerate().collect();
    ordered.sort_by_key(|(_, piece)| piece.host);
    let mut host = 0;
    let mut results = Vec::with_capacity(ordered.len());
    for (index, piece) in ordered {
        let gap = piece.host.checked_sub(host).expect("no two pieces overlap");
        host = piece.host + piece.device.len() as u64;
        let result = take(size(gap), &piece);
        results.push((index, piece, result));
    }
    results
}

/// A number of bytes as `usize`, which holds every length in memory.
#[expect(
    clippy::cast_possible_truncation,
    reason = "streams need 64 bits, as lib.rs says"
)]
fn size(number: u64) -> usize {
    number as usize
}
