//! Measures how long the device computes on elements, without the transfers.

use super::{
    arrays::{index, is_measured, numbers},
    measured::Measured,
};
use crate::{Operation, Report, Sink, Source, StreamError, StreamWork, Streamer, TimedWork};

pub(super) fn time_works(
    streamer: &mut Streamer,
    bytes: usize,
) -> Result<Vec<TimedWork>, StreamError> {
    let mut timed = Vec::new();
    for work in StreamWork::ALL {
        time_type::<u32>(streamer, work, bytes, &mut timed)?;
        time_type::<u64>(streamer, work, bytes, &mut timed)?;
        time_type::<f32>(streamer, work, bytes, &mut timed)?;
        match time_type::<f64>(streamer, work, bytes, &mut timed) {
            Err(StreamError::NoDouble(_)) => {}
            other => other?,
        }
    }
    Ok(timed)
}

fn time_type<T: Measured>(
    streamer: &mut Streamer,
    work: StreamWork,
    bytes: usize,
    timed: &mut Vec<TimedWork>,
) -> Result<(), StreamError> {
    if !is_measured(work, T::TYPE) {
        return Ok(());
    }
    let from = numbers::<T>(bytes / size_of::<T>());
    let index = index(work, from.len());
    let mut to = from.clone();
    let mut seconds = f64::INFINITY;
    // The first one compiles and allocates.
    for _ in 0..2 {
        let (from, to) = (Source::slice(&from), Sink::slice(&mut to));
        let report = run::<T>(streamer, work, from, to, Source::slice(&index))?;
        seconds = seconds.min(report.trips.iter().map(|it| it.busy.device).sum());
    }
    timed.push(TimedWork {
        work,
        element: T::TYPE,
        elements: from.len() as u64,
        seconds,
    });
    Ok(())
}

/// Runs a work on the device. Only a scatter uses `index`.
pub(super) fn run<T: Measured>(
    streamer: &mut Streamer,
    work: StreamWork,
    from: Source<'_>,
    to: Sink<'_>,
    index: Source<'_>,
) -> Result<Report, StreamError> {
    let add = Operation::new("return a + b;");
    match work {
        StreamWork::Transform => {
            let scale = Operation::new("return 7 * x;");
            streamer.transform(&scale, vec![from], to)
        }
        StreamWork::Sine => {
            let sine = Operation::new("return sin(x) * sin(x) + cos(x) * cos(x);");
            streamer.transform(&sine, vec![from], to)
        }
        StreamWork::Reduce => Ok(streamer.reduce::<T>(&add, from)?.1),
        StreamWork::Scan => streamer.scan(&add, from, to),
        StreamWork::Sort => streamer.sort(from, to),
        StreamWork::Scatter => streamer.scatter(index, from, to),
    }
}
