//! Arrays that a trip has taken apart: each of their chunks is ordered by window.

use std::{io, ops::Range};

use rayon::prelude::*;

use crate::{Sink, StreamError, pipeline::Segment, sort::end_of};

/// What a window reads.
pub(crate) struct Windows {
    /// Of each array.
    pub(crate) segments: Vec<Segment>,
    /// Elements of each chunk.
    pub(crate) lengths: Vec<u64>,
}

/// By chunk: where each window's part begins, and where the last one ends. The bits of `by` above `shift` say which window an
/// element belongs to.
pub(crate) fn cuts(
    by: &Sink<'_>,
    chunks: &[Segment],
    windows: u64,
    shift: u32,
) -> Result<Vec<Vec<u64>>, StreamError> {
    let cuts = chunks.par_iter().map(|chunk| {
        let mut cuts = vec![chunk.host.start];
        for window in 0..windows {
            let last = window << shift | ((1 << shift) - 1);
            let start = cuts[cuts.len() - 1];
            cuts.push(end_of(start..chunk.host.end, last, |place| {
                by.order_at(place)
            })?);
        }
        Ok(cuts)
    });
    let cuts: io::Result<_> = cuts.collect();
    cuts.map_err(|why| StreamError::File {
        what: "reading what was taken apart".to_owned(),
        why,
    })
}

/// Ranges one behind the other, in chunks that are full but for the last one.
pub(crate) fn packed(ranges: &[Range<u64>], chunk: u64) -> Windows {
    let (mut segments, mut lengths) = (Vec::new(), Vec::new());
    let mut room = 0;
    for range in ranges {
        let mut start = range.start;
        while start < range.end {
            if room == 0 {
                lengths.push(0);
                room = chunk;
            }
            let here = room.min(range.end - start);
            segments.push(Segment {
                chunk: lengths.len() - 1,
                host: start..start + here,
                device: chunk - room,
            });
            *lengths.last_mut().expect("a chunk") += here;
            room -= here;
            start += here;
        }
    }
    Windows { segments, lengths }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_full_whatever_the_ranges() {
        let windows = packed(&[0..5, 9..9, 20..41], 8);
        assert_eq!(windows.lengths, [8, 8, 8, 2]);
        let segments = windows.segments.iter();
        let shown = segments.map(|it| (it.chunk, it.host.clone(), it.device));
        let expected = [
            (0, 0..5, 0),
            (0, 20..23, 5),
            (1, 23..31, 0),
            (2, 31..39, 0),
            (3, 39..41, 0),
        ];
        assert!(shown.eq(expected));
        assert!(packed(&[], 8).lengths.is_empty());
    }
}
