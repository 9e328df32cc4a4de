//! `kerncast compare`.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    process::ExitCode,
    slice::from_ref,
};

use anyhow::{Context, Result};
use clap::Args;
use kerncast_collector::{
    UsageError, client::Client, providers::Analysis,
    source_analysis::kernel_analysis::workload_analysis, workload::Workload,
};
use kerncast_suite::{Kernel, Parameters};
use kerncast_wire::{DeviceKind, Outcome, Prediction, SpeedupForecast, words::did_you_mean};
use serde::Serialize;

use self::costs::{Cost, Line};
use super::{
    exit,
    forecast::{asked, counting::Counting, doubt_speedup},
    kernels::{Finder, workloads},
    lab::{self, Target},
    options::ServerOptions,
    prose::wrapped,
    speedup, table, units,
};

mod answer;
mod costs;

/// Compare two versions of a kernel on a device, by forecasts: what does a change bring, and where?
///
/// Nothing is run. Both are counted from their sources, or by a sample of exactly these that the server has; one model
/// forecasts both times, and the verdict says how often such verdicts were right.
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast compare my_kernel my_kernel_tiled --on h200
      two folders with launch files: the variants that both have
  kerncast compare matmul_float:global matmul_float:local --on h200
      two variants of a kernel of the suite
  kerncast compare my_kernel my_kernel_tiled --on h200 --size n=4096 --json")]
pub(super) struct Arguments {
    /// Before the change: a kernel's folder, or a kernel of the suite, and with :NAME one of its variants
    #[arg(value_name = "OLD")]
    old: String,
    /// After it
    #[arg(value_name = "NEW")]
    new: String,
    /// The server's device, by name, short name or id (kerncast devices)
    #[arg(long, value_name = "DEVICE")]
    on: String,
    /// At these sizes, as n=64 or n=64,m=2 [default: the largest of OLD's launch file for such a device]
    #[arg(long, value_name = "SIZES", value_parser = units::parameters)]
    size: Vec<Parameters>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerOptions,
}

/// A change of one launch.
#[derive(Serialize)]
struct Answer {
    old: String,
    new: String,
    on: String,
    #[serde(flatten)]
    speedup: SpeedupForecast,
    /// What may make the two no versions of one kernel.
    notes: Vec<String>,
    /// Who could not count, and why.
    uncounted: BTreeMap<String, String>,
    /// How far measured times vary from repetition to repetition, both together: standard deviation ÷ mean.
    vary: Option<f64>,
    /// What the time goes to before and after, seconds; what has changed most first.
    costs: Vec<Cost>,
    /// The same of accesses in the sources, on a GPU.
    lines: Vec<Line>,
}

pub(super) fn compare(arguments: &Arguments) -> Result<ExitCode> {
    let server = arguments.server.connect()?;
    let overview = server.overview()?;
    let target = lab::target(&overview, &arguments.on)?;
    let mut finder = Finder::default();
    let old = Version::find(&mut finder, &arguments.old)?;
    let new = Version::find(&mut finder, &arguments.new)?;
    old.has_sizes_of(&new)?;
    let mut comparison = Comparison {
        server: &server,
        target: &target,
        counting: Counting::of_source(&target.device)?,
        stored: asked::Samples::new(),
    };
    let mut answers = Vec::new();
    let kind = target.device.kind;
    for (one, other) in old.variants_beside(&new) {
        for before in workloads(from_ref(&old.kernel), &[one], &arguments.size, kind)? {
            let sizes = from_ref(&before.parameters);
            let after = workloads(from_ref(&new.kernel), from_ref(&other), sizes, kind)?;
            answers.push(comparison.of(&before, &after[0])?);
        }
    }
    table::print_as(arguments.json, &answers, || {
        let each: Vec<String> = answers.iter().map(answer::in_words).collect();
        wrapped(&each.join("\n\n"))
    })?;
    Ok(exit(answers.iter().all(|it| it.speedup.speedup.is_some())))
}

/// A kernel, and the variant that is meant.
struct Version {
    kernel: Kernel,
    variant: Option<String>,
}

impl Version {
    fn find(finder: &mut Finder, asked: &str) -> Result<Self> {
        let (name, variant) = match asked.rsplit_once(':') {
            Some((name, variant)) if !Path::new(asked).exists() => (name, Some(variant)),
            _ => (asked, None),
        };
        let mut kernels = finder.find(name)?;
        let kernel = kernels
            .pop()
            .with_context(|| format!("{name}: there is no kernel"))?;
        if !kernels.is_empty() {
            let found = format!("{name} has several kernels; expected the folder of one");
            return Err(UsageError(found).into());
        }
        let version = Self {
            kernel,
            variant: variant.map(str::to_owned),
        };
        match variant.filter(|it| !version.names().contains(it)) {
            None => Ok(version),
            Some(variant) => Err(UsageError(format!(
                "{asked}: {name} has no variant `{variant}`{}; it has {}",
                did_you_mean(variant, version.names()),
                Vec::from_iter(version.names()).join(", ")
            ))
            .into()),
        }
    }

    fn first(&self) -> String {
        self.kernel.reference().name.clone()
    }

    fn names(&self) -> BTreeSet<&str> {
        self.kernel.variants.iter().map(|it| &*it.name).collect()
    }

    /// The variants that are meant; where one side says none, the other's if it has it. Else those that both have, and
    /// where there are none, the first of each.
    fn variants_beside(&self, other: &Self) -> Vec<(String, String)> {
        let beside = |it: &Self, named: &String| match it.names().contains(&**named) {
            true => named.clone(),
            false => it.first(),
        };
        match (&self.variant, &other.variant) {
            (Some(own), Some(of_other)) => vec![(own.clone(), of_other.clone())],
            (Some(own), None) => vec![(own.clone(), beside(other, own))],
            (None, Some(of_other)) => vec![(beside(self, of_other), of_other.clone())],
            (None, None) => {
                let names = self.names();
                let common = names.iter().filter(|it| other.names().contains(**it));
                let common: Vec<String> = common.map(|it| (*it).to_owned()).collect();
                match common.is_empty() {
                    true => vec![(self.first(), other.first())],
                    false => common.into_iter().map(|it| (it.clone(), it)).collect(),
                }
            }
        }
    }

    /// Whether the sizes of one launch file are those of the other.
    fn has_sizes_of(&self, other: &Self) -> Result<(), UsageError> {
        let names =
            |it: &Self| -> Vec<String> { it.kernel.sizes[0].parameters.keys().cloned().collect() };
        let [own, others] = [names(self), names(other)];
        match own == others {
            true => Ok(()),
            false => Err(UsageError(format!(
                "OLD has the sizes {}, NEW has {}; expected the same names in both launch files",
                own.join(", "),
                others.join(", ")
            ))),
        }
    }
}

/// What somebody may not have meant.
fn notes(before: &Workload<'_>, after: &Workload<'_>) -> Vec<String> {
    let (old, new) = (before.kernel, after.kernel);
    let mut notes = Vec::new();
    if old.folder == new.folder && before.variant.name == after.variant.name {
        notes.push("both are the same; FOLDER:NAME names a variant".to_owned());
    }
    let arguments =
        |it: &Kernel| -> Vec<String> { it.arguments.iter().map(|it| it.name.clone()).collect() };
    let [own, others] = [arguments(old), arguments(new)];
    if own != others {
        notes.push(format!(
            "the arguments differ: {} and {}. Nobody has compared what both compute",
            own.join(", "),
            others.join(", ")
        ));
    }
    notes
}

struct Comparison<'a> {
    server: &'a Client,
    target: &'a Target,
    counting: Counting,
    stored: asked::Samples,
}

impl Comparison<'_> {
    fn of(&mut self, before: &Workload<'_>, after: &Workload<'_>) -> Result<Answer> {
        let (mut names, mut sets, mut doubts) = (Vec::new(), Vec::new(), Vec::new());
        let (mut uncounted, mut vary) = (BTreeMap::new(), Vec::new());
        for workload in [before, after] {
            let (server, target) = (self.server, self.target);
            let case = asked::of_workload(
                workload,
                &mut self.stored,
                server,
                target,
                &mut self.counting,
            )?;
            if let Some(why) = &case.refusal {
                return Err(UsageError(format!("{}: {why}", case.name)).into());
            }
            sets.push(case.set(self.target.id));
            uncounted.extend(case.gaps.uncounted);
            vary.push(case.varies);
            names.push(case.name);
            doubts.push(case.doubtful);
        }
        let request = speedup::request(self.target, sets.remove(0), sets);
        let mut speedup = self.server.speedups(&request)?.remove(0);
        doubt_speedup(&mut speedup, &doubts[0], &doubts[1]);
        let lines = match self.target.device.kind {
            DeviceKind::Gpu => self.lines((before, &speedup.before), (after, &speedup.after)),
            _ => Vec::new(),
        };
        let new = names.remove(1);
        Ok(Answer {
            old: names.remove(0),
            new,
            on: self.target.short_name.clone(),
            costs: costs::costs(&speedup),
            notes: notes(before, after),
            uncounted,
            vary: vary[0].zip(vary[1]).map(|(one, other)| one.hypot(other)),
            speedup,
            lines,
        })
    }

    fn lines(
        &self,
        before: (&Workload<'_>, &Prediction),
        after: (&Workload<'_>, &Prediction),
    ) -> Vec<Line> {
        let device = &self.target.device;
        let analysis = Analysis::find().on(device);
        let of = |(workload, prediction): (&Workload<'_>, &Prediction)| {
            let Outcome::Forecast(forecast) = &prediction.outcome else {
                return Vec::new();
            };
            let known = workload_analysis(&analysis, workload);
            known.map_or(Vec::new(), |known| costs::of_accesses(&known, forecast))
        };
        costs::changed(of(before), of(after))
    }
}
