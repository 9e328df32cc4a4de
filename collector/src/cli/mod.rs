//! The command line.

use std::{
    any::Any,
    env,
    io::{self, IsTerminal},
    panic::{self, AssertUnwindSafe},
    path::PathBuf,
    process::{self, ExitCode},
};

use clap::{
    Parser, Subcommand,
    error::{ContextKind, ErrorKind},
};
use kerncast_collector::{UsageError, child, config, replay};

use self::status::Status;

#[macro_use]
mod terminal;

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
mod shares;
mod silence;
mod speedup;
mod status;
mod stream;
mod table;
mod units;
mod upload;
mod validate;

/// Measures OpenCL kernels, counts what they do, and forecasts how long others take.
#[derive(Parser)]
#[command(name = "kerncast", version, after_help = status::help(), max_term_width = 80)]
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
    let words: Vec<String> = env::args_os()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    if let Some(why) = apart(&words) {
        terminal::say(&format!("kerncast: {why}"));
        return Status::Usage.into();
    }
    let arguments = Arguments::try_parse().unwrap_or_else(|error| {
        if let Some((option, value)) = negative(&error) {
            let problem = format!("kerncast: {option} {value}: expected nothing below 0");
            terminal::say(&problem);
            process::exit(Status::Usage as i32);
        }
        if let Some(which) = mixed_up(&error) {
            terminal::say(&prose::wrapped(&format!("kerncast: {which}")));
            process::exit(Status::Usage as i32);
        }
        error.exit()
    });
    if !matches!(arguments.command, Command::Child | Command::Replay { .. }) {
        silence::watch(words.get(1).map_or("", String::as_str));
    }
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
        Status::of_error(&error).into()
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
            return Status::Closed.into();
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

/// Which of `--on` and `--device` the command has, where the other was given.
fn mixed_up(error: &clap::Error) -> Option<&'static str> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    match error.get(ContextKind::InvalidArg)?.to_string().as_str() {
        "--on" => Some(
            "--on is no option of this command: it is the device to forecast, which need not be here. On which of this \
             machine's devices something is done, --device says (kerncast devices)",
        ),
        "--device" => Some(
            "--device is no option of this command: it is one of this machine's. The device to forecast, which need not be \
             here, --on says (kerncast devices)",
        ),
        _ => None,
    }
}

/// Sizes apart from their option: `--size w=512 h=512`, in place of which a comma is meant.
fn apart(words: &[String]) -> Option<UsageError> {
    let is_size = |word: &str| word.contains('=') && units::parameters(word).is_ok();
    let at = words.iter().position(|word| word == "--size")? + 1;
    let sizes: Vec<&str> = words[at..]
        .iter()
        .map(|word| word.trim_end_matches(','))
        .take_while(|word| is_size(word))
        .collect();
    (sizes.len() > 1).then(|| {
        let [given, meant] = [" ", ","].map(|between| sizes.join(between));
        UsageError(format!(
            "--size {given}: expected commas between them: --size {meant}"
        ))
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
    Status::of_done(good).into()
}
