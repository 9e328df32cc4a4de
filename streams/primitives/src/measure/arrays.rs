//! The arrays of measurements.

use std::{fs::File, io::Write};

use kerncast_opencl::Pinned;
use rayon::prelude::*;

use super::measured::Measured;
use crate::{ElementType, Number, Sink, Source, StreamError, StreamWay, StreamWork, Streamer};

/// Elements that a thread processes at once.
pub(super) const SHARE_ELEMENTS: usize = 1 << 16;

/// Whether a work is measured for a type.
pub(super) fn is_measured(work: StreamWork, element: ElementType) -> bool {
    work != StreamWork::Sine || element.is_float()
}

/// Numbers without a pattern, the same in each call.
pub(super) fn numbers<T: Measured>(length: usize) -> Vec<T> {
    generate(length, |place| T::from_random(random(place)))
}

/// The index of a scatter: places in an array of `length`, some of them twice and some never. Empty for other works.
pub(super) fn index(work: StreamWork, length: usize) -> Vec<u32> {
    if work != StreamWork::Scatter {
        return Vec::new();
    }
    generate(length, |place| {
        let at = (u64::from(random(place)) * length as u64) >> 32;
        u32::try_from(at).expect("half of 64 bits")
    })
}

fn generate<T: Number>(length: usize, each: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let mut all = vec![T::zeroed(); length];
    let shares = all.par_chunks_mut(SHARE_ELEMENTS).enumerate();
    shares.for_each(|(index, share)| {
        for (place, number) in ((index * SHARE_ELEMENTS) as u64..).zip(share) {
            *number = each(place);
        }
    });
    all
}

/// A random number for a place: the upper half of splitmix64.
fn random(place: u64) -> u32 {
    let mut z = place.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    u32::try_from((z ^ (z >> 31)) >> 32).expect("half of it")
}

/// An array in the memory that a way needs.
pub(super) enum Array<T> {
    Pageable(Vec<T>),
    Pinned(Pinned),
    File(File, u64),
}

impl<T: Measured> Array<T> {
    pub(super) fn new(
        streamer: &Streamer,
        way: StreamWay,
        data: Vec<T>,
    ) -> Result<Self, StreamError> {
        Ok(match way {
            StreamWay::Staged | StreamWay::Mapped => Self::Pageable(data),
            StreamWay::Pinned => {
                let mut pinned = streamer.pinned(size_of_val(&data[..]))?;
                pinned.copy_from_slice(bytemuck::cast_slice(&data));
                Self::Pinned(pinned)
            }
            StreamWay::File => {
                let file = tempfile::tempfile().and_then(|mut file| {
                    file.write_all(bytemuck::cast_slice(&data))?;
                    Ok(file)
                });
                let what = "a temporary file".to_owned();
                let file = file.map_err(|why| StreamError::File { what, why })?;
                Self::File(file, data.len() as u64)
            }
        })
    }

    pub(super) fn source(&mut self) -> Source<'_> {
        match self {
            Self::Pageable(data) => Source::slice(data),
            Self::Pinned(data) => Source::pinned::<T>(data),
            Self::File(file, length) => Source::file(file, 0, T::TYPE, *length),
        }
    }

    pub(super) fn sink(&mut self) -> Sink<'_> {
        match self {
            Self::Pageable(data) => Sink::slice(data),
            Self::Pinned(data) => Sink::pinned::<T>(data),
            Self::File(file, length) => Sink::file(file, 0, T::TYPE, *length),
        }
    }
}
