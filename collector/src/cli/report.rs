//! `kerncast report`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use kerncast_collector::UsageError;
use kerncast_wire::Overview;
use serde_json::json;
use uuid::Uuid;

use super::{lab, options::ServerOptions, prose::for_terminal, table};

mod model;
mod overview;

/// Show the state of the lab: champions, agents, what needs attention, and one model in detail
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast report
  kerncast report --device h200 --provider ncu
      that device alone, and its champion
  kerncast report --model 01a1ff15-ffdf-770a-b3c8-a9f4da4f46f5
  kerncast report --json | jq .overview.attention")]
pub(super) struct Arguments {
    /// Only this device, by name, short name, a part of one (then all that have it), or id
    #[arg(long, value_name = "NAME|ID")]
    device: Option<String>,
    /// Only this provider
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,
    /// The model to show [default: of the champions shown, the one with the least factor]
    #[arg(long, value_name = "ID")]
    model: Option<Uuid>,
    /// Print the server's answers as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerOptions,
}

pub(super) fn report(arguments: &Arguments) -> Result<ExitCode> {
    let server = arguments.server.connect()?;
    let mut overview = server.overview()?;
    narrow(&mut overview, arguments)?;
    let id = arguments.model.or_else(|| best(&overview));
    let model = match id {
        Some(id) => Some((server.model(id)?, server.validation(id)?)),
        None => None,
    };
    if arguments.json {
        let (model, validation) = model.unzip();
        let all = json!({
            "overview": overview, "model": model, "validation": validation
        });
        table::print_json(&all)?;
    } else {
        table::print(&for_terminal(&overview::in_words(server.url(), &overview)))?;
        if let Some((model, validation)) = model {
            table::print(&for_terminal(&model::in_words(&model, &validation)))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// To the devices and the provider that were asked for.
fn narrow(overview: &mut Overview, arguments: &Arguments) -> Result<(), UsageError> {
    if let Some(wish) = &arguments.device {
        let known = overview.devices.iter().map(|it| it.device.clone());
        let ids = lab::all(&known.collect::<Vec<_>>(), wish)?;
        overview.devices.retain(|it| ids.contains(&it.device.id));
    }
    if let Some(provider) = &arguments.provider {
        for device in &mut overview.devices {
            device.providers.retain(|it| it.provider == *provider);
        }
    }
    Ok(())
}

/// The champion with the least error, as champions are chosen.
fn best(overview: &Overview) -> Option<Uuid> {
    let cells = overview.devices.iter().flat_map(|device| &device.providers);
    let champions = cells.filter_map(|cell| cell.champion.as_ref());
    let judged = champions.filter_map(|it| Some((it.factor?, it.model)));
    let best = judged.min_by(|one, other| one.0.total_cmp(&other.0));
    best.map(|(_, model)| model)
}
