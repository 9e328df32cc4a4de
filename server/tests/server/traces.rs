//! Spans as a collector gets them, and a collector that is not there.

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader, Read},
    os::unix::fs::PermissionsExt,
    process::{Child, ChildStderr, Command, Stdio},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use axum::{Router, body::Bytes, http::HeaderMap, routing::post};
use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest, common::v1::any_value::Value as Attribute,
    trace::v1::Span,
};
use prost::Message;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::{sample, samples};

const BINARY: &str = env!("CARGO_BIN_EXE_kerncast-server");
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";

/// What a collector was sent: the name of who sent it, and its spans.
type Received = Arc<Mutex<Vec<(String, Span)>>>;

/// A collector, and where it is.
async fn collector() -> (String, Received) {
    let received = Received::default();
    let log = Arc::clone(&received);
    let take = post(async move |headers: HeaderMap, body: Bytes| {
        assert_eq!(headers["content-type"], "application/x-protobuf");
        let request = ExportTraceServiceRequest::decode(body).unwrap();
        for of_resource in request.resource_spans {
            let attributes = of_resource.resource.unwrap().attributes;
            let name = attributes.iter().find(|it| it.key == "service.name");
            let name = text(name.unwrap().value.as_ref().unwrap().value.as_ref());
            let spans = of_resource.scope_spans.into_iter().flat_map(|it| it.spans);
            let spans = spans.map(|span| (name.clone(), span));
            log.lock().unwrap().extend(spans);
        }
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(
        async move { axum::serve(listener, Router::new().route("/v1/traces", take)).await },
    );
    (url, received)
}

fn text(value: Option<&Attribute>) -> String {
    match value {
        Some(Attribute::StringValue(text)) => text.clone(),
        Some(Attribute::IntValue(number)) => number.to_string(),
        other => format!("{other:?}"),
    }
}

fn attributes(span: &Span) -> BTreeMap<&str, String> {
    let all = span.attributes.iter();
    all.map(|it| {
        let value = it.value.as_ref().and_then(|it| it.value.as_ref());
        (&*it.key, text(value))
    })
    .collect()
}

/// The binary, with a Postgres of its own.
struct Running {
    process: Child,
    log: BufReader<ChildStderr>,
    url: String,
    token: String,
    _folder: TempDir,
}

impl Running {
    fn start(set: impl FnOnce(&mut Command)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        // As root, Postgres runs as another user, who must be able to pass.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let mut command = Command::new(BINARY);
        command
            .args(["--listen", "127.0.0.1:0", "--fit-after", "100ms"])
            .args(["--log-format", "json", "--data"])
            .arg(folder.path())
            .env_remove("DATABASE_URL")
            .env_remove("RUST_LOG")
            .stderr(Stdio::piped());
        set(&mut command);
        let mut process = command.spawn().unwrap();
        let mut log = BufReader::new(process.stderr.take().unwrap());
        let url = loop {
            let mut line = String::new();
            assert!(log.read_line(&mut line).unwrap() > 0, "the server ended");
            let line: Value = serde_json::from_str(&line).unwrap();
            let message = line["message"].as_str().unwrap_or_default();
            if let Some(url) = message.strip_prefix("listening on ") {
                break url.trim_end_matches('/').to_owned();
            }
        };
        let token = fs::read_to_string(folder.path().join("token")).unwrap();
        Self {
            process,
            log,
            url,
            token: token.trim().to_owned(),
            _folder: folder,
        }
    }

    /// Posts within a trace. Returns the request's id and its answer.
    fn post(&self, path: &str, body: &Value) -> (String, Value) {
        let request = ureq::post(format!("{}{path}", self.url))
            .header("authorization", format!("Bearer {}", self.token))
            .header("traceparent", format!("00-{TRACE}-{PARENT}-01"));
        let mut answer = request.send_json(body).unwrap();
        let id = answer.headers()["x-request-id"]
            .to_str()
            .unwrap()
            .to_owned();
        (id, answer.body_mut().read_json().unwrap())
    }

    fn jobs(&self) -> usize {
        let mut answer = ureq::get(format!("{}/v1/jobs", self.url)).call().unwrap();
        let jobs: Value = answer.body_mut().read_json().unwrap();
        jobs["items"].as_array().unwrap().len()
    }

    /// Ends it by SIGTERM. Returns what it logged, and how long it took.
    fn end(mut self) -> (String, Duration) {
        let start = Instant::now();
        let id = self.process.id().to_string();
        let terminate = Command::new("kill").arg(id).status();
        assert!(terminate.unwrap().success());
        let mut log = String::new();
        self.log.read_to_string(&mut log).unwrap();
        assert!(self.process.wait().unwrap().success(), "{log}");
        (log, start.elapsed())
    }
}

/// Uploads, waits for the fit and forecasts. Returns the ids of both requests.
fn work(server: &Running) -> (String, String) {
    let (upload, _) = server.post("/v1/samples", &json!({ "samples": samples() }));
    let start = Instant::now();
    while server.jobs() > 0 {
        assert!(start.elapsed() < Duration::from_secs(120), "no fit");
        std::thread::sleep(Duration::from_millis(100));
    }
    let counters = &sample(0, 0)["readings"]["oclgrind"]["counters"];
    let asked = json!({ "counters": { "oclgrind": counters } });
    let (predict, answer) = server.post("/v1/predictions", &asked);
    assert!(answer["predictions"][0]["model"].is_string(), "{answer}");
    (upload, predict)
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_fits_and_what_is_slow_in_them_are_spans() {
    let (url, received) = collector().await;
    let told = url.clone();
    let (log, upload, predict) = tokio::task::spawn_blocking(move || {
        let server = Running::start(|it| {
            it.args(["--traces", &told]);
        });
        let (upload, predict) = work(&server);
        // What has not been sent yet is sent at the end.
        (server.end().0, upload, predict)
    })
    .await
    .unwrap();
    let received = std::mem::take(&mut *received.lock().unwrap());
    assert!(received.iter().all(|(name, _)| name == "kerncast-server"));
    let spans: Vec<&Span> = received.iter().map(|(_, span)| span).collect();
    let named =
        |name: &str| -> Vec<&Span> { spans.iter().filter(|it| it.name == name).copied().collect() };
    for (name, id, slow) in [
        ("POST /v1/samples", upload, vec!["store samples"]),
        (
            "POST /v1/predictions",
            predict,
            vec!["choose models", "forecast"],
        ),
    ] {
        let span = named(name)[0];
        let attributes = attributes(span);
        let expected = [
            ("http.request.method", "POST"),
            ("http.route", name.trim_start_matches("POST ")),
            ("http.response.status_code", "200"),
            ("client.address", "127.0.0.1"),
            ("kerncast.request_id", &*id),
            ("kerncast.role", "admin"),
        ];
        for (key, value) in expected {
            assert_eq!(
                attributes.get(key).map(String::as_str),
                Some(value),
                "{key}"
            );
        }
        // The trace that the headers name goes on.
        assert_eq!(hex(&span.trace_id), TRACE);
        assert_eq!(hex(&span.parent_span_id), PARENT);
        assert_eq!(span.kind, 2, "a server's");
        for slow in slow {
            let inside = named(slow)[0];
            assert_eq!(inside.parent_span_id, span.span_id, "{slow}");
            assert_eq!(inside.trace_id, span.trace_id);
            assert!(inside.start_time_unix_nano >= span.start_time_unix_nano);
            assert!(inside.end_time_unix_nano <= span.end_time_unix_nano);
        }
    }
    let jobs = named("fitting job");
    let fitted = jobs.iter().find(|it| {
        let attributes = attributes(it);
        attributes["provider"] == "oclgrind" && attributes["outcome"] == "fitted"
    });
    let job = fitted.unwrap_or_else(|| panic!("{jobs:?}"));
    assert!(job.parent_span_id.is_empty());
    for part in [
        "judge samples",
        "read samples",
        "prepare fits",
        "fit and store",
    ] {
        let parts = named(part);
        let of_job = |it: &&&Span| it.parent_span_id == job.span_id;
        assert_eq!(parts.iter().filter(of_job).count(), 1, "{part}");
    }
    // They are for traces only.
    assert!(
        !log.contains("store samples") && !log.contains("\"span\""),
        "{log}"
    );
    assert!(!log.contains("traces can't be sent"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn opentelemetrys_own_variables_are_followed() {
    let (url, received) = collector().await;
    tokio::task::spawn_blocking(move || {
        let server = Running::start(|it| {
            it.env("OTEL_EXPORTER_OTLP_ENDPOINT", &url)
                .env("OTEL_SERVICE_NAME", "lab")
                .env("RUST_LOG", "info,kerncast_server=trace");
        });
        server.jobs();
        let (log, _) = server.end();
        assert!(!log.contains("kerncast_server::span"), "{log}");
    })
    .await
    .unwrap();
    let received = received.lock().unwrap();
    assert!(
        received
            .iter()
            .any(|(name, span)| name == "lab" && span.name == "GET /v1/jobs"),
        "{received:?}"
    );
}

#[test]
fn a_collector_that_is_down_stops_nothing_and_is_told_once() {
    // Nobody listens where somebody did.
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/a-secret-path", gone.local_addr().unwrap());
    drop(gone);
    let server = Running::start(|it| {
        it.args(["--traces", &url])
            .env("OTEL_BSP_SCHEDULE_DELAY", "50");
    });
    work(&server);
    // It is tried several times by then.
    std::thread::sleep(Duration::from_secs(3));
    let (log, took) = server.end();
    let told = log.lines().filter(|it| it.contains("traces can't be sent"));
    let told: Vec<&str> = told.collect();
    assert_eq!(told.len(), 1, "{log}");
    assert!(
        told[0].contains("127.0.0.1: Connection refused"),
        "{told:?}"
    );
    assert!(!log.contains("secret"), "{log}");
    assert!(took < Duration::from_secs(20), "{took:?}");
}

#[test]
fn a_collector_that_never_answers_does_not_hold_the_end_up() {
    // It takes connections, and says nothing.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let server = Running::start(|it| {
        it.args(["--traces", &url])
            .env("OTEL_BSP_SCHEDULE_DELAY", "50");
    });
    let start = Instant::now();
    for _ in 0..50 {
        server.jobs();
    }
    assert!(start.elapsed() < Duration::from_secs(5));
    let (_, took) = server.end();
    assert!(took < Duration::from_secs(20), "{took:?}");
}

#[test]
fn an_address_that_is_none_is_refused() {
    for (name, value, expected) in [
        (
            "KERNCAST_TRACES",
            "collector:4318",
            "expected an address that begins with http://",
        ),
        (
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "collector",
            "OTEL_EXPORTER_OTLP_ENDPOINT=collector: expected",
        ),
    ] {
        let output = Command::new(BINARY).env(name, value).output().unwrap();
        assert!(!output.status.success());
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(expected), "{error}");
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
