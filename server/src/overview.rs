//! The state of everything, from a few queries, and what of it needs attention.

use std::sync::Arc;

use kerncast_training::words::number;
use kerncast_wire::{
    AgentState, AgentStatus, Attention, AttentionKind, ChampionOverview, Coverage, DeviceOverview,
    FittingJob, HoldOutKey, Overview, ProviderOverview,
};
use sqlx::PgPool;

use crate::{
    App,
    db::{
        agents, catalogue, jobs,
        moves::{self, News},
        overview::{self, Held, Quarantined},
        rates::{self, Beaten},
    },
    growth,
};

/// Devices and agents that are shown; a lab has tens.
const MOST: i64 = 1000;
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
            let disk = disk.map(|detail| attention(AttentionKind::DiskLow, detail));
            overview.attention.splice(..0, disk);
            Ok(overview)
        })
        .await
}

async fn made(pool: &PgPool) -> sqlx::Result<Overview> {
    let (totals, devices, providers, agents, jobs, quarantined, held, news, beaten) = tokio::try_join!(
        overview::totals(pool),
        catalogue::devices(pool, None, MOST),
        overview::providers(pool),
        agents::list(pool, None, MOST),
        jobs::list(pool),
        overview::quarantined(pool),
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
    let of_agents = agents.iter().filter_map(of_agent);
    let of_jobs = jobs.items.iter().filter_map(of_job);
    let of_pending = devices.iter().filter_map(|it| of_pending(it, &jobs.items));
    let of_models = devices.iter().flat_map(|device| {
        let of = |provider| of_models(device, provider);
        device.providers.iter().flat_map(of)
    });
    let of_quarantined = quarantined.into_iter().map(of_quarantined);
    let of_held = held.into_iter().map(of_held);
    let attention = of_held
        .chain(of_quarantined)
        .chain(of_agents)
        .chain(of_jobs)
        .chain(beaten.into_iter().map(of_beaten))
        .chain(of_models)
        .chain(of_pending)
        .chain(of_moves(&news))
        .collect();
    let (kernels, samples) = totals;
    Ok(Overview {
        kernels,
        samples,
        attention,
        devices,
        agents,
    })
}

fn of_held(held: Held) -> Attention {
    let Held {
        device,
        counted_on,
        provider,
        response,
        model,
        why,
    } = held;
    let from = counted_on.map(|it| format!(" from counters of device {it}"));
    let what = format!("new models of {response}s{} wait", from.unwrap_or_default());
    Attention {
        device: Some(device),
        provider: Some(provider),
        model: Some(model),
        ..attention(AttentionKind::ModelHeld, format!("{what}: {why}"))
    }
}

/// One a device and provider: what moves one model's forecasts often moves those of others.
fn of_moves(news: &[News]) -> Vec<Attention> {
    let same = |a: &News, b: &News| (a.device, &a.provider) == (b.device, &b.provider);
    let of = |all: &[News]| {
        let [first, others @ ..] = all else {
            return None;
        };
        let others = match others.len() {
            0 => String::new(),
            1 => "; so did those of another of its models".to_owned(),
            n => format!("; so did those of {n} more of its models"),
        };
        Some(Attention {
            device: Some(first.device),
            provider: Some(first.provider.clone()),
            model: Some(first.model),
            ..attention(AttentionKind::ForecastsMoved, in_words(first) + &others)
        })
    };
    news.chunk_by(same).filter_map(of).collect()
}

fn in_words(news: &News) -> String {
    let News {
        counted_on,
        response,
        median,
        worst,
        kernel,
        since,
        uploads,
        ..
    } = news;
    let from = counted_on.map(|it| format!(" from counters of device {it}"));
    format!(
        "since {} forecast {response}s{} of known workloads have moved by {} (median) and up to {} (of {kernel}); \
         {uploads}",
        since.format("%Y-%m-%d %H:%M UTC"),
        from.unwrap_or_default(),
        share(*median),
        share(*worst)
    )
}

/// A factor less 1, for people.
fn share(shift: f64) -> String {
    match shift {
        it if it < 10.0 => format!("{:.1} %", 100.0 * it),
        it if it < 1e4 => format!("a factor of {it:.0}"),
        it => format!("a factor of {it:.0e}"),
    }
}

fn of_quarantined(quarantined: Quarantined) -> Attention {
    let Quarantined {
        device,
        agent,
        samples,
        reason,
    } = quarantined;
    let detail = match samples {
        1 => format!("1 sample is quarantined: {reason}"),
        _ => format!("{samples} samples are quarantined; the commonest reason: {reason}"),
    };
    Attention {
        agent: Some(agent),
        device: Some(device),
        ..attention(AttentionKind::SamplesQuarantined, detail)
    }
}

fn of_agent(agent: &AgentStatus) -> Option<Attention> {
    let (kind, detail) = match agent.state {
        AgentState::Well | AgentState::Unreported | AgentState::Shipped => return None,
        AgentState::Silent => {
            let seen = agent.last_seen_at.format("%Y-%m-%d %H:%M UTC");
            (AttentionKind::AgentSilent, format!("last seen {seen}"))
        }
        AgentState::Failing => (AttentionKind::AgentFailing, what_failed(agent)),
    };
    Some(Attention {
        agent: Some(agent.name.clone()),
        ..attention(kind, detail)
    })
}

fn what_failed(agent: &AgentStatus) -> String {
    let mut parts = Vec::new();
    if let Some(run) = &agent.run {
        if run.failed > 0 {
            let all = run.measured + run.failed + run.skipped;
            parts.push(format!("{} of {all} workloads failed", run.failed));
        }
        parts.extend(run.errors.first().cloned());
    }
    if let Some(rejected) = agent.rejected.filter(|&rejected| rejected > 0) {
        parts.push(format!("{rejected} files of its spool were refused"));
    }
    parts.join("; ")
}

fn of_job(job: &FittingJob) -> Option<Attention> {
    let error = job.last_error.as_ref()?;
    let tried = if job.given_up {
        "given up"
    } else {
        "tried again"
    };
    Some(Attention {
        device: Some(job.device),
        provider: Some(job.provider.clone()),
        ..attention(
            AttentionKind::JobFailing,
            format!("{error}; {tried} after {} tries", job.attempts),
        )
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
    let unit = match ceiling.as_str() {
        "copy_bytes_per_s" => "bytes a second",
        "fp64_flop_per_s" => "double-precision operations a second",
        _ => "single-precision operations a second",
    };
    let detail = format!(
        "by counters of {provider}, {kernel} makes {} {unit}, where {} is the most by the ceiling {ceiling}, {} times \
         less: the ceilings may have been measured on a busy device; measure them again (kerncast ceilings)",
        number(per_second),
        number(says),
        number(per_second / says)
    );
    Attention {
        device: Some(device),
        provider: Some(provider),
        ..attention(AttentionKind::CeilingBeaten, detail)
    }
}

/// One a device.
fn of_pending(device: &DeviceOverview, jobs: &[FittingJob]) -> Option<Attention> {
    let id = device.device.id;
    let pending = || jobs.iter().filter(|job| job.device == id && !job.given_up);
    let since = pending().map(|job| job.requested_at).min()?;
    let own = pending().filter(|job| job.counted_on.is_none());
    let own: Vec<&str> = own.map(|job| job.provider.as_str()).collect();
    let across = pending().filter(|job| job.counted_on.is_some()).count();
    let mut what = Vec::new();
    if !own.is_empty() {
        what.push(format!("from its counters of {}", own.join(", ")));
    }
    if across > 0 {
        what.push(format!("{across} from other devices' counters"));
    }
    // The gate judges before the first fit.
    let until = match device.providers.is_empty() {
        true => "until then there is no model, and none of its samples has been judged",
        false => "forecasts may change once they are there",
    };
    let detail = format!(
        "fits are pending since {}, {}: {until}",
        since.format("%Y-%m-%d %H:%M UTC"),
        what.join(" and ")
    );
    Some(Attention {
        device: Some(id),
        ..attention(AttentionKind::FitsPending, detail)
    })
}

fn of_models(device: &DeviceOverview, cell: &ProviderOverview) -> Vec<Attention> {
    let about = match &cell.champion {
        None => {
            let refused = cell.refusal.clone();
            let refused = refused.map(|refusal| attention(AttentionKind::NoModel, refusal));
            [refused, None]
        }
        Some(champion) => [error_rose(champion), coverage_off(champion)],
    };
    let model = cell.champion.as_ref().map(|champion| champion.model);
    let about = about.into_iter().flatten().map(|about| Attention {
        device: Some(device.device.id),
        provider: Some(cell.provider.clone()),
        model,
        ..about
    });
    about.collect()
}

fn error_rose(champion: &ChampionOverview) -> Option<Attention> {
    let (now, before) = (champion.factor?, champion.factor_before?);
    let unseen = match champion.judged_by? {
        HoldOutKey::Family => "families",
        HoldOutKey::Device => "devices",
        HoldOutKey::Region => "regions",
        HoldOutKey::Kernel | HoldOutKey::Row => "kernels",
    };
    let detail = format!(
        "forecasts of unseen {unseen} were off by a factor of {before:.3}, and are now by {now:.3}"
    );
    (now.ln() > before.ln() * (1.0 + RISE)).then(|| attention(AttentionKind::ErrorRose, detail))
}

fn coverage_off(champion: &ChampionOverview) -> Option<Attention> {
    let Coverage { level, covered, .. } = champion.coverage?;
    let detail = format!(
        "{:.0} % intervals cover {:.1} % of unseen kernels' times",
        100.0 * level,
        100.0 * covered
    );
    ((covered - level).abs() > OFF).then(|| attention(AttentionKind::CoverageOff, detail))
}

fn attention(kind: AttentionKind, detail: String) -> Attention {
    Attention {
        kind,
        detail,
        agent: None,
        device: None,
        provider: None,
        model: None,
    }
}
