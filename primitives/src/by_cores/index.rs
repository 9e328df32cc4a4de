//! Arrays of places, of 32 or 64 bits.

use rayon::prelude::*;

use super::SHARE;
use crate::StreamError;

/// Places, and whether they have 64 bits.
pub(super) struct Index<'i> {
    pub(super) bytes: &'i [u8],
    pub(super) is_wide: bool,
}

impl Index<'_> {
    /// # Errors
    /// One is not below `length`.
    pub(super) fn check(&self, length: u64) -> Result<(), StreamError> {
        let place = match self.is_wide {
            true => beyond(self.bytes.as_chunks().0, u64::from_ne_bytes, length),
            false => beyond(self.bytes.as_chunks().0, narrow, length),
        };
        match place {
            Some(place) => Err(StreamError::Index { place, length }),
            None => Ok(()),
        }
    }
}

fn beyond<const I: usize>(
    index: &[[u8; I]],
    place: impl Fn([u8; I]) -> u64 + Sync,
    length: u64,
) -> Option<u64> {
    // The largest of a share is found faster than the first one that is too large.
    let largest = |share: &[[u8; I]]| share.iter().map(|it| place(*it)).max();
    let is_wrong = |share: &[[u8; I]]| largest(share).is_some_and(|it| it >= length);
    let share = index.par_chunks(SHARE).position_first(is_wrong)?;
    let mut within = index[share * SHARE..].iter();
    let at = within.position(|it| place(*it) >= length)?;
    Some((share * SHARE + at) as u64)
}

pub(super) fn narrow(index: [u8; 4]) -> u64 {
    u32::from_ne_bytes(index).into()
}
