//! Works on the host: std on one core, rayon on all cores.

use std::{hint::black_box, time::Instant};

use rayon::prelude::*;

use super::{
    arrays::{SHARE_ELEMENTS, index, is_measured, numbers},
    measured::Measured,
};
use crate::{StreamWork, TimedWork};

/// Seconds above which a work is timed once: it warms itself up.
const TIMED_ONCE_S: f64 = 1.5;

/// Times of a work on arrays of `bytes`, on one core and on all cores, for each type.
pub(super) fn time_work(work: StreamWork, bytes: usize) -> [Vec<TimedWork>; 2] {
    let (mut one, mut all) = (Vec::new(), Vec::new());
    time_type::<u32>(work, bytes, &mut one, &mut all);
    time_type::<u64>(work, bytes, &mut one, &mut all);
    time_type::<f32>(work, bytes, &mut one, &mut all);
    time_type::<f64>(work, bytes, &mut one, &mut all);
    [one, all]
}

fn time_type<T: Measured>(
    work: StreamWork,
    bytes: usize,
    one: &mut Vec<TimedWork>,
    all: &mut Vec<TimedWork>,
) {
    if !is_measured(work, T::TYPE) {
        return;
    }
    let elements = bytes / size_of::<T>();
    for (to, parallel) in [(one, false), (all, true)] {
        to.push(TimedWork {
            work,
            element: T::TYPE,
            elements: elements as u64,
            seconds: seconds::<T>(work, elements, parallel),
        });
    }
}

/// Seconds of a work: the median of three after one that warms up, or of one that takes long.
pub(super) fn seconds<T: Measured>(work: StreamWork, elements: usize, parallel: bool) -> f64 {
    let from = numbers::<T>(elements);
    let mut to = from.clone();
    let index = index(work, elements);
    let mut shared = Vec::new();
    if work == StreamWork::Scatter {
        shared = from.iter().map(|it| it.shared()).collect();
    }
    let mut times = Vec::new();
    for round in 0..4 {
        if work == StreamWork::Sort {
            to.copy_from_slice(&from);
        }
        let start = Instant::now();
        match (work, parallel) {
            (StreamWork::Scatter, true) => scatter(&from, &shared, &index),
            (_, true) => on_all_cores(work, &from, &mut to),
            (_, false) => on_one_core(work, &from, &mut to, &index),
        }
        let seconds = start.elapsed().as_secs_f64();
        black_box(&to);
        if seconds > TIMED_ONCE_S {
            return seconds;
        }
        if round > 0 {
            times.push(seconds);
        }
    }
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn on_one_core<T: Measured>(work: StreamWork, from: &[T], to: &mut [T], index: &[u32]) {
    match work {
        StreamWork::Transform => scale(from, to),
        StreamWork::Sine => sines(from, to),
        StreamWork::Reduce => {
            black_box(sum(from));
        }
        StreamWork::Scan => scan(T::zeroed(), from, to),
        StreamWork::Sort => to.sort_unstable_by_key(|it| it.order()),
        StreamWork::Scatter => {
            for (&at, &value) in index.iter().zip(from) {
                to[at as usize] = value;
            }
        }
    }
}

fn on_all_cores<T: Measured>(work: StreamWork, from: &[T], to: &mut [T]) {
    // Every thread gets a share, even of a short array.
    let share = from.len().div_ceil(4 * rayon::current_num_threads());
    let share = share.clamp(1, SHARE_ELEMENTS);
    let shares = from.par_chunks(share).zip(to.par_chunks_mut(share));
    match work {
        StreamWork::Transform => shares.for_each(|(from, to)| scale(from, to)),
        StreamWork::Sine => shares.for_each(|(from, to)| sines(from, to)),
        StreamWork::Reduce => {
            let sums = from.par_chunks(share).map(sum);
            black_box(sums.reduce(T::zeroed, T::plus));
        }
        StreamWork::Scan => {
            let sums: Vec<T> = from.par_chunks(share).map(sum).collect();
            let mut before = vec![T::zeroed()];
            for sum in sums {
                before.push(before[before.len() - 1].plus(sum));
            }
            let shares = shares.zip(&before);
            shares.for_each(|((from, to), &before)| scan(before, from, to));
        }
        StreamWork::Sort => to.par_sort_unstable_by_key(|it| it.order()),
        StreamWork::Scatter => unreachable!("its output is shared"),
    }
}

fn scatter<T: Measured>(from: &[T], to: &[T::Shared], index: &[u32]) {
    let shares = from
        .par_chunks(SHARE_ELEMENTS)
        .zip(index.par_chunks(SHARE_ELEMENTS));
    shares.for_each(|(from, index)| {
        for (&value, &at) in from.iter().zip(index) {
            value.store(&to[at as usize]);
        }
    });
}

fn scale<T: Measured>(from: &[T], to: &mut [T]) {
    let factor = T::from_random(7);
    for (from, to) in from.iter().zip(to) {
        *to = from.times(factor);
    }
}

fn sines<T: Measured>(from: &[T], to: &mut [T]) {
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
