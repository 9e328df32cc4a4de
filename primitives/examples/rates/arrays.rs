//! Arrays of the host, and numbers for them.

use bytemuck::Pod;
use kerncast_primitives::Pinned;
use rayon::prelude::*;

/// Elements that a thread has at once.
pub(crate) const SHARE: usize = 1 << 20;

/// Bytes that hold any elements.
pub(crate) enum Array {
    /// As anybody allocates it.
    Pageable(Vec<u64>),
    Pinned(Pinned),
}

impl Array {
    /// All written, so that its pages are there.
    pub(crate) fn pageable(bytes: usize) -> Self {
        let mut all = vec![0_u64; bytes / 8];
        all.par_chunks_mut(SHARE).for_each(|share| share.fill(1));
        Self::Pageable(all)
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Pageable(all) => bytemuck::cast_slice_mut(all),
            Self::Pinned(all) => all,
        }
    }

    pub(crate) fn slice<T: Pod>(&self) -> &[T] {
        match self {
            Self::Pageable(all) => bytemuck::cast_slice(all),
            Self::Pinned(all) => bytemuck::cast_slice(all),
        }
    }

    pub(crate) fn slice_mut<T: Pod>(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(self.bytes_mut())
    }

    pub(crate) fn way(&self) -> &'static str {
        match self {
            Self::Pageable(_) => "pageable",
            Self::Pinned(_) => "pinned",
        }
    }
}

/// The same numbers each time, without a pattern.
pub(crate) fn fill(all: &mut [u32]) {
    set(all, mixed);
}

/// From 0 to 100.
pub(crate) fn fill_floats(all: &mut [f64]) {
    let scale = 100.0 / f64::from(u32::MAX);
    set(all, |place| f64::from(mixed(place)) * scale);
}

/// The places of an array whose length is a power of two, each once, in no order: every step can be undone.
///
/// # Panics
/// If it has another length.
pub(crate) fn places(all: &mut [u32]) {
    assert!(
        all.len().is_power_of_two(),
        "--bytes is a power of two for scatter"
    );
    let mask = all.len() as u64 - 1;
    let shift = all.len().trailing_zeros().div_ceil(2);
    set(all, |place| {
        let mut at = place;
        for factor in [0x9E37_79B1, 0x85EB_CA77, 0xC2B2_AE3D] {
            at ^= at >> shift;
            at = (at * factor) & mask;
        }
        u32::try_from(at ^ (at >> shift)).expect("places have 32 bits")
    });
}

fn set<T: Send>(all: &mut [T], each: impl Fn(u64) -> T + Sync) {
    let shares = all.par_chunks_mut(SHARE).enumerate();
    shares.for_each(|(index, share)| {
        for (place, number) in ((index * SHARE) as u64..).zip(share) {
            *number = each(place);
        }
    });
}

/// Of numbers in any order.
pub(crate) fn checksum(all: &[u32]) -> u64 {
    let of = |share: &[u32]| {
        let mixed = share
            .iter()
            .map(|&it| u64::from(mixed(u64::from(it))) << 16 | u64::from(it));
        mixed.fold(0, u64::wrapping_add)
    };
    all.par_chunks(SHARE)
        .map(of)
        .reduce(|| 0, u64::wrapping_add)
}

pub(crate) fn is_sorted(all: &[u32]) -> bool {
    let shares = all.par_chunks(SHARE).all(<[u32]>::is_sorted);
    let between = all.chunks(SHARE).zip(all.chunks(SHARE).skip(1));
    let mut between = between.map(|(one, other)| (one.last(), other.first()));
    shares && between.all(|(last, first)| last <= first)
}

/// The upper half of splitmix64.
fn mixed(place: u64) -> u32 {
    let mut z = place.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    u32::try_from((z ^ (z >> 31)) >> 32).expect("half of it")
}
