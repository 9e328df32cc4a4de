//! A device's roofline.

use axum::{Json, extract::State, http::StatusCode};
use kerncast_wire::{Page, RooflinePoint};
use serde::Deserialize;
use utoipa::IntoParams;

use super::catalogue::no_device;
use crate::{
    App,
    db::{limit::Limit, views::workload_counters},
    http::{Error, Number, Query, bad_cursor, field, field_problem, parse_cursor},
    views::roofline::{PROVIDERS, counters, point},
};

/// Which points.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Filter {
    /// By this provider's counters, `ncu` or `oclgrind`; absent: by `ncu`'s where there are any, else by
    /// `oclgrind`'s.
    provider: Option<String>,
    /// `next` of the page before; absent: the first page.
    cursor: Option<String>,
    /// Items on a page.
    #[serde(default)]
    #[param(value_type = Option<u16>, minimum = 1, maximum = 1000, default = 100)]
    limit: Limit,
}

/// A device's workloads as points of its roofline, each by its newest sample.
#[utoipa::path(
    get, path = "/v1/devices/{id}/roofline", tag = "catalogue",
    params(("id" = i64, Path, description = "The device's id"), Filter),
    responses((status = 200, description = "One page", body = Page<RooflinePoint>),
        (status = 404, description = "There is no such device")
    )
)]
pub(super) async fn list_roofline(
    State(app): State<App>,
    Number(device): Number,
    Query(filter): Query<Filter>,
) -> Result<Json<Page<RooflinePoint>>, Error> {
    let (provider, limit) = (filter.provider, filter.limit);
    if let Some(provider) = provider.as_deref().filter(|it| !PROVIDERS.contains(it)) {
        let field = field("provider", provider, PROVIDERS.join(" or "));
        return Err(field_problem(StatusCode::BAD_REQUEST, field).into());
    }
    // A cursor says whose counters the first page had.
    let (provider, after) = match filter.cursor.as_ref().map(|it| (it, it.split_once(':'))) {
        None => (provider, None),
        Some((_, Some((provider, after)))) if PROVIDERS.contains(&provider) => {
            (Some(provider.to_owned()), Some(after))
        }
        Some((cursor, _)) => return Err(bad_cursor(cursor).into()),
    };
    let after = parse_cursor(after)?;
    let mut listed = (PROVIDERS[0], Vec::new());
    for known in PROVIDERS {
        if provider.as_deref().is_none_or(|asked| asked == known) && listed.1.is_empty() {
            let names = counters(known);
            let rows =
                workload_counters::newest(&app.pool, device, known, &names, after, limit.rows())
                    .await?;
            listed = (known, rows.ok_or_else(|| no_device(device))?);
        }
    }
    let (provider, rows) = listed;
    let page = limit.page(rows, |row| format!("{provider}:{}", row.workload));
    Ok(Json(page.map(|row| point(provider, row))))
}
