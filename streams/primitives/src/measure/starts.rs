//! Measures how much longer a first call takes than the next one.

use std::{
    process,
    time::{Instant, SystemTime},
};

use kerncast_offload::plan::GROUP_ELEMENTS;
use kerncast_opencl::OpenClDevice;

use super::{
    arrays::{index, numbers},
    kernels::run,
    measured::Measured,
};
use crate::{Options, Sink, Source, StreamError, StreamStart, StreamWork, Streamer};

/// Bytes of staging memory whose allocation takes hardly any time.
const PIECE_BYTES: usize = 1 << 16;

/// Rate of allocating device memory and writing it once, bytes per second.
pub(super) fn allocation_rate(streamer: &Streamer, bytes: usize) -> Result<f64, StreamError> {
    let start = Instant::now();
    let queue = &streamer.queues[1];
    let buffer = queue.context().buffer(bytes)?;
    queue.fill(&buffer, 0, &[])?;
    queue.finish()?;
    Ok(bytes as f64 / start.elapsed().as_secs_f64())
}

/// The start of every work, for the type that it is checked with.
pub(super) fn measure_starts(device: &OpenClDevice) -> Result<Vec<StreamStart>, StreamError> {
    let has_double = device.has_extension("cl_khr_fp64");
    let start = |work| match work {
        StreamWork::Sine if has_double => measure_start::<f64>(device, work),
        StreamWork::Sine => measure_start::<f32>(device, work),
        _ => measure_start::<u32>(device, work),
    };
    StreamWork::ALL.into_iter().map(start).collect()
}

fn measure_start<T: Measured>(
    device: &OpenClDevice,
    work: StreamWork,
) -> Result<StreamStart, StreamError> {
    // No driver has seen programs with this comment, not even in an earlier process.
    let now = SystemTime::UNIX_EPOCH
        .elapsed()
        .map_or(0, |it| it.as_nanos());
    let mark = format!("{} {now}", process::id());
    let new_s = first_excess::<T>(device, work, &mark)?;
    let kept_s =
        first_excess::<T>(device, work, &mark)?.min(first_excess::<T>(device, work, &mark)?);
    Ok(StreamStart {
        work,
        new_s,
        kept_s,
    })
}

/// Seconds by which a streamer's first call is longer than its second.
fn first_excess<T: Measured>(
    device: &OpenClDevice,
    work: StreamWork,
    mark: &str,
) -> Result<f64, StreamError> {
    let options = Options {
        copying_threads: 1,
        piece_bytes: PIECE_BYTES,
        ..Options::new(64 << 20)
    };
    let mut streamer = Streamer::new(device.clone(), options)?;
    streamer.mark = Some(mark.to_owned());
    let from = numbers::<T>(usize::try_from(GROUP_ELEMENTS).expect("4096"));
    let index = index(work, from.len());
    let mut to = from.clone();
    let mut seconds = [0.0; 2];
    for call in &mut seconds {
        let (from, to) = (Source::slice(&from), Sink::slice(&mut to));
        *call = run::<T>(&mut streamer, work, from, to, Source::slice(&index))?.seconds;
    }
    Ok((seconds[0] - seconds[1]).max(0.0))
}
