//! How fast arrays move to the device and back: trips without launches.

use kerncast_offload::plan::GROUP_ELEMENTS;

use super::arrays::Array;
use crate::{
    ElementType, MoveRate, Operation, RateLine, Sink, Source, StreamError, StreamWay, Streamer,
    pipeline::in_order, streamer::Leg,
};

/// Bytes of a chunk. Pinned memory moves by whole chunks.
const LONG_CHUNK: u64 = 32 << 20;
const SHORT_CHUNK: u64 = 1 << 20;
/// Bytes of a staged piece.
const LARGE_PIECE: usize = 4 << 20;
const SMALL_PIECE: usize = 256 << 10;
/// Number of trips of which the fastest counts: other load on the machine only makes trips slower.
const TRIES: usize = 3;
/// Number of timed chunks of one work-group's elements each.
const TIMED_GROUPS: usize = 64;

/// The fastest trip of some.
#[derive(Clone, Copy)]
struct MovedPieces {
    pieces: u64,
    seconds: f64,
}

/// The number of threads that moves the most, both ways at once.
pub(super) fn best_thread_count(
    streamer: &mut Streamer,
    bytes: usize,
) -> Result<usize, StreamError> {
    let cores = streamer.options.copying_threads;
    let mut best = (f64::INFINITY, cores);
    let [mut from, mut to] = pair(streamer, StreamWay::Staged, bytes)?;
    for threads in [cores.div_ceil(2).max(2), cores.max(2), 2 * cores] {
        streamer.options.copying_threads = threads;
        let seconds = move_once(streamer, LONG_CHUNK, Some(&mut from), Some(&mut to))?.seconds;
        // More threads must gain at least 3 %.
        if seconds < 0.97 * best.0 {
            best = (seconds, threads);
        }
    }
    Ok(best.1)
}

pub(super) fn move_rates(
    streamer: &mut Streamer,
    bytes: usize,
) -> Result<Vec<MoveRate>, StreamError> {
    let ways = [StreamWay::Staged, StreamWay::Pinned, StreamWay::File];
    ways.into_iter()
        .map(|way| measure_way(streamer, way, bytes))
        .collect()
}

fn measure_way(
    streamer: &mut Streamer,
    way: StreamWay,
    bytes: usize,
) -> Result<MoveRate, StreamError> {
    let [mut from, mut to] = pair(streamer, way, bytes)?;
    let length = bytes as u64;
    // A chunk has a piece for each thread, where all of them copy one way.
    let long = LONG_CHUNK.max((streamer.options.copying_threads * LARGE_PIECE) as u64);
    let mut measured = Vec::new();
    for (chunk, piece) in [(long, LARGE_PIECE), (SHORT_CHUNK, SMALL_PIECE)] {
        let chunk = if way == StreamWay::Pinned {
            chunk
        } else {
            long
        };
        streamer.options.piece_bytes = piece;
        let there = move_once(streamer, chunk, Some(&mut from), None)?;
        let back = move_once(streamer, chunk, None, Some(&mut to))?;
        let both = move_once(streamer, chunk, Some(&mut from), Some(&mut to))?;
        // The first chunk comes alone, and the last one leaves alone.
        let n = length.div_ceil(chunk).max(2) as f64;
        let alone = (there.seconds + back.seconds) / n;
        let at_once = (both.seconds - alone) * n / (n - 1.0);
        let both = MovedPieces {
            seconds: at_once.max(there.seconds).max(back.seconds),
            ..both
        };
        measured.push([there, back, both].map(|it| (it.pieces, it.seconds)));
    }
    streamer.options.piece_bytes = LARGE_PIECE;
    let line =
        |which: usize, bytes| RateLine::through(bytes, measured[0][which], measured[1][which]);
    Ok(MoveRate {
        way,
        to_device: line(0, length),
        from_device: line(1, length),
        both: line(2, 2 * length),
    })
}

/// Seconds that a trip takes however little it moves, and those that each chunk adds.
pub(super) fn overheads(streamer: &mut Streamer) -> Result<(f64, f64), StreamError> {
    let group = usize::try_from(GROUP_ELEMENTS).expect("4096");
    let same = Operation::new("return x;");
    let chunk_bytes = std::mem::replace(&mut streamer.options.chunk_bytes, 4 * GROUP_ELEMENTS);
    let mut seconds = |groups: usize| {
        let from = vec![1_u32; groups * group];
        let mut to = vec![0_u32; groups * group];
        let mut best = f64::INFINITY;
        // The first one compiles.
        for _ in 0..=TRIES {
            let sink = Sink::slice(&mut to);
            let report = streamer.transform(&same, vec![Source::slice(&from)], sink)?;
            best = best.min(report.trips[0].seconds);
        }
        Ok::<f64, StreamError>(best)
    };
    let (few, many) = (seconds(1)?, seconds(TIMED_GROUPS)?);
    streamer.options.chunk_bytes = chunk_bytes;
    let chunk_s = ((many - few) / (TIMED_GROUPS - 1) as f64).max(0.0);
    Ok(((few - chunk_s).max(0.0), chunk_s))
}

fn pair(streamer: &Streamer, way: StreamWay, bytes: usize) -> Result<[Array<u32>; 2], StreamError> {
    // Filled arrays: their pages exist before anything is timed.
    let array = || Array::new(streamer, way, vec![1_u32; bytes / 4]);
    Ok([array()?, array()?])
}

/// Moves arrays without launches. The fastest of some trips counts.
fn move_once(
    streamer: &mut Streamer,
    chunk_bytes: u64,
    mut from: Option<&mut Array<u32>>,
    mut to: Option<&mut Array<u32>>,
) -> Result<MovedPieces, StreamError> {
    let chunk = chunk_bytes / 4;
    let word = ElementType::U32;
    let (inputs, outputs) = ([word], [(word, 1)]);
    let count = streamer.options.slots;
    let slots = streamer.allocate_slots("measuring", count, chunk, &inputs, Some(&outputs))?;
    let mut fastest = MovedPieces {
        pieces: 0,
        seconds: f64::INFINITY,
    };
    for _ in 0..TRIES {
        let source = from.as_mut().map(|it| it.source());
        let sink = to.as_mut().map(|it| it.sink());
        let length = source.as_ref().map(|it| it.length);
        let length = length.or(sink.as_ref().map(|it| it.length)).unwrap_or(0);
        let segments = in_order(length, chunk);
        let inputs = source.map(|it| Leg::new(it, &segments));
        let outputs = sink.map(|it| Leg::new(it, &segments));
        let (inputs, outputs) = (inputs.into_iter().collect(), outputs.into_iter().collect());
        let chunks = (chunk, segments.len());
        let report = streamer.move_arrays(chunks, &slots, inputs, outputs, false)?;
        let count = |ways: &[StreamWay], bytes: u64| match ways.first() {
            None => 0,
            Some(StreamWay::Pinned) => bytes.div_ceil(chunk_bytes),
            Some(_) => bytes.div_ceil(streamer.options.piece_bytes as u64),
        };
        let plan = &report.plan;
        fastest = MovedPieces {
            pieces: count(&plan.ways_in, report.bytes_in) + count(&plan.ways_out, report.bytes_out),
            seconds: fastest.seconds.min(report.seconds),
        };
    }
    Ok(fastest)
}
