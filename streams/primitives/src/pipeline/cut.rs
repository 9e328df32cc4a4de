//! Cuts arrays into segments and pieces.

use std::{mem, ops::Range};

use crate::{
    ElementType,
    array::{Array, Part, Place},
};

/// A range of an array on the host, and its place in a chunk.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub(crate) chunk: usize,
    /// Elements of the array.
    pub(crate) elements: Range<u64>,
    /// Elements of the chunk before this segment.
    pub(crate) at_in_chunk: u64,
}

/// A range of bytes that moves at once, or that is still to be [split].
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) chunk: usize,
    /// Index of the buffer in its slot.
    pub(crate) buffer: usize,
    /// Its bytes in that buffer.
    pub(crate) buffer_bytes: Range<usize>,
    /// Its first byte in the host's array.
    host_byte: u64,
}

/// The segments of an array of `length` elements in chunks of `chunk` elements.
pub(crate) fn in_order(length: u64, chunk: u64) -> Vec<Segment> {
    let starts = (0..length).step_by(size(chunk));
    let segment = |(index, start): (usize, u64)| Segment {
        chunk: index,
        elements: start..length.min(start + chunk),
        at_in_chunk: 0,
    };
    starts.enumerate().map(segment).collect()
}

/// Pageable memory that can be cut: a shared or a mutable slice.
pub(crate) trait Slice: Sized + Default {
    /// The first `length` bytes, and the rest.
    fn cut(self, length: usize) -> (Self, Self);
}

impl Slice for &[u8] {
    fn cut(self, length: usize) -> (Self, Self) {
        self.split_at(length)
    }
}

impl Slice for &mut [u8] {
    fn cut(self, length: usize) -> (Self, Self) {
        self.split_at_mut(length)
    }
}

type Parts<'a, S> = Vec<(Piece, Part<'a, S>)>;

/// The pieces of an array, one for each segment. No two segments overlap.
pub(crate) fn pieces<'a, S: Slice>(
    array: Array<'a, S>,
    segments: &[Segment],
    buffer: usize,
) -> Parts<'a, S> {
    let pieces = pieces_in_host_order(array.element, segments, buffer);
    let parts: Vec<Part<'a, S>> = match array.place {
        Place::Slice(mut rest) => {
            let part = |it: &OrderedPiece| {
                let (_, after) = mem::take(&mut rest).cut(it.gap);
                let (part, after) = after.cut(it.piece.buffer_bytes.len());
                rest = after;
                Part::Slice(part)
            };
            pieces.iter().map(part).collect()
        }
        Place::Pinned(data) => {
            let lengths = pieces
                .iter()
                .flat_map(|it| [it.gap, it.piece.buffer_bytes.len()]);
            let parts = data.parts(lengths).into_iter().skip(1).step_by(2);
            parts.map(Part::Pinned).collect()
        }
        Place::File(file, start) => {
            let part = |it: &OrderedPiece| Part::File(file, start + it.piece.host_byte);
            pieces.iter().map(part).collect()
        }
    };
    let mut pieces: Vec<_> = pieces.into_iter().zip(parts).collect();
    pieces.sort_by_key(|(it, _)| it.segment);
    pieces
        .into_iter()
        .map(|(it, part)| (it.piece, part))
        .collect()
}

/// A piece among those of its array, in the order of their places on the host.
struct OrderedPiece {
    /// Index of its segment.
    segment: usize,
    /// Bytes between it and the piece before it.
    gap: usize,
    piece: Piece,
}

/// A piece for each segment that is not empty, in the order of their places on the host.
fn pieces_in_host_order(
    element: ElementType,
    segments: &[Segment],
    buffer: usize,
) -> Vec<OrderedPiece> {
    let width = element.bytes();
    let mut ordered: Vec<(usize, &Segment)> = segments.iter().enumerate().collect();
    ordered.retain(|(_, it)| !it.elements.is_empty());
    ordered.sort_by_key(|(_, it)| it.elements.start);
    let mut end = 0;
    let piece = |(index, segment): (usize, &Segment)| {
        let gap = segment.elements.start.checked_sub(end);
        end = segment.elements.end;
        let (bytes, at_in_buffer) = (
            size(end - segment.elements.start) * width,
            size(segment.at_in_chunk) * width,
        );
        OrderedPiece {
            segment: index,
            gap: size(gap.expect("no two pieces overlap")) * width,
            piece: Piece {
                chunk: segment.chunk,
                buffer,
                buffer_bytes: at_in_buffer..at_in_buffer + bytes,
                host_byte: segment.elements.start * width as u64,
            },
        }
    };
    ordered.into_iter().map(piece).collect()
}

/// Splits a piece into pieces of at most `most` bytes. Pinned memory is not split.
pub(super) fn split<S: Slice>((piece, part): (Piece, Part<'_, S>), most: usize) -> Parts<'_, S> {
    match part {
        Part::Slice(mut rest) => {
            let cut = |piece: Piece| {
                let (part, after) = mem::take(&mut rest).cut(piece.buffer_bytes.len());
                rest = after;
                (piece, Part::Slice(part))
            };
            piece.split(most).map(cut).collect()
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
        let end = self.buffer_bytes.end;
        let starts = self.buffer_bytes.clone().step_by(most);
        starts.map(move |start| Self {
            buffer_bytes: start..end.min(start + most),
            host_byte: self.host_byte + (start - self.buffer_bytes.start) as u64,
            ..self.clone()
        })
    }
}

/// A number of bytes as `usize`, which holds every length in memory.
#[expect(
    clippy::cast_possible_truncation,
    reason = "streams need 64 bits, as lib.rs says"
)]
fn size(number: u64) -> usize {
    number as usize
}
