//! The same by the host: std on one core, rayon on all.

use std::{
    hint::black_box,
    sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
    time::Instant,
};

use rayon::prelude::*;

use super::arrays::{Measured, SHARE, has, numbers, places};
use crate::{Timed, Work};

/// What takes longer is done once: it warms itself up.
const LONG_S: f64 = 1.5;

/// What the host has for a type.
pub(super) trait Host: Measured {
    /// As wide, for all threads at once.
    type Shared: Send + Sync;
    /// `sin² + cos²`; of an integer it is that.
    fn sine(self) -> Self;
    fn shared(self) -> Self::Shared;
    fn store(self, to: &Self::Shared);
}

/// By one core, and by all, for arrays of so many bytes.
pub(super) fn of_work(work: Work, bytes: usize) -> [Vec<Timed>; 2] {
    let (mut one, mut all) = (Vec::new(), Vec::new());
    of::<u32>(work, bytes, &mut one, &mut all);
    of::<u64>(work, bytes, &mut one, &mut all);
    of::<f32>(work, bytes, &mut one, &mut all);
    of::<f64>(work, bytes, &mut one, &mut all);
    [one, all]
}

fn of<T: Host>(work: Work, bytes: usize, one: &mut Vec<Timed>, all: &mut Vec<Timed>) {
    if !has(work, T::TYPE) {
        return;
    }
    let elements = bytes / size_of::<T>();
    for (to, parallel) in [(one, false), (all, true)] {
        to.push(Timed {
            work,
            element: T::TYPE,
            elements: elements as u64,
            seconds: seconds::<T>(work, elements, parallel),
        });
    }
}

/// The median of three, after one that warms up; what takes long is done once.
pub(super) fn seconds<T: Host>(work: Work, elements: usize, parallel: bool) -> f64 {
    let from = numbers::<T>(elements);
    let mut to = from.clone();
    let (mut index, mut shared) = (Vec::new(), Vec::new());
    if work == Work::Scatter {
        index = places(elements);
        shared = from.iter().map(|it| it.shared()).collect();
    }
    let mut all = Vec::new();
    for round in 0..4 {
        if work == Work::Sort {
            to.copy_from_slice(&from);
        }
        let start = Instant::now();
        match (work, parallel) {
            (Work::Scatter, true) => scatter(&from, &shared, &index),
            (_, true) => by_all(work, &from, &mut to),
            (_, false) => by_one(work, &from, &mut to, &index),
        }
        let seconds = start.elapsed().as_secs_f64();
        black_box(&to);
        if seconds > LONG_S {
            return seconds;
        }
        if round > 0 {
            all.push(seconds);
        }
    }
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

fn by_one<T: Host>(work: Work, from: &[T], to: &mut [T], index: &[u32]) {
    match work {
        Work::Transform => scale(from, to),
        Work::Sine => sines(from, to),
        Work::Reduce => {
            black_box(sum(from));
        }
        Work::Scan => scan(T::zeroed(), from, to),
        Work::Sort => to.sort_unstable_by_key(|it| it.order()),
        Work::Scatter => {
            for (&at, &value) in index.iter().zip(from) {
                to[at as usize] = value;
            }
        }
    }
}

fn by_all<T: Host>(work: Work, from: &[T], to: &mut [T]) {
    // Every thread has some, also of a short array.
    let share = from.len().div_ceil(4 * rayon::current_num_threads());
    let share = share.clamp(1, SHARE);
    let shares = from.par_chunks(share).zip(to.par_chunks_mut(share));
    match work {
        Work::Transform => shares.for_each(|(from, to)| scale(from, to)),
        Work::Sine => shares.for_each(|(from, to)| sines(from, to)),
        Work::Reduce => {
            let sums = from.par_chunks(share).map(sum);
            black_box(sums.reduce(T::zeroed, T::plus));
        }
        Work::Scan => {
            let sums: Vec<T> = from.par_chunks(share).map(sum).collect();
            let mut before = vec![T::zeroed()];
            for sum in sums {
                before.push(before[before.len() - 1].plus(sum));
            }
            let shares = shares.zip(&before);
            shares.for_each(|((from, to), &before)| scan(before, from, to));
        }
        Work::Sort => to.par_sort_unstable_by_key(|it| it.order()),
        Work::Scatter => unreachable!("its output is shared"),
    }
}

fn scatter<T: Host>(from: &[T], to: &[T::Shared], index: &[u32]) {
    let shares = from.par_chunks(SHARE).zip(index.par_chunks(SHARE));
    shares.for_each(|(from, index)| {
        for (&value, &at) in from.iter().zip(index) {
            value.store(&to[at as usize]);
        }
    });
}

fn scale<T: Measured>(from: &[T], to: &mut [T]) {
    let factor = T::any(7);
    for (from, to) in from.iter().zip(to) {
        *to = from.times(factor);
    }
}

fn sines<T: Host>(from: &[T], to: &mut [T]) {
    for (from, to) in from.iter().zip(to) {
        *to = from.sine();
    }
}

fn sum<T: Measured>(from: &[T]) -> T {
    from.iter().fold(T::zeroed(), |sum, &it| sum.plus(it))
}

fn scan<T: Measured>(mut before: T, from: &[T], to: &mut [T]) {
    for (from, to) in from.iter().zip(to) {
        before = before.plus(*from);
        *to = before;
    }
}

macro_rules! hosts {
    ($($rust:ty, $shared:ty, |$x:ident| $sine:expr, $bits:expr;)*) => {$(
        impl Host for $rust {
            type Shared = $shared;

            fn sine(self) -> Self {
                let $x = self;
                $sine
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

hosts! {
    u32, AtomicU32, |x| x, u32::from;
    u64, AtomicU64, |x| x, u64::from;
    f32, AtomicU32, |x| x.sin() * x.sin() + x.cos() * x.cos(), f32::to_bits;
    f64, AtomicU64, |x| x.sin() * x.sin() + x.cos() * x.cos(), f64::to_bits;
}
