//! How fast arrays get to the device and back: trips in which nothing is launched.

use kerncast_offload::plan::TILE;

use super::arrays::Array;
use crate::{
    Line, Move, Operation, Sink, Source, StreamError, Streamer, Type, Way,
    pipeline::{Launches, Slot, in_order},
    streamer::{Leg, Task},
};

/// Chunks in bytes; of pinned memory they are its pieces.
const LONG: u64 = 32 << 20;
const SHORT: u64 = 1 << 20;
/// Pieces of what is staged.
const LARGE: usize = 4 << 20;
const SMALL: usize = 256 << 10;
/// The fastest of so many counts: whatever else the machine does only takes longer.
const TRIES: usize = 3;
/// Chunks of a tile.
const TILES: usize = 64;

/// Pieces that were moved, and the seconds.
type Moved = (u64, f64);

/// How many threads move the most, both ways at once.
pub(super) fn lanes(streamer: &mut Streamer, bytes: usize) -> Result<usize, StreamError> {
    let cores = streamer.options.lanes;
    let mut best = (f64::INFINITY, cores);
    let [mut from, mut to] = pair(streamer, Way::Staged, bytes)?;
    for lanes in [cores.div_ceil(2).max(2), cores.max(2), 2 * cores] {
        streamer.options.lanes = lanes;
        let (_, seconds) = once(streamer, LONG, Some(&mut from), Some(&mut to))?;
        // More of them have to be worth it.
        if seconds < 0.97 * best.0 {
            best = (seconds, lanes);
        }
    }
    Ok(best.1)
}

pub(super) fn all(streamer: &mut Streamer, bytes: usize) -> Result<Vec<Move>, StreamError> {
    let ways = [Way::Staged, Way::Pinned, Way::File];
    ways.into_iter()
        .map(|way| of(streamer, way, bytes))
        .collect()
}

pub(super) fn of(streamer: &mut Streamer, way: Way, bytes: usize) -> Result<Move, StreamError> {
    let [mut from, mut to] = pair(streamer, way, bytes)?;
    let length = bytes as u64;
    // Each thread has a piece of a chunk, where all of them copy one way.
    let long = LONG.max((streamer.options.lanes * LARGE) as u64);
    let mut measured = Vec::new();
    for (chunk, piece) in [(long, LARGE), (SHORT, SMALL)] {
        let chunk = if way == Way::Pinned { chunk } else { long };
        streamer.options.piece_bytes = piece;
        let there = once(streamer, chunk, Some(&mut from), None)?;
        let back = once(streamer, chunk, None, Some(&mut to))?;
        let both = once(streamer, chunk, Some(&mut from), Some(&mut to))?;
        // The first chunk comes alone, and the last one leaves alone.
        let n = length.div_ceil(chunk).max(2) as f64;
        let alone = (there.1 + back.1) / n;
        let at_once = (both.1 - alone) * n / (n - 1.0);
        let at_once = at_once.max(there.1).max(back.1);
        measured.push([there, back, (both.0, at_once)]);
    }
    streamer.options.piece_bytes = LARGE;
    let line = |which: usize, bytes| Line::through(bytes, measured[0][which], measured[1][which]);
    Ok(Move {
        way,
        to_device: line(0, length),
        from_device: line(1, length),
        both: line(2, 2 * length),
    })
}

/// What a trip takes however little it moves, and each chunk.
pub(super) fn overheads(streamer: &mut Streamer) -> Result<(f64, f64), StreamError> {
    let tile = usize::try_from(TILE).expect("4096");
    let same = Operation::new("return x;");
    let given = std::mem::replace(&mut streamer.options.chunk_bytes, 4 * TILE);
    let mut seconds = |tiles: usize| {
        let from = vec![1_u32; tiles * tile];
        let mut to = vec![0_u32; tiles * tile];
        let mut best = f64::INFINITY;
        // The first one compiles.
        for _ in 0..=TRIES {
            let sink = Sink::slice(&mut to);
            let report = streamer.transform(&same, vec![Source::slice(&from)], sink)?;
            best = best.min(report.trips[0].seconds);
        }
        Ok::<f64, StreamError>(best)
    };
    let (few, many) = (seconds(1)?, seconds(TILES)?);
    streamer.options.chunk_bytes = given;
    let chunk_s = ((many - few) / (TILES - 1) as f64).max(0.0);
    Ok(((few - chunk_s).max(0.0), chunk_s))
}

fn pair(streamer: &Streamer, way: Way, bytes: usize) -> Result<[Array<u32>; 2], StreamError> {
    // Their pages are there before they are measured.
    let array = || Array::new(streamer, way, vec![1_u32; bytes / 4]);
    Ok([array()?, array()?])
}

/// The fastest trip of some.
fn once(
    streamer: &mut Streamer,
    chunk_bytes: u64,
    mut from: Option<&mut Array<u32>>,
    mut to: Option<&mut Array<u32>>,
) -> Result<Moved, StreamError> {
    let chunk = chunk_bytes / 4;
    let word = Type::U32;
    let (inputs, outputs) = ([word], [(word, 1)]);
    let count = streamer.options.slots;
    let (slots, _leases) = streamer.slots("measuring", count, chunk, &inputs, Some(&outputs))?;
    let (mut pieces, mut best) = (0, f64::INFINITY);
    for _ in 0..TRIES {
        let source = from.as_mut().map(|it| it.source());
        let sink = to.as_mut().map(|it| it.sink());
        let length = source.as_ref().map(|it| it.length);
        let length = length.or(sink.as_ref().map(|it| it.length)).unwrap_or(0);
        let segments = in_order(length, chunk);
        let task = Task {
            chunk,
            chunks: segments.len(),
            launched: None,
        };
        let inputs = source.map(|it| Leg::new(it, &segments));
        let outputs = sink.map(|it| Leg::new(it, &segments));
        let (inputs, outputs) = (inputs.into_iter().collect(), outputs.into_iter().collect());
        let nothing = |_: usize, _: &Slot, _: &mut Launches<'_>| Ok(());
        let done = streamer.trip(task, &slots, inputs, outputs, false, nothing)?;
        let most = |ways: &[Way], bytes: u64| match ways.first() {
            None => 0,
            Some(Way::Pinned) => bytes.div_ceil(chunk_bytes),
            Some(_) => bytes.div_ceil(streamer.options.piece_bytes as u64),
        };
        let plan = &done.plan;
        pieces = most(&plan.ways_in, done.bytes_in) + most(&plan.ways_out, done.bytes_out);
        best = best.min(done.seconds);
    }
    Ok((pieces, best))
}
