//! Spans of requests, of fits and of what is slow in them, for a collector of traces (OpenTelemetry), where one is named.
//! Without one nothing here is begun, and no span is made.

use std::{
    fmt,
    sync::Mutex,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use axum::http::{HeaderMap, Request, Response};
use opentelemetry::{propagation::TextMapPropagator, trace::TracerProvider};
use opentelemetry_http::{Bytes, HeaderExtractor, HttpClient, HttpError};
use opentelemetry_otlp::{ExporterBuildError, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::{Resource, propagation::TraceContextPropagator, trace::SdkTracerProvider};
use tracing::{Span, Subscriber, level_filters::LevelFilter};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::{Layer, filter::Targets, registry::LookupSpan};
use ureq::Agent;
use url::Url;

use crate::outgoing::{PATIENCE, why};

/// Of every span that is for traces, and of nothing else: they are not for the log.
pub const TARGET: &str = "kerncast_server::span";
/// What the server is called where `OTEL_SERVICE_NAME` calls it nothing else.
const NAME: &str = "kerncast-server";
/// Where collectors take spans, below their address.
const PATH: &str = "v1/traces";
/// Between two lines in the log about one that does not.
const SILENCE: Duration = Duration::from_secs(60);

/// Sends spans to a collector, from a thread of its own. Those that wait are kept up to a number (2,048, or
/// `OTEL_BSP_MAX_QUEUE_SIZE`); what comes then is dropped, and nobody waits.
#[derive(Debug)]
pub struct Traces(SdkTracerProvider);

impl Traces {
    /// To the collector at `url`; `/v1/traces` is added where it names no path.
    ///
    /// # Errors
    /// Where OpenTelemetry's own variables ask for what is not there.
    pub fn to(url: &Url) -> Result<Self, ExporterBuildError> {
        let mut url = url.clone();
        if matches!(url.path(), "" | "/") {
            url.set_path(PATH);
        }
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Sender::to(&url))
            .with_endpoint(url)
            .build()?;
        let mut resource = Resource::builder();
        if std::env::var_os("OTEL_SERVICE_NAME").is_none() {
            resource = resource.with_service_name(NAME);
        }
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_resource(resource.build());
        Ok(Self(provider.build()))
    }

    /// What makes spans of what the server does.
    pub fn layer<S>(&self) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
    {
        let tracer = self.0.tracer(NAME);
        tracing_opentelemetry::layer()
            .with_tracer(tracer)
            .with_location(false)
            .with_target(false)
            .with_threads(false)
            .with_filter(Targets::new().with_target(TARGET, LevelFilter::INFO))
    }

    /// Sends what waits, for no longer than `within`.
    pub fn end(self, within: Duration) {
        // What could not be sent has been said.
        let _ = self.0.shutdown_with_timeout(within);
    }
}

/// Continues the trace that a request belongs to, where its headers name one.
pub(crate) fn continue_trace(span: &Span, headers: &HeaderMap) {
    if !span.is_disabled() {
        let parent = TraceContextPropagator::new().extract(&HeaderExtractor(headers));
        // A span that is made here has no parent yet.
        let _ = span.set_parent(parent);
    }
}

/// By the HTTP client that webhooks use.
struct Sender {
    agent: Agent,
    /// The collector's host: the rest of its address may be a secret.
    shown: String,
    /// When the log last had a line about a failure.
    said: Mutex<Option<Instant>>,
}

impl fmt::Debug for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Sender").field(&self.shown).finish()
    }
}

impl Sender {
    fn to(url: &Url) -> Self {
        let config = Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .http_status_as_error(false);
        Self {
            agent: config.build().into(),
            shown: url.host_str().unwrap_or_default().to_owned(),
            said: Mutex::default(),
        }
    }

    fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, ureq::Error> {
        let answer = self.agent.run(request.map(|bytes| bytes.to_vec()))?;
        let (head, mut body) = answer.into_parts();
        Ok(Response::from_parts(head, body.read_to_vec()?.into()))
    }

    /// Says that spans were not taken, but not each time.
    fn warn(&self, why: &dyn fmt::Display) {
        let now = Instant::now();
        let Ok(mut said) = self.said.lock() else {
            return;
        };
        if said.is_none_or(|then| now.duration_since(then) >= SILENCE) {
            *said = Some(now);
            tracing::warn!(
                "traces can't be sent to {}: {why}; spans are lost until they can",
                self.shown
            );
        }
    }
}

#[async_trait]
impl HttpClient for Sender {
    /// Waits in place: the thread that asks does nothing else.
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let sent = self.send(request);
        match &sent {
            Ok(answer) if answer.status().is_success() => {}
            Ok(answer) => self.warn(&format_args!("it answers {}", answer.status())),
            Err(error) => self.warn(&why(error)),
        }
        Ok(sent?)
    }
}
