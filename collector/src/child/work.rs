//! Does a job in a child process.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
    process::ExitCode,
    time::{Duration, Instant},
};

use kerncast_opencl::{DeviceFacts, OpenClDevice, OpenClError, devices};
use kerncast_suite::{Data, Disagreement, Kernel, Tolerance, agree};
use kerncast_wire::TimeSummary;
use rustix::process::{
    Resource, Rlimit, Signal, getppid, set_parent_process_death_signal, setrlimit,
};
use serde::Serialize;
use thiserror::Error;

use super::{
    ChildJob, ChildRequest, Launching, Observed, Outputs, Report, Timed, compile::compile,
};
use crate::{
    PreparedLaunch, ceilings,
    conditions::Observer,
    local_memory::{self, LocalMemoryError},
    prepared_launch::RunError,
    timing,
};

#[derive(Debug, Error)]
enum WorkError {
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    OpenCl(#[from] OpenClError),
    #[error(transparent)]
    NoOpenCl(OpenClError),
    #[error(transparent)]
    LocalMemory(#[from] LocalMemoryError),
    #[error("outputs disagree: {0}")]
    Disagreement(#[from] Disagreement),
    #[error(
        "{}[{}] is {} ({} of {} components are no numbers): nothing can be compared with it",
        .0.argument, .0.index, .0.actual, .0.count, .0.components
    )]
    NoNumber(Disagreement),
    #[error("{0}[{1}] was not written")]
    Unwritten(String, usize),
    #[error("device {0} is no longer there")]
    NoDevice(usize),
    #[error("cannot keep outputs: {0}")]
    Io(#[from] io::Error),
}

/// Reads a request from standard input, does it and writes its report.
///
/// # Errors
/// The request can't be read, or the report can't be written.
pub fn work() -> io::Result<ExitCode> {
    // A crash is a row in a table, not a core file of the device's memory.
    limit(Resource::Core, 0);
    let request: ChildRequest = serde_json::from_reader(io::stdin().lock())?;
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let parent = getppid().map(|parent| parent.as_raw_nonzero().get().unsigned_abs());
    if parent != Some(request.parent) {
        // It died before we could ask to die with it.
        return Ok(ExitCode::FAILURE);
    }
    match &request.job {
        ChildJob::Devices => report(&request, list()),
        ChildJob::LocalBytes { device, workload } => {
            let built = find(*device)
                .and_then(|device| Ok(PreparedLaunch::local_bytes_of(&device, workload)?));
            report(&request, built)
        }
        ChildJob::OclgrindLlvm { workload } => {
            // A compiler takes some hundreds of megabytes; more is a mistake or an attack.
            limit(Resource::As, 4 << 30);
            let compiled = find(0).and_then(|oclgrind| Ok(compile(&oclgrind, workload)?));
            report(&request, compiled)
        }
        ChildJob::Launch(launching) => report(&request, launch(launching)),
        ChildJob::Time { launching, budget } => report(&request, time(launching, *budget)),
        ChildJob::Ceilings { device, budget } => {
            let measure = |device: &OpenClDevice| ceilings::measure(device, *budget);
            report(&request, observed(*device, measure))
        }
        ChildJob::LocalMemory { device } => {
            report(&request, observed(*device, local_memory::measure))
        }
    }?;
    Ok(ExitCode::SUCCESS)
}

/// Limits a resource of this process.
fn limit(resource: Resource, most: u64) {
    let (current, maximum) = (Some(most), Some(most));
    let _ = setrlimit(resource, Rlimit { current, maximum });
}

fn report<T: Serialize>(request: &ChildRequest, result: Result<T, WorkError>) -> io::Result<()> {
    let report = match result {
        Ok(value) => Report::Found(value),
        Err(WorkError::NoOpenCl(error)) => Report::NoOpenCl(error.to_string()),
        Err(WorkError::Run(error)) if error.is_beyond_the_device() => {
            Report::Beyond(error.to_string())
        }
        Err(error) => Report::Refused(error.to_string()),
    };
    fs::write(&request.report, serde_json::to_vec(&report)?)
}

fn list() -> Result<Vec<DeviceFacts>, WorkError> {
    match devices() {
        Ok(devices) => Ok(devices.into_iter().map(|device| device.facts).collect()),
        Err(error) if error.is_absence() => Err(WorkError::NoOpenCl(error)),
        Err(error) => Err(error.into()),
    }
}

fn launch(launching: &Launching) -> Result<f64, WorkError> {
    let (kernel, prepared) = PreparedLaunch::load(&find(launching.device)?, &launching.workload)?;
    let start = Instant::now();
    prepared.launch()?;
    let seconds = start.elapsed().as_secs_f64();
    check_outputs(&prepared, &kernel, &launching.outputs)?;
    Ok(seconds)
}

fn time(launching: &Launching, budget: Duration) -> Result<Timed, WorkError> {
    let device = find(launching.device)?;
    let observer = Observer::new(&device.facts);
    let (kernel, prepared) = PreparedLaunch::load(&device, &launching.workload)?;
    // Not timed: it pays for first touches, clocks and caches.
    prepared.launch()?;
    check_outputs(&prepared, &kernel, &launching.outputs)?;
    let (for_cold, for_warm) = (budget / 5, budget * 4 / 5);
    let (times, conditions) = observer.during(|| timing::time(&prepared, for_warm));
    let mut times = times?;
    let warm = TimeSummary::of(&times.repetitions_s).median_s;
    times.cold_repetitions_s = timing::cold(&prepared, &device.facts, warm, for_cold)?;
    Ok(Timed {
        times,
        conditions,
        local_bytes: prepared.local_bytes,
    })
}

fn observed<T, E: Into<WorkError>>(
    device: usize,
    measure: impl FnOnce(&OpenClDevice) -> Result<T, E>,
) -> Result<Observed<T>, WorkError> {
    let device = find(device)?;
    let (measured, conditions) = Observer::new(&device.facts).during(|| measure(&device));
    Ok((measured.map_err(Into::into)?, conditions))
}

fn find(device: usize) -> Result<OpenClDevice, WorkError> {
    let opened = devices()?.into_iter().nth(device);
    opened.ok_or(WorkError::NoDevice(device))
}

fn check_outputs(
    prepared: &PreparedLaunch,
    kernel: &Kernel,
    check_with: &Outputs,
) -> Result<(), WorkError> {
    if matches!(check_with, Outputs::Ignore) {
        return Ok(());
    }
    let outputs = prepared.outputs()?;
    for (argument, data) in &outputs {
        let partly = prepared.launch.is_partly_written(argument);
        match check_with {
            // Scratch memory, which the reference has none of.
            Outputs::Compare(folder) | Outputs::Equal(folder)
                if !folder.join(argument).exists() => {}
            Outputs::Compare(folder) | Outputs::Equal(folder) => {
                let mut reference = Data::zeros(data.base(), data.len());
                read(&folder.join(argument), reference.bytes_mut())?;
                let tolerance = match check_with {
                    Outputs::Equal(_) => Tolerance::default(),
                    _ => kernel.tolerance,
                };
                agree(argument, data, &reference, tolerance, partly)?;
            }
            Outputs::Keep(folder) => {
                // NaN does not even agree with itself.
                agree(argument, data, data, kernel.tolerance, partly)
                    .map_err(WorkError::NoNumber)?;
                fs::write(folder.join(argument), data.bytes())?;
            }
            Outputs::Ignore => {}
        }
    }
    match prepared.unwritten(&outputs)? {
        Some((argument, index)) => Err(WorkError::Unwritten(argument, index)),
        None => Ok(()),
    }
}

/// Reads a file that must be as long as `into`.
fn read(path: &Path, into: &mut [u8]) -> io::Result<()> {
    let mut file = File::open(path)?;
    let bytes = file.metadata()?.len();
    if bytes != into.len() as u64 {
        let problem = format!("the reference's {} has {bytes} bytes", path.display());
        return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
    }
    file.read_exact(into)
}
