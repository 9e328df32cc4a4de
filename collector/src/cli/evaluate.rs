//! `kerncast evaluate`.

use std::{path::PathBuf, process::ExitCode};

use anyhow::Result;
use clap::Args;
use kerncast_collector::{
    evaluate::{
        Comparison, EvaluateRequest, Files, LeftOut, MethodReport, Progress, evaluate as compare,
    },
    import::{self, ImportOptions, Source},
    progress::{say, say_step},
};
use kerncast_models::HoldOutKey;

use super::{table, units};

/// Compare all methods on a file's samples, by forecasts of what they have not seen
///
/// Needs no server. Reads the files that `kerncast import` reads (profilers' output with times, tidy tables, Kerncast's
/// JSON Lines), also compressed. Only counters of work are used; those that contain the time are left out.
#[derive(Args)]
#[command(after_help = "\
Examples:
  kerncast evaluate kernels.csv
  kerncast evaluate data/*.jsonl.zst --device 'NVIDIA H200' --provider ncu
  kerncast evaluate kernels.csv --hold-out row --hold-out kernel \\
      --hold-out family
  kerncast evaluate kernels.csv --counted-on 'GTX 285' --device 'GTX 480'
  kerncast evaluate several_gpus.csv --hold-out gpu --hold-out gpu+kernel
  kerncast evaluate --train suite.jsonl.zst --test mine.jsonl

Methods are listed in the order in which their models would answer: by factor,
the simplest first among those that tie. Methods that forecast times at or
below 0, or not at all, come last. The server ranks with families left out
(--hold-out family), or with kernels if there are fewer than five families.
Its intervals, and those of --train and --test, come from regions left out
(--hold-out region): groups of kernels with similar counters.

--hold-out gpu leaves a whole GPU out. The most similar other GPU's models
forecast it by its data sheet, as for a GPU that nobody has measured.
gpu+kernel leaves the kernel out on the other GPU too. Counters are the
left-out GPU's own; with --counted-on they are that GPU's, and so are its
times if both have one architecture. Use names that `kerncast forecast --on`
knows.

More samples and methods take longer: all methods on an H200's 1,182 samples
take more than nine minutes on two cores. Each method is named as it starts;
--method runs one alone.

Errors are averaged per kernel first.
  APE      |forecast ÷ measured − 1|
  factor   exp of the mean of |ln(forecast ÷ measured)|
  covers   the share of kernels' times that lie within their intervals
  width    typically, the interval is the forecast times and divided by this")]
pub(super) struct Arguments {
    /// The files
    #[arg(required_unless_present = "train", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Fit this file's samples, and judge by those of --test; may be given several times
    #[arg(long, value_name = "FILE", requires = "test", conflicts_with_all = ["files", "hold_out"], help_heading = "Samples")]
    train: Vec<PathBuf>,
    /// Judge by this file's samples, and fit none of them; may be given several times
    #[arg(
        long,
        value_name = "FILE",
        requires = "train",
        help_heading = "Samples"
    )]
    test: Vec<PathBuf>,
    /// Only this device [default: each]
    #[arg(long, value_name = "NAME", help_heading = "Samples")]
    device: Option<String>,
    /// Forecast from the counters and times of this device
    #[arg(long, value_name = "NAME", help_heading = "Samples")]
    counted_on: Option<String>,
    /// Only this provider's counters [default: each]
    #[arg(long, value_name = "NAME", help_heading = "Samples")]
    provider: Option<String>,
    /// What each fit leaves out: row, kernel, family, region, gpu or gpu+kernel; may be given several times
    #[arg(long, value_name = "KEY", value_parser = parse_left_out, default_values = ["kernel"], help_heading = "Judging")]
    hold_out: Vec<LeftOut>,
    /// Only this method; may be given several times
    #[arg(long = "method", value_name = "NAME", help_heading = "Judging")]
    methods: Vec<String>,
    /// Print JSON, with every kernel's errors and every sample's forecast
    #[arg(long)]
    json: bool,
}

fn parse_left_out(word: &str) -> Result<LeftOut, String> {
    use HoldOutKey::{Family, Kernel, Region, Row};
    let own = [Row, Kernel, Family, Region].map(LeftOut::Own);
    let mut all = own.into_iter().chain([LeftOut::Gpu, LeftOut::GpuAndKernel]);
    let key = all.find(|it| it.to_string() == word);
    key.ok_or_else(|| "expected row, kernel, family, region, gpu or gpu+kernel".to_owned())
}

pub(super) fn evaluate(arguments: &Arguments) -> Result<ExitCode> {
    let mut files = Files::default();
    // A file that does not say its device leaves that to `--device`.
    let options = ImportOptions::without_server(arguments.device.clone());
    let read = |file: &PathBuf| import::read(&Source::new(file.clone()), &[], &options);
    for file in arguments.files.iter().chain(&arguments.train) {
        files.add(read(file)?)?;
    }
    for file in &arguments.test {
        files.add_tested(read(file)?)?;
    }
    let request = EvaluateRequest {
        device: arguments.device.clone(),
        counted_on: arguments.counted_on.clone(),
        provider: arguments.provider.clone(),
        keys: arguments.hold_out.clone(),
        methods: arguments.methods.clone(),
    };
    let mut total = 0;
    let comparisons = compare(&files, &request, |progress| match progress {
        Progress::Comparison { title, methods } => {
            say(title);
            total = methods;
        }
        Progress::Method { name, place } => say_step(place, total, name),
    })?;
    table::print_as(arguments.json, &comparisons, || {
        units::joined(comparisons.iter().map(in_words), "\n")
    })?;
    Ok(ExitCode::SUCCESS)
}

const COLUMNS: &str = "method, rows, counters, mean APE, median, factor, within 25 %, ≤ 0, none, 90 % covers, width, took";

/// A table of the methods, and notes on the comparison below it.
fn in_words(comparison: &Comparison) -> String {
    let methods = &comparison.methods;
    let mut rows = table::new(COLUMNS.split(", "));
    for method in methods {
        rows.add_row(row(method));
    }
    let mut lines = vec![title(comparison), rows.to_string()];
    if let Some(best) = methods.iter().find(|it| it.errors.is_some()) {
        lines.push(worst_kernels(best));
    }
    lines.extend(methods.iter().filter_map(speedups));
    lines.extend(left_out(comparison));
    for method in methods {
        if let Some(refusal) = &method.refusal {
            lines.push(format!("{}: {refusal}", method.method));
        }
        if let (Some(reason), Some(_)) = (&method.no_intervals, &method.errors) {
            lines.push(format!("{}: no intervals: {reason}", method.method));
        }
    }
    lines.push(String::new());
    lines.join("\n")
}

/// Says what is forecast, from what, and from how many rows.
fn title(comparison: &Comparison) -> String {
    let from = comparison.counted_on.as_ref();
    let from = from.map_or(String::new(), |it| format!(", from {it}"));
    let like = comparison.like.as_ref();
    let like = like.map_or(String::new(), |it| format!(", by models of {it}"));
    let response = match comparison.response.as_str() {
        "time" => String::new(),
        counter => format!(", {counter}"),
    };
    format!(
        "{}{from}{like}{response}: {} {} of {}, {} of {}",
        comparison.device,
        match &*comparison.hold_out {
            "other samples" => "fitted and judged by".to_owned(),
            left_out => format!("leaving a {left_out} out of"),
        },
        units::count(comparison.rows, "row"),
        units::count(comparison.kernels, "kernel"),
        units::count(comparison.counters.len(), "counter"),
        comparison.provider
    )
}

/// Says which counters and rows are left out, and which rows are in every fit.
fn left_out(comparison: &Comparison) -> Vec<String> {
    let mut lines = Vec::new();
    let counters = comparison.left_out.len();
    if counters > 0 {
        lines.push(format!(
            "{} left out: more than a tenth of the rows lack them, or no work (rates, cycles, geometry)",
            units::count(counters, "counter")
        ));
    }
    for (rows, what) in [
        (
            comparison.generated,
            "of generated kernels beside them: in every fit, and judged in none",
        ),
        (
            comparison.rows_left_out,
            "left out: they lack some of the counters",
        ),
        (
            comparison.older_left_out,
            "left out: newer samples of the same workload are there",
        ),
    ] {
        if rows > 0 {
            lines.push(format!("{rows} rows {what}"));
        }
    }
    if comparison.kernels == 1 && comparison.hold_out == "kernel" {
        let advice = "without the only kernel there is nothing to learn from: try --hold-out row";
        lines.push(advice.to_owned());
    }
    lines
}

fn row(method: &MethodReport) -> Vec<comfy_table::Cell> {
    let error = |show: &dyn Fn(&kerncast_wire::Errors) -> String| {
        table::or_dash(method.errors.as_ref().map(show))
    };
    let interval = method.intervals;
    let cells = [
        method.rows.to_string(),
        method.counters.to_string(),
        error(&|it| units::percent(it.mean_ape)),
        error(&|it| units::percent(it.median_ape)),
        error(&|it| table::or_dash(it.factor.map(|it| format!("×{it:.2}")))),
        error(&|it| units::percent(it.within_25)),
        error(&|it| it.negative.to_string()),
        error(&|it| it.unpredicted.to_string()),
        table::or_dash(interval.map(|it| units::percent(it.covered))),
        table::or_dash(interval.map(|it| format!("×/÷ {:.2}", it.typical_factor))),
        units::time(method.seconds),
    ];
    std::iter::once(comfy_table::Cell::new(&method.method))
        .chain(cells.map(table::number))
        .collect()
}

/// Says how far off a method's speedups are.
fn speedups(method: &MethodReport) -> Option<String> {
    let errors = method.speedups?;
    let [yes, no] = [errors.pays_off, errors.does_not];
    Some(format!(
        "{}: speedups of local memory ({} of {}) off by ×{:.2}; verdicts on {}: {} of {} `pays off` right, \
         {} of {} `does not`",
        method.method,
        units::count(errors.n, "pair"),
        units::count(errors.kernels, "kernel"),
        errors.factor,
        yes.given + no.given,
        yes.right,
        yes.given,
        no.right,
        no.given,
    ))
}

/// The kernels that a method forecasts worst.
fn worst_kernels(method: &MethodReport) -> String {
    let kernels = method.kernels.iter();
    let kernels = kernels.filter_map(|it| Some((it.errors?.mean_ape, &*it.kernel)));
    let mut kernels: Vec<(f64, &str)> = kernels.collect();
    kernels.sort_by(|a, b| b.0.total_cmp(&a.0));
    let worst = kernels.iter().take(5);
    let worst = worst.map(|(ape, kernel)| format!("{kernel} {}", units::percent(*ape)));
    format!("worst by {}: {}", method.method, units::joined(worst, ", "))
}
