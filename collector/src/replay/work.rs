//! Replays workloads in the process that was started for it.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Write},
    path::Path,
    process::{self, ExitCode},
    thread,
    time::{Duration, Instant},
};

use kerncast_opencl::{OpenClDevice, OpenClError, devices};
use kerncast_suite::{Access, Disagreement, Kernel, Launch, LaunchArgument, Step, agree};
use thiserror::Error;

use super::{Outcome, ReplayRequest, Through};
use crate::{
    PreparedLaunch, RunError,
    cuda::{
        Argument, CudaError, Device, Grid, Replay,
        ptx::{self, Unpatchable},
    },
    workload::WorkloadKey,
};

/// Build options that change how PTX is assembled, but that do not show in the PTX.
const ASSEMBLER_OPTIONS: [&str; 3] = ["-cl-nv-maxrregcount", "-cl-nv-opt-level", "-cl-opt-disable"];
/// The most timed launches; an odd number, so that the median is one of them.
const TIMED_LAUNCHES: usize = 9;
const TIMING_BUDGET: Duration = Duration::from_millis(300);

#[derive(Debug, Error)]
enum ReplayError {
    #[error("device {0} is no longer there")]
    NoDevice(usize),
    #[error("the OpenCL driver does not say which CUDA device this is; NVIDIA's driver 470 does")]
    NoUuid,
    #[error("build option `{0}` tells the assembler what a replay can't tell it")]
    Option(&'static str),
    #[error(
        "the workload is {0} launches one after the other, and most of what this profiler counts does not add up; \
         give a launch file for the launch that matters, or profile the program itself (docs/kernels.md)"
    )]
    Several(usize),
    #[error(
        "images and samplers can't be replayed through CUDA: NVIDIA's OpenCL compiler passes them as references \
         that CUDA binds to no kernel's parameters"
    )]
    Images,
    #[error("the replay's outputs differ from OpenCL's: {0}")]
    Disagreement(#[from] Disagreement),
    #[error(transparent)]
    Unpatchable(#[from] Unpatchable),
    #[error(transparent)]
    Cuda(#[from] CudaError),
    #[error(transparent)]
    OpenCl(#[from] OpenClError),
    #[error(transparent)]
    Run(#[from] RunError),
}

impl ReplayError {
    /// Whether the error is a driver's. After a kernel's bad access no call of this process succeeds any more, not even
    /// in new contexts.
    fn is_a_drivers(&self) -> bool {
        match self {
            // Found before the driver was asked for anything.
            Self::Cuda(CudaError::Grid { .. } | CudaError::Arguments { .. }) => false,
            Self::Cuda(_) | Self::OpenCl(_) | Self::Run(RunError::OpenCl(_)) => true,
            _ => false,
        }
    }
}

/// Does what the file `request` asks for. Stops at the first error of a driver that worked before.
///
/// # Errors
/// The request can't be read, or an outcome can't be written.
pub fn work(request: &Path) -> io::Result<ExitCode> {
    let request: ReplayRequest = serde_json::from_slice(&fs::read(request)?)?;
    exit_with(request.parent);
    let mut outcomes = File::create(&request.outcomes)?;
    let mut opened = None;
    for workload in &request.workloads {
        let mut profiled = None;
        let result = replay_workload(&request, &mut opened, workload, &mut profiled);
        let is_lost = opened.is_some() && result.as_ref().is_err_and(ReplayError::is_a_drivers);
        let time_s = result.map_err(|error| error.to_string());
        let line = serde_json::to_string(&Outcome { profiled, time_s })?;
        writeln!(outcomes, "{line}")?;
        if is_lost {
            break;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Ends this process when the process that asked is gone: the profiler between them does not end by itself.
fn exit_with(parent: u32) {
    let parent = Path::new("/proc").join(parent.to_string());
    thread::spawn(move || {
        while parent.exists() {
            thread::sleep(Duration::from_millis(500));
        }
        process::exit(1);
    });
}

type Opened = (OpenClDevice, Option<Device>);

fn replay_workload(
    request: &ReplayRequest,
    opened: &mut Option<Opened>,
    workload: &WorkloadKey,
    profiled: &mut Option<String>,
) -> Result<f64, ReplayError> {
    let opened = match opened {
        Some(opened) => opened,
        None => opened.insert(open(request)?),
    };
    match opened {
        (device, None) => launch(device, workload, profiled),
        (device, Some(cuda)) => replay(device, cuda, workload, profiled),
    }
}

fn open(request: &ReplayRequest) -> Result<Opened, ReplayError> {
    let device = devices()?.into_iter().nth(request.device);
    let device = device.ok_or(ReplayError::NoDevice(request.device))?;
    let cuda = match request.through {
        Through::OpenCl => None,
        Through::Cuda => Some(Device::open(device.facts.uuid.ok_or(ReplayError::NoUuid)?)?),
    };
    Ok((device, cuda))
}

/// Launches a workload once by OpenCL, so that only one launch can have been counted. Returns its seconds.
fn launch(
    device: &OpenClDevice,
    workload: &WorkloadKey,
    profiled: &mut Option<String>,
) -> Result<f64, ReplayError> {
    let (_, prepared) = PreparedLaunch::load(device, workload)?;
    let step = only_step(&prepared)?;
    let events = prepared.launch()?;
    *profiled = Some(step.function.to_string());
    let (start, end) = events.start_and_end()?;
    Ok(end.saturating_sub(start) as f64 / 1e9)
}

fn replay(
    device: &OpenClDevice,
    cuda: &Device,
    workload: &WorkloadKey,
    profiled: &mut Option<String>,
) -> Result<f64, ReplayError> {
    let (kernel, prepared) = PreparedLaunch::load(device, workload)?;
    let step = only_step(&prepared)?;
    if prepared.launch.has_images() {
        return Err(ReplayError::Images);
    }
    let options = &prepared.launch.options;
    let mut refused = ASSEMBLER_OPTIONS.into_iter();
    if let Some(option) = refused.find(|it| options.contains(it)) {
        return Err(ReplayError::Option(option));
    }
    let ptx = ptx::patch(&prepared.binary()?, &step.function, step.global.len())?;
    let grid = Grid::new(&step.global, &step.local)?;
    let arguments = prepared.arguments(step);
    let mut replay = Replay::new(cuda, &ptx, &step.function, grid, &arguments)?;
    let refills = refills(&prepared.launch, step, &arguments);
    let time_s = median_time(&mut replay, &refills)?;
    refill(&mut replay, &refills)?;
    *profiled = Some(step.function.to_string());
    replay.launch_profiled()?;
    compare(&replay, &prepared, step, &kernel)?;
    Ok(time_s)
}

/// The one step of a launch. Profilers count launch by launch, and peaks, shares and rates of several launches do not
/// add up.
fn only_step(prepared: &PreparedLaunch) -> Result<&Step, ReplayError> {
    let launch = &prepared.launch;
    let several = ReplayError::Several(launch.steps.len());
    launch.only_step().ok_or(several)
}

/// The contents of read-write buffers before a launch, by their index among the arguments.
fn refills<'a>(
    launch: &Launch,
    step: &Step,
    arguments: &[Argument<'a>],
) -> BTreeMap<usize, &'a [u8]> {
    let read_write = |argument: &LaunchArgument| matches!(argument, LaunchArgument::Buffer(place) if launch.buffers[*place].access == Access::ReadWrite);
    let pairs = step.arguments.iter().zip(arguments).enumerate();
    let refilled = pairs.filter_map(|(place, (given, argument))| match argument {
        Argument::Buffer(bytes) if read_write(given) => Some((place, *bytes)),
        _ => None,
    });
    refilled.collect()
}

/// The median time of warm launches without the profiler, seconds; OpenCL's launches are timed in the same way.
fn median_time(replay: &mut Replay, refills: &BTreeMap<usize, &[u8]>) -> Result<f64, CudaError> {
    replay.launch()?;
    let start = Instant::now();
    let mut times = Vec::new();
    while times.len() < TIMED_LAUNCHES && (times.is_empty() || start.elapsed() < TIMING_BUDGET) {
        refill(replay, refills)?;
        times.push(replay.launch_timed()?);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

/// Refills read-write buffers.
fn refill(replay: &mut Replay, refills: &BTreeMap<usize, &[u8]>) -> Result<(), CudaError> {
    for (place, bytes) in refills {
        replay.fill(*place, bytes)?;
    }
    Ok(())
}

/// Compares the outputs of OpenCL's launch with those of the replay.
fn compare(
    replay: &Replay,
    prepared: &PreparedLaunch,
    step: &Step,
    kernel: &Kernel,
) -> Result<(), ReplayError> {
    prepared.launch()?;
    let expected = prepared.outputs()?;
    for (place, argument) in step.arguments.iter().enumerate() {
        let LaunchArgument::Buffer(buffer) = argument else {
            continue;
        };
        let buffer = &prepared.launch.buffers[*buffer];
        if buffer.access.writes() {
            let mut content = buffer.zeros();
            replay.read(place, content.bytes_mut())?;
            for (name, column) in buffer.columns(content) {
                let partly = prepared.launch.is_partly_written(&name);
                agree(&name, &column, &expected[&name], kernel.tolerance, partly)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launch_that_cuda_has_no_grid_for_does_not_end_the_others() {
        let too_many = Grid::new(&[1, 65_536], &[1, 1]).expect_err("too many");
        assert!(!ReplayError::from(too_many).is_a_drivers());
        let refused = CudaError::Refused("by the driver".to_owned());
        assert!(ReplayError::from(refused).is_a_drivers());
    }
}
