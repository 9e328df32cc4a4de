//! Checks of forecasts by measurements that the rates do not come from.

use kerncast_offload::{on_host, passes};
use kerncast_opencl::{DeviceKind, OpenClDevice};

use super::{
    Effort,
    arrays::{Array, numbers, places},
    host::{self, Host},
    kernels::run,
};
use crate::{Check, First, Job, Options, Rates, Source, StreamError, Streamer, WORKS, Way, Work};

/// The longest file that is checked, bytes: a longer one would measure the disk.
const LONGEST_FILE: usize = 1 << 30;

/// Bytes of an array whose time is nearly all overhead.
const SHORT: usize = 1 << 16;

/// A set of checks: every work on arrays of one length, bytes.
pub(super) enum CheckSet {
    /// Through the device, which may use `device_memory` bytes of its own.
    Device {
        bytes: usize,
        device_memory: u64,
    },
    Host(usize),
}

/// The sets of checks: streams of lengths other than those of the rates, with all and with little of the device's
/// memory, and the host at lengths between those of the rates.
pub(super) fn check_sets(effort: &Effort) -> Vec<CheckSet> {
    let all = effort.device_bytes;
    let device = [
        (SHORT, 8 * all as u64),
        (all / 8 * 3, 8 * all as u64),
        (all / 4 * 5, all as u64 / 2),
    ];
    let device = device.map(|(bytes, device_memory)| CheckSet::Device {
        bytes,
        device_memory,
    });
    let between = effort.host_bytes.windows(2);
    let between = between.map(|pair| CheckSet::Host(pair[0].isqrt() * pair[1].isqrt()));
    device.into_iter().chain(between).collect()
}

pub(super) fn check_set(
    device: &OpenClDevice,
    rates: &Rates,
    set: &CheckSet,
) -> Result<Vec<Check>, StreamError> {
    match *set {
        CheckSet::Device {
            bytes,
            device_memory,
        } => check_device(device, rates, bytes, device_memory),
        CheckSet::Host(bytes) => Ok(check_host(rates, bytes)),
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
    let mut checks = check_device(device, rates, bytes, device_memory)?;
    checks.extend(check_host(rates, bytes));
    Ok(checks)
}

fn check_device(
    device: &OpenClDevice,
    rates: &Rates,
    bytes: usize,
    memory: u64,
) -> Result<Vec<Check>, StreamError> {
    let mut checks = Vec::new();
    for work in WORKS {
        match work {
            Work::Sine if device.has_extension("cl_khr_fp64") => {
                check_ways::<f64>(device, rates, work, (bytes, memory), &mut checks)?;
            }
            Work::Sine => check_ways::<f32>(device, rates, work, (bytes, memory), &mut checks)?,
            _ => check_ways::<u32>(device, rates, work, (bytes, memory), &mut checks)?,
        }
    }
    Ok(checks)
}

fn check_host(rates: &Rates, bytes: usize) -> Vec<Check> {
    let mut checks = Vec::new();
    for work in WORKS {
        match work {
            Work::Sine => check_cores::<f64>(rates, work, bytes, &mut checks),
            _ => check_cores::<u32>(rates, work, bytes, &mut checks),
        }
    }
    checks
}

fn check_ways<T: Host>(
    device: &OpenClDevice,
    rates: &Rates,
    work: Work,
    (bytes, memory): (usize, u64),
    checks: &mut Vec<Check>,
) -> Result<(), StreamError> {
    let is_host = device.facts.kind == DeviceKind::Cpu;
    let ways: &[Way] = if !is_host {
        &[Way::Staged, Way::Pinned, Way::File]
    } else if matches!(work, Work::Sort | Work::Scatter) {
        &[Way::Staged, Way::File]
    } else {
        &[Way::Mapped, Way::File]
    };
    for &way in ways {
        if way == Way::File && bytes > LONGEST_FILE {
            continue;
        }
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
        let (first_s, measured_s) = time_calls::<T>(&mut streamer, work, way, length)?;
        checks.push(Check {
            work,
            element: T::TYPE,
            elements: length as u64,
            by: way.name().to_owned(),
            passes: passes(&explained.trips),
            forecast_s,
            measured_s,
            first: explained.forecast_s.map(|forecast_s| First {
                forecast_s,
                measured_s: first_s,
            }),
        });
    }
    Ok(())
}

/// Seconds of a first call, and the median of three more.
fn time_calls<T: Host>(
    streamer: &mut Streamer,
    work: Work,
    way: Way,
    length: usize,
) -> Result<(f64, f64), StreamError> {
    let mut from = Array::new(streamer, way, numbers::<T>(length))?;
    let mut to = Array::new(streamer, way, vec![T::zeroed(); length])?;
    let mut index = match work {
        Work::Scatter => Some(Array::new(streamer, way, places(length))?),
        _ => None,
    };
    let mut call = || {
        let index = match &mut index {
            Some(index) => index.source(),
            None => Source::slice::<u32>(&[]),
        };
        let report = run::<T>(streamer, work, from.source(), to.sink(), index)?;
        Ok::<f64, StreamError>(report.seconds)
    };
    let first_s = call()?;
    let mut later = [call()?, call()?, call()?];
    later.sort_by(f64::total_cmp);
    Ok((first_s, later[1]))
}

fn check_cores<T: Host>(rates: &Rates, work: Work, bytes: usize, checks: &mut Vec<Check>) {
    let length = bytes / size_of::<T>();
    for (by, timed, parallel) in [
        ("one core", &rates.one_core, false),
        ("all cores", &rates.all_cores, true),
    ] {
        if let Some(forecast_s) = on_host(timed, work, T::TYPE, length as u64) {
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
