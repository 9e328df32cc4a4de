//! The same on the CPU: by one core over the first GiB at most, and by all over the first 4 GiB.

use std::{hint::black_box, time::Instant};

use rayon::prelude::*;

use crate::{
    Arguments, Done,
    arrays::{SHARE, fill, fill_floats, is_sorted},
    measured, say, scatter, wants,
};

pub(crate) const FACTOR: u32 = 7;
/// What one core is given at most: its rates don't depend on it, but for the sort, which this flatters.
const ONE_CORE: usize = 1 << 30;
/// What all cores are given at most: 32 GiB took minutes, and rates do not depend on it either.
const ALL_CORES: usize = 4 << 30;

/// All of them.
pub(crate) fn measure(arguments: &Arguments, a: &mut [u8], b: &mut [u8]) -> Done<()> {
    let repeats = arguments.repeats;
    let few = repeats.min(3);
    let first = a.len().min(ONE_CORE);
    let most = a.len().min(ALL_CORES);
    let (a, b) = (&mut a[..most], &mut b[..most]);
    {
        let a: &mut [u32] = bytemuck::cast_slice_mut(a);
        let b: &mut [u32] = bytemuck::cast_slice_mut(b);
        fill(a);
        let (all, one) = (a.len(), first / 4);
        if wants(arguments, "transform") {
            time("transform", "one core", repeats, 4 * one, || {
                scale(&a[..one], &mut b[..one])
            })?;
            time("transform", "rayon", repeats, 4 * all, || {
                let shares = a.par_chunks(SHARE).zip(b.par_chunks_mut(SHARE));
                shares.for_each(|(a, b)| scale(a, b));
            })?;
        }
        if wants(arguments, "reduce") {
            time("reduce", "one core", repeats, 4 * one, || {
                black_box(a[..one].iter().copied().fold(0, u32::wrapping_add));
            })?;
            time("reduce", "rayon", repeats, 4 * all, || {
                black_box(sum(a));
            })?;
        }
        if wants(arguments, "scan") {
            time("scan", "one core", repeats, 4 * one, || {
                scan(0, &a[..one], &mut b[..one])
            })?;
            time("scan", "rayon", repeats, 4 * all, || scan_all(a, b))?;
            if !is_scanned(a, b) {
                return Err("rayon's scan is wrong".into());
            }
        }
        if wants(arguments, "sort") {
            sorts("one core", 1, &mut a[..one], <[u32]>::sort_unstable)?;
            sorts("rayon", few, a, |all| all.par_sort_unstable())?;
        }
        if wants(arguments, "scatter") {
            scatter::peers(arguments, a, b)?;
        }
    }
    let a: &mut [f64] = bytemuck::cast_slice_mut(a);
    let b: &mut [f64] = bytemuck::cast_slice_mut(b);
    if wants(arguments, "sine") {
        fill_floats(a);
        let (all, one) = (a.len(), first / 8);
        time("sine", "one core", 1, 8 * one, || {
            squares(&a[..one], &mut b[..one])
        })?;
        time("sine", "rayon", few, 8 * all, || {
            let shares = a.par_chunks(SHARE).zip(b.par_chunks_mut(SHARE));
            shares.for_each(|(a, b)| squares(a, b));
        })?;
    }
    Ok(())
}

pub(crate) fn is_scaled(a: &[u32], b: &[u32]) -> bool {
    a.par_iter()
        .zip(b)
        .all(|(a, b)| a.wrapping_mul(FACTOR) == *b)
}

pub(crate) fn are_ones(b: &[f64]) -> bool {
    b.par_iter().all(|b| (b - 1.0).abs() < 1e-14)
}

pub(crate) fn sum(a: &[u32]) -> u32 {
    let of = |share: &[u32]| share.iter().copied().fold(0, u32::wrapping_add);
    a.par_chunks(SHARE).map(of).reduce(|| 0, u32::wrapping_add)
}

pub(crate) fn is_scanned(a: &[u32], b: &[u32]) -> bool {
    let first = a.first().is_none_or(|a| b.first() == Some(a));
    let steps = b.par_windows(2).zip(a.par_iter().skip(1));
    first && steps.all(|(b, a)| b[0].wrapping_add(*a) == b[1])
}

fn scale(a: &[u32], b: &mut [u32]) {
    for (a, b) in a.iter().zip(b) {
        *b = a.wrapping_mul(FACTOR);
    }
}

pub(crate) fn squares(a: &[f64], b: &mut [f64]) {
    for (a, b) in a.iter().zip(b) {
        let (sin, cos) = (a.sin(), a.cos());
        *b = sin * sin + cos * cos;
    }
}

fn scan(mut before: u32, a: &[u32], b: &mut [u32]) {
    for (a, b) in a.iter().zip(b) {
        before = before.wrapping_add(*a);
        *b = before;
    }
}

/// Sums of shares, then each share from its sum on.
fn scan_all(a: &[u32], b: &mut [u32]) {
    let of = |share: &[u32]| share.iter().copied().fold(0, u32::wrapping_add);
    let sums: Vec<u32> = a.par_chunks(SHARE).map(of).collect();
    let mut before = vec![0_u32];
    for sum in sums {
        before.push(before[before.len() - 1].wrapping_add(sum));
    }
    let shares = a
        .par_chunks(SHARE)
        .zip(b.par_chunks_mut(SHARE))
        .zip(&before);
    shares.for_each(|((a, b), &before)| scan(before, a, b));
}

fn sorts(way: &str, repeats: usize, data: &mut [u32], sort: impl Fn(&mut [u32])) -> Done<()> {
    let mut seconds = Vec::new();
    for _ in 0..repeats {
        fill(data);
        let start = Instant::now();
        sort(data);
        seconds.push(start.elapsed().as_secs_f64());
    }
    if !is_sorted(data) {
        return Err(format!("{way} has not sorted").into());
    }
    say(&measured("sort", way, 4 * data.len() as u64, seconds))
}

/// Once to warm up, and then so often.
pub(crate) fn time(
    what: &str,
    way: &str,
    repeats: usize,
    bytes: usize,
    mut once: impl FnMut(),
) -> Done<()> {
    let mut seconds = Vec::new();
    once();
    for _ in 0..repeats {
        let start = Instant::now();
        once();
        seconds.push(start.elapsed().as_secs_f64());
    }
    say(&measured(what, way, bytes as u64, seconds))
}
