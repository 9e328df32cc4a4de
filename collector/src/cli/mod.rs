//! The command line.

use std::{
    any::Any,
    env,
    io::{self, IsTerminal},
    panic::{self, AssertUnwindSafe},
    path::PathBuf,
    process::{self, ExitCode},
};

use clap::{Parser, Subcommand, error::ErrorKind};
use kerncast_collector::{
    UsageError,
    agent::Held,
    child::{self, Failure},
    client::{ServerError, UploadError},
    config,
    import::ImportError,
    localize::NotRewritten,
    replay,
    spool::SpoolError,
};
use kerncast_primitives::StreamError;
use kerncast_suite::SuiteError;

use self::choose::AbsentDevice;

mod agent;
mod agent_report;
mod analyse;
mod analyses;
mod ceilings;
mod choose;
mod compare;
mod completions;
mod devices;
mod doctor;
mod enroll;
mod evaluate;
mod forecast;
mod import;
mod init;
mod kernels;
mod lab;
mod localize;
mod metrics;
mod microbenchmark;
mod models;
mod offload;
mod options;
mod paint;
mod predict;
mod progress;
mod prose;
mod run;
mod speedup;
mod stream;
mod table;
mod terminal;
mod units;
mod upload;
mod validate;

/// Some workloads failed, or something else went wrong.
const FAILED: u8 = 1;
/// The command line or a launch file is wrong (also clap's own), or the server says that the question is.
const USAGE: u8 = 2;
/// As a shell says of what SIGPIPE ends.
const CLOSED: u8 = 141;
/// EX_UNAVAILABLE of sysexits.h: no OpenCL, or no device.
const UNAVAILABLE: u8 = 69;
/// EX_TEMPFAIL of sysexits.h: the server can't be reached, and what was measured is kept; or another agent measures.
const TEMPORARY: u8 = 75;

const EXIT_STATUS: &str = "\
Exit status:
  0   all went well
  1   some workloads failed, or samples were rejected, or there is no forecast;
      the table says why. A source that does not compile is one of them to run,
      which goes on with the others
  2   the command line, a launch file, a source that was asked about, a file
      that was named, the configuration file, or what was asked of the server
      is wrong, or the spool's folder cannot be written to
  3   localize: there is nothing to gain
  4   localize: refused, with reasons
  5   localize: what was made is not right: a check failed
  69  no OpenCL loader, driver or device
  75  the server cannot be reached, and samples that were to be uploaded stay in
      the spool, whatever else failed; or another agent measures here
  141 nobody reads on what is printed (| head)";

/// Measures OpenCL kernels, counts what they do, and asks how long others would take.
#[derive(Parser)]
#[command(name = "kerncast", version, after_help = EXIT_STATUS, max_term_width = 80)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Devices(devices::Arguments),
    Ceilings(ceilings::Arguments),
    Doctor(doctor::Arguments),
    Run(Box<run::Arguments>),
    Microbenchmark(microbenchmark::Arguments),
    Upload(upload::Arguments),
    Enroll(enroll::Arguments),
    Agent(agent::Arguments),
    Import(Box<import::Arguments>),
    Init(init::Arguments),
    Analyse(analyse::Arguments),
    Localize(localize::Arguments),
    Forecast(forecast::Arguments),
    Stream(stream::Arguments),
    Offload(offload::Arguments),
    Predict(predict::Arguments),
    Metrics(metrics::Arguments),
    Compare(compare::Arguments),
    Speedup(speedup::Arguments),
    Models(models::Arguments),
    Evaluate(evaluate::Arguments),
    Validate(validate::Arguments),
    Completions(completions::Arguments),
    /// Run one workload, asked for on standard input
    #[command(name = child::SUBCOMMAND, hide = true)]
    Child,
    /// Launch workloads again, under a profiler
    #[command(name = replay::SUBCOMMAND, hide = true)]
    Replay {
        /// What to replay
        request: PathBuf,
    },
}

/// Does what the command line asks for.
pub(crate) fn main() -> ExitCode {
    quietly(run)
}

fn run() -> ExitCode {
    let arguments = Arguments::try_parse().unwrap_or_else(|error| {
        if let Some((option, value)) = negative(&error) {
            let problem = format!("kerncast: {option} {value}: expected nothing below 0");
            terminal::say(&problem);
            process::exit(USAGE.into());
        }
        error.exit()
    });
    let done = config::load()
        .map_err(anyhow::Error::from)
        .and_then(|()| done(arguments.command));
    done.unwrap_or_else(|error| {
        // Messages hold their causes.
        let said = format!("kerncast: {error}");
        match io::stderr().is_terminal() {
            true => terminal::say(&prose::wrapped(&said)),
            // In a log a message is a line.
            false => terminal::say(&said),
        }
        ExitCode::from(status(&error))
    })
}

/// Nobody reads what is printed any more (`2>&1 | head`): `eprintln!` panics then.
fn is_closed(payload: &(dyn Any + Send)) -> bool {
    let said = payload.downcast_ref::<String>();
    said.is_some_and(|it| it.starts_with("failed printing to std") && it.contains("Broken pipe"))
}

/// Runs the command line; folders are tidied up and children ended, also where nobody reads on.
fn quietly(run: impl FnOnce() -> ExitCode) -> ExitCode {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panicked| {
        if !is_closed(panicked.payload()) {
            usual(panicked);
        }
    }));
    panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|payload| {
        if is_closed(&*payload) {
            return ExitCode::from(CLOSED);
        }
        panic::resume_unwind(payload)
    })
}

/// An option whose value is below 0, which clap takes for another option, and would have behind `--`.
fn negative(error: &clap::Error) -> Option<(String, String)> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let words: Vec<String> = env::args_os()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let is_number = |word: &str| {
        let number = word.strip_prefix('-').unwrap_or_default();
        let begins = number.starts_with(|it: char| it.is_ascii_digit() || it == '.');
        // With its unit, and no more: `-1 * x` is none.
        begins && number.chars().all(|it| it.is_alphanumeric() || it == '.')
    };
    words.windows(2).find_map(|pair| match pair {
        [option, value] if option.starts_with("--") && is_number(value) => {
            Some((option.clone(), value.clone()))
        }
        _ => None,
    })
}

fn done(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Devices(arguments) => devices::devices(&arguments),
        Command::Ceilings(arguments) => ceilings::ceilings(&arguments),
        Command::Doctor(arguments) => doctor::doctor(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Microbenchmark(arguments) => microbenchmark::microbenchmark(&arguments),
        Command::Upload(arguments) => upload::upload(&arguments),
        Command::Enroll(arguments) => enroll::enroll(&arguments),
        Command::Agent(mut arguments) => agent::agent(&mut arguments),
        Command::Import(arguments) => import::import(&arguments),
        Command::Init(arguments) => init::init(&arguments),
        Command::Analyse(arguments) => analyse::analyse(&arguments),
        Command::Localize(arguments) => localize::localize(&arguments),
        Command::Forecast(arguments) => forecast::forecast(&arguments),
        Command::Stream(arguments) => stream::stream(&arguments),
        Command::Offload(arguments) => offload::offload(&arguments),
        Command::Metrics(arguments) => metrics::metrics(&arguments),
        Command::Completions(arguments) => completions::completions(&arguments),
        Command::Predict(arguments) => predict::predict(&arguments),
        Command::Compare(arguments) => compare::compare(&arguments),
        Command::Speedup(arguments) => speedup::speedup(&arguments),
        Command::Models(arguments) => models::models(&arguments),
        Command::Evaluate(arguments) => evaluate::evaluate(&arguments),
        Command::Validate(arguments) => validate::validate(&arguments),
        Command::Child => child::work().map_err(anyhow::Error::from),
        Command::Replay { request } => replay::work(&request).map_err(anyhow::Error::from),
    }
}

/// Of a command that did what it could: whether all went well.
fn exit(good: bool) -> ExitCode {
    ExitCode::from(if good { 0 } else { FAILED })
}

fn status(error: &anyhow::Error) -> u8 {
    let or_failed = |is: bool, status: u8| if is { status } else { FAILED };
    for cause in error.chain() {
        if let Some(error) = cause.downcast_ref::<ServerError>() {
            return match error {
                _ if error.is_temporary() => TEMPORARY,
                // The server says what is wrong with the question.
                ServerError::Status {
                    status: 400 | 404 | 422,
                    ..
                } => USAGE,
                _ => FAILED,
            };
        }
        if let Some(UploadError::Server(error)) = cause.downcast_ref() {
            return or_failed(error.is_temporary(), TEMPORARY);
        }
        let is_of_what_was_asked = cause.is::<SuiteError>()
            || cause.is::<UsageError>()
            || cause.is::<AbsentDevice>()
            || cause.is::<ImportError>();
        if is_of_what_was_asked {
            return USAGE;
        }
        if cause.is::<NotRewritten>() {
            return localize::REFUSED;
        }
        if let Some(error) = cause.downcast_ref::<SpoolError>() {
            return or_failed(error.is_of_the_folder(), USAGE);
        }
        if cause.is::<Held>() {
            return TEMPORARY;
        }
        if let Some(error) = cause.downcast_ref::<StreamError>() {
            return or_failed(error.is_of_what_was_asked(), USAGE);
        }
        if let Some(Failure::NoOpenCl(_)) = cause.downcast_ref() {
            return UNAVAILABLE;
        }
    }
    FAILED
}
