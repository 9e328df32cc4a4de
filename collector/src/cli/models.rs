//! `kerncast models`.

use std::{
    collections::BTreeMap,
    process::ExitCode,
    thread,
    time::{Duration, Instant},
};

use anyhow::Result;
use clap::Args;
use comfy_table::Cell;
use kerncast_collector::{client::Client, device_choice::target::device_name};
use kerncast_wire::{DeviceSummary, FittingJob, FittingJobs, ModelSummary};

use super::{options::ServerOptions, parse, status::Status, table, units, wrap::wrapped};

/// Show each model's error on kernels that it had not seen
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast models
      the model that answers for each device, and for each pair of devices
  kerncast models --all
      every method beside it
  kerncast models --wait 60s
      wait until the server has fitted what was uploaded")]
pub(super) struct Arguments {
    /// Wait up to this long until no fitting job is pending
    #[arg(long, value_name = "DURATION", value_parser = parse::duration)]
    wait: Option<Duration>,
    /// Every model, not only champions
    #[arg(long)]
    all: bool,
    /// Print the server's answer as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerOptions,
}

pub(super) fn models(arguments: &Arguments) -> Result<ExitCode> {
    let server = arguments.server.connect()?;
    let status = match arguments.wait {
        Some(limit) if !wait_for_fits(&server, limit)? => Status::Temporary,
        _ => Status::Good,
    };
    let mut models = server.models()?;
    models.sort_by_key(|model| {
        let specification = &model.specification;
        (
            model.device.name.clone(),
            specification.counted_on,
            specification.provider.clone(),
            std::cmp::Reverse(specification.response.clone()),
            specification.variant.clone(),
            !model.champion,
            specification.method.clone(),
        )
    });
    if arguments.json {
        table::print_json(&models)?;
        return Ok(status.into());
    }
    if models.is_empty() {
        table::print(
            "The server has no models yet: it fits them after samples of a few kernels came in.",
        )?;
    } else {
        table::print(&in_words(&models, arguments.all))?;
    }
    let jobs = server.jobs()?;
    if jobs.pending > 0 {
        table::print(&wrapped(&pending(&jobs, &server.devices()?)))?;
    }
    Ok(status.into())
}

/// Running and waiting fits, the oldest first.
fn pending(jobs: &FittingJobs, devices: &[DeviceSummary]) -> String {
    let name = |id: i64| device_name(devices, id);
    let in_words = |job: &FittingJob| {
        let from = job.counted_on;
        let from = from.map_or(String::new(), |it| format!(" from {}", name(it)));
        let attempts = match job.attempts {
            0 => String::new(),
            n => format!(" (failed {n} times)"),
        };
        format!("{}{from} by {}{attempts}", name(job.device), job.provider)
    };
    let jobs: Vec<&FittingJob> = jobs.items.iter().filter(|job| !job.given_up).collect();
    let since = jobs.iter().map(|job| job.requested_at).min();
    let since = since.map_or(String::new(), |it| {
        it.format(", since %Y-%m-%d %H:%M UTC").to_string()
    });
    let jobs: Vec<String> = jobs.into_iter().map(in_words).collect();
    format!(
        "Pending{since}; models may change, and others may answer, once they are there (--wait 10m waits): {}: {}",
        units::count(jobs.len(), "fit"),
        jobs.join(", ")
    )
}

/// Waits until no fit is pending. Returns false after the limit.
fn wait_for_fits(server: &Client, limit: Duration) -> Result<bool> {
    let start = Instant::now();
    loop {
        let pending = server.pending_jobs()?;
        if pending == 0 {
            return Ok(true);
        }
        if start.elapsed() >= limit {
            let limit = humantime::format_duration(limit);
            say!("{pending} fitting jobs are still pending after {limit}");
            return Ok(false);
        }
        thread::sleep(Duration::from_millis(300));
    }
}

/// A table of the champions or of all models, then its legend and the refused models.
fn in_words(models: &[ModelSummary], all: bool) -> String {
    let names = models.iter();
    let names = names.map(|it| (it.specification.device, &*it.device.name));
    let names: BTreeMap<i64, &str> = names.collect();
    let mut rows = table::new(COLUMNS.split(", "));
    let mut below = vec![LEGEND.to_owned()];
    if !all {
        let others = models.iter().filter(|model| !model.champion);
        let (refused, others): (Vec<_>, Vec<_>) = others.partition(|it| it.refusal.is_some());
        below.push(format!(
            "--all shows {}, and why {} could not be fitted.",
            units::count(others.len(), "other model"),
            refused.len()
        ));
    }
    for model in models.iter().filter(|it| all || it.champion) {
        match &model.refusal {
            Some(refusal) => below.push(refused(model, refusal)),
            None => rows.add_row(row(model, &names)),
        }
    }
    let below = wrapped(&below.join("\n"));
    if rows.row_count() == 0 {
        return below;
    }
    format!("{rows}\n{below}")
}

const COLUMNS: &str = "id, device, counted on, provider, forecasts, variant, method, samples, kernels, mean APE, \
     median APE, factor, negative, no forecast, 90 % covers, width, champion";

const LEGEND: &str = "Errors: one kernel left out at a time. APE: |predicted ÷ measured − 1|, per kernel first, then averaged. \
     90 % covers, width: regions of similar kernels left out, as for answers: the share of times inside the 90 % \
     intervals, and what the forecast is multiplied and divided by. \
     Champion: answers when no model is named; held: waits for an admin before it may.";

fn refused(model: &ModelSummary, refusal: &str) -> String {
    let specification = &model.specification;
    let from = specification.counted_on;
    let from = from.map_or_else(String::new, |id| format!(" counted on device {id}"));
    format!(
        "no model of {} for {}{from}, {}, {}, {}: {refusal}",
        specification.response,
        model.device.name,
        specification.provider,
        variant(model),
        specification.method
    )
}

fn variant(model: &ModelSummary) -> &str {
    model.specification.variant.as_deref().unwrap_or("all")
}

/// A model's row of the table. `names`: devices' names by id.
fn row(model: &ModelSummary, names: &BTreeMap<i64, &str>) -> [Cell; 17] {
    let specification = &model.specification;
    let counted_on = match specification.counted_on {
        None => "itself",
        Some(id) => names.get(&id).copied().unwrap_or("another"),
    };
    let errors = model.leave_one_kernel_out.as_ref();
    let factor = errors.and_then(|it| it.factor);
    let coverage = model.coverage;
    let champion = match (model.champion, &model.held) {
        (true, _) => "✓",
        (false, Some(_)) => "held",
        (false, None) => "",
    };
    [
        table::number(specification.device.to_string()),
        model.device.name.clone().into(),
        counted_on.into(),
        specification.provider.clone().into(),
        specification.response.clone().into(),
        variant(model).into(),
        specification.method.clone().into(),
        table::number(model.samples.to_string()),
        table::number(model.kernels.to_string()),
        table::number_or_dash(errors.map(|it| units::percent(it.mean_ape))),
        table::number_or_dash(errors.map(|it| units::percent(it.median_ape))),
        table::number_or_dash(factor.map(|it| format!("{it:.2}"))),
        table::number_or_dash(errors.map(|it| format!("{} of {}", it.negative, it.n))),
        table::number_or_dash(errors.map(|it| it.unpredicted.to_string())),
        table::number_or_dash(coverage.map(|it| units::percent(it.covered))),
        table::number_or_dash(coverage.map(|it| format!("×/÷ {:.2}", it.typical_factor))),
        champion.into(),
    ]
}
