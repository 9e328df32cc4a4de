//! `kerncast models`.

use std::{
    collections::BTreeMap,
    process::ExitCode,
    thread,
    time::{Duration, Instant},
};

use anyhow::Result;
use clap::Args;
use kerncast_collector::client::Client;
use kerncast_wire::{DeviceSummary, FittingJob, FittingJobs, ModelSummary};

use super::{lab, options::ServerOptions, prose::wrapped, status::Status, table, units};

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
    #[arg(long, value_name = "DURATION", value_parser = units::duration)]
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
    let fitted = match arguments.wait {
        Some(limit) => wait(&server, limit)?,
        None => true,
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
        return Ok(status(fitted));
    }
    if models.is_empty() {
        table::print(
            "The server has no models yet: it fits them after samples of a few kernels came in.",
        )?;
    } else {
        table::print(&in_table(&models, arguments.all))?;
    }
    let jobs = server.jobs()?;
    if jobs.pending > 0 {
        table::print(&wrapped(&pending(&jobs, &server.devices()?)))?;
    }
    Ok(status(fitted))
}

fn status(fitted: bool) -> ExitCode {
    ExitCode::from(if fitted {
        Status::Good
    } else {
        Status::Temporary
    })
}

/// What is under way or waits, the oldest first.
fn pending(jobs: &FittingJobs, devices: &[DeviceSummary]) -> String {
    let name = |id: i64| lab::name(devices, id);
    let one = |job: &FittingJob| {
        let from = job.counted_on;
        let from = from.map_or(String::new(), |it| format!(" from {}", name(it)));
        let tried = match job.attempts {
            0 => String::new(),
            n => format!(" (failed {n} times)"),
        };
        format!("{}{from} by {}{tried}", name(job.device), job.provider)
    };
    let jobs: Vec<&FittingJob> = jobs.items.iter().filter(|job| !job.given_up).collect();
    let since = jobs.iter().map(|job| job.requested_at).min();
    let since = since.map_or(String::new(), |it| {
        it.format(", since %Y-%m-%d %H:%M UTC").to_string()
    });
    let listed: Vec<String> = jobs.into_iter().map(one).collect();
    format!(
        "Pending{since}; models may change, and others may answer, once they are there (--wait 10m waits): {}: {}",
        units::count(listed.len(), "fit"),
        listed.join(", ")
    )
}

fn wait(server: &Client, limit: Duration) -> Result<bool> {
    let start = Instant::now();
    loop {
        let pending = server.pending_jobs()?;
        if pending == 0 {
            return Ok(true);
        }
        if start.elapsed() >= limit {
            say!(
                "{pending} fitting jobs are still pending after {}",
                humantime::format_duration(limit)
            );
            return Ok(false);
        }
        thread::sleep(Duration::from_millis(300));
    }
}

/// Champions, or all.
fn in_table(models: &[ModelSummary], all: bool) -> String {
    let names: BTreeMap<i64, &str> = models
        .iter()
        .map(|model| (model.specification.device, model.device.name.as_str()))
        .collect();
    let mut fits = table::new([
        "id",
        "device",
        "counted on",
        "provider",
        "forecasts",
        "variant",
        "method",
        "samples",
        "kernels",
        "mean APE",
        "median APE",
        "factor",
        "negative",
        "no forecast",
        "90 % covers",
        "width",
        "champion",
    ]);
    let mut below = vec![
        "Errors on kernels that the fit had not seen (leave one kernel out). APE: |predicted ÷ \
         measured − 1|, per kernel first, then averaged. 90 % covers: the share of unseen kernels' times \
         that lie within the 90 % intervals; width: an interval is the forecast times and divided by that. \
         Champion: answers when no model is named; held: waits for an admin before it may."
            .to_owned(),
    ];
    if !all {
        let others = models.iter().filter(|model| !model.champion);
        let (refused, others): (Vec<_>, Vec<_>) = others.partition(|it| it.refusal.is_some());
        below.push(format!(
            "--all shows {}, and why {} could not be fitted.",
            units::count(others.len(), "other model"),
            refused.len()
        ));
    }
    for model in models {
        let specification = &model.specification;
        let variant = specification.variant.as_deref().unwrap_or("all");
        if !all && !model.champion {
            continue;
        }
        if let Some(refusal) = &model.refusal {
            below.push(format!(
                "no model of {} for {}{}, {}, {variant}, {}: {refusal}",
                specification.response,
                model.device.name,
                specification
                    .counted_on
                    .map_or_else(String::new, |counted_on| format!(
                        " counted on device {counted_on}"
                    )),
                specification.provider,
                specification.method
            ));
            continue;
        }
        let errors = model.leave_one_kernel_out.as_ref();
        fits.add_row([
            table::number(specification.device.to_string()),
            model.device.name.clone().into(),
            match specification.counted_on {
                None => "itself".into(),
                Some(counted_on) => names.get(&counted_on).copied().unwrap_or("another").into(),
            },
            specification.provider.clone().into(),
            specification.response.clone().into(),
            variant.into(),
            specification.method.clone().into(),
            table::number(model.samples.to_string()),
            table::number(model.kernels.to_string()),
            table::maybe(errors.map(|errors| units::percent(errors.mean_ape))),
            table::maybe(errors.map(|errors| units::percent(errors.median_ape))),
            table::maybe(
                errors
                    .and_then(|errors| errors.factor)
                    .map(|factor| format!("{factor:.2}")),
            ),
            table::maybe(errors.map(|errors| format!("{} of {}", errors.negative, errors.n))),
            table::maybe(errors.map(|errors| errors.unpredicted.to_string())),
            table::maybe(model.coverage.map(|it| units::percent(it.covered))),
            table::maybe(
                model
                    .coverage
                    .map(|it| format!("×/÷ {:.2}", it.typical_factor)),
            ),
            match (model.champion, &model.held) {
                (true, _) => "✓",
                (false, Some(_)) => "held",
                (false, None) => "",
            }
            .into(),
        ]);
    }
    let fits = if fits.row_count() > 0 {
        format!("{fits}\n")
    } else {
        String::new()
    };
    format!("{fits}{}", wrapped(&below.join("\n")))
}
