//! Figures 10 to 15 of Miura, Chang and Miyazaki in their own form: doubles, the way to the device and back included, as a
//! ratio to one core. `--device-memory 3GiB` is their device's.
//!
//! One core is timed over 10⁸ elements; longer arrays are taken to take it as much an element (a sort n log n), which flatters
//! it where its caches would no longer help.

use std::{hint::black_box, time::Instant};

use kerncast_primitives::{Operation, Scan, Sink, Source, StreamError, Streamer, Unnamed};
use rayon::prelude::*;
use serde_json::json;

use crate::{
    Arguments, Done,
    arrays::{Array, SHARE, fill_floats, places},
    peers, say, wants,
};

/// Of one core.
const TIMED: usize = 100_000_000;
/// In their figures' range.
const LENGTHS: [usize; 5] = [
    TIMED,
    500_000_000,
    1_000_000_000,
    5_000_000_000,
    10_000_000_000,
];
/// Of what takes one core longer, or has an index too.
const FEWER: usize = 1_000_000_000;
/// Places of a scatter are a power of two.
const SCATTERED: [usize; 4] = [1 << 27, 1 << 29, 1 << 30, 1 << 32];

/// All figures, in arrays of as many bytes as are allowed.
pub(crate) fn measure(streamer: &mut Streamer, arguments: &Arguments) -> Done<()> {
    let most = usize::try_from(arguments.bytes)? / 8;
    let length = LENGTHS.into_iter().filter(|it| *it <= most).max();
    let length = length.ok_or("--bytes: expected 800000000 or more")?;
    let [mut a, mut b] = [Array::pageable(8 * length), Array::pageable(8 * length)];
    fill_floats(a.slice_mut::<f64>());
    let (from, to) = (a.slice::<f64>(), b.slice_mut::<f64>());
    let scale = Operation::new("return k * x;").with("k", 2.5)?;
    figure(streamer, arguments, "transform", length, |streamer, n| {
        let (from, to) = (&from[..n], &mut to[..n]);
        let Some(streamer) = streamer else {
            return Ok(timed(|| {
                to.iter_mut().zip(from).for_each(|(to, x)| *to = 2.5 * x)
            }));
        };
        let report = streamer.transform(&scale, vec![Source::slice(from)], Sink::slice(to))?;
        Ok(report.seconds)
    })?;
    let sine = Operation::new("return sin(x) * sin(x) + cos(x) * cos(x);");
    figure(streamer, arguments, "sine", length, |streamer, n| {
        let (from, to) = (&from[..n], &mut to[..n]);
        let Some(streamer) = streamer else {
            return Ok(timed(|| peers::squares(from, to)));
        };
        let report = streamer.transform(&sine, vec![Source::slice(from)], Sink::slice(to))?;
        Ok(report.seconds)
    })?;
    let add = Operation::new("return a + b;");
    figure(streamer, arguments, "reduce", length, |streamer, n| {
        let Some(streamer) = streamer else {
            return Ok(timed(|| _ = black_box(from[..n].iter().sum::<f64>())));
        };
        let (_, report) = streamer.reduce::<f64>(&add, Source::slice(&from[..n]))?;
        Ok(report.seconds)
    })?;
    figure(streamer, arguments, "scan", length, |streamer, n| {
        let (from, to) = (&from[..n], &mut to[..n]);
        let Some(streamer) = streamer else {
            return Ok(timed(|| {
                let mut sum = 0.0;
                for (to, x) in to.iter_mut().zip(from) {
                    sum += x;
                    *to = sum;
                }
            }));
        };
        let (from, to) = (Source::slice(from), Sink::slice(to));
        let report = streamer.scan(&add, Scan::<f64>::Inclusive, from, to)?;
        Ok(report.seconds)
    })?;
    scatters(streamer, arguments, from, to)?;
    let (data, scratch) = to.split_at_mut(length / 2);
    let fewer = data.len().min(FEWER);
    figure(streamer, arguments, "sort", fewer, |streamer, n| {
        let data = &mut data[..n];
        copy(&from[..n], data);
        let Some(streamer) = streamer else {
            return Ok(timed(|| data.sort_unstable_by(f64::total_cmp)));
        };
        let report = streamer.sort(Sink::slice(data), Some(Sink::slice(&mut scratch[..n])))?;
        assert!(data.is_sorted(), "it is sorted");
        Ok(report.seconds)
    })
}

fn scatters(
    streamer: &mut Streamer,
    arguments: &Arguments,
    values: &[f64],
    to: &mut [f64],
) -> Done<()> {
    if !wants(arguments, "scatter") {
        return Ok(());
    }
    let lengths = SCATTERED.into_iter().filter(|it| *it <= values.len());
    let mut each = None;
    for n in lengths {
        let mut index = Array::pageable(4 * n);
        places(index.slice_mut::<u32>());
        let (index, values, to) = (index.slice::<u32>(), &values[..n], &mut to[..n]);
        let each: f64 = *each.get_or_insert_with(|| {
            let seconds = timed(|| {
                for (&at, &value) in index.iter().zip(values) {
                    to[at as usize] = value;
                }
            });
            seconds / n as f64
        });
        let mut seconds = Vec::new();
        for _ in 0..=arguments.repeats {
            let (index, values) = (Source::slice(index), Source::slice(values));
            let report = streamer.scatter(index, values, Sink::slice(to), Unnamed::Zero)?;
            seconds.push(report.seconds);
        }
        let pairs = index.par_iter().zip(values);
        assert!(
            pairs.all(|(&at, value)| to[at as usize].to_bits() == value.to_bits()),
            "each value is at its place"
        );
        told("scatter", n, seconds.split_off(1), each * n as f64)?;
    }
    Ok(())
}

/// `once` says how long the device took, or one core where there is none, for the first elements, as many as it is told.
fn figure(
    streamer: &mut Streamer,
    arguments: &Arguments,
    what: &str,
    most: usize,
    mut once: impl FnMut(Option<&mut Streamer>, usize) -> Result<f64, StreamError>,
) -> Done<()> {
    if !wants(arguments, what) || most < TIMED {
        return Ok(());
    }
    let core = once(None, TIMED)?;
    for n in LENGTHS.into_iter().filter(|it| *it <= most) {
        let mut seconds = Vec::new();
        for _ in 0..=arguments.repeats {
            seconds.push(once(Some(streamer), n)?);
        }
        let steps = |n: usize| match what {
            "sort" => n as f64 * (n as f64).log2(),
            _ => n as f64,
        };
        told(
            what,
            n,
            seconds.split_off(1),
            core * steps(n) / steps(TIMED),
        )?;
    }
    Ok(())
}

fn timed(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn told(what: &str, elements: usize, mut seconds: Vec<f64>, core: f64) -> Done<()> {
    seconds.sort_by(f64::total_cmp);
    let median = seconds.get(seconds.len() / 2).copied();
    say(&json!({
        "what": what,
        "elements": elements,
        "median": median,
        "seconds": seconds,
        "one_core": core,
        "ratio": median.map(|median| core / median),
    }))
}

fn copy(from: &[f64], to: &mut [f64]) {
    let shares = to.par_chunks_mut(SHARE).zip(from.par_chunks(SHARE));
    shares.for_each(|(to, from)| to.copy_from_slice(from));
}
