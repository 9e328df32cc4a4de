//! Measures the rates that forecasts are made from, then how far the forecasts are off.

mod arrays;
mod checks;
mod host;
mod kernels;
mod measured;
mod moves;
mod starts;

pub use checks::check;

use std::time::Instant;

use kerncast_opencl::{DeviceKind, OpenClDevice};

use crate::{Options, StreamError, StreamRates, StreamWork, Streamer};

/// The lengths of the measured arrays.
#[derive(Clone, Debug)]
pub struct MeasuredLengths {
    /// Bytes of an array that goes to the device.
    pub device_bytes: usize,
    /// Bytes of the arrays that the host processes.
    pub host_bytes: Vec<usize>,
}

impl MeasuredLengths {
    /// Lengths that are enough for a device. Most of the time goes to the host's own sorts.
    pub fn for_device(device: &OpenClDevice) -> Self {
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

/// Measures the rates of streams through a device and of its host. Calls `report` before each step.
///
/// # Errors
/// The device or a temporary file fails.
pub fn measure(
    device: &OpenClDevice,
    lengths: &MeasuredLengths,
    mut report: impl FnMut(&str),
) -> Result<StreamRates, StreamError> {
    let memory = device.facts.global_memory_bytes.unwrap_or(u64::MAX);
    let is_host = device.facts.kind == DeviceKind::Cpu;
    let options = Options {
        map: false,
        ..Options::new(memory / 4 * 3)
    };
    report("the way to the device and back");
    let mut rates = measure_moves(device, lengths, &options)?;
    report("the device");
    let options = Options {
        map: true,
        copying_threads: rates.copying_threads,
        ..options
    };
    let mut mapped = Streamer::new(device.clone(), options)?;
    if is_host {
        rates.mapped_chunk_s = Some(moves::overheads(&mut mapped)?.1);
    }
    rates.kernels = kernels::time_works(&mut mapped, lengths.device_bytes)?;
    rates.allocating_bytes_per_s = Some(starts::allocation_rate(&mapped, lengths.device_bytes)?);
    drop(mapped);
    report("programs that are built");
    rates.starts = starts::measure_starts(device)?;
    for bytes in &lengths.host_bytes {
        report(&format!("one core and all cores: {} KiB", bytes >> 10));
        for work in StreamWork::ALL {
            let [one, all] = host::time_work(work, *bytes);
            rates.one_core.extend(one);
            rates.all_cores.extend(all);
        }
    }
    report("how far forecasts are off");
    rates.checks = checks::check_rates(device, &rates, lengths)?;
    Ok(rates)
}

/// Measures how fast arrays move to the device and back.
fn measure_moves(
    device: &OpenClDevice,
    lengths: &MeasuredLengths,
    options: &Options,
) -> Result<StreamRates, StreamError> {
    let mut streamer = Streamer::new(device.clone(), options.clone())?;
    let start = Instant::now();
    drop(streamer.pinned(lengths.device_bytes)?);
    let pinning_bytes_per_s = lengths.device_bytes as f64 / start.elapsed().as_secs_f64();
    let copying_threads = moves::best_thread_count(&mut streamer, lengths.device_bytes)?;
    streamer.options.copying_threads = copying_threads;
    let moves = moves::move_rates(&mut streamer, lengths.device_bytes)?;
    let (trip_s, chunk_s) = moves::overheads(&mut streamer)?;
    Ok(StreamRates {
        device: device.facts.name.clone(),
        driver: device.facts.driver_version.clone(),
        is_host: device.facts.kind == DeviceKind::Cpu,
        threads: rayon::current_num_threads(),
        copying_threads,
        pinning_bytes_per_s,
        trip_s,
        chunk_s,
        moves,
        ..StreamRates::default()
    })
}
