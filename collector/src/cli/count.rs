//! `kerncast count`.

use std::{path::PathBuf, process::ExitCode, time::Duration};

use anyhow::Result;
use clap::Args;
use kerncast_collector::{
    UsageError,
    child::Children,
    providers::{Analysis, Oclgrind, Provider, Subject},
    workload::Workload,
};
use kerncast_opencl::DeviceFacts;
use kerncast_suite::{Kernel, Variant};
use kerncast_wire::NewSample;
use serde_json::json;

use super::{
    options::{SpoolOptions, children, suite},
    progress::Progress,
    table, units,
};

const OCLGRIND: &str = "oclgrind";
const ANALYSIS: &str = "analysis";

/// Count what spooled samples did, by Oclgrind or from their source alone, whatever device measured them
#[derive(Args)]
#[command(
    after_help = "For samples of a machine that has no Oclgrind: run there with --no-upload, take
the spool to a machine that has it, count, and upload from there. Only samples
of exactly these kernels are counted.

Examples:
  kerncast count --spool ./spool-of-lab-3
  kerncast count --provider analysis --spool ./spool-of-lab-3
  kerncast upload --spool ./spool-of-lab-3"
)]
pub(super) struct Arguments {
    /// Folders of kernels [default: KERNCAST_KERNELS, else ./kernels]
    #[arg(long, value_name = "DIR")]
    kernels: Vec<PathBuf>,
    /// Count a workload's instructions for at most so long; more is estimated from its first and last
    /// work-groups
    #[arg(long, value_name = "DURATION", value_parser = units::duration, default_value = "5s")]
    count_limit: Duration,
    /// Who counts: oclgrind, or analysis, which reads the source and runs nothing
    #[arg(long, value_name = "NAME", value_parser = [OCLGRIND, ANALYSIS], default_value = OCLGRIND)]
    provider: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    spool: SpoolOptions,
}

pub(super) fn count(arguments: &Arguments) -> Result<ExitCode> {
    let kernels = suite(&arguments.kernels)?.kernels;
    let children = children()?;
    let counter = Counter::find(&arguments.provider, &children)?;
    // Oclgrind simulates a device of its own, whatever the machine has.
    let device = children.devices(&[])?.remove(0);
    let spool = arguments.spool.open_to_write()?;
    let (mut counted, mut refused, mut strangers) = (0, 0, 0);
    let files = spool.files()?;
    let progress = Progress::new(files.len());
    for (place, path) in files.iter().enumerate() {
        let file = spool.read::<NewSample>(path);
        let Some(Ok(mut sample)) = file.map(|file| file.content) else {
            continue;
        };
        let known = sample.readings.get(&arguments.provider);
        if known.is_some_and(|reading| reading.refusal.is_none()) {
            continue;
        }
        // Points of the microbenchmark are no launches of the suite.
        let Some(local_bytes) = local_bytes(&sample) else {
            continue;
        };
        let kernel = kernels.iter().find(|kernel| is_of(kernel, &sample));
        let variant = kernel.and_then(|kernel| kernel.variant(&sample.workload.variant));
        let (Some(kernel), Some(variant)) = (kernel, variant) else {
            strangers += 1;
            continue;
        };
        let of_device;
        let provider: &dyn Provider = match &counter {
            Counter::Oclgrind(oclgrind) => oclgrind,
            Counter::Analysis(analysis) => {
                of_device = analysis.on(sample.device.kind, sample.device.compute_units);
                &of_device
            }
        };
        if read(
            provider,
            &device,
            (kernel, variant, local_bytes),
            &mut sample,
            arguments.count_limit,
        )? {
            counted += 1;
        } else {
            refused += 1;
        }
        spool.put(&sample)?;
        progress.counted(place + 1, &sample);
    }
    progress.end();
    let samples = counted + refused + strangers;
    eprintln!("counted {counted} of {samples} samples that had no counts");
    if refused > 0 {
        eprintln!("{} refused {refused}; each says why", arguments.provider);
    }
    if strangers > 0 {
        eprintln!("{strangers} are of kernels that are not here, or of other versions of them");
    }
    if arguments.json {
        let counts =
            json!({ "counted": counted, "refused": refused, "of_other_kernels": strangers });
        table::print_json(&counts)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Who counts.
enum Counter<'a> {
    Oclgrind(Oclgrind<'a>),
    Analysis(Analysis),
}

impl<'a> Counter<'a> {
    /// By this name.
    fn find(name: &str, children: &'a Children) -> Result<Self, UsageError> {
        let missing = |reason: &str| UsageError(reason.to_owned());
        if name == ANALYSIS {
            let analysis = Analysis::find();
            analysis.version().map_err(missing)?;
            return Ok(Self::Analysis(analysis));
        }
        let oclgrind = Oclgrind::find(children);
        oclgrind.version().map_err(missing)?;
        Ok(Self::Oclgrind(oclgrind))
    }
}

/// Whether the sample was measured with exactly this kernel.
fn is_of(kernel: &Kernel, sample: &NewSample) -> bool {
    kernel.name == sample.workload.kernel
        && sample.provenance.source_hash.as_ref() == Some(&kernel.source_hash)
}

/// Local memory of one work-group, bytes, by the reading that every launch has.
fn local_bytes(sample: &NewSample) -> Option<u64> {
    let launch = &sample.readings.get("launch")?.counters;
    #[expect(clippy::cast_possible_truncation, reason = "a whole number of bytes")]
    Some(launch.get("local_bytes").map_or(0, |bytes| *bytes as u64))
}

/// Adds the provider's reading; whether it counted.
fn read(
    provider: &dyn Provider,
    device: &DeviceFacts,
    (kernel, variant, local_bytes): (&Kernel, &Variant, u64),
    sample: &mut NewSample,
    limit: Duration,
) -> Result<bool> {
    let workload = Workload {
        kernel,
        variant,
        parameters: sample.workload.parameters.clone(),
    };
    let launch = workload.launch()?;
    let subject = Subject {
        device,
        workload: &workload,
        rest: &[],
        launch: &launch,
        local_bytes,
    };
    let reading = provider.read(subject, limit);
    let (counted, name) = (reading.refusal.is_none(), provider.name().to_owned());
    if let Some(version) = provider.tool_version().filter(|_| counted) {
        sample.provenance.tools.insert(name.clone(), version);
    }
    sample.readings.insert(name, reading);
    Ok(counted)
}
