//! `kerncast localize`.

use std::{collections::BTreeMap, process::ExitCode};

use anyhow::{Result, anyhow};
use clap::{Args, ValueEnum};
use kerncast_analysis::localize::{self as analysis, Placed, Refusal};
use kerncast_collector::{
    UsageError,
    child::Children,
    clang::Clang,
    localize::{self, Checked, Rewritten, Wishes},
    source_analysis::accesses::outside,
    workload::Workload,
};
use kerncast_suite::{Kernel, Parameters, Variant, sizes};
use kerncast_wire::words::did_you_mean;
use serde::Serialize;

use self::{
    asked::Asked,
    candidate::{Candidate, Choice},
    chosen::chosen,
    forecast::{Forecast, Forecaster},
};
use super::{choose, kernels::Finder, options::ServerOptions, status, table, units};

mod answer;
mod asked;
mod candidate;
mod chosen;
mod counted;
mod forecast;
mod measured;

pub(super) use counted::Loads;

/// Bytes of local memory that any device has for a work-group.
const MOST_BYTES: u64 = 32 << 10;

/// Bring arrays of a kernel to local memory: rewrite it, prove it, run it, show it
///
/// The variant `global` is rewritten where that is proved to be the same, compared with it on this device at the sizes
/// that --size names, and looked at by Oclgrind for races. What fails is not shown. Exit status: 0 rewritten, 3 nothing to
/// gain, 4 refused, 5 a check failed, or none could be made here. docs/localize.md says how.
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast localize matmul_float
  kerncast localize ~/my_kernel --write
  kerncast localize ~/my_kernel --on h200            forecast whether it pays, and which arrays
  kerncast localize ~/my_kernel --tune 3             measure the three best candidates here")]
pub(super) struct Arguments {
    /// A kernel's folder, or a kernel of the suite
    #[arg(value_name = "DIR|KERNEL")]
    asked: String,
    /// Add the variant local_generated and NAME.generated.cl to the kernel's folder
    #[arg(long, help_heading = "What is made")]
    write: bool,
    /// Only these arguments, as a,b [default: all that pay]
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        help_heading = "What is made"
    )]
    arrays: Vec<String>,
    /// What is worth it: `shared`, or as Kamiya, Maruyama and Ohno have it (docs/localize.md)
    #[arg(long, value_enum, value_name = "RULE", default_value_t = Rule::Shared, help_heading = "What is made")]
    rule: Rule,
    /// Forecast it for this device, which need not be here: one of the server's, by name, short name or id (kerncast
    /// devices), or an NVIDIA GPU that it does not know
    #[arg(long, value_name = "DEVICE", help_heading = "Forecast")]
    on: Option<String>,
    /// Measure so many of the best candidates, and take the fastest
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..), help_heading = "Check")]
    tune: Option<u8>,
    /// Check and measure on this machine's device: its #, or a part of its name [default: the fastest GPU, else the
    /// fastest]; --on names the device to forecast
    #[arg(long, value_name = "DEVICE", help_heading = "Check")]
    device: Option<String>,
    /// Check it at these of the launch file's sizes, as n=64 or n=64,m=2 [default: those for this kind of device, of up
    /// to 32 MiB, as far as 40 s go]
    #[arg(long, value_name = "SIZES", value_parser = units::parameters, help_heading = "Check")]
    size: Vec<Parameters>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerOptions,
}

/// Which tiles are worth it.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Rule {
    Shared,
    Paper,
}

/// What became of a kernel.
#[derive(Serialize)]
struct Answer {
    kernel: String,
    /// The variant that it is made of.
    of: String,
    /// The variant that is made.
    made: &'static str,
    status: Status,
    /// What goes to local memory.
    placed: Vec<Placed>,
    /// What does not, and why.
    refusals: Vec<Refusal>,
    /// What must hold of a launch for local memory to be used, as `width == 64`; any other runs as it was written.
    only_for: Vec<String>,
    /// What running has shown.
    checked: Option<Checked>,
    /// Loads from global memory at the smallest size, as Oclgrind counts them: before, after.
    global_loads: Option<Loads>,
    /// How long it and what it is made of would take on the device that was asked for.
    forecast: Option<Forecast>,
    /// Why there is no forecast, where one was asked for.
    no_forecast: Option<String>,
    /// Who could not count for it, and why.
    uncounted: BTreeMap<String, String>,
    /// What else could be brought to local memory, the best first; none where nobody asked which is best.
    candidates: Vec<Choice>,
    /// Seconds of the variant that it is made of, where candidates were measured.
    measured_before_s: Option<f64>,
    /// The whole source as it would be; none where a check failed.
    source: Option<String>,
    #[serde(skip)]
    before: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    Rewritten,
    NothingToGain,
    Refused,
    CheckFailed,
    NotChecked,
}

pub(super) fn localize(arguments: &Arguments) -> Result<ExitCode> {
    // A name that is wrong is said before minutes of work.
    let forecaster = match &arguments.on {
        Some(on) => Some(Forecaster::find(&arguments.server, on)?),
        None => None,
    };
    let kernel = Finder::default()
        .find(&arguments.asked)?
        .pop()
        .ok_or_else(|| anyhow!("there is no kernel"))?;
    let clang = Clang::find().map_err(|why| anyhow!("{why}"))?;
    let named = |name: &String| kernel.arguments.iter().any(|it| it.name == *name);
    if let Some(unknown) = arguments.arrays.iter().find(|name| !named(name)) {
        let likely = did_you_mean(unknown, kernel.arguments.iter().map(|it| it.name.as_str()));
        let message = format!("--arrays {unknown}: the kernel has no such argument{likely}");
        return Err(UsageError(message).into());
    }
    has_sizes(&kernel, &arguments.size)?;
    sound(&clang, &kernel, kernel.reference())?;
    let wishes = Wishes {
        most_bytes: MOST_BYTES,
        only: arguments.arrays.clone(),
        rule: match arguments.rule {
            Rule::Shared => analysis::Rule::Shared,
            Rule::Paper => analysis::Rule::Paper,
        },
        tile: None,
        form: analysis::Form::default(),
    };
    let mut answer = answered(arguments, forecaster.as_ref(), &clang, &kernel, &wishes)?;
    if let (Some(on), None, None) = (&arguments.on, &answer.forecast, &answer.no_forecast) {
        let asked = &arguments.asked;
        answer.no_forecast = Some(format!(
            "there is no variant to compare; `kerncast forecast {asked} --on '{on}'` forecasts it as it is"
        ));
    }
    table::print_as(arguments.json, &answer, || answer::in_words(&answer))?;
    Ok(ExitCode::from(match answer.status {
        Status::Rewritten => status::Status::Good,
        Status::NothingToGain => status::Status::NothingToGain,
        Status::Refused => status::Status::Refused,
        Status::CheckFailed | Status::NotChecked => status::Status::Unproved,
    }))
}

fn has_sizes(kernel: &Kernel, wanted: &[Parameters]) -> Result<(), UsageError> {
    let has = |it: &Parameters| kernel.sizes.iter().any(|size| size.parameters == *it);
    let Some(unknown) = wanted.iter().find(|it| !has(it)) else {
        return Ok(());
    };
    let all = kernel.sizes.iter().map(|it| sizes(&it.parameters));
    let (unknown, all) = (sizes(unknown), all.collect::<Vec<_>>().join("; "));
    Err(UsageError(format!(
        "--size {unknown}: the launch file has no such size; expected one of {all}"
    )))
}

/// What leaves its buffers, at the smallest size, no variant that is made of it does better.
fn sound(clang: &Clang, kernel: &Kernel, variant: &Variant) -> Result<(), UsageError> {
    let workload = Workload {
        kernel,
        variant,
        parameters: kernel.sizes[0].parameters.clone(),
    };
    // A source that can't be read is said to be so by what follows.
    let found = outside(clang, &workload).unwrap_or_default();
    match found.is_empty() {
        true => Ok(()),
        false => Err(UsageError(format!(
            "{}: {}. The launch file's length or the kernel is wrong: mend that first",
            kernel.name,
            found.join("; ")
        ))),
    }
}

fn answered(
    arguments: &Arguments,
    forecaster: Option<&Forecaster>,
    clang: &Clang,
    kernel: &Kernel,
    wishes: &Wishes,
) -> Result<Answer> {
    let first = localize::rewritten(clang, kernel, wishes)?;
    let mut answer = Answer::of(kernel, &first);
    if first.after.is_none() {
        return Ok(answer);
    }
    let children = Children::new()?;
    let device = choose::one(&children.devices(&[])?, arguments.device.as_deref())?;
    let asked = Asked {
        arguments,
        forecaster,
        children: &children,
        device: &device,
        clang,
        kernel,
        wishes,
    };
    let mut candidates = chosen(&asked, first, &mut answer)?;
    let mut passes = None;
    for (place, candidate) in candidates.iter_mut().enumerate() {
        if candidate.is_right(&children, &device, &answer.of, &arguments.size)? {
            passes = Some(place);
            break;
        }
    }
    // Of those that fail the first tells why, where none passes.
    let best = candidates.remove(passes.unwrap_or(0));
    candidates.insert(0, best);
    answer.checked = candidates[0].checked.take();
    if passes.is_none() {
        let checked = answer.checked.as_ref();
        answer.status = match checked.is_some_and(|it| it.failures.is_empty()) {
            true => Status::NotChecked,
            false => Status::CheckFailed,
        };
        answer.placed.clear();
        return Ok(answer);
    }
    answer.tell(&children, &mut candidates, arguments.tune.is_some());
    if arguments.write {
        localize::write(kernel, &candidates[0].rewritten, &kernel.folder)?;
    }
    Ok(answer)
}

impl Answer {
    /// Before anything has run.
    fn of(kernel: &Kernel, rewritten: &Rewritten) -> Self {
        let refusals = &rewritten.localized.refusals;
        let is_refused = refusals.iter().any(|refusal| !refusal.reason.is_no_gain());
        Self {
            kernel: kernel.name.clone(),
            of: rewritten.of.clone(),
            made: localize::GENERATED,
            status: match is_refused {
                true => Status::Refused,
                false => Status::NothingToGain,
            },
            placed: rewritten.localized.placed.clone(),
            refusals: refusals.clone(),
            only_for: rewritten.localized.only_for.clone(),
            checked: None,
            global_loads: None,
            forecast: None,
            no_forecast: None,
            uncounted: BTreeMap::new(),
            candidates: Vec::new(),
            measured_before_s: None,
            source: None,
            before: rewritten.before.clone(),
        }
    }

    /// Says of the first candidate, which has been checked, and of the others what is known.
    fn tell(&mut self, children: &Children, candidates: &mut [Candidate], is_measured: bool) {
        let best = &mut candidates[0];
        if best.loads.is_none() {
            best.loads = counted::loads(children, &best.folder, &self.of, None).ok();
        }
        self.status = Status::Rewritten;
        self.placed = best.rewritten.localized.placed.clone();
        self.refusals = best.rewritten.localized.refusals.clone();
        self.only_for = best.rewritten.localized.only_for.clone();
        self.forecast = best.forecast.clone();
        // `vload4` and its like are calls to Oclgrind, and no loads.
        let counts_all = !self.before.contains("vload");
        self.global_loads = best.loads.clone().filter(|_| counts_all);
        self.source = best.rewritten.after.clone();
        if candidates.len() > 1 || is_measured {
            self.candidates = candidates.iter().map(Choice::of).collect();
        }
    }
}
