//! `kerncast forecast`.

use std::{collections::BTreeMap, process::ExitCode};

use anyhow::Result;
use clap::Args;
use kerncast_collector::client::{Client, ServerError};
use kerncast_suite::Parameters;
use kerncast_wire::{
    NamedCounterSet, NoVerdict, Outcome, Prediction, PredictionRequest, Refused, SpeedupForecast,
    Trust, TrustWord,
};
use serde::Serialize;

use self::asked::{Case, Launched};
use super::{
    exit,
    kernels::no_source,
    lab::{self, Target},
    options::ServerOptions,
    progress::Progress,
    prose::wrapped,
    speedup, table, units,
};

mod answer;
pub(super) mod asked;
pub(super) mod counting;
mod devices;
mod record;

/// Forecast how long a kernel takes on a device
///
/// It counts here what can be counted without that device: the launch's geometry, what the source tells, and
/// instructions if Oclgrind is installed. Hardware counters come from the server, if it has a sample of exactly this
/// workload on the device. Nothing is measured and nothing is stored.
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast forecast docs/examples/moving_average --on h200
      a folder with a launch file (docs/kernels.md)
  kerncast forecast matmul_float --on h200 --size n=1024
  kerncast forecast matmul_float --on 'RTX 4090'
      a GPU that nobody here has measured, by its data sheet
  kerncast forecast matmul_float --on all
      all of them, the fastest first
  kerncast forecast my_kernel --on h200 --json

Trust is one word: high, fair, low or none.")]
pub(super) struct Arguments {
    /// A kernel's folder, or a kernel of the suite
    #[arg(required = true, value_name = "DIR|KERNEL")]
    asked: Vec<String>,
    /// The device to forecast: one that the server knows, by name, short name or id (kerncast devices); an NVIDIA GPU
    /// by its data sheet, as "RTX 4090"; or "all" for all of these GPUs
    #[arg(long, value_name = "DEVICE")]
    on: String,
    /// Sizes, as n=64 or n=64,m=2 [default: the launch file's largest for such a device]
    #[arg(long, value_name = "SIZES", value_parser = units::parameters, help_heading = "Kernels")]
    size: Vec<Parameters>,
    /// Only these variants
    #[arg(long, value_name = "NAME", help_heading = "Kernels")]
    variant: Vec<String>,
    /// Also print the model, counters' names, other models' answers and all parts of the time
    #[arg(long, conflicts_with = "json")]
    verbose: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerOptions,
}

impl Arguments {
    /// Whether every device there is is meant.
    fn is_all(&self) -> bool {
        self.on == "all"
    }
}

/// All that is said of a case.
#[derive(Serialize)]
struct Answer {
    name: String,
    /// What the device is called.
    on: String,
    device: i64,
    /// Whose counters were there.
    counted: Vec<String>,
    /// Who could not count, and why.
    uncounted: BTreeMap<String, String>,
    /// Whose counts are estimated from some of the work-groups.
    estimated: Vec<String>,
    prediction: Prediction,
    /// What it brings beside the first variant at the same sizes, where that is asked for too.
    speedup: Option<SpeedupForecast>,
    #[serde(skip)]
    device_name: String,
    #[serde(skip)]
    set: NamedCounterSet,
    #[serde(skip)]
    doubtful: Vec<String>,
    #[serde(skip)]
    launched: Option<Launched>,
    /// What would make the answer better.
    record: Vec<String>,
}

pub(super) fn forecast(arguments: &Arguments) -> Result<ExitCode> {
    arguments.asked.iter().try_for_each(|it| no_source(it))?;
    let server = arguments.server.connect()?;
    let overview = server.overview()?;
    let is_all = arguments.is_all();
    let targets = match is_all {
        true => lab::all(&overview),
        false => vec![lab::target(&overview, &arguments.on)?],
    };
    let progress = Progress::new(targets.len());
    let mut answers = Vec::new();
    for (place, target) in targets.iter().enumerate() {
        if is_all {
            progress.next(place + 1, &target.short_name);
        }
        let cases = match asked::cases(arguments, &server, target) {
            Err(error) if is_all => {
                say!("{}: {error:#}", target.short_name);
                continue;
            }
            cases => cases?,
        };
        let of_target = cases.into_iter().map(|case| answer(&server, target, case));
        let mut of_target: Vec<Answer> = of_target.collect::<Result<_>>()?;
        for place in 0..of_target.len() {
            of_target[place].speedup = beside_first(&server, target, &of_target, place)?;
        }
        answers.extend(of_target);
    }
    table::print_as(arguments.json, &answers, || {
        if is_all {
            return devices::in_words(&answers);
        }
        let each = answers
            .iter()
            .map(|answer| answer::in_words(answer, arguments.verbose));
        wrapped(&each.collect::<Vec<_>>().join("\n\n"))
    })?;
    let forecasts = |it: &Answer| matches!(it.prediction.outcome, Outcome::Forecast(_));
    Ok(exit(match is_all {
        true => answers.iter().any(forecasts),
        false => answers.iter().all(forecasts),
    }))
}

fn answer(server: &Client, target: &Target, case: Case) -> Result<Answer> {
    let (devices, gpus) = target.named();
    let set = case.set(target.id);
    let request = PredictionRequest {
        counter_sets: Some(vec![set.clone()]),
        devices,
        gpus,
        ..PredictionRequest::default()
    };
    let answered = match &case.refusal {
        Some(why) => Err(why.clone()),
        None => refusal(server.predict(&request))?,
    };
    let mut prediction = match answered {
        Ok(mut predictions) => predictions.predictions.remove(0),
        // What is the matter here comes before what the server lacks for it.
        Err(refusal) => Prediction {
            counter_set: 0,
            name: Some(case.name.clone()),
            measured_s: case.measured_s,
            measured_lies: None,
            device: target.id.unwrap_or_default(),
            unmeasured: None,
            trust: Trust::without_forecast(),
            pending: Vec::new(),
            outcome: Outcome::Refused(Refused {
                refusal: case.gaps.whole(&case.counters).unwrap_or(refusal),
            }),
        },
    };
    doubt(&mut prediction, &case.doubtful);
    let record = match &case.refusal {
        Some(_) => Vec::new(),
        None => record::advice(&case, &prediction, target),
    };
    Ok(Answer {
        speedup: None,
        set,
        doubtful: case.doubtful,
        launched: case.launched,
        on: target.short_name.clone(),
        device_name: target.device.name.clone(),
        device: prediction.device,
        counted: case.counters.into_keys().collect(),
        uncounted: case.gaps.uncounted,
        estimated: case.gaps.estimated,
        name: case.name,
        prediction,
        record,
    })
}

/// Of the answer at this place beside the first of the same kernel at the same sizes; none of the first itself.
fn beside_first(
    server: &Client,
    target: &Target,
    answers: &[Answer],
    place: usize,
) -> Result<Option<SpeedupForecast>> {
    let own = &answers[place];
    let is_same = |it: &&Answer| match (&it.launched, &own.launched) {
        (Some(it), Some(own)) => (&it.folder, &it.sizes) == (&own.folder, &own.sizes),
        _ => false,
    };
    let Some(first) = answers[..place].iter().find(is_same) else {
        return Ok(None);
    };
    let request = speedup::request(target, first.set.clone(), vec![own.set.clone()]);
    let answer = refusal(server.speedups(&request))?.ok();
    let mut speedup = answer.and_then(|all| all.into_iter().next());
    if let Some(speedup) = &mut speedup {
        doubt_speedup(speedup, &first.doubtful, &own.doubtful);
    }
    Ok(speedup)
}

/// What may be wrong with the launch itself, which the server does not see, comes before what it doubts.
fn doubt(prediction: &mut Prediction, doubtful: &[String]) {
    if doubtful.is_empty() {
        return;
    }
    let trust = &mut prediction.trust;
    let mut why = doubtful.join("; ");
    if trust.word <= TrustWord::Low {
        why = format!("{why}; {}", trust.why);
    }
    trust.word = trust.word.min(TrustWord::Low);
    trust.why = why;
}

/// The same of both sides of a change: then there is no verdict.
pub(super) fn doubt_speedup(speedup: &mut SpeedupForecast, before: &[String], after: &[String]) {
    doubt(&mut speedup.before, before);
    doubt(&mut speedup.after, after);
    if speedup.verdict.is_some() && !(before.is_empty() && after.is_empty()) {
        (speedup.verdict, speedup.right) = (None, None);
        speedup.no_verdict = Some(NoVerdict::Doubtful);
    }
}

/// What the server says of a question that it can't answer is an answer; that there is no server is none.
pub(super) fn refusal<T>(answer: Result<T, ServerError>) -> Result<Result<T, String>, ServerError> {
    match answer {
        Ok(answer) => Ok(Ok(answer)),
        Err(ServerError::Status { status, detail, .. }) if status < 500 && status != 429 => {
            Ok(Err(detail))
        }
        Err(error) => Err(error),
    }
}
