//! Every route, and the OpenAPI document that is made of them.

mod access;
mod agents;
mod catalogue;
mod ceilings;
mod dashboard;
mod decisions;
mod events;
mod export;
mod health;
mod kernels;
mod models;
mod overview;
mod pairs;
mod predictions;
mod problems;
mod roofline;
mod samples;
mod schema;
mod sources;
mod speedups;
mod streams;

use std::sync::Arc;

use axum::{Router, extract::Request, http::StatusCode, middleware::from_fn_with_state};
use kerncast_wire::Problem;
use tower_http::compression::CompressionLayer;
use utoipa::{
    Modify, OpenApi,
    openapi::security::{Http, HttpAuthScheme, SecurityScheme},
};
use utoipa_axum::{router::OpenApiRouter, routes};
use utoipa_swagger_ui::SwaggerUi;

use crate::{
    App,
    access::{describe, guard, operations},
    http::{Error, admission::admit, not_found, problem},
    monitoring::{database_probe::while_database_answers, request_log::log_request},
};

#[derive(OpenApi)]
#[openapi(
    info(title = "Kerncast", description = "Forecasts how long an OpenCL kernel takes on a device, from \
        counters, and says how far to trust the forecast. Times are seconds; fractions are plain numbers."),
    servers((url = "/", description = "This server")),
    modifiers(&Token),
    components(schemas(export::Format, Problem)),
    tags(
        (name = "access", description = "Who may do what (docs/security.md)"),
        (name = "samples", description = "What was measured"),
        (name = "catalogue", description = "What samples speak of"),
        (name = "models", description = "Fits, and how far to trust them"),
        (name = "predictions", description = "Forecasts"),
        (name = "health", description = "For those who watch the server"),
    )
)]
struct Documentation;

struct Token;

impl Modify for Token {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
        openapi
            .components
            .get_or_insert_default()
            .add_security_scheme("token", bearer);
    }
}

fn documented() -> (Router<App>, utoipa::openapi::OpenApi) {
    let (router, mut openapi) = OpenApiRouter::with_openapi(Documentation::openapi())
        .routes(routes!(samples::upload_samples, samples::list_samples))
        .routes(routes!(samples::get_sample))
        .routes(routes!(catalogue::list_devices))
        .routes(routes!(ceilings::upload_ceilings))
        .routes(routes!(streams::upload_streams, streams::list_streams))
        .routes(routes!(streams::ask_offload))
        .routes(routes!(roofline::list_roofline))
        .routes(routes!(kernels::list_kernels))
        .routes(routes!(kernels::get_kernel))
        .routes(routes!(kernels::list_times))
        .routes(routes!(kernels::list_history))
        .routes(routes!(sources::put_source, sources::get_source))
        .routes(routes!(sources::put_analysis, sources::get_analysis))
        .routes(routes!(catalogue::list_counters))
        .routes(routes!(catalogue::list_gpus))
        .routes(routes!(agents::report, agents::list_agents))
        .routes(routes!(overview::get_overview))
        .routes(routes!(events::watch))
        .routes(routes!(models::list_models))
        .routes(routes!(models::get_model))
        .routes(routes!(pairs::list_pairs))
        .routes(routes!(
            speedups::list_speedups,
            speedups::forecast_speedups
        ))
        .routes(routes!(speedups::list_of_kernel))
        .routes(routes!(models::get_validation))
        .routes(routes!(predictions::predict))
        .routes(routes!(models::list_jobs))
        .routes(routes!(health::alive))
        .routes(routes!(health::ready))
        .routes(routes!(health::metrics))
        .routes(routes!(access::get_access))
        .routes(routes!(access::list_tokens, access::make_token))
        .routes(routes!(access::revoke_token))
        .routes(routes!(decisions::decide))
        .routes(routes!(decisions::accept_model))
        .routes(routes!(decisions::list_audit))
        .split_for_parts();
    schema::merge_objects(&mut openapi);
    describe(&mut openapi);
    problems::describe(&mut openapi);
    (router, openapi)
}

/// The OpenAPI document, as it is checked in and served.
#[must_use]
pub fn openapi() -> utoipa::openapi::OpenApi {
    documented().1
}

/// The server's routes: the documented ones, their documentation at `/docs`, the dashboard elsewhere.
pub fn router(app: App) -> Router {
    let (router, mut openapi) = documented();
    for (route, item) in &mut openapi.paths.paths {
        for (method, _) in operations(item) {
            app.metrics.expect(method, route);
        }
    }
    let for_guard = (Arc::clone(&app.access), app.disk.clone());
    let probe = app.probe.clone();
    router
        .layer(from_fn_with_state(for_guard, guard))
        .layer(from_fn_with_state(probe, while_database_answers))
        .merge(SwaggerUi::new("/docs").url("/openapi.json", openapi))
        .fallback(elsewhere)
        .method_not_allowed_fallback(wrong_method)
        .layer(CompressionLayer::new())
        .layer(from_fn_with_state(Arc::clone(&app.hosts), admit))
        .layer(from_fn_with_state(Arc::clone(&app.metrics), log_request))
        .with_state(app)
}

async fn wrong_method(request: Request) -> Error {
    let (method, path) = (request.method(), request.uri().path());
    let detail = format!("{path} has no {method}; the Allow header says what it has");
    problem(StatusCode::METHOD_NOT_ALLOWED, detail).into()
}

async fn elsewhere(request: Request) -> Result<axum::response::Response, Error> {
    let path = request.uri().path();
    let nothing = format!("there is nothing at {path}; /docs shows what there is");
    dashboard::file(&request).ok_or_else(|| not_found(nothing).into())
}
