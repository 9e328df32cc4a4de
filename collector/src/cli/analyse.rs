//! `kerncast analyse`.

use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::Args;
use kerncast_analysis::accesses::report::{AccessReport, Note, Report};
use kerncast_collector::{
    clang::Clang, counting::SOURCE_PROVIDERS, kernels, source_analysis::accesses::reports, workload,
};
use kerncast_suite::Parameters;
use kerncast_wire::DeviceKind;
use serde::Serialize;

use super::{exit, parse, status::Status, table, units, wrap::for_terminal};

mod answer;
mod counters;

/// Show what every memory access of a kernel does, from its source and launch file alone
///
/// Nothing is run, and no device is needed: clang reads the source. Indices are formulas of ids (gid0, lid1, group0),
/// loop variables and arguments. Footprints, reuse, sectors and banks are for the given sizes. docs/analysis.md says
/// how it works, and where it is wrong.
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast analyse matmul_float --size n=1024
  kerncast analyse docs/examples/moving_average
  kerncast analyse matmul_float --variant local --json
  kerncast analyse matmul_float --counters oclgrind --size n=1024
  kerncast analyse ~/my_kernel --counters analysis --json
      a counter set for POST /v1/predictions")]
pub(super) struct Arguments {
    /// A kernel's folder, or a kernel of the suite
    #[arg(required = true, value_name = "DIR|KERNEL")]
    kernels: Vec<String>,
    /// Sizes, as n=64 or n=64,m=2 [default: the launch file's largest for a GPU]
    #[arg(long, value_name = "SIZES", value_parser = parse::parameters)]
    size: Vec<Parameters>,
    /// Only these variants
    #[arg(long, value_name = "NAME")]
    variant: Vec<String>,
    /// Print this provider's counts instead of accesses: analysis or oclgrind
    #[arg(long, value_name = "PROVIDER", value_parser = SOURCE_PROVIDERS)]
    counters: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The accesses of a workload.
#[derive(Serialize)]
struct Answer {
    kernel: String,
    variant: String,
    parameters: Parameters,
    /// For each launched function a report on its first launch.
    functions: Vec<Report>,
    refusal: Option<String>,
}

pub(super) fn analyse(arguments: &Arguments) -> Result<ExitCode> {
    let kernels = kernels::find_all(&arguments.kernels)?;
    let (variants, sizes) = (&arguments.variant, &arguments.size);
    let workloads = kernels::workloads(&kernels, variants, sizes, DeviceKind::Gpu)?;
    let clang = Clang::find().map_err(|why| anyhow!("{why}"))?;
    if let Some(provider) = &arguments.counters {
        return counters::print(&workloads, provider, arguments.json);
    }
    let answers = workloads.iter().map(|it| Answer::new(&clang, it));
    let answers: Vec<Answer> = answers.collect();
    table::print_as(arguments.json, &answers, || {
        for_terminal(&units::joined(answers.iter().map(answer::in_words), "\n\n"))
    })?;
    let is_sound =
        |answer: &Answer| answer.outside().next().is_none() && answer.unlawful().next().is_none();
    // A source that can't be read is a mistake in the command; others do something wrong.
    if answers.iter().any(|answer| answer.refusal.is_some()) {
        return Ok(Status::Usage.into());
    }
    Ok(exit(answers.iter().all(is_sound)))
}

impl Answer {
    fn new(clang: &Clang, workload: &workload::Workload<'_>) -> Self {
        let (functions, refusal) = match reports(clang, workload) {
            Ok(functions) => (functions, None),
            Err(why) => (Vec::new(), Some(why)),
        };
        Self {
            kernel: workload.kernel.name.clone(),
            variant: workload.variant.name.clone(),
            parameters: workload.parameters.clone(),
            functions,
            refusal,
        }
    }

    /// Accesses that certainly leave their arrays.
    fn outside(&self) -> impl Iterator<Item = &AccessReport> {
        let accesses = self.functions.iter().flat_map(|it| &it.accesses);
        accesses.filter(|access| access.beyond.is_some())
    }

    /// Notes on recursion, and on barriers where some work-items wait for ever.
    fn unlawful(&self) -> impl Iterator<Item = Note> {
        self.functions.iter().flat_map(Report::unlawful)
    }

    fn name(&self) -> String {
        workload::name(&self.kernel, &self.variant, &self.parameters)
    }
}
