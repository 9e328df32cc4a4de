//! The state of everything, from a few queries, and what of it needs attention.

use std::sync::Arc;

use kerncast_wire::{
    AgentState, AgentStatus, Attention, Because, ChampionOverview, Coverage, DeviceOverview,
    FittingJob, Overview, ProviderOverview, Uploads,
};
use sqlx::{PgPool, types::Json};
use uuid::Uuid;

use crate::{
    App,
    db::{
        agents::{self, Needing},
        catalogue, jobs,
        moves::{self, News},
        overview::{self, Held, Quarantined},
        rates::{self, Beaten},
        uploads,
    },
    growth,
};

/// Devices and agents that are shown; a lab has tens.
const MOST: u16 = 1000;
/// Agents that are silent, that fail, or whose samples are set aside, who are named. Of hundreds nobody reads the names.
const NAMED: i64 = 10;
/// An error by which champions are chosen, ln(factor), that rose by a larger share of itself needs attention. Newer
/// samples always move it a little.
const RISE: f64 = 0.1;

/// Intervals that cover so much more or less than they say need attention.
const OFF: f64 = 0.05;

/// How everything is, as it was after it was asked for.
///
/// # Errors
/// Where the database fails.
pub(crate) async fn overview(app: &App) -> sqlx::Result<Arc<Overview>> {
    app.overview
        .get(async || {
            let mut overview = made(&app.pool).await?;
            let disk = match &app.disk {
                Some(disk) => growth::warning(&app.pool, disk).await?,
                None => None,
            };
            let disk = disk.map(Attention::from);
            overview.attention.splice(..0, disk);
            Ok(overview)
        })
        .await
}

async fn made(pool: &PgPool) -> sqlx::Result<Overview> {
    let (
        totals,
        devices,
        providers,
        mut agents,
        failing,
        silent,
        jobs,
        quarantined,
        held,
        news,
        beaten,
    ) = tokio::try_join!(
        overview::totals(pool),
        catalogue::devices(pool, None, MOST.into()),
        overview::providers(pool),
        agents::list(pool, None, i64::from(MOST) + 1),
        agents::failing(pool, NAMED),
        agents::silent(pool, NAMED),
        jobs::list(pool),
        overview::quarantined(pool, NAMED),
        overview::held(pool),
        moves::news(pool),
        rates::beaten(pool),
    )?;
    let mut providers = providers;
    let devices: Vec<DeviceOverview> = devices
        .into_iter()
        .map(|device| DeviceOverview {
            providers: providers.remove(&device.id).unwrap_or_default(),
            device,
        })
        .collect();
    let more_agents = agents.len() > usize::from(MOST);
    agents.truncate(MOST.into());
    let of_failing = of_needing(pool, &failing, |agents| Because::MoreAgentsFailing {
        agents,
    })
    .await?;
    let of_silent =
        of_needing(pool, &silent, |agents| Because::MoreAgentsSilent { agents }).await?;
    let held_since = held.iter().filter_map(|it| Some((it.before?, it.model)));
    let news_since = news.iter().map(|it| (it.before, it.model));
    let pairs: Vec<(Uuid, Uuid)> = held_since.chain(news_since).collect();
    let mut uploads = uploads::between(pool, &pairs).await?;
    let of_jobs = jobs.items.iter().filter_map(of_job);
    let of_pending = devices.iter().filter_map(|it| of_pending(it, &jobs.items));
    let of_models = devices.iter().flat_map(|device| {
        let of = |provider| of_models(device, provider);
        device.providers.iter().flat_map(of)
    });
    let of_quarantined = of_quarantined(quarantined);
    let mut of_model = |model: Uuid| uploads.remove(&model).unwrap_or_default();
    let of_held: Vec<Attention> = held
        .into_iter()
        .map(|it| of_held(it, &mut of_model))
        .collect();
    let of_moves = of_moves(news, of_model);
    let attention = of_held
        .into_iter()
        .chain(of_quarantined)
        .chain(of_failing)
        .chain(of_silent)
        .chain(of_jobs)
        .chain(beaten.into_iter().map(of_beaten))
        .chain(of_models)
        .chain(of_pending)
        .chain(of_moves)
        .collect();
    let (kernels, samples) = totals;
    Ok(Overview {
        kernels,
        samples,
        attention,
        devices,
        agents,
        more_agents,
        silent_agents: silent.agents,
        failing_agents: failing.agents,
    })
}

fn of_held(held: Held, uploads: &mut impl FnMut(Uuid) -> Vec<Uploads>) -> Attention {
    let Held {
        device,
        counted_on,
        provider,
        response,
        model,
        before: _,
        why: Json(why),
    } = held;
    Attention {
        device: Some(device),
        provider: Some(provider),
        model: Some(model),
        ..Attention::from(Because::ModelHeld {
            response,
            counted_on,
            why,
            uploads: uploads(model),
        })
    }
}

/// One a device and provider: what moves one model's forecasts often moves those of others.
fn of_moves(news: Vec<News>, mut uploads: impl FnMut(Uuid) -> Vec<Uploads>) -> Vec<Attention> {
    let mut first: Vec<(News, usize)> = Vec::new();
    for one in news {
        match first.last_mut() {
            Some((it, others)) if (it.device, &it.provider) == (one.device, &one.provider) => {
                *others += 1;
            }
            _ => first.push((one, 0)),
        }
    }
    let of = |(news, others)| {
        let News {
            device,
            counted_on,
            provider,
            response,
            model,
            before: _,
            median,
            worst,
            kernel,
            since,
        } = news;
        Attention {
            device: Some(device),
            provider: Some(provider),
            model: Some(model),
            ..Attention::from(Because::ForecastsMoved {
                since,
                response,
                counted_on,
                median,
                worst,
                kernel,
                uploads: uploads(model),
                others,
            })
        }
    };
    first.into_iter().map(of).collect()
}

/// Those that are named, and how many more there are.
fn of_quarantined(named: Vec<Quarantined>) -> Vec<Attention> {
    let (mut pairs, mut samples) = (0, 0);
    if let Some(any) = named.first() {
        let those: i64 = named.iter().map(|it| it.samples).sum();
        samples = any.samples_of_all - those;
        pairs = any.pairs - i64::try_from(named.len()).unwrap_or(i64::MAX);
    }
    let of = |it: Quarantined| Attention {
        agent: Some(it.agent),
        device: Some(it.device),
        ..Attention::from(Because::SamplesQuarantined {
            samples: it.samples,
            why: it.why.0,
        })
    };
    let mut all: Vec<Attention> = named.into_iter().map(of).collect();
    let more = Because::MoreSamplesQuarantined { pairs, samples };
    all.extend((pairs > 0).then(|| more.into()));
    all
}

/// What of these agents needs attention, by name; none where that is over.
async fn of_agents(pool: &PgPool, names: &[String]) -> sqlx::Result<Vec<Attention>> {
    let agents = agents::named(pool, names).await?;
    Ok(agents.iter().filter_map(of_agent).collect())
}

/// A few by name, and how many more there are.
async fn of_needing(
    pool: &PgPool,
    needing: &Needing,
    more: impl FnOnce(i64) -> Because,
) -> sqlx::Result<Vec<Attention>> {
    let mut all = of_agents(pool, &needing.few).await?;
    let few = i64::try_from(needing.few.len()).unwrap_or(i64::MAX);
    let others = needing.agents - few;
    all.extend((others > 0).then(|| more(others).into()));
    Ok(all)
}

fn of_agent(agent: &AgentStatus) -> Option<Attention> {
    let because = match agent.state {
        AgentState::Well | AgentState::Unreported | AgentState::Shipped | AgentState::Retired => {
            return None;
        }
        AgentState::Silent => Because::AgentSilent {
            last_seen_at: agent.last_seen_at,
        },
        AgentState::Failing => what_failed(agent),
    };
    Some(Attention {
        agent: Some(agent.name.clone()),
        ..Attention::from(because)
    })
}

fn what_failed(agent: &AgentStatus) -> Because {
    let run = agent.run.as_ref();
    Because::AgentFailing {
        failed: run.map_or(0, |run| run.failed),
        of: run.map_or(0, |run| run.measured + run.failed + run.skipped),
        error: run.and_then(|run| run.errors.first().cloned()),
        refused: agent.rejected.unwrap_or(0),
    }
}

fn of_job(job: &FittingJob) -> Option<Attention> {
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

fn of_beaten(beaten: Beaten) -> Attention {
    let Beaten {
        device,
        provider,
        ceiling,
        says,
        per_second,
        kernel,
    } = beaten;
    Attention {
        device: Some(device),
        provider: Some(provider.clone()),
        ..Attention::from(Because::CeilingBeaten {
            ceiling,
            says,
            per_second,
            kernel,
            provider,
        })
    }
}

/// One a device.
fn of_pending(device: &DeviceOverview, jobs: &[FittingJob]) -> Option<Attention> {
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

fn of_models(device: &DeviceOverview, cell: &ProviderOverview) -> Vec<Attention> {
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
    (now.ln() > before.ln() * (1.0 + RISE)).then_some(Because::ErrorRose {
        left_out,
        before,
        now,
    })
}

fn coverage_off(champion: &ChampionOverview) -> Option<Because> {
    let Coverage { level, covered, .. } = champion.coverage?;
    ((covered - level).abs() > OFF).then_some(Because::CoverageOff { level, covered })
}
