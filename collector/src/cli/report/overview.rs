//! How everything is, as tables.

use comfy_table::Cell;
use kerncast_wire::{
    AgentState, AgentStatus, ChampionOverview, DeviceOverview, Overview, ProviderOverview,
};

use crate::cli::{table, units};

pub(super) fn in_words(url: &str, overview: &Overview) -> String {
    let Overview {
        kernels,
        samples,
        devices,
        agents,
        more_agents,
        // Attention says so.
        silent_agents: _,
        failing_agents: _,
        attention,
    } = overview;
    let mut parts = vec![format!(
        "{url}: {samples} samples of {kernels} kernels on {} devices",
        devices.len()
    )];
    if devices.iter().any(|device| !device.providers.is_empty()) {
        parts.push(champions(devices));
        parts.push(
            "Mean and median error on kernels that the fit had not seen; covers: what 90 % intervals cover of \
             them."
                .to_owned(),
        );
    }
    if !agents.is_empty() {
        parts.push(all_agents(agents));
        if *more_agents {
            parts
                .push("More agents than these: GET /v1/agents lists all, page by page.".to_owned());
        }
    }
    for it in attention {
        let device = devices
            .iter()
            .find(|device| Some(device.device.id) == it.device);
        let device = device.map(|device| device.device.short_name.as_str());
        let about = [it.agent.as_deref(), device, it.provider.as_deref()];
        let about: Vec<&str> = about.into_iter().flatten().collect();
        let about = match about.is_empty() {
            true => String::new(),
            false => format!("{}: ", about.join(", ")),
        };
        parts.push(format!("! {about}{}", it.detail));
    }
    if attention.is_empty() {
        parts.push("Nothing needs attention.".to_owned());
    }
    parts.join("\n")
}

fn champions(devices: &[DeviceOverview]) -> String {
    let mut rows = table::new([
        "device",
        "provider",
        "champion",
        "mean",
        "change",
        "median",
        "covers",
        "kernels",
        "samples",
        "worst kernel",
    ]);
    for device in devices {
        for cell in &device.providers {
            rows.add_row(row(device, cell));
        }
    }
    rows.to_string()
}

fn row(device: &DeviceOverview, cell: &ProviderOverview) -> Vec<Cell> {
    let name = device.device.short_name.as_str();
    let first = [Cell::new(name), Cell::new(&cell.provider)];
    let rest = match &cell.champion {
        None => vec![Cell::new("none: every fit was refused")],
        Some(champion) => of_champion(champion),
    };
    first.into_iter().chain(rest).collect()
}

fn of_champion(champion: &ChampionOverview) -> Vec<Cell> {
    let errors = champion.leave_one_kernel_out.as_ref();
    let change = errors.zip(champion.mean_ape_before);
    let change = change.map(|(errors, before)| {
        let points = 100.0 * (errors.mean_ape - before);
        format!("{points:+.1} points")
    });
    let worst = champion.worst_kernel.as_ref();
    let worst = worst.map(|it| format!("{} ({})", it.kernel, units::percent(it.mean_ape)));
    let variant = champion.variant.as_ref().map(|it| format!(", {it} only"));
    vec![
        format!("{}{}", champion.method, variant.unwrap_or_default()).into(),
        table::maybe(errors.map(|it| units::percent(it.mean_ape))),
        table::maybe(change),
        table::maybe(errors.map(|it| units::percent(it.median_ape))),
        table::maybe(champion.coverage.map(|it| units::percent(it.covered))),
        table::number(champion.kernels.to_string()),
        table::number(champion.samples.to_string()),
        table::known(worst).into(),
    ]
}

fn all_agents(agents: &[AgentStatus]) -> String {
    let mut rows = table::new([
        "agent",
        "state",
        "last seen (UTC)",
        "spool",
        "last run",
        "version",
    ]);
    for agent in agents {
        let state = match agent.state {
            AgentState::Well => "well",
            AgentState::Failing => "FAILING",
            AgentState::Silent => "SILENT",
            AgentState::Unreported => "never reported",
            AgentState::Shipped => "shipped",
            AgentState::Retired => "retired",
        };
        let run = agent.run.as_ref().map(|run| {
            format!(
                "{} measured, {} failed, {} skipped",
                run.measured, run.failed, run.skipped
            )
        });
        rows.add_row([
            agent.name.clone().into(),
            state.into(),
            agent
                .last_seen_at
                .format("%Y-%m-%d %H:%M")
                .to_string()
                .into(),
            table::maybe(agent.spool.map(|it| it.to_string())),
            table::known(run).into(),
            Cell::new(&agent.version),
        ]);
    }
    rows.to_string()
}
