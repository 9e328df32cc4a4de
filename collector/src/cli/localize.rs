//! `kerncast localize`.

use std::{fs, path::PathBuf, process::ExitCode};

use anyhow::{Result, anyhow};
use clap::Args;
use kerncast_analysis::localize::{Placed, Refusal};
use kerncast_collector::{
    UsageError,
    child::Children,
    clang::Clang,
    likely::did_you_mean,
    localize::{self, Checked, Rewritten},
};
use kerncast_opencl::DeviceFacts;
use kerncast_suite::Kernel;
use serde::Serialize;

use super::{analyse::found, choose, table};

mod answer;
mod counted;

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
  kerncast localize ~/my_kernel --write")]
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
    /// The device to check on: its number, or a part of its name [default: the first]
    #[arg(long, value_name = "DEVICE")]
    device: Option<String>,
    /// Folders of kernels to find names in [default: KERNCAST_KERNELS, else ./kernels]
    #[arg(long, value_name = "DIR")]
    kernels: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
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
    let rewritten = localize::rewritten(&clang, &kernel, MOST_BYTES, &arguments.arrays)?;
    let answer = answered(arguments, &kernel, rewritten)?;
    table::print_as(arguments.json, &answer, || answer::in_words(&answer))?;
    Ok(ExitCode::from(match answer.status {
        Status::Rewritten => 0,
        Status::NothingToGain => NOTHING,
        Status::Refused => REFUSED,
        Status::CheckFailed => FAILED,
    }))
}

fn answered(arguments: &Arguments, kernel: &Kernel, rewritten: Rewritten) -> Result<Answer> {
    let mut answer = Answer {
        kernel: kernel.name.clone(),
        of: rewritten.of.clone(),
        status: Status::NothingToGain,
        placed: rewritten.localized.placed.clone(),
        refusals: rewritten.localized.refusals.clone(),
        checked: None,
        global_loads: None,
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
    let folder = children.scratch().join(&kernel.name);
    fs::create_dir_all(&folder)?;
    localize::write(kernel, &rewritten, &folder)?;
    let checked = localize::check(&children, &device, &folder, &rewritten.of)?;
    let is_right = checked.failures.is_empty();
    answer.checked = Some(checked);
    if !is_right {
        answer.status = Status::CheckFailed;
        answer.placed.clear();
        return Ok(answer);
    }
    answer.status = Status::Rewritten;
    answer.global_loads = counted::loads(&children, &folder, &rewritten.of).ok();
    answer.source = rewritten.after.clone();
    if arguments.write {
        localize::write(kernel, &rewritten, &kernel.folder)?;
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
