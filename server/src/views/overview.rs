//! The state of everything, from a few queries, and what of it needs attention.

use std::cmp::Reverse;

use kerncast_wire::{
    AgentState, AgentStatus, Attention, Because, ChampionOverview, Coverage, DeviceOverview,
    FittingJob, Overview, ProviderOverview, Uploads,
};
use sqlx::PgPool;
use uuid::Uuid;

use crate::{
    db::{
        self,
        catalogue::devices,
        fitting::{
            highest_rates::{self, ExceededCeiling},
            jobs,
            moves::{self, News},
        },
        uploads::agents,
        views::overview::{self, HeldModel},
    },
    upkeep::disk::Disk,
};

/// Devices and agents that are shown; a lab has tens.
const MOST_LISTED: u16 = 1000;
/// How many agents attention names that are silent, fail, or have quarantined samples. Nobody reads hundreds of names.
const MOST_NAMED_AGENTS: u8 = 10;
/// A champion's error, ln(factor), that rose by a larger share of itself needs attention. Newer samples always move it
/// a little.
const ERROR_RISE: f64 = 0.1;

/// Intervals whose coverage is off their level by more than this need attention.
const COVERAGE_TOLERANCE: f64 = 0.05;

/// How everything is; what most needs attention comes first.
pub(crate) async fn overview(pool: &PgPool, disk: Option<&Disk>) -> db::Result<Overview> {
    let (totals, devices, mut providers, mut agents, jobs, quarantined, held, news, exceeded) = tokio::try_join!(
        overview::totals(pool),
        devices::devices(pool, None, MOST_LISTED.into()),
        overview::providers(pool),
        agents::list(pool, None, i64::from(MOST_LISTED) + 1),
        jobs::list(pool),
        overview::quarantined_samples(pool, MOST_NAMED_AGENTS.into()),
        overview::held_models(pool),
        moves::news(pool),
        highest_rates::exceeded_ceilings(pool),
    )?;
    let devices = devices.into_iter().map(|device| DeviceOverview {
        providers: providers.remove(&device.id).unwrap_or_default(),
        device,
    });
    let devices: Vec<DeviceOverview> = devices.collect();
    let more_agents = agents.len() > usize::from(MOST_LISTED);
    agents.truncate(MOST_LISTED.into());
    let failing = in_state(&agents, AgentState::Failing);
    let silent = in_state(&agents, AgentState::Silent);
    let held_since = held.iter().filter_map(|it| Some((it.before?, it.model)));
    let news_since = news.iter().map(|it| (it.before, it.model));
    let pairs: Vec<(Uuid, Uuid)> = held_since.chain(news_since).collect();
    let mut uploads = overview::uploads_between(pool, &pairs).await?;
    let mut uploads_of = |model: Uuid| uploads.remove(&model).unwrap_or_default();
    let low_disk = disk.and_then(Disk::warning).map(Attention::from);
    let mut attention = Vec::from_iter(low_disk);
    attention.extend(held.into_iter().map(|it| held_model(it, &mut uploads_of)));
    attention.extend(quarantined);
    attention.extend(agents_in_need(&failing, agent_failure));
    attention.extend(agents_in_need(&silent, agent_silence));
    attention.extend(jobs.items.iter().filter_map(failing_job));
    attention.extend(exceeded.into_iter().map(exceeded_ceiling));
    for device in &devices {
        let models = |provider| models_in_need(device, provider);
        attention.extend(device.providers.iter().flat_map(models));
    }
    let pending = |device| pending_fits(device, &jobs.items);
    attention.extend(devices.iter().filter_map(pending));
    attention.extend(moved_forecasts(news, uploads_of));
    let (kernels, samples) = totals;
    Ok(Overview {
        kernels,
        samples,
        attention,
        devices,
        silent_agents: silent.len(),
        failing_agents: failing.len(),
        agents,
        more_agents,
    })
}

fn held_model(held: HeldModel, uploads: &mut impl FnMut(Uuid) -> Vec<Uploads>) -> Attention {
    Attention {
        device: Some(held.device),
        provider: Some(held.provider),
        model: Some(held.model),
        ..Attention::from(Because::ModelHeld {
            response: held.response,
            counted_on: held.counted_on,
            why: held.why.0,
            uploads: uploads(held.model),
        })
    }
}

/// One for each device and provider: what moves one model's forecasts often moves those of others.
fn moved_forecasts(
    news: Vec<News>,
    mut uploads: impl FnMut(Uuid) -> Vec<Uploads>,
) -> Vec<Attention> {
    let mut first: Vec<(News, usize)> = Vec::new();
    for one in news {
        match first.last_mut() {
            Some((it, others)) if (it.device, &it.provider) == (one.device, &one.provider) => {
                *others += 1;
            }
            _ => first.push((one, 0)),
        }
    }
    let attention = |(news, others): (News, usize)| Attention {
        device: Some(news.device),
        provider: Some(news.provider),
        model: Some(news.model),
        ..Attention::from(Because::ForecastsMoved {
            since: news.since,
            response: news.response,
            counted_on: news.counted_on,
            median: news.median,
            worst: news.worst,
            kernel: news.kernel,
            uploads: uploads(news.model),
            others,
        })
    };
    first.into_iter().map(attention).collect()
}

/// Agents in a state, the last to report first: everybody knows of those that have been away for years.
fn in_state(agents: &[AgentStatus], state: AgentState) -> Vec<&AgentStatus> {
    let mut agents: Vec<&AgentStatus> = agents.iter().filter(|it| it.state == state).collect();
    agents.sort_by_key(|it| Reverse(it.reported_at));
    agents
}

/// The first of these agents, each with what is wrong with it.
fn agents_in_need(
    agents: &[&AgentStatus],
    because: fn(&AgentStatus) -> Because,
) -> impl Iterator<Item = Attention> {
    let named = agents.iter().take(MOST_NAMED_AGENTS.into());
    named.map(move |agent| Attention {
        agent: Some(agent.name.clone()),
        ..Attention::from(because(agent))
    })
}

fn agent_silence(agent: &AgentStatus) -> Because {
    let last_seen_at = agent.last_seen_at;
    Because::AgentSilent { last_seen_at }
}

fn agent_failure(agent: &AgentStatus) -> Because {
    let run = agent.run.as_ref();
    Because::AgentFailing {
        failed: run.map_or(0, |run| run.failed),
        of: run.map_or(0, |run| run.measured + run.failed + run.skipped),
        error: run.and_then(|run| run.errors.first().cloned()),
        refused: agent.rejected.unwrap_or(0),
    }
}

fn failing_job(job: &FittingJob) -> Option<Attention> {
    Some(Attention {
        device: Some(job.device),
        provider: Some(job.provider.clone()),
        ..Attention::from(Because::JobFailing {
            error: job.last_error.clone()?,
            given_up: job.given_up,
            attempts: job.attempts,
            counted_on: job.counted_on,
        })
    })
}

fn exceeded_ceiling(exceeded: ExceededCeiling) -> Attention {
    Attention {
        device: Some(exceeded.device),
        provider: Some(exceeded.provider.clone()),
        ..Attention::from(Because::CeilingBeaten {
            ceiling: exceeded.ceiling,
            says: exceeded.says,
            per_second: exceeded.per_second,
            kernel: exceeded.kernel,
            provider: exceeded.provider,
        })
    }
}

/// One for each device.
fn pending_fits(device: &DeviceOverview, jobs: &[FittingJob]) -> Option<Attention> {
    let id = device.device.id;
    let pending = || jobs.iter().filter(|job| job.device == id && !job.given_up);
    let own = pending().filter(|job| job.counted_on.is_none());
    Some(Attention {
        device: Some(id),
        ..Attention::from(Because::FitsPending {
            since: pending().map(|job| job.requested_at).min()?,
            providers: own.map(|job| job.provider.clone()).collect(),
            across: pending().filter(|job| job.counted_on.is_some()).count(),
            first: device.providers.is_empty(),
        })
    })
}

fn models_in_need(device: &DeviceOverview, cell: &ProviderOverview) -> Vec<Attention> {
    let about = match &cell.champion {
        None => {
            let refused = cell.why.clone();
            [refused.map(|why| Because::NoModel { why }), None]
        }
        Some(champion) => [error_rose(champion), coverage_off(champion)],
    };
    let model = cell.champion.as_ref().map(|champion| champion.model);
    let about = about.into_iter().flatten().map(|because| Attention {
        device: Some(device.device.id),
        provider: Some(cell.provider.clone()),
        model,
        ..Attention::from(because)
    });
    about.collect()
}

fn error_rose(champion: &ChampionOverview) -> Option<Because> {
    let (now, before) = (champion.factor?, champion.factor_before?);
    let left_out = champion.judged_by?;
    let rose = Because::ErrorRose {
        left_out,
        before,
        now,
    };
    (now.ln() > before.ln() * (1.0 + ERROR_RISE)).then_some(rose)
}

fn coverage_off(champion: &ChampionOverview) -> Option<Because> {
    let Coverage { level, covered, .. } = champion.coverage?;
    ((covered - level).abs() > COVERAGE_TOLERANCE)
        .then_some(Because::CoverageOff { level, covered })
}
