//! `kerncast analyse`.

use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::Args;
use kerncast_analysis::accesses::report::{AccessReport, Note, Report};
use kerncast_collector::{
    clang::Clang,
    source_analysis::accesses::reports,
    workload::{self, Workload},
};
use kerncast_suite::Parameters;
use kerncast_wire::DeviceKind;
use serde::Serialize;

use self::counters::Counting;
use super::{
    exit,
    kernels::{Finder, workloads},
    options::children,
    prose::for_terminal,
    status::Status,
    table, units,
};

mod answer;
mod counters;

/// Say what every memory access of a kernel does, from its source and launch file alone
///
/// Nothing is run, and no device is needed: clang reads the source. Indices are formulas of ids (gid0, lid1, group0),
/// loop variables and arguments; footprints, reuse, sectors and banks are those at the sizes. docs/analysis.md says
/// how, and where it is wrong.
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
    asked: Vec<String>,
    /// At these sizes, as n=64 or n=64,m=2 [default: the launch file's largest for a GPU]
    #[arg(long, value_name = "SIZES", value_parser = units::parameters)]
    size: Vec<Parameters>,
    /// Only these variants
    #[arg(long, value_name = "NAME")]
    variant: Vec<String>,
    /// Print what this provider counts, in place of accesses: analysis or oclgrind
    #[arg(long, value_name = "PROVIDER", value_parser = counters::PROVIDERS)]
    counters: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is known of a workload.
#[derive(Serialize)]
struct Answer {
    kernel: String,
    variant: String,
    parameters: Parameters,
    /// One a function that is launched, as it is launched first.
    functions: Vec<Report>,
    /// Why there is none.
    refusal: Option<String>,
}

pub(super) fn analyse(arguments: &Arguments) -> Result<ExitCode> {
    let mut finder = Finder::default();
    let mut kernels = Vec::new();
    for asked in &arguments.asked {
        kernels.extend(finder.find(asked)?);
    }
    let (variants, sizes) = (&arguments.variant, &arguments.size);
    let workloads = workloads(&kernels, variants, sizes, DeviceKind::Gpu)?;
    let clang = Clang::find().map_err(|why| anyhow!("{why}"))?;
    if let Some(provider) = &arguments.counters {
        let counting = Counting::start(children()?);
        let (mut counted, mut refusals) = (Vec::new(), Vec::new());
        for workload in &workloads {
            match counting.count(workload, provider) {
                Ok(counters) => counted.push(counters),
                Err(why) => refusals.push(why),
            }
        }
        // Of one alone there is nothing else to print.
        let last = refusals.pop_if(|_| counted.is_empty());
        refusals.iter().for_each(|why| say!("kerncast: {why:#}"));
        if let Some(why) = last {
            return Err(why);
        }
        if arguments.json {
            counters::print_json(counted)?;
        } else {
            let words: Vec<String> = counted.iter().map(counters::in_words).collect();
            table::print(&for_terminal(&words.join("\n\n")))?;
        }
        return Ok(exit(refusals.is_empty()));
    }
    let answers: Vec<Answer> = workloads
        .iter()
        .map(|workload| analysed(&clang, workload))
        .collect();
    table::print_as(arguments.json, &answers, || {
        let each = answers.iter().map(answer::in_words);
        for_terminal(&each.collect::<Vec<_>>().join("\n\n"))
    })?;
    let is_sound =
        |answer: &Answer| answer.outside().next().is_none() && answer.unlawful().next().is_none();
    // Sources that can't be read are wrong as what is asked for, others in what they do.
    if answers.iter().any(|answer| answer.refusal.is_some()) {
        return Ok(Status::Usage.into());
    }
    Ok(exit(answers.iter().all(is_sound)))
}

fn analysed(clang: &Clang, workload: &Workload<'_>) -> Answer {
    let (functions, refusal) = match reports(clang, workload) {
        Ok(functions) => (functions, None),
        Err(why) => (Vec::new(), Some(why)),
    };
    Answer {
        kernel: workload.kernel.name.clone(),
        variant: workload.variant.name.clone(),
        parameters: workload.parameters.clone(),
        functions,
        refusal,
    }
}

impl Answer {
    /// What surely leaves its array.
    fn outside(&self) -> impl Iterator<Item = &AccessReport> {
        let accesses = self.functions.iter().flat_map(|it| &it.accesses);
        accesses.filter(|access| access.beyond.is_some())
    }

    /// Barriers that some surely wait at for ever, and recursion.
    fn unlawful(&self) -> impl Iterator<Item = Note> {
        self.functions.iter().flat_map(Report::unlawful)
    }

    fn name(&self) -> String {
        workload::name(&self.kernel, &self.variant, &self.parameters)
    }
}
