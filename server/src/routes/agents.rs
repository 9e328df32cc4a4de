//! Agents: what they say of themselves, and how they are.

use axum::{Json, extract::State};
use kerncast_wire::{AgentReport, AgentStatus, Page};

use crate::{
    App,
    access::AuthorizedBy,
    db,
    http::{Error, Paging, Query, extract},
    uploads::agent_reports,
};

/// Say how an agent is.
///
/// Its newest report replaces the one before; without a run, the run before stays known.
#[utoipa::path(
    post, path = "/v1/agents", tag = "catalogue", request_body = AgentReport,
    responses((status = 200, description = "Kept", body = AgentReport))
)]
pub(super) async fn report(
    State(app): State<App>,
    AuthorizedBy(bearer): AuthorizedBy,
    extract::Json(report, _memory): extract::Json<AgentReport>,
) -> Result<Json<AgentReport>, Error> {
    agent_reports::report(&app.pool, &report, &bearer).await?;
    Ok(Json(report))
}

/// Agents that have uploaded or reported.
#[utoipa::path(
    get, path = "/v1/agents", tag = "catalogue", params(Paging),
    responses((status = 200, description = "One page", body = Page<AgentStatus>))
)]
pub(super) async fn list_agents(
    State(app): State<App>,
    Query(Paging { cursor, limit }): Query<Paging>,
) -> Result<Json<Page<AgentStatus>>, Error> {
    let agents = db::uploads::agents::list(&app.pool, cursor.as_deref(), limit.rows()).await?;
    Ok(Json(limit.page(agents, |agent| agent.name.clone())))
}
