//! Who measures, and how it is.

use chrono::{DateTime, TimeDelta, Utc};
use kerncast_wire::{AgentReport, AgentState, AgentStatus, RunReport};
use sqlx::{PgPool, types::Json};

use super::words::number;

/// An agent that has not been seen for so long is silent. Nightly cron jobs may miss one night.
const SILENCE: TimeDelta = TimeDelta::days(2);

/// Keeps what an agent says of itself. A report without a run leaves the run before.
pub(crate) async fn report(pool: &PgPool, report: &AgentReport) -> sqlx::Result<()> {
    let AgentReport {
        agent,
        spool,
        spool_since,
        rejected,
        run,
    } = report;
    sqlx::query!(
        "
        INSERT INTO agent_reports AS known (agent, version, spool, rejected, run, spool_since)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (agent) DO UPDATE SET
            version = excluded.version, reported_at = excluded.reported_at, spool = excluded.spool,
            rejected = excluded.rejected, run = coalesce(excluded.run, known.run), spool_since = excluded.spool_since
        ",
        agent.name,
        agent.version,
        spool.map(i64::from),
        rejected.map(i64::from),
        run.as_ref().map(Json) as _,
        *spool_since,
    )
    .execute(pool)
    .await
    .map(|_| ())
}

struct Row {
    name: String,
    version: String,
    samples: i64,
    /// All of them.
    shipped: bool,
    last_upload_at: Option<DateTime<Utc>>,
    reported_at: Option<DateTime<Utc>>,
    last_seen_at: DateTime<Utc>,
    spool: Option<i64>,
    spool_since: Option<DateTime<Utc>>,
    rejected: Option<i64>,
    run: Option<Json<RunReport>>,
}

/// At most `rows` agents with names after `after`; an agent's newest version speaks for it.
pub(crate) async fn list(
    pool: &PgPool,
    after: Option<&str>,
    rows: i64,
) -> sqlx::Result<Vec<AgentStatus>> {
    let rows = sqlx::query_as!(
        Row,
        r#"
        WITH counted AS (
            SELECT agent_id, sum(samples) AS samples, bool_and(origin = 'shipped') AS shipped
            FROM sample_counts GROUP BY agent_id
        ), uploads AS (
            SELECT
                name, (array_agg(version ORDER BY last_seen_at DESC))[1] AS version,
                sum(samples) AS samples, max(last_seen_at) AS last_upload_at, bool_and(shipped) AS shipped
            FROM agents
            LEFT JOIN counted ON agent_id = agents.id
            GROUP BY name
        )
        SELECT
            coalesce(name, agent) AS "name!",
            CASE WHEN last_upload_at > reported_at THEN uploads.version
                ELSE coalesce(agent_reports.version, uploads.version) END AS "version!",
            coalesce(samples, 0)::bigint AS "samples!", coalesce(shipped, false) AS "shipped!", last_upload_at AS "last_upload_at?",
            reported_at AS "reported_at?", greatest(last_upload_at, reported_at) AS "last_seen_at!",
            spool AS "spool?", spool_since AS "spool_since?", rejected AS "rejected?", run AS "run?: Json<RunReport>"
        FROM uploads
        FULL JOIN agent_reports ON agent = name
        WHERE $1::text IS NULL OR coalesce(name, agent) > $1
        ORDER BY 1
        LIMIT $2
        "#,
        after,
        rows
    )
    .fetch_all(pool)
    .await?;
    let now = Utc::now();
    rows.into_iter().map(|row| status(row, now)).collect()
}

fn status(row: Row, now: DateTime<Utc>) -> sqlx::Result<AgentStatus> {
    let Row {
        name,
        version,
        samples,
        shipped,
        last_upload_at,
        reported_at,
        last_seen_at,
        spool,
        spool_since,
        rejected,
        run,
    } = row;
    let run = run.map(|Json(run)| run);
    let wrong = |run: &RunReport| run.failed > 0 || !run.errors.is_empty();
    let state = match reported_at {
        None if shipped => AgentState::Shipped,
        None => AgentState::Unreported,
        Some(_) if now - last_seen_at > SILENCE => AgentState::Silent,
        Some(_) if rejected > Some(0) || run.as_ref().is_some_and(wrong) => AgentState::Failing,
        Some(_) => AgentState::Well,
    };
    Ok(AgentStatus {
        name,
        version,
        state,
        samples,
        last_seen_at,
        last_upload_at,
        reported_at,
        spool: spool.map(number).transpose()?,
        spool_since,
        rejected: rejected.map(number).transpose()?,
        run,
    })
}
