//! Chunks, slots and lanes, tried on a transform of pageable and of pinned memory.

use kerncast_opencl::OpenClDevice;
use kerncast_primitives::{Options, Streamer, Work};

use crate::{
    Arguments, Done,
    arrays::{Array, fill},
    by_work, measured, say, timed,
};

pub(crate) fn sweep(device: &OpenClDevice, arguments: &Arguments) -> Done<()> {
    let bytes = usize::try_from(arguments.bytes)? / 8 * 8;
    let threads = rayon::current_num_threads();
    let pageable = [Array::pageable(bytes), Array::pageable(bytes)];
    let mut tried = Vec::new();
    for lanes in [threads / 4, threads / 2, threads, 2 * threads] {
        for chunk in [16, 32, 128] {
            tried.push((lanes.max(1), chunk, 3, 4));
        }
    }
    for (slots, piece) in [(2, 4), (4, 4), (3, 1), (3, 2), (3, 8)] {
        tried.push((threads, 32, slots, piece));
    }
    run(device, arguments, pageable, &tried)?;
    let streamer = Streamer::new(device.clone(), Options::new(arguments.device_memory))?;
    let pinned = [
        Array::Pinned(streamer.pinned(bytes)?),
        Array::Pinned(streamer.pinned(bytes)?),
    ];
    let tried = [8, 16, 32, 64, 128].map(|chunk| [2, 3, 4].map(|slots| (1, chunk, slots, 4)));
    run(device, arguments, pinned, tried.as_flattened())
}

/// Lanes, mebibytes of a chunk, slots, mebibytes of a piece.
type Tried = (usize, u64, usize, usize);

fn run(
    device: &OpenClDevice,
    arguments: &Arguments,
    [mut a, mut b]: [Array; 2],
    tried: &[Tried],
) -> Done<()> {
    fill(a.slice_mut::<u32>());
    for &(lanes, chunk, slots, piece) in tried {
        let options = Options {
            lanes,
            slots,
            chunk_bytes: chunk << 20,
            piece_bytes: piece << 20,
            ..Options::new(arguments.device_memory)
        };
        let mut streamer = Streamer::new(device.clone(), options.clone())?;
        let seconds = timed(arguments.repeats, || {
            let (from, to) = (a.source::<u32>(), b.sink::<u32>());
            by_work(&mut streamer, Work::Transform, from, to)
        })?;
        let mut line = measured("transform", a.way(), arguments.bytes, seconds);
        line["options"] = serde_json::to_value(&options)?;
        say(&line)?;
    }
    Ok(())
}
