//! Tells other programs, by HTTP, when something new needs attention, and when it is over.

use std::{collections::BTreeMap, error::Error, time::Duration};

use chrono::{DateTime, Utc};
use kerncast_wire::{Attention, AttentionKind, Because};
use serde::Serialize;
use ureq::Agent;
use url::Url;

use crate::{
    App,
    db::{turn::Turn, unexplained},
    outgoing::{PATIENCE, why},
    overview::{of_agents, overview, quarantined_of},
};

/// Between two looks at what needs attention.
pub const LOOK: Duration = Duration::from_secs(30);
/// Longest wait before a receiver that failed is asked again, in looks.
const MOST_LOOKS: u32 = 20;

/// What is sent.
#[derive(Serialize)]
struct News<'a> {
    at: DateTime<Utc>,
    began: Vec<&'a Attention>,
    over: Vec<&'a Attention>,
}

type State = BTreeMap<String, Attention>;

/// Sends `url` what has begun to need attention and what is over, for ever, looking again after each `look`. What could
/// not be sent is sent with what is new by then; what is over by then was never sent, and is not. Pending fits, which every
/// upload brings, are left out. Of several servers on one database that are to tell the same address one does; the next
/// one, where it ends, tells anew all that needs attention.
pub async fn tell(app: App, url: Url, look: Duration) {
    let config = Agent::config_builder().timeout_global(Some(PATIENCE));
    let agent: Agent = config.build().into();
    // Its path may be a secret.
    let shown = url.host_str().unwrap_or_default().to_owned();
    let mut turn = Turn::at(url.as_str(), &app.pool);
    let mut told = State::new();
    let mut failures = 0;
    loop {
        let seen = match turn.is_mine().await {
            Ok(true) => needing(&app, &told).await,
            Ok(false) => {
                (told, failures) = (State::new(), 0);
                tokio::time::sleep(look).await;
                continue;
            }
            Err(error) => Err(error),
        };
        match seen {
            Ok(now) => match send(&agent, &url, &told, now).await {
                Ok(now) => {
                    if failures > 0 {
                        tracing::info!("the webhook at {shown} answers again");
                    }
                    (told, failures) = (now, 0);
                }
                Err(why) => {
                    failures += 1;
                    // Once, not every time.
                    if failures == 1 {
                        tracing::warn!(
                            "the webhook at {shown} can't be told: {why}; it is tried again"
                        );
                    }
                }
            },
            Err(error) => {
                tracing::debug!(
                    error = &error as &dyn Error,
                    "what needs attention is not known"
                );
            }
        }
        tokio::time::sleep(look * 2_u32.saturating_pow(failures).min(MOST_LOOKS)).await;
    }
}

/// What needs attention now; but for models of which it is about to be known whose samples did it, unless they were told of
/// already. Of many agents the overview names a few: whether those who were told of and are not named
/// still need it, is asked.
async fn needing(app: &App, told: &State) -> sqlx::Result<State> {
    // One may be explained while the rest is read.
    let mut unexplained = unexplained::models(&app.pool).await?;
    let mut now = state(&overview(app).await?.attention);
    unexplained.extend(unexplained::models(&app.pool).await?);
    let about = |it: &Attention| (it.kind, it.device, it.provider.clone());
    let mut withheld = Vec::new();
    now.retain(|key, it| {
        let waits = it.model.is_some_and(|it| unexplained.contains(&it));
        if waits && !told.contains_key(key) {
            withheld.push(about(it));
            return false;
        }
        true
    });
    // What such a model comes in the place of is not over.
    for (key, it) in told {
        if withheld.contains(&about(it)) {
            now.entry(key.clone()).or_insert_with(|| it.clone());
        }
    }
    let gone = told.iter().filter(|(key, _)| !now.contains_key(*key));
    let agents: Vec<String> = gone.filter_map(|(_, it)| it.agent.clone()).collect();
    if !agents.is_empty() {
        let mut still = state(&of_agents(&app.pool, &agents).await?);
        still.extend(state(&quarantined_of(&app.pool, &agents).await?));
        now.extend(still.into_iter().filter(|(key, _)| told.contains_key(key)));
    }
    Ok(now)
}

/// Sends what differs, where anything does. Returns what has been told then.
async fn send(agent: &Agent, url: &Url, told: &State, now: State) -> Result<State, String> {
    let not_in = |other: &State, it: &State| -> Vec<Attention> {
        let new = it.iter().filter(|(key, _)| !other.contains_key(*key));
        new.map(|(_, it)| it.clone()).collect()
    };
    let (began, over) = (not_in(told, &now), not_in(&now, told));
    if began.is_empty() && over.is_empty() {
        return Ok(now);
    }
    let news = News {
        at: Utc::now(),
        began: began.iter().collect(),
        over: over.iter().collect(),
    };
    let body = serde_json::to_string(&news).map_err(|error| error.to_string())?;
    let (agent, url) = (agent.clone(), url.clone());
    let sent = tokio::task::spawn_blocking(move || {
        let request = agent.post(url.as_str()).content_type("application/json");
        request.send(body).map(|_| ()).map_err(|error| why(&error))
    });
    sent.await.unwrap_or_else(|panic| Err(panic.to_string()))?;
    Ok(now)
}

/// By what each is about: its words change with every number in them. Of one kind and device there may be several,
/// which something in the reason tells apart.
fn state(attention: &[Attention]) -> State {
    let all = attention.iter();
    let all = all.filter(|it| it.kind != AttentionKind::FitsPending);
    let keyed = all.map(|it| {
        let about = (it.kind, &it.agent, it.device, &it.provider, it.model);
        let which = it.because.as_ref().and_then(which);
        (format!("{about:?} {which:?}"), it.clone())
    });
    keyed.collect()
}

fn which(because: &Because) -> Option<String> {
    match because {
        Because::ShardLost { shard, .. } => Some(shard.clone()),
        Because::CeilingBeaten { ceiling, .. } => Some(ceiling.clone()),
        Because::JobFailing { counted_on, .. } => counted_on.map(|it| it.to_string()),
        _ => None,
    }
}
