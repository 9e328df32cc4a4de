//! Checks of forecasts by measurements that the rates do not come from.

use kerncast_offload::{host_seconds, trip_count};
use kerncast_opencl::{DeviceKind, OpenClDevice};

use super::{
    MeasuredLengths,
    arrays::{self, Array, numbers},
    host,
    kernels::run,
    measured::Measured,
};
use crate::{
    ForecastAndTime, Options, StreamCheck, StreamError, StreamJob, StreamRates, StreamWay,
    StreamWork, Streamer,
};

/// The longest file that is checked, bytes: a longer one would measure the disk.
const LONGEST_FILE_BYTES: usize = 1 << 30;

/// Bytes of an array whose time is nearly all overhead.
const SHORT_BYTES: usize = 1 << 16;

/// Checks the rates with streams of other lengths, with all and with little of the device's memory, and with the host at
/// lengths between those of the rates.
pub(super) fn check_rates(
    device: &OpenClDevice,
    rates: &StreamRates,
    lengths: &MeasuredLengths,
) -> Result<Vec<StreamCheck>, StreamError> {
    let all = lengths.device_bytes;
    let mut checks = Vec::new();
    for (bytes, device_memory) in [
        (SHORT_BYTES, 8 * all as u64),
        (all / 8 * 3, 8 * all as u64),
        (all / 4 * 5, all as u64 / 2),
    ] {
        checks.extend(check_device(device, rates, bytes, device_memory)?);
    }
    for pair in lengths.host_bytes.windows(2) {
        checks.extend(check_host(rates, pair[0].isqrt() * pair[1].isqrt()));
    }
    Ok(checks)
}

/// Forecasts, and then measures, every work on arrays of `bytes`: on the device, which may use `device_memory` bytes of its
/// own, in every way, and on the host.
///
/// # Errors
/// The device or a temporary file fails.
pub fn check(
    rates: &StreamRates,
    device: &OpenClDevice,
    bytes: usize,
    device_memory: u64,
) -> Result<Vec<StreamCheck>, StreamError> {
    let mut checks = check_device(device, rates, bytes, device_memory)?;
    checks.extend(check_host(rates, bytes));
    Ok(checks)
}

fn check_device(
    device: &OpenClDevice,
    rates: &StreamRates,
    bytes: usize,
    memory: u64,
) -> Result<Vec<StreamCheck>, StreamError> {
    let mut checks = Vec::new();
    for work in StreamWork::ALL {
        match work {
            StreamWork::Sine if device.has_extension("cl_khr_fp64") => {
                check_ways::<f64>(device, rates, work, (bytes, memory), &mut checks)?;
            }
            StreamWork::Sine => {
                check_ways::<f32>(device, rates, work, (bytes, memory), &mut checks)?
            }
            _ => check_ways::<u32>(device, rates, work, (bytes, memory), &mut checks)?,
        }
    }
    Ok(checks)
}

fn check_host(rates: &StreamRates, bytes: usize) -> Vec<StreamCheck> {
    let mut checks = Vec::new();
    for work in StreamWork::ALL {
        match work {
            StreamWork::Sine => check_cores::<f64>(rates, work, bytes, &mut checks),
            _ => check_cores::<u32>(rates, work, bytes, &mut checks),
        }
    }
    checks
}

fn check_ways<T: Measured>(
    device: &OpenClDevice,
    rates: &StreamRates,
    work: StreamWork,
    (bytes, memory): (usize, u64),
    checks: &mut Vec<StreamCheck>,
) -> Result<(), StreamError> {
    let is_host = device.facts.kind == DeviceKind::Cpu;
    let ways: &[StreamWay] = if !is_host {
        &[StreamWay::Staged, StreamWay::Pinned, StreamWay::File]
    } else if matches!(work, StreamWork::Sort | StreamWork::Scatter) {
        &[StreamWay::Staged, StreamWay::File]
    } else {
        &[StreamWay::Mapped, StreamWay::File]
    };
    for &way in ways {
        if way == StreamWay::File && bytes > LONGEST_FILE_BYTES {
            continue;
        }
        let length = bytes / size_of::<T>();
        let options = Options {
            copying_threads: rates.copying_threads,
            ..Options::new(memory)
        };
        let job = StreamJob::new(work, T::TYPE, length as u64, way);
        let Some((explained, options)) = job.best(&options, rates) else {
            continue;
        };
        let Some(forecast_s) = explained.trips_s else {
            continue;
        };
        let mut streamer = Streamer::new(device.clone(), options)?;
        let (first_s, measured_s) = time_calls::<T>(&mut streamer, work, way, length)?;
        checks.push(StreamCheck {
            work,
            element: T::TYPE,
            elements: length as u64,
            by: way.name().to_owned(),
            trip_count: trip_count(&explained.trips),
            forecast_s,
            measured_s,
            first: explained.forecast_s.map(|forecast_s| ForecastAndTime {
                forecast_s,
                measured_s: first_s,
            }),
        });
    }
    Ok(())
}

/// Seconds of a first call, and the median of three more.
fn time_calls<T: Measured>(
    streamer: &mut Streamer,
    work: StreamWork,
    way: StreamWay,
    length: usize,
) -> Result<(f64, f64), StreamError> {
    let mut from = Array::new(streamer, way, numbers::<T>(length))?;
    let mut to = Array::new(streamer, way, vec![T::zeroed(); length])?;
    let index = arrays::index(work, length);
    let way = if index.is_empty() {
        StreamWay::Staged
    } else {
        way
    };
    let mut index = Array::new(streamer, way, index)?;
    let mut call = || {
        let report = run::<T>(streamer, work, from.source(), to.sink(), index.source())?;
        Ok::<f64, StreamError>(report.seconds)
    };
    let first_s = call()?;
    let mut later = [call()?, call()?, call()?];
    later.sort_by(f64::total_cmp);
    Ok((first_s, later[1]))
}

fn check_cores<T: Measured>(
    rates: &StreamRates,
    work: StreamWork,
    bytes: usize,
    checks: &mut Vec<StreamCheck>,
) {
    let length = bytes / size_of::<T>();
    for (by, timed, parallel) in [
        ("one core", &rates.one_core, false),
        ("all cores", &rates.all_cores, true),
    ] {
        if let Some(forecast_s) = host_seconds(timed, work, T::TYPE, length as u64) {
            checks.push(StreamCheck {
                work,
                element: T::TYPE,
                elements: length as u64,
                by: by.to_owned(),
                trip_count: 0,
                forecast_s,
                measured_s: host::seconds::<T>(work, length, parallel),
                first: None,
            });
        }
    }
}
