//! `kerncast metrics`.

use std::{collections::BTreeSet, process::ExitCode};

use anyhow::Result;
use clap::{Args, ValueEnum};
use kerncast_collector::{UsageError, device_choice::target::find_overview, providers::rocprofv3};
use kerncast_profilers::catalogue::{self, Counter};
use kerncast_wire::provider::{NCU, NVPROF, ROCPROFV3};
use serde::Serialize;

use super::{options::ServerOptions, table, units};

/// Print the command that has a profiler count what models need, for `kerncast predict` and `kerncast import`
///
/// It covers all counters that Kerncast knows of the profiler; with --on only those that the device's best model uses.
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast metrics ncu
      all that models of NVIDIA's GPUs may use
  kerncast metrics ncu --on h200
      what the server's model of this device uses, and no more
  kerncast metrics rocprofv3

Then, once its file is there: kerncast predict ncu.csv --on h200
(docs/importing.md).")]
pub(super) struct Arguments {
    /// The profiler
    profiler: Profiler,
    /// Only counters that the model of this device uses, which the server knows by name, short name or id
    #[arg(long, value_name = "DEVICE", alias = "device")]
    on: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerOptions,
}

#[derive(Clone, Copy, ValueEnum)]
enum Profiler {
    Ncu,
    Rocprofv3,
    Nvprof,
}

/// The commands to type, and the counters that they print.
#[derive(Serialize)]
struct Metrics {
    profiler: &'static str,
    /// Command lines; several where the profiler needs several runs.
    commands: Vec<String>,
    counters: Vec<&'static str>,
    /// Counters that the model uses but that no such command prints.
    not_printed: Vec<String>,
    #[serde(skip)]
    described: Vec<&'static Counter>,
}

/// Counters that nvprof calls events; all others are metrics.
const NVPROF_EVENTS: [&str; 2] = ["warps_launched", "thread_inst_executed"];
/// Errors of forecasts by what ncu is asked for (docs/notebook/importing.md).
const NCU_SETS: &str = "Forecasts of kernels that a model has not seen are off by ×1.17 with this list (an H200; `kerncast run` counts machine \
     code too: ×1.13), by ×1.27 with `--set full --page raw` in place of --metrics. Too little are `--set detailed` (×1.56) \
     and `basic`, the default (×4.69): files of these are refused. `full`'s sections that matter are \
     MemoryWorkloadAnalysis_Tables and SourceCounters.";
/// The time, which every list contains: a launch without a time can be forecast, but not be learnt from.
const NCU_TIME: &str = catalogue::ncu::TIME;

pub(super) fn metrics(arguments: &Arguments) -> Result<ExitCode> {
    let device = arguments.on.as_ref();
    let used = device.map(|it| model_counters(arguments, it)).transpose()?;
    let metrics = gather(arguments.profiler, used.as_ref());
    table::print_as(arguments.json, &metrics, || {
        in_words(&metrics, arguments.profiler)
    })?;
    Ok(ExitCode::SUCCESS)
}

impl Profiler {
    fn name(self) -> &'static str {
        match self {
            Self::Ncu => NCU,
            Self::Rocprofv3 => ROCPROFV3,
            Self::Nvprof => NVPROF,
        }
    }

    /// Whether the command prints this counter. nvprof, which `kerncast run` never runs, prints all.
    fn prints(self, counter: &Counter) -> bool {
        counter.asked || matches!(self, Self::Nvprof)
    }

    fn commands(self, counters: &[&'static Counter]) -> Vec<String> {
        let names = |it: &[&'static Counter]| -> Vec<&'static str> {
            it.iter().flat_map(|it| it.asked_names()).collect()
        };
        match self {
            Self::Ncu => vec![format!(
                "ncu --csv --page raw --print-units base --print-fp --clock-control none --cache-control all \
                 --log-file ncu.csv --metrics {} ./program",
                names(counters).join(",")
            )],
            Self::Nvprof => {
                let names = names(counters).into_iter();
                let (events, metrics): (Vec<_>, Vec<_>) =
                    names.partition(|name| NVPROF_EVENTS.contains(name));
                let mut command = "nvprof --csv --print-gpu-trace --log-file nvprof.csv".to_owned();
                for (option, names) in [("--metrics", metrics), ("--events", events)] {
                    if !names.is_empty() {
                        command.push_str(&format!(" {option} {}", names.join(",")));
                    }
                }
                vec![format!("{command} ./program")]
            }
            Self::Rocprofv3 => {
                let passes = rocprofv3::names_by_pass(counters);
                let commands = passes.iter().zip(1..).map(|(names, pass)| {
                    format!(
                        "rocprofv3 --pmc {} --kernel-trace --output-format csv -d kerncast -o pass{pass} -- ./program",
                        names.join(" ")
                    )
                });
                commands.collect()
            }
        }
    }

    /// Notes to read before typing the command.
    fn notes(self) -> &'static str {
        match self {
            Self::Ncu => {
                "ncu profiles only CUDA launches; `kerncast run` replays OpenCL's through CUDA for it. Where a counter has two \
                 names, a chip knows one of them: ncu warns of the other.\nThen: kerncast predict ncu.csv --on DEVICE"
            }
            Self::Nvprof => {
                "nvprof refuses names that the chip lacks: leave those out. Times come from another run: nvprof \
                 --csv --print-gpu-trace --log-file times.csv ./program\nThen: kerncast predict nvprof.csv --on DEVICE"
            }
            Self::Rocprofv3 => {
                "Each pass is a run of its own. Then: kerncast predict kerncast/pass1_counter_collection.csv, or to \
                 learn from all of them\n  kerncast import kerncast/pass*_counter_collection.csv --times \
                 kerncast/pass1_kernel_trace.csv --device NAME"
            }
        }
    }
}

/// The counters, as `PROVIDER:NAME`, that the device's champion on this profiler's counters uses.
fn model_counters(arguments: &Arguments, device: &str) -> Result<BTreeSet<String>> {
    let server = arguments.server.connect()?;
    let overview = server.overview()?;
    let provider = arguments.profiler.name();
    let mut providers = find_overview(&overview, device)?.providers.iter();
    let own = providers.find(|it| it.provider == provider);
    let Some(champion) = own.and_then(|it| it.champion.as_ref()) else {
        return Err(UsageError(format!(
            "--on {device}: the server has no model of it on counters of {provider}; without --on all that \
             models may use are printed"
        ))
        .into());
    };
    let model = server.model(champion.model)?;
    let mut used_counters: BTreeSet<String> =
        model.summary.specification.counters.into_iter().collect();
    for dropped in model.fit.iter().flat_map(|fit| &fit.dropped) {
        used_counters.remove(&dropped.counter);
    }
    for coefficient in model.fit.into_iter().flat_map(|fit| fit.coefficients) {
        used_counters.insert(coefficient.counter);
        used_counters.extend(coefficient.over);
    }
    Ok(used_counters)
}

fn gather(profiler: Profiler, used: Option<&BTreeSet<String>>) -> Metrics {
    let name = profiler.name();
    let is_used = |counter: &&Counter| {
        let full_name = format!("{name}:{}", counter.name);
        used.is_none_or(|it| it.contains(&full_name)) || counter.name == NCU_TIME
    };
    let used_counters = catalogue::of_provider(name).filter(is_used);
    let (printed, others): (Vec<_>, Vec<_>) = used_counters.partition(|it| profiler.prints(it));
    let not_printed = others.iter().filter(|_| used.is_some());
    Metrics {
        profiler: name,
        commands: profiler.commands(&printed),
        counters: printed.iter().map(|it| &*it.name).collect(),
        not_printed: not_printed.map(|it| it.name.clone()).collect(),
        described: printed,
    }
}

fn in_words(metrics: &Metrics, profiler: Profiler) -> String {
    let mut lines = metrics.commands.clone();
    lines.push(String::new());
    let mut rows = table::new(["counter", "unit", "what"]);
    for counter in &metrics.described {
        let names = units::joined(counter.asked_names(), "\n");
        rows.add_row([names, counter.unit.clone(), counter.description.clone()]);
    }
    lines.push(rows.to_string());
    if !metrics.not_printed.is_empty() {
        lines.push(format!(
            "The model also uses what no such file has: {}. `kerncast run` counts it.",
            metrics.not_printed.join(", ")
        ));
    }
    if matches!(profiler, Profiler::Ncu) {
        lines.push(NCU_SETS.to_owned());
    }
    lines.push(profiler.notes().to_owned());
    lines.join("\n")
}
