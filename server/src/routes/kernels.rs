//! Kernels: what they are, how long they take, and took.

use axum::{Json, extract::State};
use kerncast_wire::{KernelDetail, KernelSample, KernelSummary, KernelTime, Page, Problem};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{
    App,
    db::{
        catalogue::kernels::{self, Filter, Place},
        limit::Limit,
    },
    http::{Error, Name, Query, bad_cursor, not_found, parse_cursor},
};

/// Which kernels.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Which {
    /// Only generated kernels, or only others; absent: all.
    generated: Option<bool>,
    /// `next` of the page before; absent: the first page.
    cursor: Option<String>,
    /// Items on a page.
    #[serde(default)]
    #[param(value_type = Option<u16>, minimum = 1, maximum = 1000, default = 100)]
    limit: Limit,
}

/// Kernels that samples speak of.
#[utoipa::path(
    get, path = "/v1/kernels", tag = "catalogue", params(Which),
    responses((status = 200, description = "One page", body = Page<KernelSummary>))
)]
pub(super) async fn list_kernels(
    State(app): State<App>,
    Query(which): Query<Which>,
) -> Result<Json<Page<KernelSummary>>, Error> {
    let (after, rows) = (which.cursor.as_deref(), which.limit.rows());
    let kernels = kernels::list(&app.pool, None, which.generated, after, rows).await?;
    let page = which.limit.page(kernels, |kernel| kernel.name.clone());
    Ok(Json(page))
}

/// One kernel, and the sources that its samples were made from.
#[utoipa::path(
    get, path = "/v1/kernels/{name}", tag = "catalogue",
    params(("name" = String, Path, description = "The kernel's name")),
    responses((status = 200, description = "The kernel", body = KernelDetail),
        (status = 404, description = "There are no samples of such a kernel")
    )
)]
pub(super) async fn get_kernel(
    State(app): State<App>,
    Name(name): Name,
) -> Result<Json<KernelDetail>, Error> {
    let mut kernels = kernels::list(&app.pool, Some(&name), None, None, 1).await?;
    Ok(Json(KernelDetail {
        summary: kernels.pop().ok_or_else(|| no_kernel(&name))?,
        sources: kernels::sources(&app.pool, &name).await?,
    }))
}

/// How long a kernel takes: by device, variant and sizes.
#[utoipa::path(
    get, path = "/v1/kernels/{name}/times", tag = "catalogue",
    params(("name" = String, Path, description = "The kernel's name"), Filter),
    responses((status = 200, description = "One page", body = Page<KernelTime>))
)]
pub(super) async fn list_times(
    State(app): State<App>,
    Name(name): Name,
    Query(filter): Query<Filter>,
) -> Result<Json<Page<KernelTime>>, Error> {
    let (cursor, limit) = (filter.cursor.as_deref(), filter.limit);
    let after = cursor
        .map(|it| place(it).ok_or_else(|| bad_cursor(it)))
        .transpose()?;
    let times = kernels::times(&app.pool, &name, &filter, after, limit.rows()).await?;
    let page = limit.page(times, |(place, _)| {
        format!("{}:{}", place.device, place.workload)
    });
    Ok(Json(page.map(|(_, time)| time)))
}

/// `DEVICE:WORKLOAD`.
fn place(cursor: &str) -> Option<Place> {
    let (device, workload) = cursor.split_once(':')?;
    Some(Place {
        device: device.parse().ok()?,
        workload: workload.parse().ok()?,
    })
}

/// How long a kernel took through time: its samples in short, newest first.
#[utoipa::path(
    get, path = "/v1/kernels/{name}/history", tag = "catalogue",
    params(("name" = String, Path, description = "The kernel's name"), Filter),
    responses((status = 200, description = "One page", body = Page<KernelSample>))
)]
pub(super) async fn list_history(
    State(app): State<App>,
    Name(name): Name,
    Query(filter): Query<Filter>,
) -> Result<Json<Page<KernelSample>>, Error> {
    let (before, limit) = (parse_cursor(filter.cursor.as_deref())?, filter.limit);
    let samples = kernels::history(&app.pool, &name, &filter, before, limit.rows()).await?;
    let page = limit.page(samples, |sample| sample.sample.to_string());
    Ok(Json(page))
}

fn no_kernel(name: &str) -> Problem {
    not_found(format!("there are no samples of a kernel {name}"))
}
