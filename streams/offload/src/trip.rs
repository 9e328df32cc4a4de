//! How long a trip will take: one chunk through all stages, and the slowest stage of each other chunk.

use serde::Serialize;
use utoipa::ToSchema;

use crate::{StreamBound, StreamRates, StreamWay};

/// An array that a trip moves.
#[derive(Clone, Debug)]
pub struct MovedArray {
    /// How it gets to the device or back.
    pub way: StreamWay,
    /// Bytes of the whole array.
    pub bytes: u64,
    /// In how many pieces it is moved.
    pub pieces: u64,
}

/// What a trip moves and computes.
#[derive(Clone, Debug)]
pub struct TripLoad {
    /// Number of chunks.
    pub chunks: u64,
    /// Arrays that go to the device.
    pub inputs: Vec<MovedArray>,
    /// Arrays that come back.
    pub outputs: Vec<MovedArray>,
    /// Threads that copy to the device, and from it.
    pub threads: [usize; 2],
    /// Seconds that the device computes, all chunks together.
    pub device: f64,
}

/// How long a trip will take, seconds.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct TripForecast {
    /// The whole trip.
    pub seconds: f64,
    /// What most of the time is forecast to go to.
    pub bound_by: StreamBound,
    /// Moving to the device alone.
    pub to_device: f64,
    /// Moving from the device alone.
    pub from_device: f64,
    /// Moving both ways at once alone.
    pub both: f64,
    /// The device's computing alone.
    pub device: f64,
    /// The part that the trip and its chunks take however little there is to do.
    pub fixed: f64,
}

/// Forecasts a trip; none where a way's rates were not measured.
#[must_use]
pub fn forecast_trip(load: &TripLoad, rates: &StreamRates) -> Option<TripForecast> {
    let chunks = load.chunks.max(1) as f64;
    let mut arrays = load.inputs.iter().chain(&load.outputs);
    if arrays.clone().next().is_some() && arrays.all(|it| it.way == StreamWay::Mapped) {
        let fixed = rates.trip_s + chunks * rates.mapped_chunk_s?;
        return Some(TripForecast {
            seconds: load.device + fixed,
            bound_by: if fixed > load.device {
                StreamBound::Fixed
            } else {
                StreamBound::Device
            },
            to_device: 0.0,
            from_device: 0.0,
            both: 0.0,
            device: load.device,
            fixed,
        });
    }
    let (mut to_device, mut from_device) = (0.0, 0.0);
    for it in &load.inputs {
        to_device += rates
            .move_rate(it.way)?
            .to_device
            .seconds(it.bytes, it.pieces);
    }
    for it in &load.outputs {
        from_device += rates
            .move_rate(it.way)?
            .from_device
            .seconds(it.bytes, it.pieces);
    }
    let starved = [
        idle_threads_factor(&load.inputs, chunks, load.threads[0]),
        idle_threads_factor(&load.outputs, chunks, load.threads[1]),
    ];
    to_device *= starved[0];
    from_device *= starved[1];
    let both = both_ways_s(load, rates, to_device, from_device, starved)?;
    let launched = load.device + chunks * rates.chunk_s;
    let fixed = rates.trip_s + chunks * rates.chunk_s;
    let moving = to_device.max(from_device).max(both);
    // On the host copies and launches share its cores: neither hides behind the other.
    let (slowest, first) = if rates.is_host {
        (moving + launched, moving + launched)
    } else {
        let first = to_device + launched + from_device;
        (moving.max(launched), first)
    };
    Some(TripForecast {
        seconds: rates.trip_s + (first + (chunks - 1.0) * slowest) / chunks,
        bound_by: bound_by(load, fixed, moving, to_device >= from_device),
        to_device,
        from_device,
        both,
        device: load.device,
        fixed,
    })
}

/// The part that most of the time goes to. `fixed`, `moving`: seconds; `is_way_in`: whether the way to the device takes
/// longer than the way back.
fn bound_by(load: &TripLoad, fixed: f64, moving: f64, is_way_in: bool) -> StreamBound {
    let arrays = if is_way_in {
        &load.inputs
    } else {
        &load.outputs
    };
    let is_staged = arrays.iter().any(|it| it.way.is_copied());
    match (is_way_in, is_staged) {
        _ if fixed >= moving.max(load.device) => StreamBound::Fixed,
        _ if load.device >= moving => StreamBound::Device,
        (true, true) => StreamBound::Staging,
        (true, false) => StreamBound::ToDevice,
        (false, true) => StreamBound::Unstaging,
        (false, false) => StreamBound::FromDevice,
    }
}

/// By what factor copying is slower where a chunk has fewer pieces than there are threads, so that some threads have
/// nothing to do. The fourth root was fitted to chunks of 1 to 128 MiB on an H100 (docs/notebook/streams.md). The rates
/// are of chunks that have enough pieces.
fn idle_threads_factor(arrays: &[MovedArray], chunks: f64, threads: usize) -> f64 {
    let copied = arrays.iter().filter(|it| it.way.is_copied());
    let pieces: u64 = copied.map(|it| it.pieces).sum();
    if pieces == 0 {
        return 1.0;
    }
    let each = (pieces as f64 / chunks).max(1.0);
    (threads as f64 / each).max(1.0).powf(0.25)
}

/// Seconds of moving both ways: the shorter way overlaps the longer one, whose rest goes alone.
fn both_ways_s(
    load: &TripLoad,
    rates: &StreamRates,
    to_device: f64,
    from_device: f64,
    starved: [f64; 2],
) -> Option<f64> {
    let total = |all: &[MovedArray]| all.iter().map(|it| it.bytes).sum::<u64>();
    let (there, back) = (total(&load.inputs), total(&load.outputs));
    if there == 0 || back == 0 {
        return Some(0.0);
    }
    let common = 2.0 * there.min(back) as f64 / (there + back) as f64;
    let mut at_once = 0.0;
    for it in load.inputs.iter().chain(&load.outputs) {
        at_once += rates.move_rate(it.way)?.both.seconds(it.bytes, it.pieces);
    }
    let alone = if there > back { to_device } else { from_device };
    let at_once = at_once * starved[0].max(starved[1]);
    let rest = 1.0 - there.min(back) as f64 / there.max(back) as f64;
    Some(at_once * common + alone * rest)
}
