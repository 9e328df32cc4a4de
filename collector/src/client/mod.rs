//! The server, as the collector asks it, and uploads.

use std::{
    hash::{BuildHasher, Hasher, RandomState},
    thread,
    time::{Duration, Instant},
};

use chrono::{DateTime, TimeDelta, Utc};
use kerncast_offload::NewStreamRates;
use kerncast_wire::{
    AgentReport, BUSY, BatchVerdict, DeviceSummary, FieldProblem, FittingJobs, KernelAnalysis,
    KernelSource, ModelDetail, ModelSummary, NewCeilings, Overview, Page, PredictionRequest,
    Predictions, Problem, Sample, SampleBatch, SpeedupForecast, SpeedupRequest,
};
use serde::{
    Serialize,
    de::{DeserializeOwned, IgnoredAny},
};
use thiserror::Error;
use ureq::{
    Agent, Body, RequestBuilder,
    http::{
        Response,
        header::{AUTHORIZATION, DATE, RETRY_AFTER},
    },
    typestate::WithBody,
};
use uuid::Uuid;

mod access;
mod authority;
mod token;
mod upload;

pub use authority::{Authority, AuthorityError};
pub use token::{Token, TokenError};
pub use upload::{UploadError, Uploaded, upload};

/// Where a server is looked for when none is named.
pub const DEFAULT: &str = "http://127.0.0.1:7310";

/// Waits before another attempt, after the server could not be reached or failed.
const BACKOFF: [Duration; 3] = [
    Duration::from_millis(250),
    Duration::from_secs(1),
    Duration::from_secs(3),
];
/// A server that wants to be left alone for longer is down.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// An upload that the server turns away, as it is at work on others, is sent again when it says for so long, however often:
/// after a power failure a thousand machines come at once, and take minutes (docs/scale.md).
const PATIENCE: Duration = Duration::from_secs(600);
const TIMEOUT: Duration = Duration::from_secs(120);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const ANSWER_BYTES: u64 = 256 << 20;

/// Asks a Kerncast server. Every question is asked a few times, where the server can't be reached or has
/// trouble of its own: an error says why there is no usable answer.
pub struct Client {
    url: String,
    token: Token,
    agent: Agent,
}

/// Why the server gave no usable answer.
#[derive(Debug, Error)]
pub enum ServerError {
    /// Nobody answers there.
    #[error("no Kerncast server answers at {url}: {source}. {}", way_out(source))]
    Unreachable {
        /// Its address.
        url: String,
        /// What happened.
        source: Box<ureq::Error>,
    },
    /// The token is missing, is none (any more), or is not for this.
    #[error("the server at {url} refused: {detail}. {token}")]
    Unauthorized {
        /// Its address.
        url: String,
        /// Its words.
        detail: String,
        /// Where the token came from.
        token: Token,
    },
    /// It said what is wrong.
    #[error("the server at {url} answered {status}: {detail}")]
    Status {
        /// Its address.
        url: String,
        /// The HTTP status.
        status: u16,
        /// Its words.
        detail: String,
        /// The fields at fault.
        problems: Vec<FieldProblem>,
        /// When it wants to be asked again, where it said so.
        wait: Option<Duration>,
        /// Whether it is only at work on others.
        busy: bool,
    },
    /// It answered something else than expected.
    #[error(
        "the server at {url} gave an answer that can't be read ({source}): {}",
        whose(version.as_deref())
    )]
    Answer {
        /// Its address.
        url: String,
        /// Its version, where it said so.
        version: Option<String>,
        /// What is wrong with it.
        source: Box<ureq::Error>,
    },
}

impl ServerError {
    /// Whether it may go well later: nobody answers, or the server has trouble of its own.
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Unreachable { .. } => true,
            Self::Status { status, .. } => *status >= 500 || *status == 429,
            Self::Unauthorized { .. } | Self::Answer { .. } => false,
        }
    }

    /// Whether the server is only at work on others: asked again, it takes it.
    fn is_busy(&self) -> bool {
        matches!(self, Self::Status { busy: true, .. })
    }

    /// For how long the server wants to be left alone.
    fn wait(&self) -> Duration {
        match self {
            Self::Status { wait, .. } => wait.unwrap_or_default(),
            _ => Duration::ZERO,
        }
    }
}

impl Client {
    /// Of the server at `url`, vouched for by `authority` where it speaks TLS.
    pub fn new(url: &str, token: Token, authority: &Authority) -> Self {
        let config = Agent::config_builder()
            .tls_config(authority.tls())
            .timeout_global(Some(TIMEOUT))
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .http_status_as_error(false)
            .user_agent(concat!("kerncast/", env!("CARGO_PKG_VERSION")))
            .build();
        Self {
            url: url.trim_end_matches('/').to_owned(),
            token,
            agent: config.into(),
        }
    }

    /// Its address.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Whether a server answers there, without another attempt.
    pub fn answers(&self) -> bool {
        self.health().is_ok()
    }

    fn health(&self) -> Result<Response<Body>, ureq::Error> {
        self.agent.get(format!("{}/healthz", self.url)).call()
    }

    /// How far this machine's clock is ahead of the server's, to the second and what the answer took; none where the
    /// server does not tell, or does not answer.
    pub fn clock_ahead(&self) -> Option<TimeDelta> {
        let answer = self.health().ok()?;
        let date = answer.headers().get(DATE)?.to_str().ok()?;
        let date = DateTime::parse_from_rfc2822(date).ok()?;
        Some(Utc::now() - date.to_utc())
    }

    /// Uploads a batch.
    pub fn send(&self, batch: &SampleBatch) -> Result<BatchVerdict, ServerError> {
        self.send_patiently("/v1/samples", batch)
    }

    /// Uploads a device's ceilings; again is as good as once.
    pub fn send_ceilings(&self, ceilings: &NewCeilings) -> Result<(), ServerError> {
        self.send_patiently::<IgnoredAny>("/v1/ceilings", ceilings)?;
        Ok(())
    }

    /// Uploads what streams through a device can do; again is as good as once.
    pub fn send_streams(&self, rates: &NewStreamRates) -> Result<(), ServerError> {
        self.send_patiently::<IgnoredAny>("/v1/streams", rates)?;
        Ok(())
    }

    /// Uploads the sources that have this hash; again is as good as once.
    pub fn send_source(&self, hash: &str, source: &KernelSource) -> Result<(), ServerError> {
        let request = |url: &str| self.agent.put(url);
        self.send_json::<IgnoredAny>(request, &format!("/v1/sources/{hash}"), source, PATIENCE)?;
        Ok(())
    }

    /// Whether the server knows what these sources' accesses do.
    pub fn knows_analysis(&self, hash: &str) -> Result<bool, ServerError> {
        match self.get::<IgnoredAny>(&format!("/v1/sources/{hash}/analysis")) {
            Err(ServerError::Status { status: 404, .. }) => Ok(false),
            answer => answer.map(|_| true),
        }
    }

    /// Uploads what the accesses of the sources that have this hash do.
    pub fn send_analysis(&self, hash: &str, analysis: &KernelAnalysis) -> Result<(), ServerError> {
        let request = |url: &str| self.agent.put(url);
        let path = format!("/v1/sources/{hash}/analysis");
        self.send_json::<IgnoredAny>(request, &path, analysis, Duration::ZERO)?;
        Ok(())
    }

    /// Says how this agent is.
    pub fn report(&self, report: &AgentReport) -> Result<(), ServerError> {
        self.post::<IgnoredAny>("/v1/agents", report)?;
        Ok(())
    }

    /// Asks for forecasts.
    pub fn predict(&self, request: &PredictionRequest) -> Result<Predictions, ServerError> {
        self.post("/v1/predictions", request)
    }

    /// Asks whether local memory would pay off.
    pub fn speedups(&self, request: &SpeedupRequest) -> Result<Vec<SpeedupForecast>, ServerError> {
        self.post("/v1/speedups", request)
    }

    /// Asks for forecasts of all launches in a profiler's file, as `wishes` says without its counters.
    pub fn predict_file(
        &self,
        file: &[u8],
        wishes: &PredictionRequest,
    ) -> Result<Predictions, ServerError> {
        let url = format!("{}/v1/predictions", self.url);
        let ids = wishes.devices.iter().flatten().map(i64::to_string);
        let ids: Vec<String> = ids.collect();
        let gpus = wishes.gpus.as_ref().map(|it| it.join(","));
        let query = [
            wishes.model.map(|id| ("model", id.to_string())),
            wishes.method.clone().map(|method| ("method", method)),
            (!ids.is_empty()).then(|| ("device", ids.join(","))),
            gpus.map(|names| ("gpus", names)),
            wishes.counted_on.map(|id| ("counted_on", id.to_string())),
        ];
        self.answer(|| {
            let mut request = self.shown(self.agent.post(&url).content_type("text/csv"));
            for (name, value) in query.iter().flatten() {
                request = request.query(name, value);
            }
            request.send(file)
        })
    }

    /// How everything is.
    pub fn overview(&self) -> Result<Overview, ServerError> {
        self.get("/v1/overview")
    }

    /// A model.
    pub fn model(&self, id: Uuid) -> Result<ModelDetail, ServerError> {
        self.get(&format!("/v1/models/{id}"))
    }

    /// Every model that nothing newer has replaced.
    pub fn models(&self) -> Result<Vec<ModelSummary>, ServerError> {
        let mut models: Vec<ModelSummary> = self.pages("/v1/models?limit=200")?;
        models.retain(|model| !model.superseded);
        Ok(models)
    }

    /// Every device that it knows.
    pub fn devices(&self) -> Result<Vec<DeviceSummary>, ServerError> {
        self.pages("/v1/devices?limit=200")
    }

    /// Whether it has local-memory loads of a device.
    pub fn has_local_memory(&self, device: i64) -> Result<bool, ServerError> {
        let first: Page<IgnoredAny> = self.get(&format!(
            "/v1/samples?device={device}&kernel=local_memory&limit=1"
        ))?;
        Ok(!first.items.is_empty())
    }

    /// A kernel's stored samples on a device, newest first.
    pub fn samples(&self, kernel: &str, device: i64) -> Result<Vec<Sample>, ServerError> {
        let kernel: String = form_urlencoded::byte_serialize(kernel.as_bytes()).collect();
        self.pages(&format!(
            "/v1/samples?limit=200&kernel={kernel}&device={device}"
        ))
    }

    /// All items of a listing, page by page; `path` has a query already.
    fn pages<T: DeserializeOwned>(&self, path: &str) -> Result<Vec<T>, ServerError> {
        let mut items = Vec::new();
        let mut cursor = String::new();
        loop {
            let page: Page<T> = self.get(&format!("{path}{cursor}"))?;
            items.extend(page.items);
            match page.next {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return Ok(items),
            }
        }
    }

    /// Fits that have not ended yet.
    pub fn jobs(&self) -> Result<FittingJobs, ServerError> {
        self.get("/v1/jobs")
    }

    /// Fitting jobs that have not ended yet.
    pub fn pending_jobs(&self) -> Result<i64, ServerError> {
        self.jobs().map(|jobs| jobs.pending)
    }

    fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ServerError> {
        let url = format!("{}{path}", self.url);
        self.answer(|| self.shown(self.agent.get(&url)).call())
    }

    fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, ServerError> {
        self.send_json(|url| self.agent.post(url), path, body, Duration::ZERO)
    }

    fn send_patiently<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, ServerError> {
        self.send_json(|url| self.agent.post(url), path, body, PATIENCE)
    }

    fn send_json<T: DeserializeOwned>(
        &self,
        request: impl Fn(&str) -> RequestBuilder<WithBody>,
        path: &str,
        body: &impl Serialize,
        patience: Duration,
    ) -> Result<T, ServerError> {
        let url = format!("{}{path}", self.url);
        self.answer_within(patience, || self.shown(request(&url)).send_json(body))
    }

    /// With the token, where there is one.
    fn shown<B>(&self, request: RequestBuilder<B>) -> RequestBuilder<B> {
        match self.token.bearer() {
            Some(token) => request.header(AUTHORIZATION, token),
            None => request,
        }
    }

    fn answer<T: DeserializeOwned>(
        &self,
        call: impl Fn() -> Result<Response<Body>, ureq::Error>,
    ) -> Result<T, ServerError> {
        self.answer_within(Duration::ZERO, call)
    }

    /// The answer, of a few attempts, and of as many as fit into `patience` while the server is only at work on others.
    fn answer_within<T: DeserializeOwned>(
        &self,
        patience: Duration,
        call: impl Fn() -> Result<Response<Body>, ureq::Error>,
    ) -> Result<T, ServerError> {
        let (mut waits, start) = (BACKOFF.into_iter(), Instant::now());
        loop {
            match call()
                .map_err(|error| self.unreachable(error))
                .and_then(|a| self.read(a))
            {
                Err(error) if error.is_temporary() => {
                    let told = error.wait().min(LONGEST_WAIT);
                    let wait = match waits.next() {
                        Some(wait) => wait.max(told),
                        None if error.is_busy() && start.elapsed() + told < patience => {
                            told.max(BACKOFF[2])
                        }
                        None => return Err(error),
                    };
                    thread::sleep(apart(wait));
                }
                answer => return answer,
            }
        }
    }

    fn read<T: DeserializeOwned>(&self, mut answer: Response<Body>) -> Result<T, ServerError> {
        let url = self.url.clone();
        let status = answer.status();
        let wait = answer.headers().get(RETRY_AFTER);
        let wait = wait.and_then(|seconds| seconds.to_str().ok()?.parse().ok());
        let version = answer.headers().get("kerncast-version");
        let version = version.and_then(|it| Some(it.to_str().ok()?.to_owned()));
        let body = answer.body_mut().with_config().limit(ANSWER_BYTES);
        if status.is_success() {
            return body.read_json().map_err(|error| ServerError::Answer {
                url,
                version,
                source: error.into(),
            });
        }
        let (detail, problems, busy) = body.read_json::<Problem>().map_or_else(
            |_| (status.to_string(), Vec::new(), false),
            |problem| (in_words(&problem), problem.errors, problem.kind == BUSY),
        );
        Err(match status.as_u16() {
            // One that names fields takes the token, but not what was sent.
            401 | 403 if problems.is_empty() => ServerError::Unauthorized {
                url,
                detail,
                token: self.token.clone(),
            },
            status => ServerError::Status {
                url,
                status,
                detail,
                problems,
                wait: wait.map(Duration::from_secs),
                busy,
            },
        })
    }

    fn unreachable(&self, error: ureq::Error) -> ServerError {
        ServerError::Unreachable {
            url: self.url.clone(),
            source: error.into(),
        }
    }
}

/// Up to twice as long: agents that a server has turned away together do not all come back together.
fn apart(wait: Duration) -> Duration {
    // Each is seeded at random.
    let random = RandomState::new().build_hasher().finish();
    wait.mul_f64(1.0 + random as f64 / u64::MAX as f64)
}

/// What to do where no server answers.
fn way_out(why: &ureq::Error) -> &'static str {
    // What is wrong with a certificate comes as an error of input.
    match why.to_string().contains("certificate") {
        true => {
            "KERNCAST_CERTIFICATE names the file with its certificate, or with that of the authority \
             that signed it"
        }
        false => "`make up` starts one; --server or KERNCAST_SERVER names another",
    }
}

fn whose(version: Option<&str>) -> String {
    match version {
        Some(version) => format!(
            "it is of version {version}, and this is kerncast {}",
            env!("CARGO_PKG_VERSION")
        ),
        None => "is it a Kerncast server of this version?".to_owned(),
    }
}

/// What the server says in a sentence, and each field at fault; those with the same fault together.
fn in_words(problem: &Problem) -> String {
    let mut sentence = problem.detail.as_ref().unwrap_or(&problem.title).clone();
    if let Some(first) = problem.errors.first()
        && let Some(rest) = sentence.strip_prefix(&*first.field)
    {
        sentence = format!("{}{rest}", place(&first.field));
    }
    let mut faults: Vec<(String, Vec<String>)> = Vec::new();
    for error in &problem.errors {
        let value = error
            .value
            .as_ref()
            .map(|value| format!(" is {value};"))
            .unwrap_or_default();
        let fault = format!("{value} expected {}", error.expected);
        match faults.iter_mut().find(|(it, _)| *it == fault) {
            Some((_, fields)) => fields.push(place(&error.field)),
            None => faults.push((fault, vec![place(&error.field)])),
        }
    }
    // The sentence may be the first fault, in other words.
    let is_said = |error: &FieldProblem| sentence.ends_with(&error.expected);
    match &problem.errors[..] {
        [] => return sentence,
        [only] if is_said(only) => return sentence,
        _ => {}
    }
    let mut words = match is_said(&problem.errors[0]) {
        true => problem.title.clone(),
        false => sentence,
    };
    for (fault, fields) in faults {
        words.push_str(&format!("\n  {}:{fault}", fields.join(", ")));
    }
    words
}

/// What a pointer into a request is to whoever wrote a command line: the option, or which counter.
fn place(pointer: &str) -> String {
    let unescaped = |part: &str| part.replace("~1", "/").replace("~0", "~");
    // In a file it is a line, and in the address a word.
    let path = pointer.strip_prefix('/').unwrap_or(pointer);
    let parts: Vec<String> = path.split('/').map(unescaped).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    match &parts[..] {
        ["device" | "devices"] | ["devices" | "gpus", _] => "--on".to_owned(),
        ["counted_on"] => "--counted-on".to_owned(),
        ["model"] => "--model".to_owned(),
        ["time_s"] => "--time".to_owned(),
        [.., "counters", provider, name] => format!("{provider}:{name}"),
        ["counter_sets", place, ..] => format!("set {place}"),
        other => other.join(" "),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn pointers_are_said_as_options_and_counters() {
        for (pointer, words) in [
            ("/device", "--on"),
            ("/gpus/0", "--on"),
            ("device", "--on"),
            ("line 3", "line 3"),
            ("/counted_on", "--counted-on"),
            ("/counters/ncu/dram__bytes.sum", "ncu:dram__bytes.sum"),
            ("/counters", "counters"),
            ("/counter_sets/3/counters/ncu/a~1b", "ncu:a/b"),
            ("/counter_sets/3", "set 3"),
            ("", ""),
        ] {
            assert_eq!(place(pointer), words);
        }
    }

    #[test]
    fn those_who_were_turned_away_together_come_back_at_different_moments() {
        let wait = Duration::from_secs(1);
        let waits: Vec<Duration> = (0..100).map(|_| apart(wait)).collect();
        assert!(waits.iter().all(|it| (wait..=2 * wait).contains(it)));
        let early = waits.iter().filter(|&&it| it < wait.mul_f64(1.5)).count();
        assert!((10..90).contains(&early), "{early}");
    }

    #[test]
    fn a_busy_server_is_asked_until_patience_ends_and_one_that_fails_four_times() {
        let asked = |kind: &str, refusals: u32, patience| {
            let client = Client::new(DEFAULT, Token::given("token"), &Authority::Web);
            let calls = Cell::new(0);
            let call = || {
                calls.set(calls.get() + 1);
                let answer = match calls.get() > refusals {
                    true => (200, "[]".to_owned()),
                    false => {
                        let problem = format!(r#"{{"type":"{kind}","title":"","status":503}}"#);
                        (503, problem)
                    }
                };
                let answer = Response::builder()
                    .status(answer.0)
                    .header(RETRY_AFTER, "0")
                    .body(Body::builder().data(answer.1));
                Ok(answer.expect("an answer"))
            };
            let answer: Result<Vec<u8>, _> = client.answer_within(patience, call);
            (answer.is_ok(), calls.get())
        };
        thread::scope(|scope| {
            let busy = scope.spawn(|| asked(BUSY, 4, PATIENCE));
            let impatient = scope.spawn(|| asked(BUSY, 4, Duration::ZERO));
            let failing = scope.spawn(|| asked("about:blank", 4, PATIENCE));
            assert_eq!(busy.join().unwrap(), (true, 5));
            assert_eq!(impatient.join().unwrap(), (false, 4));
            assert_eq!(failing.join().unwrap(), (false, 4));
        });
    }
}
