//! Measures what forecasts are made of, and then how far they are off.

mod arrays;
mod checks;
mod course;
mod host;
mod kernels;
mod moves;
mod starts;

pub use checks::check;
pub use course::{SoFar, Told};

use std::time::Instant;

use kerncast_opencl::{DeviceKind, OpenClDevice};

use self::course::{Course, Device, Way};
use crate::{Move, Options, Rates, StreamError, Streamer, WORKS};

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

/// How fast the device fetches and brings pinned arrays of `bytes`, with nothing launched: what the bus can do, which streams
/// are held against.
///
/// # Errors
/// The device fails.
pub fn bus(device: &OpenClDevice, bytes: usize) -> Result<Move, StreamError> {
    let memory = device.facts.global_memory_bytes.unwrap_or(u64::MAX);
    let options = Options {
        map: false,
        ..Options::new(memory / 4 * 3)
    };
    moves::of(
        &mut Streamer::new(device.clone(), options)?,
        crate::Way::Pinned,
        bytes,
    )
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
    measure_on(device, effort, SoFar::default(), |told| {
        if let Told::Next { what, .. } = told {
            say(what);
        }
    })
}

/// The same, on from what was measured before by as much effort; `tell` is told what is next, and, after each step, what
/// is measured so far.
///
/// # Errors
/// As [`measure`].
pub fn measure_on(
    device: &OpenClDevice,
    effort: &Effort,
    mut so_far: SoFar,
    mut tell: impl FnMut(Told<'_>),
) -> Result<Rates, StreamError> {
    let parts = checks::parts(effort);
    let mut course = Course::new(effort, &parts, &mut tell);
    let memory = device.facts.global_memory_bytes.unwrap_or(u64::MAX);
    let is_host = device.facts.kind == DeviceKind::Cpu;
    let options = Options {
        map: false,
        ..Options::new(memory / 4 * 3)
    };
    let way = course.step(
        "the way to the device and back",
        &mut so_far,
        |it| &mut it.way,
        || {
            let mut streamer = Streamer::new(device.clone(), options.clone())?;
            let start = Instant::now();
            drop(streamer.pinned(effort.device_bytes)?);
            let pinning_bytes_per_s = effort.device_bytes as f64 / start.elapsed().as_secs_f64();
            let lanes = moves::lanes(&mut streamer, effort.device_bytes)?;
            streamer.options.lanes = lanes;
            let moves = moves::all(&mut streamer, effort.device_bytes)?;
            let (trip_s, chunk_s) = moves::overheads(&mut streamer)?;
            Ok(Way {
                pinning_bytes_per_s,
                lanes,
                moves,
                trip_s,
                chunk_s,
            })
        },
    )?;
    let on_device = course.step(
        "the device",
        &mut so_far,
        |it| &mut it.device,
        || {
            let options = Options {
                map: true,
                lanes: way.lanes,
                ..options
            };
            let mut mapped = Streamer::new(device.clone(), options)?;
            let mapped_chunk_s = match is_host {
                true => Some(moves::overheads(&mut mapped)?.1),
                false => None,
            };
            let kernels = kernels::all(&mut mapped, effort.device_bytes)?;
            Ok(Device {
                mapped_chunk_s,
                kernels,
                allocating_bytes_per_s: starts::allocating(&mapped, effort.device_bytes)?,
            })
        },
    )?;
    let starts = course.step(
        "programs that are built",
        &mut so_far,
        |it| &mut it.starts,
        || starts::all(device),
    )?;
    let (mut one_core, mut all_cores) = (Vec::new(), Vec::new());
    for (place, (bytes, work)) in effort
        .host_bytes
        .iter()
        .flat_map(|bytes| WORKS.map(|work| (*bytes, work)))
        .enumerate()
    {
        let what =
            format!("one core and all cores: {work:?} of {} KiB", bytes >> 10).to_lowercase();
        let [one, all] = course.step(
            &what.replace("kib", "KiB"),
            &mut so_far,
            |it| SoFar::place(&mut it.host, place),
            || Ok(host::of_work(work, bytes)),
        )?;
        one_core.extend(one);
        all_cores.extend(all);
    }
    let mut rates = Rates {
        device: device.facts.name.clone(),
        driver: device.facts.driver_version.clone(),
        is_host,
        threads: rayon::current_num_threads(),
        lanes: way.lanes,
        pinning_bytes_per_s: way.pinning_bytes_per_s,
        trip_s: way.trip_s,
        chunk_s: way.chunk_s,
        mapped_chunk_s: on_device.mapped_chunk_s,
        allocating_bytes_per_s: Some(on_device.allocating_bytes_per_s),
        starts,
        moves: way.moves,
        kernels: on_device.kernels,
        one_core,
        all_cores,
        checks: Vec::new(),
        first_runs: Vec::new(),
    };
    let mut checked = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        checked.extend(course.step(
            "how far forecasts are off",
            &mut so_far,
            |it| SoFar::place(&mut it.checks, place),
            || checks::of_part(device, &rates, part),
        )?);
    }
    rates.checks = checked;
    Ok(rates)
}
