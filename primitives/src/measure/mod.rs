//! Measures what forecasts are made of, and then how far they are off.

mod arrays;
mod checks;
mod host;
mod kernels;
mod moves;
mod starts;

pub use checks::check;

use std::time::Instant;

use kerncast_opencl::{DeviceKind, OpenClDevice};

use crate::{Options, Rates, StreamError, Streamer};

/// How much is measured.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Of an array that goes to the device.
    pub device_bytes: usize,
    /// Of the arrays that the host is given.
    pub host_bytes: Vec<usize>,
}

impl Effort {
    /// Enough for a device: most of the time goes to the host's own sorts.
    pub fn of(device: &OpenClDevice) -> Self {
        let (device_bytes, largest) = match device.facts.kind {
            DeviceKind::Cpu => (32 << 20, 64 << 20),
            _ => (512 << 20, 256 << 20),
        };
        Self {
            device_bytes,
            host_bytes: vec![1 << 12, 1 << 18, 8 << 20, largest],
        }
    }
}

/// Measures what streams through a device can do, and its host; `say` is told what is next.
///
/// # Errors
/// The device or a temporary file fails.
pub fn measure(
    device: &OpenClDevice,
    effort: &Effort,
    mut say: impl FnMut(&str),
) -> Result<Rates, StreamError> {
    say("pinned memory");
    let memory = device.facts.global_memory_bytes.unwrap_or(u64::MAX);
    let options = Options {
        map: false,
        ..Options::new(memory / 4 * 3)
    };
    let mut streamer = Streamer::new(device.clone(), options.clone())?;
    let start = Instant::now();
    drop(streamer.pinned(effort.device_bytes)?);
    let pinning_bytes_per_s = effort.device_bytes as f64 / start.elapsed().as_secs_f64();
    say("the way to the device and back");
    let lanes = moves::lanes(&mut streamer, effort.device_bytes)?;
    streamer.options.lanes = lanes;
    let moves = moves::all(&mut streamer, effort.device_bytes)?;
    let is_host = device.facts.kind == DeviceKind::Cpu;
    let (trip_s, chunk_s) = moves::overheads(&mut streamer)?;
    let options = Options {
        map: true,
        lanes,
        ..options
    };
    let mut mapped = Streamer::new(device.clone(), options)?;
    let mapped_chunk_s = match is_host {
        true => Some(moves::overheads(&mut mapped)?.1),
        false => None,
    };
    say("the device");
    let kernels = kernels::all(&mut mapped, effort.device_bytes)?;
    let allocating_bytes_per_s = starts::allocating(&mapped, effort.device_bytes)?;
    say("programs that are built");
    let starts = starts::all(device)?;
    say("one core and all cores");
    let [one_core, all_cores] = host::all(&effort.host_bytes);
    let mut rates = Rates {
        device: device.facts.name.clone(),
        driver: device.facts.driver_version.clone(),
        is_host,
        threads: rayon::current_num_threads(),
        lanes,
        pinning_bytes_per_s,
        trip_s,
        chunk_s,
        mapped_chunk_s,
        allocating_bytes_per_s: Some(allocating_bytes_per_s),
        starts,
        moves,
        kernels,
        one_core,
        all_cores,
        checks: Vec::new(),
    };
    say("how far forecasts are off");
    rates.checks = checks::all(device, &rates, effort)?;
    Ok(rates)
}
