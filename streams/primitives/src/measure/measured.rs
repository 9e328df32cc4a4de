//! The types that rates are measured for, with the operations of the works.

use std::{
    ops::{Add, Mul},
    sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
};

use crate::Number;

/// A type that rates are measured for.
pub(super) trait Measured: Number {
    /// An atomic type of the same width.
    type Shared: Send + Sync;

    /// A number made from `random`; sums of many such numbers are finite.
    fn from_random(random: u32) -> Self;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// `sin² + cos²`; an integer is returned unchanged.
    fn sine(self) -> Self;
    fn shared(self) -> Self::Shared;
    fn store(self, to: &Self::Shared);
}

macro_rules! measured {
    ($($rust:ty, $shared:ty, $random:expr, $plus:expr, $times:expr, $sine:expr, $bits:expr;)*) => {$(
        impl Measured for $rust {
            type Shared = $shared;

            fn from_random(random: u32) -> Self {
                $random(random)
            }

            fn plus(self, other: Self) -> Self {
                $plus(self, other)
            }

            fn times(self, other: Self) -> Self {
                $times(self, other)
            }

            fn sine(self) -> Self {
                $sine(self)
            }

            fn shared(self) -> $shared {
                <$shared>::new($bits(self))
            }

            fn store(self, to: &$shared) {
                to.store($bits(self), Relaxed);
            }
        }
    )*};
}

measured! {
    u32, AtomicU32, u32::from, u32::wrapping_add, u32::wrapping_mul, u32::from, u32::from;
    u64, AtomicU64, u64::from, u64::wrapping_add, u64::wrapping_mul, u64::from, u64::from;
    f32, AtomicU32, f32_from_random, f32::add, f32::mul, |x: f32| x.sin() * x.sin() + x.cos() * x.cos(), f32::to_bits;
    f64, AtomicU64, f64_from_random, f64::add, f64::mul, |x: f64| x.sin() * x.sin() + x.cos() * x.cos(), f64::to_bits;
}

/// A number from 0 to 100.
fn f64_from_random(random: u32) -> f64 {
    f64::from(random) * (100.0 / f64::from(u32::MAX))
}

#[expect(clippy::cast_possible_truncation, reason = "numbers without a pattern")]
fn f32_from_random(random: u32) -> f32 {
    f64_from_random(random) as f32
}
