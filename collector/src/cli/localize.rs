//! `kerncast localize`.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Result, anyhow};
use clap::{Args, ValueEnum};
use kerncast_analysis::localize::{self as analysis, Placed, Refusal};
use kerncast_collector::{
    UsageError,
    child::Children,
    clang::Clang,
    likely::did_you_mean,
    localize::{self, Checked, Wishes},
};
use kerncast_opencl::DeviceFacts;
use kerncast_suite::Kernel;
use serde::Serialize;

use self::{
    candidate::{Candidate, Choice},
    forecast::Forecast,
};
use super::{analyse::found, choose, options::ServerOptions, table};

mod answer;
mod candidate;
mod counted;
mod forecast;
mod measured;

pub(super) use counted::Loads;

/// Nothing to gain.
const NOTHING: u8 = 3;
/// Refused, with reasons.
const REFUSED: u8 = 4;
/// A check failed.
const FAILED: u8 = 5;
/// Bytes of local memory that any device has for a work-group.
const MOST_BYTES: u64 = 32 << 10;

/// Bring arrays of a kernel to local memory: rewrite it, prove it, run it, show it
///
/// The variant `global` is rewritten where that is proved to be the same, compared with it at every size that this
/// device takes, and looked at by Oclgrind for races. What fails is not shown. Exit status: 0 rewritten, 3 nothing to
/// gain, 4 refused, 5 a check failed. docs/localize.md says how.
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
    #[arg(long)]
    write: bool,
    /// Only these arguments, as a,b [default: all that pay]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    arrays: Vec<String>,
    /// Work-groups of this size, as 32x8, of a kernel that does not ask for its work-group [default: the launch file's]
    #[arg(long, value_name = "SIZE", value_parser = tile)]
    tile: Option<Tile>,
    /// What is worth it: `shared`, or as Kamiya, Maruyama and Ohno have it (docs/localize.md)
    #[arg(long, value_enum, value_name = "RULE", default_value_t = Rule::Shared)]
    rule: Rule,
    /// Forecast it for the server's device: its name, short name or id (kerncast devices)
    #[arg(long, value_name = "DEVICE")]
    on: Option<String>,
    /// Measure so many of the best candidates, and take the fastest
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    tune: Option<u8>,
    /// The device to check and to measure on: its number, or a part of its name [default: the first]
    #[arg(long, value_name = "DEVICE")]
    device: Option<String>,
    /// Folders of kernels to find names in [default: KERNCAST_KERNELS, else ./kernels]
    #[arg(long, value_name = "DIR")]
    kernels: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerOptions,
}

/// Sizes by dimension.
#[derive(Clone)]
struct Tile(Vec<usize>);

fn tile(text: &str) -> Result<Tile, String> {
    let sizes = text
        .split('x')
        .map(str::parse)
        .collect::<Result<Vec<usize>, _>>();
    match sizes {
        Ok(sizes) if (1..=3).contains(&sizes.len()) && sizes.iter().all(|it| *it > 0) => {
            Ok(Tile(sizes))
        }
        _ => Err("expected one to three sizes above 0, as 32x8".to_owned()),
    }
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
    status: Status,
    /// What goes to local memory.
    placed: Vec<Placed>,
    /// What does not, and why.
    refusals: Vec<Refusal>,
    /// What running has shown.
    checked: Option<Checked>,
    /// Loads from global memory at the smallest size, as Oclgrind counts them: before, after.
    global_loads: Option<Loads>,
    /// How long it and what it is made of would take on the device that was asked for.
    forecast: Option<Forecast>,
    /// Why there is no forecast, where one was asked for.
    no_forecast: Option<String>,
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
}

pub(super) fn localize(arguments: &Arguments) -> Result<ExitCode> {
    let kernel = found(std::slice::from_ref(&arguments.asked), &arguments.kernels)?
        .pop()
        .ok_or_else(|| anyhow!("there is no kernel"))?;
    let clang = Clang::find().map_err(|why| anyhow!("{why}"))?;
    let named = |name: &String| kernel.arguments.iter().any(|it| it.name == *name);
    if let Some(unknown) = arguments.arrays.iter().find(|name| !named(name)) {
        let likely = did_you_mean(unknown, kernel.arguments.iter().map(|it| it.name.as_str()));
        let message = format!("--arrays {unknown}: the kernel has no such argument{likely}");
        return Err(UsageError(message).into());
    }
    let wishes = Wishes {
        most_bytes: MOST_BYTES,
        only: arguments.arrays.clone(),
        rule: match arguments.rule {
            Rule::Shared => analysis::Rule::Shared,
            Rule::Paper => analysis::Rule::Paper,
        },
        tile: arguments.tile.clone().map(|tile| tile.0),
    };
    let answer = answered(arguments, &clang, &kernel, &wishes)?;
    table::print_as(arguments.json, &answer, || answer::in_words(&answer))?;
    Ok(ExitCode::from(match answer.status {
        Status::Rewritten => 0,
        Status::NothingToGain => NOTHING,
        Status::Refused => REFUSED,
        Status::CheckFailed => FAILED,
    }))
}

fn answered(
    arguments: &Arguments,
    clang: &Clang,
    kernel: &Kernel,
    wishes: &Wishes,
) -> Result<Answer> {
    let rewritten = localize::rewritten(clang, kernel, wishes)?;
    let mut answer = Answer {
        kernel: kernel.name.clone(),
        of: rewritten.of.clone(),
        status: Status::NothingToGain,
        placed: rewritten.localized.placed.clone(),
        refusals: rewritten.localized.refusals.clone(),
        checked: None,
        global_loads: None,
        forecast: None,
        no_forecast: None,
        candidates: Vec::new(),
        measured_before_s: None,
        source: None,
        before: rewritten.before.clone(),
    };
    if rewritten.after.is_none() {
        if answer
            .refusals
            .iter()
            .any(|refusal| !refusal.reason.is_no_gain())
        {
            answer.status = Status::Refused;
        }
        return Ok(answer);
    }
    let children = Children::new()?;
    let device = device(&children, arguments)?;
    let mut candidates = vec![Candidate::new(children.scratch(), 0, kernel, rewritten)?];
    if arguments.on.is_some() || arguments.tune.is_some() {
        let again = |only: Vec<String>| {
            let wishes = Wishes {
                only,
                ..wishes.clone()
            };
            localize::rewritten(clang, kernel, &wishes)
        };
        candidate::others(children.scratch(), kernel, &mut candidates, &again)?;
    }
    let of = answer.of.clone();
    let mut is_forecast = false;
    if let Some(on) = &arguments.on {
        let folders: Vec<&Path> = candidates.iter().map(|it| &*it.folder).collect();
        match forecast::forecast(&arguments.server, on, &of, &folders)? {
            Ok(forecasts) => {
                is_forecast = true;
                for (candidate, forecast) in candidates.iter_mut().zip(forecasts) {
                    candidate.forecast = Some(forecast);
                }
            }
            Err(why) => answer.no_forecast = Some(why),
        }
    }
    candidate::rank(&children, &of, &mut candidates, is_forecast);
    if let Some(most) = arguments.tune {
        let most = usize::from(most);
        answer.measured_before_s =
            measured::measure(&children, &device, &of, &mut candidates, most)?;
    }
    let best = &mut candidates[0];
    let checked = match best.checked.take() {
        Some(checked) => checked,
        None => localize::check(&children, &device, &best.folder, &of)?,
    };
    let is_right = checked.failures.is_empty();
    answer.checked = Some(checked);
    if !is_right {
        answer.status = Status::CheckFailed;
        answer.placed.clear();
        return Ok(answer);
    }
    let best = &candidates[0];
    answer.status = Status::Rewritten;
    answer.placed = best.rewritten.localized.placed.clone();
    answer.refusals = best.rewritten.localized.refusals.clone();
    answer.forecast = best.forecast.clone();
    answer.global_loads = match best.loads.clone() {
        Some(loads) => Some(loads),
        None => counted::loads(&children, &best.folder, &of).ok(),
    };
    answer.source = best.rewritten.after.clone();
    candidates[0].loads = answer.global_loads.clone();
    let best = &candidates[0];
    if candidates.len() > 1 || arguments.tune.is_some() {
        answer.candidates = candidates.iter().map(Choice::of).collect();
    }
    if arguments.write {
        localize::write(kernel, &best.rewritten, &kernel.folder)?;
    }
    Ok(answer)
}

fn device(children: &Children, arguments: &Arguments) -> Result<DeviceFacts> {
    let all = children.devices(&[])?;
    let asked: Vec<String> = arguments.device.iter().cloned().collect();
    let chosen = choose::devices(&all, &asked)?;
    chosen
        .into_iter()
        .next()
        .ok_or_else(|| anyhow!("there is no OpenCL device to check on"))
}
