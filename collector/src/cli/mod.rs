//! The command line.

use std::{
    any::Any,
    env,
    io::{self, IsTerminal},
    panic::{self, AssertUnwindSafe},
    path::PathBuf,
    process::ExitCode,
};

use clap::{
    Parser, Subcommand,
    error::{ContextKind, ErrorKind},
};
use kerncast_collector::{
    UsageError, child, config,
    progress::{self, say},
    replay, units,
};

use self::status::Status;

mod agent;
mod analyse;
mod ceilings;
mod colour;
mod compare;
mod completions;
mod devices;
mod doctor;
mod enroll;
mod evaluate;
mod forecast;
mod import;
mod init;
mod localize;
mod measuring;
mod metrics;
mod microbenchmark;
mod models;
mod offload;
mod options;
mod parse;
mod predict;
mod run;
mod shares;
mod speedup;
mod status;
mod stream;
mod table;
mod upload;
mod validate;
mod wrap;

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

/// Runs the command line. Folders are removed and children ended even if nobody reads the output any more.
pub(crate) fn main() -> ExitCode {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panicked| {
        if !is_closed_pipe(panicked.payload()) {
            usual(panicked);
        }
    }));
    panic::catch_unwind(AssertUnwindSafe(parse_and_run)).unwrap_or_else(|payload| {
        if is_closed_pipe(&*payload) {
            return Status::Closed.into();
        }
        panic::resume_unwind(payload)
    })
}

fn parse_and_run() -> ExitCode {
    let words = env::args_os().map(|word| word.to_string_lossy().into_owned());
    let words: Vec<String> = words.collect();
    if let Some(problem) = separate_sizes(&words) {
        say(&format!("kerncast: {problem}"));
        return Status::Usage.into();
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let problem = negative_value(&error, &words)
                .or_else(|| wrong_device_option(&error).map(wrap::wrapped));
            let Some(problem) = problem else {
                error.exit();
            };
            say(&problem);
            return Status::Usage.into();
        }
    };
    if !matches!(arguments.command, Command::Child | Command::Replay { .. }) {
        progress::start(words.get(1).map_or("", String::as_str));
    }
    let loaded = config::load().map_err(anyhow::Error::from);
    let status = loaded.and_then(|()| run_command(arguments.command));
    status.unwrap_or_else(|error| {
        // Messages hold their causes.
        let message = format!("kerncast: {error}");
        if io::stderr().is_terminal() {
            say(&wrap::wrapped(&message));
        } else {
            // In a log a message is a line.
            say(&message);
        }
        Status::of_error(&error).into()
    })
}

/// Whether a panic comes from `eprintln!` because nobody reads the output any more (`2>&1 | head`).
fn is_closed_pipe(payload: &(dyn Any + Send)) -> bool {
    let message = payload.downcast_ref::<String>();
    message.is_some_and(|it| it.starts_with("failed printing to std") && it.contains("Broken pipe"))
}

/// An error text for an option with a negative value, which clap takes for another option.
fn negative_value(error: &clap::Error, words: &[String]) -> Option<String> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let is_number = |word: &str| {
        let number = word.strip_prefix('-').unwrap_or_default();
        let begins = number.starts_with(|it: char| it.is_ascii_digit() || it == '.');
        // A number and its unit, and no more: `-1 * x` is none.
        begins && number.chars().all(|it| it.is_alphanumeric() || it == '.')
    };
    words.windows(2).find_map(|pair| match pair {
        [option, value] if option.starts_with("--") && is_number(value) => Some(format!(
            "kerncast: {option} {value}: expected nothing below 0"
        )),
        _ => None,
    })
}

/// The option of `--on` and `--device` that the command has, where the other was given.
fn wrong_device_option(error: &clap::Error) -> Option<&'static str> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    match error.get(ContextKind::InvalidArg)?.to_string().as_str() {
        "--on" => Some(
            "kerncast: --on is no option of this command: it is the device to forecast, which need not be here. On which of \
             this machine's devices something is done, --device says (kerncast devices)",
        ),
        "--device" => Some(
            "kerncast: --device is no option of this command: it is one of this machine's. The device to forecast, which need \
             not be here, --on says (kerncast devices)",
        ),
        _ => None,
    }
}

/// An error for sizes given as separate words, `--size w=512 h=512`, where commas are meant.
fn separate_sizes(words: &[String]) -> Option<UsageError> {
    let is_size = |word: &str| word.contains('=') && parse::parameters(word).is_ok();
    let at = words.iter().position(|word| word == "--size")? + 1;
    let words = words[at..].iter().map(|word| word.trim_end_matches(','));
    let sizes: Vec<&str> = words.take_while(|word| is_size(word)).collect();
    (sizes.len() > 1).then(|| {
        let [given, meant] = [" ", ","].map(|separator| sizes.join(separator));
        UsageError(format!(
            "--size {given}: expected commas between them: --size {meant}"
        ))
    })
}

fn run_command(command: Command) -> anyhow::Result<ExitCode> {
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

/// The exit status of a command; `good`: whether all went well.
fn exit(good: bool) -> ExitCode {
    let status = if good { Status::Good } else { Status::Failed };
    status.into()
}

#[cfg(test)]
mod tests {
    use kerncast_collector::{
        device_choice::target::Target,
        forecast::{advise_better, advise_measuring},
    };
    use kerncast_wire::{Better, Prediction};
    use serde_json::json;

    use super::*;

    /// The words of the command in a sentence. Only single quotes hold words together.
    fn command_in(sentence: &str) -> Vec<String> {
        let start = sentence.find("kerncast ").expect("a command");
        let command = sentence[start..].trim_end_matches([')', '`']);
        let quoted = command.split('\'').enumerate();
        let words = quoted.flat_map(|(place, part)| match place % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        });
        words.collect()
    }

    #[test]
    fn commands_in_advice_parse() {
        let mut prediction: Prediction = serde_json::from_value(json!({
            "counter_set": 0,
            "device": 1,
            "trust": { "word": "none", "why": "it is a test" },
            "refusal": "it is a test",
        }))
        .expect("a prediction");
        let device =
            json!({ "vendor": "NVIDIA Corporation", "name": "NVIDIA H200 NVL", "kind": "gpu" });
        let target = Target {
            id: Some(1),
            short_name: "h200 nvl".to_owned(),
            device: serde_json::from_value(device).expect("a device"),
        };
        let mut sentences = vec![advise_measuring("kernels/blur".as_ref(), &target)];
        let unmeasured = json!({ "gpu": "NVIDIA L40S", "like": 1, "like_name": "h200 nvl", "same_architecture": false });
        for is_measured in [true, false] {
            if !is_measured {
                prediction.unmeasured = serde_json::from_value(unmeasured.clone()).expect("a GPU");
            }
            for provider in ["ncu", "rocprofv3", "nvprof", "analysis", "oclgrind"] {
                let better = Better {
                    provider: provider.to_owned(),
                    factor: 1.2,
                    instead_of: Some(1.5),
                };
                sentences.push(advise_better(&better, &prediction, &target.short_name));
            }
        }
        for sentence in sentences {
            let words = command_in(&sentence);
            let parsed = Arguments::try_parse_from(&words);
            assert!(parsed.is_ok(), "{sentence}: {words:?}");
        }
    }
}
