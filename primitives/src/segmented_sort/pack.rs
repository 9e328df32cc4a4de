//! Segments into chunks.

use std::ops::Range;

use crate::{StreamError, pipeline::Segment};

/// Of so many elements of a chunk one may begin a segment.
pub(super) const SHARE: u64 = 4;

/// What goes to the device together, and what goes by itself.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Packed {
    /// A stretch of whole segments each.
    pub(super) chunks: Vec<Range<u64>>,
    /// Where the segments of all chunks begin, from their chunk's beginning on.
    pub(super) starts: Vec<u32>,
    /// Which of these are a chunk's.
    pub(super) starts_of: Vec<Range<u64>>,
    /// Segments that are longer than a chunk.
    pub(super) long: Vec<Range<u64>>,
}

/// # Errors
/// They do not go from 0 to `length`, or do not ascend.
pub(super) fn check(offsets: &[u64], length: u64) -> Result<(), StreamError> {
    let wrong = |found: String| StreamError::Shape {
        what: "the offsets".to_owned(),
        found,
        expected: format!("from 0 to {length}, none below the one before"),
    };
    let (Some(&first), Some(&last)) = (offsets.first(), offsets.last()) else {
        return Err(wrong("0 elements".to_owned()));
    };
    if let Some(place) = offsets.windows(2).position(|it| it[0] > it[1]) {
        let (before, found) = (offsets[place], offsets[place + 1]);
        return Err(wrong(format!(
            "{found} at place {} behind {before}",
            place + 1
        )));
    }
    match (first, last) {
        (0, last) if last == length => Ok(()),
        (0, last) => Err(wrong(format!("{last} in the last place"))),
        (first, _) => Err(wrong(format!("{first} in the first place"))),
    }
}

/// Segments from each offset to the next one, in chunks of at most `most` elements.
pub(super) fn pack(offsets: &[u64], most: u64) -> Packed {
    let mut packed = Packed::default();
    let mut open = false;
    for pair in offsets.windows(2) {
        let segment = pair[0]..pair[1];
        let length = segment.end - segment.start;
        if length > most {
            packed.long.push(segment);
            open = false;
            continue;
        }
        if length == 0 {
            continue;
        }
        let begun = packed.starts.len() as u64;
        let last = packed.chunks.last_mut().zip(packed.starts_of.last_mut());
        let last = last.filter(|(chunk, starts)| {
            open && segment.end - chunk.start <= most && starts.end - starts.start < most / SHARE
        });
        let start = match last {
            Some((chunk, starts)) => {
                chunk.end = segment.end;
                starts.end += 1;
                segment.start - chunk.start
            }
            None => {
                packed.chunks.push(segment);
                packed.starts_of.push(begun..begun + 1);
                0
            }
        };
        open = true;
        let start = u32::try_from(start).expect("chunks have less than 2^32 elements");
        packed.starts.push(start);
    }
    packed
}

/// As legs of a trip have it.
pub(super) fn segments(ranges: &[Range<u64>]) -> Vec<Segment> {
    let segment = |(chunk, host): (usize, &Range<u64>)| Segment {
        chunk,
        host: host.clone(),
        device: 0,
    };
    ranges.iter().enumerate().map(segment).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_segments_fill_chunks_and_long_ones_go_alone() {
        let packed = pack(&[0, 3, 3, 8, 30, 31, 39, 40, 60], 16);
        let expected = Packed {
            chunks: vec![0..8, 30..40],
            starts: vec![0, 3, 0, 1, 9],
            starts_of: vec![0..2, 2..5],
            long: vec![8..30, 40..60],
        };
        assert_eq!(packed, expected);
        // No more than a fourth of the elements begin segments.
        let packed = pack(&[0, 1, 2, 3, 4, 5, 6], 16);
        assert_eq!(packed.chunks, [0..4, 4..6]);
    }
}
