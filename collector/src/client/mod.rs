//! The server, as the collector asks it, and uploads.

use std::{thread, time::Duration};

use kerncast_wire::{
    AgentReport, BatchVerdict, FieldProblem, KernelSource, ModelDetail, ModelSummary, NewCeilings,
    Overview, Page, PredictionRequest, Predictions, Problem, SampleBatch, SpeedupForecast,
    SpeedupRequest, Validation,
};
use serde::{
    Deserialize, Serialize,
    de::{DeserializeOwned, IgnoredAny},
};
use thiserror::Error;
use ureq::{Agent, Body, RequestBuilder, http::Response, typestate::WithBody};
use uuid::Uuid;

mod token;
mod upload;

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
const TIMEOUT: Duration = Duration::from_secs(120);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const ANSWER_BYTES: u64 = 256 << 20;

/// Asks a Kerncast server.
pub struct Client {
    url: String,
    token: Token,
    agent: Agent,
}

/// Why the server gave no usable answer.
#[derive(Debug, Error)]
pub enum ServerError {
    /// Nobody answers there.
    #[error("no Kerncast server answers at {url}: {source}")]
    Unreachable {
        /// Its address.
        url: String,
        /// What happened.
        source: Box<ureq::Error>,
    },
    /// The token is missing or wrong.
    #[error("the server at {url} refused the upload token ({detail}). {token}")]
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
    },
    /// It answered something else than expected.
    #[error(
        "the server at {url} gave an answer that can't be read ({source}). Is it a Kerncast server of this version?"
    )]
    Answer {
        /// Its address.
        url: String,
        /// What is wrong with it.
        source: Box<ureq::Error>,
    },
}

/// `GET /v1/jobs`.
#[derive(Deserialize)]
struct Jobs {
    pending: u64,
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
}

impl Client {
    /// Of the server at `url`.
    pub fn new(url: &str, token: Token) -> Self {
        let config = Agent::config_builder()
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
        self.agent
            .get(format!("{}/healthz", self.url))
            .call()
            .is_ok()
    }

    /// Uploads a batch.
    ///
    /// # Errors
    /// No usable answer, after some attempts.
    pub fn send(&self, batch: &SampleBatch) -> Result<BatchVerdict, ServerError> {
        self.post("/v1/samples", batch)
    }

    /// Uploads a device's ceilings; again is as good as once.
    ///
    /// # Errors
    /// No usable answer, after some attempts.
    pub fn send_ceilings(&self, ceilings: &NewCeilings) -> Result<(), ServerError> {
        self.post::<IgnoredAny>("/v1/ceilings", ceilings)?;
        Ok(())
    }

    /// Uploads the sources that have this hash; again is as good as once.
    ///
    /// # Errors
    /// No usable answer, after some attempts.
    pub fn send_source(&self, hash: &str, source: &KernelSource) -> Result<(), ServerError> {
        let request = |url: &str| self.agent.put(url);
        self.send_json::<IgnoredAny>(request, &format!("/v1/sources/{hash}"), source)?;
        Ok(())
    }

    /// Says how this agent is.
    ///
    /// # Errors
    /// No usable answer, after some attempts.
    pub fn report(&self, report: &AgentReport) -> Result<(), ServerError> {
        self.post::<IgnoredAny>("/v1/agents", report)?;
        Ok(())
    }

    /// Asks for forecasts.
    ///
    /// # Errors
    /// No usable answer, after some attempts.
    pub fn predict(&self, request: &PredictionRequest) -> Result<Predictions, ServerError> {
        self.post("/v1/predictions", request)
    }

    /// Asks whether local memory would pay off.
    ///
    /// # Errors
    /// No usable answer, after some attempts.
    pub fn speedups(&self, request: &SpeedupRequest) -> Result<Vec<SpeedupForecast>, ServerError> {
        self.post("/v1/speedups", request)
    }

    /// Asks for forecasts of all launches in a profiler's file, as `wishes` says without its counters.
    ///
    /// # Errors
    /// No usable answer, after some attempts.
    pub fn predict_file(
        &self,
        file: &[u8],
        wishes: &PredictionRequest,
    ) -> Result<Predictions, ServerError> {
        let url = format!("{}/v1/predictions", self.url);
        let ids = wishes.devices.iter().flatten().map(i64::to_string);
        let ids: Vec<String> = ids.collect();
        let query = [
            wishes.model.map(|id| ("model", id.to_string())),
            wishes.method.clone().map(|method| ("method", method)),
            wishes.level.map(|level| ("level", level.to_string())),
            (!ids.is_empty()).then(|| ("device", ids.join(","))),
            wishes.counted_on.map(|id| ("counted_on", id.to_string())),
        ];
        self.answer(|| {
            let mut request = self.agent.post(&url).content_type("text/csv");
            for (name, value) in query.iter().flatten() {
                request = request.query(name, value);
            }
            request.send(file)
        })
    }

    /// How everything is.
    ///
    /// # Errors
    /// No usable answer, after some attempts.
    pub fn overview(&self) -> Result<Overview, ServerError> {
        self.get("/v1/overview")
    }

    /// A model.
    ///
    /// # Errors
    /// No usable answer, after some attempts.
    pub fn model(&self, id: Uuid) -> Result<ModelDetail, ServerError> {
        self.get(&format!("/v1/models/{id}"))
    }

    /// A model's forecasts of what its fit had not seen.
    ///
    /// # Errors
    /// No usable answer, after some attempts.
    pub fn validation(&self, model: Uuid) -> Result<Validation, ServerError> {
        self.get(&format!("/v1/models/{model}/validation"))
    }

    /// Every model that nothing newer has replaced.
    ///
    /// # Errors
    /// No usable answer, after some attempts.
    pub fn models(&self) -> Result<Vec<ModelSummary>, ServerError> {
        let mut models = Vec::new();
        let mut cursor = None;
        loop {
            let mut path = "/v1/models?limit=200".to_owned();
            if let Some(cursor) = cursor {
                path = format!("{path}&cursor={cursor}");
            }
            let page: Page<ModelSummary> = self.get(&path)?;
            models.extend(page.items.into_iter().filter(|model| !model.superseded));
            match page.next {
                Some(next) => cursor = Some(next),
                None => return Ok(models),
            }
        }
    }

    /// Fitting jobs that have not ended yet.
    ///
    /// # Errors
    /// No usable answer, after some attempts.
    pub fn pending_jobs(&self) -> Result<u64, ServerError> {
        self.get::<Jobs>("/v1/jobs").map(|jobs| jobs.pending)
    }

    fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ServerError> {
        let url = format!("{}{path}", self.url);
        self.answer(|| self.agent.get(&url).call())
    }

    fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, ServerError> {
        self.send_json(|url| self.agent.post(url), path, body)
    }

    fn send_json<T: DeserializeOwned>(
        &self,
        request: impl Fn(&str) -> RequestBuilder<WithBody>,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, ServerError> {
        let url = format!("{}{path}", self.url);
        self.answer(|| {
            let mut request = request(&url);
            if let Some(token) = self.token.value() {
                request = request.header("Authorization", format!("Bearer {token}"));
            }
            request.send_json(body)
        })
    }

    fn answer<T: DeserializeOwned>(
        &self,
        call: impl Fn() -> Result<Response<Body>, ureq::Error>,
    ) -> Result<T, ServerError> {
        let mut waits = BACKOFF.into_iter();
        loop {
            match call()
                .map_err(|error| self.unreachable(error))
                .and_then(|a| self.read(a))
            {
                Err(error) if error.is_temporary() => match waits.next() {
                    Some(wait) => thread::sleep(wait),
                    None => return Err(error),
                },
                answer => return answer,
            }
        }
    }

    fn read<T: DeserializeOwned>(&self, mut answer: Response<Body>) -> Result<T, ServerError> {
        let url = self.url.clone();
        let status = answer.status();
        let body = answer.body_mut().with_config().limit(ANSWER_BYTES);
        if status.is_success() {
            return body.read_json().map_err(|error| ServerError::Answer {
                url,
                source: error.into(),
            });
        }
        let (detail, problems) = body.read_json::<Problem>().map_or_else(
            |_| (status.to_string(), Vec::new()),
            |problem| (in_words(&problem), problem.errors),
        );
        Err(match status.as_u16() {
            401 | 403 => ServerError::Unauthorized {
                url,
                detail,
                token: self.token.clone(),
            },
            status => ServerError::Status {
                url,
                status,
                detail,
                problems,
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

fn in_words(problem: &Problem) -> String {
    let mut words = problem.detail.as_ref().unwrap_or(&problem.title).clone();
    for error in &problem.errors {
        let value = error
            .value
            .as_ref()
            .map(|value| format!(" is {value};"))
            .unwrap_or_default();
        words.push_str(&format!(
            "\n  {}:{value} expected {}",
            error.field, error.expected
        ));
    }
    words
}
