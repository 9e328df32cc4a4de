//! The primitives beyond transform, reduce, scan, sort and scatter: of `u32`, in the halves of one array where there are two.

use std::time::Instant;

use kerncast_primitives::{Operation, Report, Side, Sink, Source, StreamError, Streamer};
use rayon::prelude::*;
use serde_json::json;

use crate::{
    Bench, Done,
    arrays::{Array, SHARE, checksum, fill, places},
    further_peers::histogram,
    measured, say, wants,
};

/// Bins of a histogram.
pub(crate) const BINS: usize = 256;
/// Of one key.
pub(crate) const RUN: usize = 4;
/// How many are the greatest.
pub(crate) const GREATEST: usize = 1 << 20;
/// Elements of a segment.
pub(crate) const SEGMENT: usize = 1000;

/// Numbers that ascend, each so often.
pub(crate) fn ascend(all: &mut [u32], often: usize) {
    let shares = all.par_chunks_mut(SHARE).enumerate();
    shares.for_each(|(index, share)| {
        for (at, number) in (index * SHARE..).zip(share) {
            *number = u32::try_from(at / often).expect("less than 2^32 of them");
        }
    });
}

/// The key of a value: each once, and far apart.
pub(crate) fn key_at(value: u32) -> u32 {
    value.wrapping_mul(0x9E37_79B1)
}

/// Keys, their values, which are their places, and as many keys of random places that are asked for.
pub(crate) fn ask(all: &mut [u32], each: usize) {
    let (keys, others) = all.split_at_mut(each);
    let (values, asked) = others.split_at_mut(each);
    ascend(values, 1);
    places_of(asked, each);
    let pairs = keys.par_iter_mut().zip(values);
    pairs.for_each(|(key, value)| *key = key_at(*value));
    asked.par_iter_mut().for_each(|it| *it = key_at(*it));
}

/// Random places of an array of so many elements.
pub(crate) fn places_of(all: &mut [u32], length: usize) {
    fill(all);
    all.par_iter_mut().for_each(|it| {
        let place = (u64::from(*it) * length as u64) >> 32;
        *it = u32::try_from(place).expect("half of 64 bits");
    });
}

/// As wide as each other, over all numbers.
pub(crate) fn edges() -> Vec<u32> {
    let width = (u32::MAX / u32::try_from(BINS).expect("few")) + 1;
    let last = [u32::MAX];
    let first = (0..BINS).map(|it| u32::try_from(it).expect("few") * width);
    first.chain(last).collect()
}

impl Bench {
    /// All of them, of `a` into `b`.
    pub(crate) fn further(
        &mut self,
        streamer: &mut Streamer,
        a: &mut Array,
        b: &mut Array,
    ) -> Done<()> {
        let (n, half) = (a.slice::<u32>().len(), a.slice::<u32>().len() / 2);
        if wants(&self.arguments, "histogram") {
            fill(a.slice_mut());
            let edges = edges();
            let mut counts = Vec::new();
            self.time(streamer, "histogram", a, 4 * n, |streamer, a| {
                let (found, report) = streamer.histogram(a.source::<u32>(), &edges)?;
                counts = found;
                Ok(report)
            })?;
            verify("histogram", counts == histogram(a.slice()))?;
        }
        if wants(&self.arguments, "top_k") {
            fill(a.slice_mut());
            let k = GREATEST.min(n / 64);
            self.time(streamer, "top_k", a, 4 * n, |streamer, a| {
                first(b, k, |to| streamer.top_k(a.source::<u32>(), to))
            })?;
            let found = &b.slice::<u32>()[..k];
            let least = found[k - 1];
            let above = a
                .slice::<u32>()
                .par_iter()
                .filter(|it| **it > least)
                .count();
            let sorted = found.iter().rev().is_sorted();
            verify(
                "top_k",
                sorted && above < k && found[above..].iter().all(|it| *it == least),
            )?;
        }
        if wants(&self.arguments, "unique") {
            ascend(a.slice_mut(), RUN);
            self.time(streamer, "unique", a, 4 * n, |streamer, a| {
                first(b, n.div_ceil(RUN), |to| {
                    Ok(streamer.unique(a.source::<u32>(), |_| Ok(to))?.1)
                })
            })?;
            verify("unique", is_counted(&b.slice()[..n.div_ceil(RUN)], 1))?;
        }
        if wants(&self.arguments, "segmented_sort") {
            fill(a.slice_mut());
            let mut offsets: Vec<u64> = (0..n as u64).step_by(SEGMENT).collect();
            offsets.push(n as u64);
            self.time(streamer, "segmented_sort", a, 4 * n, |streamer, a| {
                streamer.segmented_sort(a.source::<u32>(), &offsets, b.sink::<u32>())
            })?;
            let sorted = b.slice::<u32>().par_chunks(SEGMENT).all(<[u32]>::is_sorted);
            verify(
                "segmented_sort",
                sorted && checksum(a.slice()) == checksum(b.slice()),
            )?;
        }
        self.look_up(streamer, a, b)?;
        self.of_two(streamer, a, b, half)
    }

    /// Those of two arrays.
    fn of_two(
        &mut self,
        streamer: &mut Streamer,
        a: &mut Array,
        b: &mut Array,
        half: usize,
    ) -> Done<()> {
        if wants(&self.arguments, "gather") {
            let (index, values) = a.slice_mut::<u32>().split_at_mut(half);
            places(index);
            fill(values);
            self.time(streamer, "gather", a, 8 * half, |streamer, a| {
                halves(a, half, |index, values| {
                    first(b, half, |to| streamer.gather(index, values, to))
                })
            })?;
            let (index, values) = a.slice::<u32>().split_at(half);
            let pairs = index.par_iter().zip(&b.slice::<u32>()[..half]);
            let is_right = pairs
                .into_par_iter()
                .all(|(at, it)| values[*at as usize] == *it);
            verify("gather", is_right)?;
        }
        if wants(&self.arguments, "reduce_by_key") {
            let (keys, values) = a.slice_mut::<u32>().split_at_mut(half);
            ascend(keys, RUN);
            ascend(values, RUN);
            let operation = Operation::new("return a + b;");
            let runs = half.div_ceil(RUN);
            self.time(streamer, "reduce_by_key", a, 8 * half, |streamer, a| {
                halves(a, half, |keys, values| {
                    two(b, runs, |to, with| {
                        let make = |_| Ok((to, with));
                        Ok(streamer.reduce_by_key(&operation, keys, values, make)?.1)
                    })
                })
            })?;
            let (keys, sums) = b.slice::<u32>()[..2 * runs].split_at(runs);
            let last = (half - (runs - 1) * RUN) * (runs - 1);
            let sums_are = sums[..runs - 1].par_iter().enumerate();
            let sums_are = sums_are.all(|(at, it)| *it as usize == (RUN * at) & 0xffff_ffff)
                && sums[runs - 1] as usize == last & 0xffff_ffff;
            verify("reduce_by_key", is_counted(keys, 1) && sums_are)?;
        }
        if wants(&self.arguments, "merge") {
            let (one, other) = a.slice_mut::<u32>().split_at_mut(half);
            ascend(one, 1);
            ascend(other, 1);
            self.time(streamer, "merge", a, 8 * half, |streamer, a| {
                halves(a, half, |one, other| {
                    first(b, 2 * half, |to| streamer.merge(one, other, to))
                })
            })?;
            verify("merge", is_counted(&b.slice()[..2 * half], 2))?;
        }
        if wants(&self.arguments, "sorted_search") {
            let (needles, sorted) = a.slice_mut::<u32>().split_at_mut(half);
            places_of(needles, half);
            ascend(sorted, 1);
            self.time(streamer, "sorted_search", a, 8 * half, |streamer, a| {
                halves(a, half, |needles, sorted| match b {
                    Array::Pageable(b) => {
                        let to = Sink::slice(&mut b[..half]);
                        streamer.sorted_search(needles, sorted, Side::Lower, to)
                    }
                    Array::Pinned(b) => {
                        let mut b = b.parts([8 * half]);
                        let to = Sink::pinned::<u64>(&mut b[0]);
                        streamer.sorted_search(needles, sorted, Side::Lower, to)
                    }
                })
            })?;
            let needles = a.slice::<u32>()[..half].par_iter();
            let pairs = needles.zip(&b.slice::<u64>()[..half]);
            let is_right = pairs.all(|(it, place)| *place == u64::from(*it));
            verify("sorted_search", is_right)?;
        }
        Ok(())
    }

    /// Of as many keys as are asked for, in quarters of `a`: keys, values, and what is asked for.
    fn look_up(&mut self, streamer: &mut Streamer, a: &mut Array, b: &mut Array) -> Done<()> {
        if !wants(&self.arguments, "look_up") {
            return Ok(());
        }
        let quarter = a.slice::<u32>().len() / 4;
        let parts = a.slice_mut::<u32>();
        ask(&mut parts[..3 * quarter], quarter);
        self.time(streamer, "look_up", a, 12 * quarter, |streamer, a| {
            first(b, quarter, |to| match a {
                Array::Pageable(_) => {
                    let [keys, values, asked] =
                        [0, 1, 2].map(|it| &a.slice::<u32>()[it * quarter..][..quarter]);
                    let [keys, values, asked] = [keys, values, asked].map(Source::slice);
                    streamer.look_up(keys, values, asked, u32::MAX, to)
                }
                Array::Pinned(a) => {
                    let mut parts = a.parts([4 * quarter; 3]);
                    let [keys, values, asked] = &mut parts[..] else {
                        unreachable!("three parts")
                    };
                    let [keys, values, asked] = [keys, values, asked].map(Source::pinned::<u32>);
                    streamer.look_up(keys, values, asked, u32::MAX, to)
                }
            })
        })?;
        let asked = a.slice::<u32>()[2 * quarter..][..quarter].par_iter();
        let is_right = asked
            .zip(&b.slice::<u32>()[..quarter])
            .all(|(key, value)| *key == key_at(*value));
        verify("look_up", is_right)
    }

    /// Once to warm up, and then as often as is asked for.
    fn time(
        &mut self,
        streamer: &mut Streamer,
        what: &str,
        a: &mut Array,
        bytes: usize,
        mut once: impl FnMut(&mut Streamer, &mut Array) -> Result<Report, StreamError>,
    ) -> Done<()> {
        let (mut seconds, mut last) = (Vec::new(), None);
        for round in 0..=self.arguments.repeats {
            let start = Instant::now();
            last = Some(once(streamer, a)?);
            if round > 0 {
                seconds.push(start.elapsed().as_secs_f64());
            }
        }
        let mut line = measured(what, a.way(), bytes as u64, seconds);
        line["report"] = json!(last);
        say(&line)
    }
}

fn verify(what: &str, is_right: bool) -> Done<()> {
    match is_right {
        true => Ok(()),
        false => Err(format!("{what}: the output is wrong").into()),
    }
}

/// Whether they are 0, 1, 2, each so often.
fn is_counted(all: &[u32], often: usize) -> bool {
    all.par_iter()
        .enumerate()
        .all(|(at, it)| *it as usize == at / often)
}

/// Of the halves of an array.
fn halves<R>(a: &mut Array, half: usize, done: impl FnOnce(Source<'_>, Source<'_>) -> R) -> R {
    match a {
        Array::Pageable(_) => {
            let (one, other) = a.slice::<u32>().split_at(half);
            done(Source::slice(one), Source::slice(&other[..half]))
        }
        Array::Pinned(a) => {
            let mut parts = a.parts([4 * half, 4 * half]);
            let [one, other] = &mut parts[..] else {
                unreachable!("two parts")
            };
            done(Source::pinned::<u32>(one), Source::pinned::<u32>(other))
        }
    }
}

/// Into the first elements of an array.
fn first<R>(b: &mut Array, elements: usize, done: impl FnOnce(Sink<'_>) -> R) -> R {
    match b {
        Array::Pageable(_) => done(Sink::slice(&mut b.slice_mut::<u32>()[..elements])),
        Array::Pinned(b) => done(Sink::pinned::<u32>(&mut b.parts([4 * elements])[0])),
    }
}

/// Into the first elements, and as many behind them.
fn two<R>(b: &mut Array, elements: usize, done: impl FnOnce(Sink<'_>, Sink<'_>) -> R) -> R {
    match b {
        Array::Pageable(_) => {
            let (one, other) = b.slice_mut::<u32>()[..2 * elements].split_at_mut(elements);
            done(Sink::slice(one), Sink::slice(other))
        }
        Array::Pinned(b) => {
            let mut parts = b.parts([4 * elements; 2]);
            let [one, other] = &mut parts[..] else {
                unreachable!("two parts")
            };
            done(Sink::pinned::<u32>(one), Sink::pinned::<u32>(other))
        }
    }
}
