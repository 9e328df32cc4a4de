//! Points in the space of all kernels that could be generated: a number in [0, 1) for each axis.

use sobol_burley::sample;

/// The choices of a kernel. Their order decides which kernels a seed gives.
#[derive(Clone, Copy, Debug)]
pub(super) enum Axis {
    Parallelism,
    Time,
    WorkingSet,
    Group,
    Number,
    Operation,
    Times,
    Chains,
    AtOnce,
    Storage,
    Path,
    Distance,
    Storing,
    Extra,
    Words,
    Touches,
    Spread,
    Atomic,
    Addresses,
    Uneven,
    Ways,
    Aliases,
    Other,
    CpuParallelism,
    CpuTime,
}

/// A point of a scrambled Sobol sequence (Owen's scrambling; Burley, 2020), which fills the space evenly
/// however many points are taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    /// Place in the sequence: at most 65,535.
    pub(super) index: u32,
    /// Seed of the scrambling: another one is another sequence.
    pub(super) seed: u32,
}

impl Point {
    /// The coordinate on an axis, in [0, 1).
    pub(super) fn at(self, axis: Axis) -> f64 {
        f64::from(sample(self.index, axis as u32, self.seed))
    }

    /// One of `all`, each with the same chance; a choice that is listed twice has twice the chance.
    pub(super) fn pick<T: Copy>(self, axis: Axis, all: &[T]) -> T {
        all[whole(self.at(axis) * all.len() as f64) as usize]
    }

    /// A number from 2^`low` to 2^`high`, every octave with the same chance.
    pub(super) fn octaves(self, axis: Axis, low: f64, high: f64) -> f64 {
        power_of_two(low + (high - low) * self.at(axis))
    }

    /// A power of two, from 2^`low` to 2^`high`.
    pub(super) fn power(self, axis: Axis, low: u32, high: u32) -> u32 {
        1 << (low + whole(self.at(axis) * f64::from(high - low + 1)))
    }
}

/// 2^`exponent`, with a straight line between whole exponents. It uses basic operations alone: they round the same on
/// every machine, which a library's exponential does not.
fn power_of_two(exponent: f64) -> f64 {
    let whole_part = whole(exponent);
    (1_u64 << whole_part) as f64 * (1.0 + exponent - f64::from(whole_part))
}

/// The number rounded down, at least 0.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "small numbers, rounded down on purpose; what is too large becomes the largest"
)]
pub(super) fn whole(number: f64) -> u32 {
    number as u32
}
