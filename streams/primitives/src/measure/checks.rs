//! Forecasts, and then measurements that they do not come from.

use kerncast_offload::{on_host, passes};
use kerncast_opencl::{DeviceKind, OpenClDevice};

use super::{
    Effort,
    arrays::{Array, numbers, places},
    host::{self, Host},
    kernels::done,
};
use crate::{Check, First, Job, Options, Rates, Source, StreamError, Streamer, WORKS, Way, Work};

/// In bytes.
const LONGEST_FILE: usize = 1 << 30;

/// An array that takes hardly longer than nothing does.
const SHORT: usize = 1 << 16;

/// Every work on arrays of so many bytes.
pub(super) enum Part {
    /// Through the device, which may use so many bytes of its own.
    Streamed {
        bytes: usize,
        device_memory: u64,
    },
    OnHost(usize),
}

/// Streams of other lengths than the rates come from, with all and with little of the device's memory, and the host at
/// lengths between.
pub(super) fn parts(effort: &Effort) -> Vec<Part> {
    let all = effort.device_bytes;
    let streamed = [
        (SHORT, 8 * all as u64),
        (all / 8 * 3, 8 * all as u64),
        (all / 4 * 5, all as u64 / 2),
    ];
    let streamed = streamed.map(|(bytes, device_memory)| Part::Streamed {
        bytes,
        device_memory,
    });
    let between = effort.host_bytes.windows(2);
    let between = between.map(|pair| Part::OnHost(pair[0].isqrt() * pair[1].isqrt()));
    streamed.into_iter().chain(between).collect()
}

pub(super) fn of_part(
    device: &OpenClDevice,
    rates: &Rates,
    part: &Part,
) -> Result<Vec<Check>, StreamError> {
    match *part {
        Part::Streamed {
            bytes,
            device_memory,
        } => streamed(device, rates, bytes, device_memory),
        Part::OnHost(bytes) => Ok(by_host(rates, bytes)),
    }
}

/// Forecasts, and then measures, every work on arrays of `bytes`: on the device, which may use `device_memory` bytes of its
/// own, in every way, and on the host.
///
/// # Errors
/// The device or a temporary file fails.
pub fn check(
    rates: &Rates,
    device: &OpenClDevice,
    bytes: usize,
    device_memory: u64,
) -> Result<Vec<Check>, StreamError> {
    let mut checks = streamed(device, rates, bytes, device_memory)?;
    checks.extend(by_host(rates, bytes));
    Ok(checks)
}

fn streamed(
    device: &OpenClDevice,
    rates: &Rates,
    bytes: usize,
    memory: u64,
) -> Result<Vec<Check>, StreamError> {
    let mut checks = Vec::new();
    for work in WORKS {
        match work {
            Work::Sine if device.has_extension("cl_khr_fp64") => {
                streams::<f64>(device, rates, work, (bytes, memory), &mut checks)?;
            }
            Work::Sine => streams::<f32>(device, rates, work, (bytes, memory), &mut checks)?,
            _ => streams::<u32>(device, rates, work, (bytes, memory), &mut checks)?,
        }
    }
    Ok(checks)
}

fn by_host(rates: &Rates, bytes: usize) -> Vec<Check> {
    let mut checks = Vec::new();
    for work in WORKS {
        match work {
            Work::Sine => on_cores::<f64>(rates, work, bytes, &mut checks),
            _ => on_cores::<u32>(rates, work, bytes, &mut checks),
        }
    }
    checks
}

fn streams<T: Host>(
    device: &OpenClDevice,
    rates: &Rates,
    work: Work,
    (bytes, memory): (usize, u64),
    checks: &mut Vec<Check>,
) -> Result<(), StreamError> {
    let is_host = device.facts.kind == DeviceKind::Cpu;
    let maps = is_host && !matches!(work, Work::Sort | Work::Scatter);
    let ways = match is_host {
        true if maps => vec![Way::Mapped, Way::File],
        true => vec![Way::Staged, Way::File],
        false => vec![Way::Staged, Way::Pinned, Way::File],
    };
    // A longer file would measure the disk.
    let ways = ways
        .into_iter()
        .filter(|way| *way != Way::File || bytes <= LONGEST_FILE);
    for way in ways {
        let length = bytes / size_of::<T>();
        let options = Options {
            lanes: rates.lanes,
            ..Options::new(memory)
        };
        let job = Job::new(work, T::TYPE, length as u64, way);
        let Some((explained, options)) = job.best(&options, rates) else {
            continue;
        };
        let Some(forecast_s) = explained.trips_s else {
            continue;
        };
        let mut streamer = Streamer::new(device.clone(), options)?;
        let mut from = Array::new(&streamer, way, numbers::<T>(length))?;
        let mut to = Array::new(&streamer, way, vec![T::zeroed(); length])?;
        let mut index = match work {
            Work::Scatter => Some(Array::new(&streamer, way, places(length))?),
            _ => None,
        };
        let mut measured = Vec::new();
        let mut first = None;
        for round in 0..4 {
            let (from, to) = (from.source(), to.sink());
            let index = match &mut index {
                Some(index) => index.source(),
                None => Source::slice::<u32>(&[]),
            };
            let report = done::<T>(&mut streamer, work, from, to, index)?;
            match round {
                0 => first = Some(report.seconds),
                _ => measured.push(report.seconds),
            }
        }
        measured.sort_by(f64::total_cmp);
        let first = explained.forecast_s.zip(first);
        checks.push(Check {
            work,
            element: T::TYPE,
            elements: length as u64,
            by: way.name().to_owned(),
            passes: passes(&explained.trips),
            forecast_s,
            measured_s: measured[1],
            first: first.map(|(forecast_s, measured_s)| First {
                forecast_s,
                measured_s,
            }),
        });
    }
    Ok(())
}

fn on_cores<T: Host>(rates: &Rates, work: Work, bytes: usize, checks: &mut Vec<Check>) {
    let length = bytes / size_of::<T>();
    for (by, its, parallel) in [
        ("one core", &rates.one_core, false),
        ("all cores", &rates.all_cores, true),
    ] {
        if let Some(forecast_s) = on_host(its, work, T::TYPE, length as u64) {
            checks.push(Check {
                work,
                element: T::TYPE,
                elements: length as u64,
                by: by.to_owned(),
                passes: 0,
                forecast_s,
                measured_s: host::seconds::<T>(work, length, parallel),
                first: None,
            });
        }
    }
}
