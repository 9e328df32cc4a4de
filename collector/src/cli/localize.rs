//! `kerncast localize`.

use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use clap::Args;
use kerncast_analysis::localize::Rule;
use kerncast_collector::{
    UsageError,
    child::Children,
    clang::Clang,
    device_choice::local::{is_simulator, select_one},
    kernels::Finder,
    rewrite::{self, Forecaster, RewriteOptions, Search, Shape},
    source_analysis::accesses::outside,
    workload::Workload,
};
use kerncast_suite::{Kernel, Parameters, sizes};
use kerncast_wire::words::did_you_mean;

use self::answer::{Answer, Status, in_words};
use super::{options::ServerOptions, parse, status, table, units};

mod answer;

/// Local memory that every device has for a work-group, bytes.
const LOCAL_BYTES: u64 = 32 << 10;

/// Rewrite a kernel to use local memory: check it, run it, show it
///
/// The variant `global` is rewritten only if the result is shown to do the same, under the assumptions that
/// docs/localize.md lists. Both are then run and compared on this device, and Oclgrind looks for races. A variant that
/// fails is not shown. Exit status: 0 rewritten, 3 nothing to gain, 4 refused, 5 a check failed or
/// none could be made here. How: docs/localize.md.
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast localize matmul_float
  kerncast localize ~/my_kernel --write
  kerncast localize ~/my_kernel --on h200            forecast whether it pays, and which arrays
  kerncast localize ~/my_kernel --tune 3             measure the three best candidates here")]
pub(super) struct Arguments {
    /// A kernel's folder, or a kernel of the suite
    #[arg(value_name = "DIR|KERNEL")]
    kernel: String,
    /// Add the variant local_generated and NAME.generated.cl to the kernel's folder
    #[arg(long, help_heading = "Rewriting")]
    write: bool,
    /// Only these arguments, as a,b [default: all that are worth it]
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        help_heading = "Rewriting"
    )]
    arrays: Vec<String>,
    /// Which arrays are worth it: shared (work-items read the same elements), or paper, the rule of Kamiya, Maruyama
    /// and Ohno (docs/localize.md)
    #[arg(long, value_parser = ["shared", "paper"], value_name = "RULE", default_value = "shared", help_heading = "Rewriting")]
    rule: String,
    /// Forecast whether it pays on this device, which need not be here: one that the server knows, by name, short name
    /// or id (kerncast devices), or an NVIDIA GPU by its data sheet
    #[arg(long, value_name = "DEVICE", help_heading = "Forecast")]
    on: Option<String>,
    /// Measure this many of the best candidates, and take the fastest
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..), help_heading = "Check")]
    tune: Option<u8>,
    /// This machine's device to check and measure on: its #, or a part of its name [default: the fastest GPU, else the
    /// fastest device]
    #[arg(long, value_name = "DEVICE", help_heading = "Check")]
    device: Option<String>,
    /// Check at these sizes of the launch file, as n=64 or n=64,m=2 [default: those for this kind of device with up to
    /// 32 MiB of buffers, for at most 40 s]
    #[arg(long, value_name = "SIZES", value_parser = parse::parameters, help_heading = "Check")]
    size: Vec<Parameters>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerOptions,
}

pub(super) fn localize(arguments: &Arguments) -> Result<ExitCode> {
    // A name that is wrong is said before minutes of work.
    let forecaster = match &arguments.on {
        Some(on) => Some(Forecaster::find(arguments.server.connect()?, on)?),
        None => None,
    };
    let kernel = Finder::default().find(&arguments.kernel)?.pop();
    let kernel = kernel.ok_or_else(|| anyhow!("there is no kernel"))?;
    let clang = Clang::find().map_err(|why| anyhow!("{why}"))?;
    let is_argument = |name: &String| kernel.arguments.iter().any(|it| it.name == *name);
    if let Some(unknown) = arguments.arrays.iter().find(|name| !is_argument(name)) {
        let likely = did_you_mean(unknown, kernel.arguments.iter().map(|it| it.name.as_str()));
        let message = format!("--arrays {unknown}: the kernel has no such argument{likely}");
        return Err(UsageError(message).into());
    }
    refuse_unknown_sizes(&kernel, &arguments.size)?;
    refuse_out_of_bounds(&clang, &kernel)?;
    let options = RewriteOptions {
        most_bytes: LOCAL_BYTES,
        only: arguments.arrays.clone(),
        rule: match &*arguments.rule {
            "paper" => Rule::Paper,
            _ => Rule::Shared,
        },
        shape: Shape::default(),
    };
    let mut answer = answer(arguments, forecaster.as_ref(), &clang, &kernel, &options)?;
    if let (Some(on), None, None) = (&arguments.on, &answer.forecast, &answer.no_forecast) {
        let kernel = &arguments.kernel;
        answer.no_forecast = Some(format!(
            "there is no variant to compare; `kerncast forecast {kernel} --on '{on}'` forecasts it as it is"
        ));
    }
    table::print_as(arguments.json, &answer, || in_words(&answer))?;
    Ok(ExitCode::from(match answer.status {
        Status::Rewritten => status::Status::Good,
        Status::NothingToGain => status::Status::NothingToGain,
        Status::Refused => status::Status::Refused,
        Status::CheckFailed | Status::NotChecked => status::Status::Unproved,
    }))
}

fn refuse_unknown_sizes(kernel: &Kernel, named: &[Parameters]) -> Result<(), UsageError> {
    let has = |it: &Parameters| kernel.sizes.iter().any(|size| size.parameters == *it);
    let Some(unknown) = named.iter().find(|it| !has(it)) else {
        return Ok(());
    };
    let all = kernel.sizes.iter().map(|it| sizes(&it.parameters));
    let (unknown, all) = (sizes(unknown), units::joined(all, "; "));
    Err(UsageError(format!(
        "--size {unknown}: the launch file has no such size; expected one of {all}"
    )))
}

/// Refuses a kernel that leaves its buffers at the smallest size: every variant made of it would too.
fn refuse_out_of_bounds(clang: &Clang, kernel: &Kernel) -> Result<(), UsageError> {
    let workload = Workload {
        kernel,
        variant: kernel.reference(),
        parameters: kernel.sizes[0].parameters.clone(),
    };
    // What follows says that a source can't be read.
    let accesses = outside(clang, &workload).unwrap_or_default();
    if accesses.is_empty() {
        return Ok(());
    }
    Err(UsageError(format!(
        "{}: {}. The launch file's length or the kernel is wrong: mend that first",
        kernel.name,
        accesses.join("; ")
    )))
}

/// Rewrites the kernel, and finds the best candidate where several are compared.
fn answer(
    arguments: &Arguments,
    forecaster: Option<&Forecaster>,
    clang: &Clang,
    kernel: &Kernel,
    options: &RewriteOptions,
) -> Result<Answer> {
    let first = rewrite::rewrite(clang, kernel, options)?;
    let mut answer = Answer::before_any_run(kernel, &first);
    if first.after.is_none() {
        return Ok(answer);
    }
    let children = Children::new()?;
    let device = select_one(&children.devices(&[])?, arguments.device.as_deref())?;
    if arguments.tune.is_some() && is_simulator(&device) {
        let name = &device.name;
        bail!("--tune: {name} is a simulator: its times mean nothing");
    }
    let search = Search {
        clang,
        kernel,
        options,
        children: &children,
        device: &device,
        tune: arguments.tune.map(usize::from),
        forecaster,
        sizes: &arguments.size,
    };
    let result = search.run(first)?;
    if arguments.write && result.is_right {
        rewrite::write(kernel, &result.candidates[0].rewritten, &kernel.folder)?;
    }
    answer.add(result, arguments.tune.is_some());
    Ok(answer)
}
