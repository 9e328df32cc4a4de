//! Who measures, and how it is.

use chrono::{TimeDelta, Utc};
use kerncast_wire::{AgentReport, AgentState, AgentStatus, RunReport};
use sqlx::{PgPool, types::Json};

use crate::db::{Result, number};

/// An agent that has not been seen for so long is silent. Nightly cron jobs may miss one night.
const SILENT_AFTER: TimeDelta = TimeDelta::days(2);

/// Keeps what an agent says of itself. A report without a run leaves the run before.
pub(crate) async fn report(pool: &PgPool, report: &AgentReport) -> Result<()> {
    sqlx::query!(
        "
        INSERT INTO agent_reports AS known (agent, version, spool, rejected, run, spool_since)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (agent) DO UPDATE SET
            version = excluded.version, reported_at = excluded.reported_at, spool = excluded.spool,
            rejected = excluded.rejected, run = coalesce(excluded.run, known.run), spool_since = excluded.spool_since
        ",
        report.agent.name,
        report.agent.version,
        report.spool.map(i64::from),
        report.rejected.map(i64::from),
        report.run.as_ref().map(Json) as _,
        report.spool_since,
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// At most `rows` agents with names after `after`; an agent's newest version speaks for it.
pub(crate) async fn list(
    pool: &PgPool,
    after: Option<&str>,
    rows: i64,
) -> Result<Vec<AgentStatus>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            name AS "name!",
            CASE WHEN last_upload_at > reported_at THEN uploads.version
                ELSE coalesce(agent_reports.version, uploads.version) END AS "version!",
            coalesce(samples, 0)::bigint AS "samples!", coalesce(shipped = samples, false) AS "shipped!",
            last_upload_at AS "last_upload_at?",
            reported_at AS "reported_at?", greatest(last_upload_at, reported_at) AS "last_seen_at!",
            spool AS "spool?", spool_since AS "spool_since?", rejected AS "rejected?", run AS "run?: Json<RunReport>",
            coalesce(failing, false) AS "failing!",
            EXISTS (SELECT FROM retired_agents WHERE retired_agents.agent = name) AS "retired!"
        FROM (
            -- Both indexes are read from the name on, however many agents there are.
            (SELECT DISTINCT name FROM agents WHERE name > $1 ORDER BY name LIMIT $2)
            UNION
            (SELECT agent FROM agent_reports WHERE agent > $1 ORDER BY agent LIMIT $2)
            ORDER BY 1
            LIMIT $2
        ) AS asked
        LEFT JOIN agent_reports ON agent = name
        CROSS JOIN LATERAL (
            SELECT
                (array_agg(version ORDER BY last_seen_at DESC))[1] AS version,
                sum(samples) AS samples, sum(shipped) AS shipped, max(last_seen_at) AS last_upload_at
            FROM agents
            LEFT JOIN agent_counts ON agent_id = agents.id
            WHERE agents.name = asked.name
        ) AS uploads
        ORDER BY name
        "#,
        // No name is empty.
        after.unwrap_or_default(),
        rows
    )
    .fetch_all(pool)
    .await?;
    let now = Utc::now();
    let agents = rows.into_iter().map(|row| {
        let state = match row.reported_at {
            None if row.shipped => AgentState::Shipped,
            None => AgentState::Unreported,
            Some(_) if row.retired => AgentState::Retired,
            Some(_) if now - row.last_seen_at > SILENT_AFTER => AgentState::Silent,
            Some(_) if row.failing => AgentState::Failing,
            Some(_) => AgentState::Well,
        };
        Ok(AgentStatus {
            name: row.name,
            version: row.version,
            state,
            samples: row.samples,
            last_seen_at: row.last_seen_at,
            last_upload_at: row.last_upload_at,
            reported_at: row.reported_at,
            spool: row.spool.map(number).transpose()?,
            spool_since: row.spool_since,
            rejected: row.rejected.map(number).transpose()?,
            run: row.run.map(|Json(run)| run),
        })
    });
    agents.collect()
}
