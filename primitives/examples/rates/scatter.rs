//! Values to random places, each once: an index of `u32` and as many values, in the halves of one array.

use std::{
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    time::Instant,
};

use kerncast_primitives::{Report, Sink, Source, StreamError, Streamer, Unnamed};
use rayon::prelude::*;
use serde_json::json;

use crate::{
    Arguments, Done,
    arrays::{Array, SHARE, fill, places},
    measured, say, wants,
};

/// Of `a`'s halves into the first half of `b`.
pub(crate) fn measure(
    streamer: &mut Streamer,
    arguments: &Arguments,
    a: &mut Array,
    b: &mut Array,
) -> Done<()> {
    let half = a.bytes_mut().len() / 2;
    if !wants(arguments, "scatter") {
        return Ok(());
    }
    let (index, values) = a.slice_mut::<u32>().split_at_mut(half / 4);
    places(index);
    fill(values);
    let mut seconds = Vec::new();
    let mut last = None;
    for round in 0..=arguments.repeats {
        let start = Instant::now();
        last = Some(once(streamer, a, b, half)?);
        if round > 0 {
            seconds.push(start.elapsed().as_secs_f64());
        }
    }
    let (index, values) = a.slice::<u32>().split_at(half / 4);
    let out = &b.slice::<u32>()[..half / 4];
    if !index
        .par_iter()
        .zip(values)
        .all(|(&at, &value)| out[at as usize] == value)
    {
        return Err("scatter: the output is wrong".into());
    }
    let mut line = measured("scatter", a.way(), 2 * half as u64, seconds);
    line["verified"] = json!(true);
    line["report"] = json!(last);
    say(&line)
}

fn once(
    streamer: &mut Streamer,
    a: &mut Array,
    b: &mut Array,
    half: usize,
) -> Result<Report, StreamError> {
    match (a, b) {
        (Array::Pinned(a), Array::Pinned(b)) => {
            let (mut a, mut b) = (a.parts([half, half]), b.parts([half]));
            let [index, values] = &mut a[..] else {
                unreachable!("two parts")
            };
            let (index, values) = (Source::pinned::<u32>(index), Source::pinned::<u32>(values));
            streamer.scatter(index, values, Sink::pinned::<u32>(&mut b[0]), Unnamed::Zero)
        }
        (a, b) => {
            let (index, values) = a.slice::<u32>().split_at(half / 4);
            let out = Sink::slice(&mut b.slice_mut::<u32>()[..half / 4]);
            streamer.scatter(
                Source::slice(index),
                Source::slice(values),
                out,
                Unnamed::Zero,
            )
        }
    }
}

/// By one core over the first GiB at most, and by all.
pub(crate) fn peers(arguments: &Arguments, a: &mut [u32], b: &mut [u32]) -> Done<()> {
    for (way, count) in [
        ("one core", (a.len() / 2).min(1 << 27)),
        ("rayon", a.len() / 2),
    ] {
        let (index, values) = a.split_at_mut(a.len() / 2);
        let (index, values) = (&mut index[..count], &values[..count]);
        places(index);
        let index = &*index;
        let atomic: Vec<AtomicU32> = match way {
            "rayon" => (0..count)
                .into_par_iter()
                .map(|_| AtomicU32::new(1))
                .collect(),
            _ => Vec::new(),
        };
        let mut seconds = Vec::new();
        for _ in 0..arguments.repeats.min(3) {
            let start = Instant::now();
            if way == "rayon" {
                let shares = index.par_chunks(SHARE).zip(values.par_chunks(SHARE));
                shares.for_each(|(index, values)| {
                    for (&at, &value) in index.iter().zip(values) {
                        atomic[at as usize].store(value, Relaxed);
                    }
                });
            } else {
                for (&at, &value) in index.iter().zip(values) {
                    b[at as usize] = value;
                }
            }
            seconds.push(start.elapsed().as_secs_f64());
        }
        say(&measured("scatter", way, 8 * count as u64, seconds))?;
    }
    Ok(())
}
