//! Random numbers that depend only on kernel and argument.

use std::iter;

use rand_xoshiro::{
    SplitMix64,
    rand_core::{Rng, SeedableRng},
};
use sha2::{Digest, Sha256};

use super::Number;

/// The seed of an argument's numbers.
pub(crate) fn seed(kernel: &str, argument: &str) -> u64 {
    // The lengths keep ("a", "bc") and ("ab", "c") apart.
    let seed = format!("{}:{kernel}{}:{argument}", kernel.len(), argument.len());
    let hash = Sha256::digest(seed);
    hash.iter()
        .take(8)
        .fold(0, |seed, byte| seed << 8 | u64::from(*byte))
}

/// The random numbers of a seed from place `start` on.
///
/// SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014)
/// mixes a counter, so that each part of a buffer can be filled by itself.
pub(crate) fn random_from(seed: u64, start: usize) -> impl Iterator<Item = u64> {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let counter = seed.wrapping_add(STEP.wrapping_mul(start as u64));
    let mut random = SplitMix64::from_seed(counter.to_le_bytes());
    iter::repeat_with(move || random.next_u64())
}

// The two conversions are written out, so that no library's next version can change the inputs
// that stored samples were measured with.

pub(crate) fn whole(random: u64, low: i64, high: i64) -> i64 {
    let span = i128::from(high) - i128::from(low) + 1;
    let scaled = (i128::from(random) * span) >> 64;
    (i128::from(low) + scaled).try_into().unwrap_or(high)
}

pub(crate) fn real(random: u64, low: f64, high: f64) -> f64 {
    // 53 bits: every value of [0, 1) that is a multiple of 2⁻⁵³.
    let unit = (random >> 11) as f64 / (1_u64 << 53) as f64;
    low + (high - low) * unit
}

/// The random number of a fill expression's `call`th `random` at a place.
pub(crate) fn at_call(seed: u64, call: u64, index: i64) -> u64 {
    let one = |seed, at| random_from(seed, at).next().unwrap_or_default();
    let at = |place: u64| usize::try_from(place).unwrap_or(usize::MAX);
    one(one(seed, at(call)), at(index.unsigned_abs()))
}

/// A random number between two: whole numbers with both ends, real ones below the second. None where there is none.
pub(crate) fn between(low: Number, high: Number, random: u64) -> Option<Number> {
    match (low, high) {
        (Number::Whole(low), Number::Whole(high)) if low <= high => {
            Some(Number::Whole(whole(random, low, high)))
        }
        (Number::Whole(_), Number::Whole(_)) => None,
        (low, high) if low.real() < high.real() => {
            Some(Number::Real(real(random, low.real(), high.real())))
        }
        _ => None,
    }
}
