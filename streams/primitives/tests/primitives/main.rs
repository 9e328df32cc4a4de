//! Primitives beside std, with so little device memory that all go in many chunks.

#![expect(
    clippy::cast_possible_truncation,
    reason = "numbers without a pattern lose upper bits"
)]

use kerncast_opencl::{OpenClDevice, devices};
use kerncast_primitives::{Options, Streamer};

mod elementwise;
mod failures;
mod forecasts;
mod injected;
mod npy;
mod scatters;
mod sorts;

fn device() -> OpenClDevice {
    devices().expect("an OpenCL device").remove(0)
}

/// A mebibyte of device memory, and pieces that are a fraction of a chunk.
fn streamer() -> Streamer {
    let options = Options {
        piece_bytes: 12_000,
        copying_threads: 2,
        map: false,
        ..Options::new(1 << 20)
    };
    Streamer::new(device(), options).expect("a streamer")
}

/// One that works on the host's memory where the device is the host's processor: in as many chunks.
fn mapped() -> Streamer {
    let options = Options {
        chunk_bytes: 4 * 40_960,
        ..Options::new(1 << 20)
    };
    Streamer::new(device(), options).expect("a streamer")
}

/// A streamer that copies, and one that maps.
fn all() -> [Streamer; 2] {
    [streamer(), mapped()]
}

/// Numbers without a pattern, from 0 on below 2⁶⁴.
fn numbers(count: usize) -> impl Iterator<Item = u64> {
    let mut state = 88_172_645_463_325_252_u64;
    (0..count).map(move |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    })
}
