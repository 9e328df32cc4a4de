//! What has changed.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use chrono::{TimeDelta, Utc};
use kerncast_wire::Changes;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{
    App, changes,
    error::Error,
    extract::Query,
    problem::{field, field_problem},
};

/// A week.
const DAYS: u32 = 7;
/// Two years: further back "since" says nothing any more.
const MOST_DAYS: u32 = 731;

/// Since when.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Since {
    /// So many days ago.
    #[param(minimum = 1, maximum = 731, default = 7)]
    days: Option<u32>,
}

/// What has changed in the last days: samples that are new, workloads that have become slower or faster by more than
/// the noise of repeated measurements, and models that err more or less.
#[utoipa::path(
    get, path = "/v1/changes", tag = "models", params(Since),
    responses((status = 200, description = "All of it", body = Changes))
)]
pub(super) async fn get_changes(
    State(app): State<App>,
    Query(Since { days }): Query<Since>,
) -> Result<Response, Error> {
    let days = days.unwrap_or(DAYS);
    if !(1..=MOST_DAYS).contains(&days) {
        let field = field(
            "days",
            days,
            format!("a number of days from 1 to {MOST_DAYS}"),
        );
        return Err(field_problem(StatusCode::BAD_REQUEST, field).into());
    }
    let make = async || {
        let since = Utc::now() - TimeDelta::days(i64::from(days));
        changes::since(&app.pool, since).await
    };
    // Every dashboard asks for the week, whenever samples come.
    let changes = match days {
        DAYS => app.changes.get_rested(make).await?,
        _ => Arc::new(make().await?),
    };
    Ok(Json(&*changes).into_response())
}
