//! A real router on a database of the test's own, and samples to feed it.

mod api_description;
mod checks;
pub(crate) mod forecasts;
pub(crate) mod honest;
pub(crate) mod roles;
pub(crate) mod watcher;

pub(crate) use checks::{a_day_passes, assert_close, each, eventually, run, scalar, scalars, with};

use std::time::Duration;

use axum::{
    Router,
    body::{Body, BodyDataStream},
    http::{HeaderMap, Request, StatusCode, header, request},
    response::Response,
};
use http_body_util::BodyExt;
use kerncast_server::{
    App,
    access::{Settings, token},
    db::{self, access::audit::Actor},
    events::events,
    fitting, routes,
    upkeep::disk::Disk,
};
use kerncast_wire::{NewToken, TokenRole, TokenSummary};
use serde_json::{Value, json};
use sqlx::PgPool;
use tower::ServiceExt;
use uuid::Uuid;

/// An admin's, whom every server of these tests knows.
pub(crate) const ADMIN: &str = "an admin's token";

/// The server's routes and its fitting, on the test's database.
pub(crate) struct Server {
    router: Router,
    /// Fitting, and listening to changes.
    tasks: [tokio::task::JoinHandle<()>; 2],
}

/// An answer's status and JSON (or text).
pub(crate) type Answer = (StatusCode, Value);

impl Server {
    pub(crate) async fn new(pool: PgPool) -> Self {
        Self::with(pool, Settings::default()).await
    }

    pub(crate) async fn with(pool: PgPool, settings: Settings) -> Self {
        Self::build(pool, settings, |app| app).await
    }

    /// One whose data are on this disk.
    pub(crate) async fn on_disk(pool: PgPool, settings: Settings, disk: Disk) -> Self {
        Self::build(pool, settings, |app| app.with_disk(disk)).await
    }

    /// One whose large requests are told soon that there is no memory for them.
    pub(crate) async fn impatient(pool: PgPool) -> Self {
        let soon = |app: App| app.with_memory_wait(Duration::from_millis(300));
        Self::build(pool, Settings::default(), soon).await
    }

    async fn build(pool: PgPool, settings: Settings, more: impl FnOnce(App) -> App) -> Self {
        if db::access::tokens::find(&pool, &token::hash(ADMIN))
            .await
            .unwrap()
            .is_none()
        {
            add_token(&pool, ADMIN, TokenRole::Admin).await;
        }
        let (events, listening) = events(pool.clone());
        // However slow the database, tests see what they have changed.
        let app = App::new(pool.clone(), events, settings).with_forecasts_behind(Duration::ZERO);
        let app = more(app);
        let fits = fitting::Settings {
            counts: app.fits(),
            ..fitting::Settings::default()
        };
        let fitting = tokio::spawn(fitting::work(pool, fits));
        Self {
            router: routes::router(app),
            tasks: [fitting, tokio::spawn(listening)],
        }
    }

    /// An answer, its body still to come.
    pub(crate) async fn response(&self, request: Request<Body>) -> Response {
        let (method, uri) = (request.method().clone(), request.uri().clone());
        let response = self.router.clone().oneshot(request).await.unwrap();
        api_description::check(&method, uri.path(), response.status());
        response
    }

    /// The status alone, without waiting for a stream's end.
    pub(crate) async fn status(&self, request: Request<Body>) -> StatusCode {
        self.response(request).await.status()
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.response(request).await;
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        let media_type = parts
            .headers
            .get(header::CONTENT_TYPE)
            .map(|it| it.to_str().unwrap());
        if parts.status.is_client_error() || parts.status.is_server_error() {
            assert_eq!(media_type, Some("application/problem+json"), "{bytes:?}");
        }
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        (
            parts.status,
            serde_json::from_str(&text).unwrap_or(Value::String(text)),
        )
    }

    /// An answer's status and headers.
    pub(crate) async fn head(&self, request: Request<Body>) -> (StatusCode, HeaderMap) {
        let response = self.response(request).await;
        (response.status(), response.headers().clone())
    }

    /// An answer's body, as it comes.
    pub(crate) async fn stream(&self, path: &str) -> BodyDataStream {
        let request = Request::get(path).body(Body::empty()).unwrap();
        let response = self.response(request).await;
        assert_eq!(response.status(), StatusCode::OK);
        response.into_body().into_data_stream()
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(Request::get(path).body(Body::empty()).unwrap())
            .await
    }

    pub(crate) async fn post(&self, path: &str, body: impl Into<Body>) -> Answer {
        self.post_as("application/json", path, body).await
    }

    pub(crate) async fn post_as(
        &self,
        media_type: &str,
        path: &str,
        body: impl Into<Body>,
    ) -> Answer {
        self.upload_by(Request::post(path), media_type, body).await
    }

    pub(crate) async fn put(&self, path: &str, body: impl Into<Body>) -> Answer {
        let request = Request::put(path);
        self.upload_by(request, "application/json", body).await
    }

    async fn upload_by(
        &self,
        request: request::Builder,
        media_type: &str,
        body: impl Into<Body>,
    ) -> Answer {
        let request = request
            .header(header::AUTHORIZATION, format!("Bearer {ADMIN}"))
            .header(header::CONTENT_TYPE, media_type);
        self.send(request.body(body.into()).unwrap()).await
    }

    /// As whoever bears this token; JSON unless it is empty.
    pub(crate) async fn by(
        &self,
        token: &str,
        method: &str,
        path: &str,
        body: impl ToString,
    ) -> Answer {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .header(header::CONTENT_TYPE, "application/json");
        let body = Body::from(body.to_string());
        self.send(request.body(body).unwrap()).await
    }

    /// Uploads and demands that the envelope was fine.
    pub(crate) async fn upload(&self, samples: &[Value]) -> Value {
        let (status, verdict) = self
            .post("/v1/samples", json!({ "samples": samples }).to_string())
            .await;
        assert_eq!(status, StatusCode::OK, "{verdict}");
        verdict
    }

    /// A listing's items.
    pub(crate) async fn items(&self, path: &str) -> Vec<Value> {
        let (status, page) = self.get(path).await;
        assert_eq!(status, StatusCode::OK, "{page}");
        page["items"].as_array().unwrap().clone()
    }

    /// What is uploaded from now on is not fitted.
    pub(crate) fn stop_fitting(&self) {
        self.tasks[0].abort();
    }

    /// How many fits this server has done with this outcome.
    pub(crate) async fn fits(&self, outcome: &str) -> u32 {
        let (_, text) = self.get("/metrics").await;
        let text = text.as_str().unwrap();
        let line = format!("kerncast_fits_total{{outcome=\"{outcome}\"}} ");
        let count = text.lines().find_map(|it| it.strip_prefix(&line));
        count.map_or(0, |it| it.parse().unwrap())
    }

    /// Waits until the models are as new as the samples.
    pub(crate) async fn fitted(&self) {
        while self.get("/v1/jobs").await.1["pending"] != 0 {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    }
}

/// Makes a token valid. One of role agent is `lab-3`'s, as the samples here are.
pub(crate) async fn add_token(pool: &PgPool, token: &str, role: TokenRole) -> TokenSummary {
    let new = NewToken {
        name: Some(token.to_owned()),
        role,
        agent: (role == TokenRole::Agent).then(|| "lab-3".to_owned()),
    };
    db::access::tokens::add(pool, &token::hash(token), &new, &Actor::command_line())
        .await
        .unwrap()
}

impl Drop for Server {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

/// A JSON number.
pub(crate) fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

/// The first of the models listed that is by this method, of all variants.
pub(crate) fn all_variants<'a>(models: &'a [Value], method: &str) -> &'a Value {
    let is_wanted = |model: &&Value| {
        let specification = &model["specification"];
        specification["method"] == method && specification.get("variant").is_none()
    };
    let model = models.iter().find(is_wanted);
    model.unwrap_or_else(|| panic!("no {method} among {models:?}"))
}

/// A sample that could be real: size `n` of kernel number `kernel`.
pub(crate) fn sample(kernel: u32, n: u32) -> Value {
    let (loads, stores) = (f64::from(1000 * (n + 1)), f64::from(10 * (n * n + kernel)));
    json!({
        "id": Uuid::now_v7(),
        "measured_at": "2026-11-01T12:00:00Z",
        "agent": { "name": "lab-3", "version": "0.1.0" },
        "device": { "vendor": "Vendor", "name": "Device", "kind": "cpu", "compute_units": 8 },
        "workload": {
            "kernel": format!("kernel_{kernel}"),
            "family": if kernel < 2 { "dense" } else { "sparse" },
            "variant": if n.is_multiple_of(2) { "global" } else { "local" },
            "parameters": { "n": n },
        },
        "times": { "repetitions_s": [time(loads, stores), 1.25 * time(loads, stores), time(loads, stores)] },
        "readings": {
            "oclgrind": { "counters": { "load_global": loads, "store_global": stores } },
            "launch": { "counters": { "work_groups": 16 } },
        },
        "provenance": { "driver_version": "3.1", "tools": { "oclgrind": "21.10" } },
    })
}

/// Ceilings of the device that the samples are of.
pub(crate) fn ceilings(measured_at: &str) -> Value {
    json!({
        "id": Uuid::now_v7(),
        "measured_at": measured_at,
        "agent": { "name": "lab-3", "version": "0.1.0" },
        "device": { "vendor": "Vendor", "name": "Device", "kind": "cpu", "compute_units": 8 },
        "ceilings": { "copy_bytes_per_s": 4.3e12, "launch_latency_s": 2.5e-6 },
        "conditions": { "temperature_c": 40.0 },
        "provenance": { "driver_version": "3.1" },
        "origin": "measured",
    })
}

/// What streams can do through a device of 4 GiB that sorts `u32`: 40 GB/s each way, and `slower` ns an element; the host
/// takes 100 ns an element by one core and 50 by all.
pub(crate) fn streams(measured_at: &str, slower: f64) -> Value {
    let line = json!({ "bytes_per_s": 4e10, "piece_s": 1e-6 });
    let moves =
        |way: &str| json!({ "way": way, "to_device": line, "from_device": line, "both": line });
    let host = |ns: f64| {
        let at = |n: u32| json!({ "work": "sort", "element": "u32", "elements": n, "seconds": ns * 1e-9 * f64::from(n) });
        json!([at(1 << 10), at(1 << 24)])
    };
    let check = |by: &str, passes: u32, n: u32| {
        json!({ "work": "sort", "element": "u32", "elements": n, "by": by, "passes": passes,
            "forecast_s": 1.0, "measured_s": 1.1 })
    };
    json!({
        "id": Uuid::now_v7(),
        "measured_at": measured_at,
        "agent": { "name": "lab-3", "version": "0.1.0" },
        "device": { "vendor": "Vendor", "name": "Streamed", "kind": "gpu", "compute_units": 8,
            "global_memory_bytes": 4_294_967_296_u64 },
        "rates": {
            "device": "Streamed", "driver": "1.0", "is_host": false, "threads": 16, "lanes": 8,
            "pinning_bytes_per_s": 1.7e9, "trip_s": 1e-4, "chunk_s": 1e-5, "mapped_chunk_s": null,
            "allocating_bytes_per_s": 1e10,
            "starts": [{ "work": "sort", "new_s": 0.5, "kept_s": 0.1 }],
            "moves": [moves("staged"), moves("pinned")],
            "kernels": [{ "work": "sort", "element": "u32", "elements": 1_000_000, "seconds": slower * 1e-3 }],
            "one_core": host(100.0),
            "all_cores": host(50.0),
            "checks": [
                check("staged", 1, 1 << 20), check("staged", 1, 1 << 24), check("pinned", 1, 1 << 20),
                check("one core", 0, 1 << 20), check("all cores", 0, 1 << 20),
            ],
        },
        "origin": "measured",
    })
}

/// 1 ms + 1 µs a load + 3 µs a store.
pub(crate) fn time(loads: f64, stores: f64) -> f64 {
    1e-3 + 1e-6 * loads + 3e-6 * stores
}

/// The sample of another agent and a later day, its times by a factor longer.
pub(crate) fn by(agent: &str, mut it: Value, factor: f64) -> Value {
    it["id"] = json!(Uuid::now_v7());
    it["agent"]["name"] = json!(agent);
    it["measured_at"] = json!("2026-11-02T12:00:00Z");
    for time in it["times"]["repetitions_s"].as_array_mut().unwrap() {
        *time = json!(factor * number(time));
    }
    it
}

/// Four kernels, six sizes each.
pub(crate) fn samples() -> Vec<Value> {
    (0..4)
        .flat_map(|kernel| (0..6).map(move |n| sample(kernel, n)))
        .collect()
}

/// The audit log, the newest entry first.
pub(crate) async fn audit_log(server: &Server) -> Vec<Value> {
    let (status, page) = server.by(ADMIN, "GET", "/v1/audit", "").await;
    assert_eq!(status, StatusCode::OK, "{page}");
    page["items"].as_array().unwrap().clone()
}
