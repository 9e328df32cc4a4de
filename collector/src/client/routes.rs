//! Requests to the server, a method for each route.

use chrono::{DateTime, TimeDelta, Utc};
use kerncast_offload::NewStreamRates;
use kerncast_wire::{
    AgentReport, BatchVerdict, DeviceSummary, FittingJobs, KernelAnalysis, KernelSource,
    ModelDetail, ModelSummary, NewCeilings, Overview, Page, PredictionRequest, Predictions, Sample,
    SampleBatch, SpeedupForecast, SpeedupRequest,
};
use serde::de::{DeserializeOwned, IgnoredAny};
use ureq::{
    Agent, Body,
    http::{Response, header::DATE},
};
use uuid::Uuid;

use super::{
    Client, ServerError,
    attempts::{IMPATIENT, UPLOAD_PATIENCE},
};

impl Client {
    /// Whether a server answers; it is asked once.
    pub fn answers(&self) -> bool {
        self.health().is_ok()
    }

    fn health(&self) -> Result<Response<Body>, ureq::Error> {
        self.agent.get(format!("{}/healthz", self.url)).call()
    }

    /// How far this machine's clock is ahead of the server's, to within a second and the time of the answer; none where
    /// the server does not say or does not answer.
    pub fn clock_ahead(&self) -> Option<TimeDelta> {
        let answer = self.health().ok()?;
        let date = answer.headers().get(DATE)?.to_str().ok()?;
        let date = DateTime::parse_from_rfc2822(date).ok()?;
        Some(Utc::now() - date.to_utc())
    }

    /// Uploads a batch.
    pub fn send(&self, batch: &SampleBatch) -> Result<BatchVerdict, ServerError> {
        self.send_json(Agent::post, "/v1/samples", batch, UPLOAD_PATIENCE)
    }

    /// Uploads a device's ceilings; sending them again changes nothing.
    pub fn send_ceilings(&self, ceilings: &NewCeilings) -> Result<(), ServerError> {
        self.send_json(Agent::post, "/v1/ceilings", ceilings, UPLOAD_PATIENCE)
            .map(|IgnoredAny| ())
    }

    /// Uploads the rates of streams through a device; sending them again changes nothing.
    pub fn send_streams(&self, rates: &NewStreamRates) -> Result<(), ServerError> {
        self.send_json(Agent::post, "/v1/streams", rates, UPLOAD_PATIENCE)
            .map(|IgnoredAny| ())
    }

    /// Uploads the sources that have this hash; sending them again changes nothing.
    pub fn send_source(&self, hash: &str, source: &KernelSource) -> Result<(), ServerError> {
        let path = format!("/v1/sources/{hash}");
        self.send_json(Agent::put, &path, source, UPLOAD_PATIENCE)
            .map(|IgnoredAny| ())
    }

    /// Whether the server has the analysis of the sources that have this hash.
    pub fn knows_analysis(&self, hash: &str) -> Result<bool, ServerError> {
        match self.get::<IgnoredAny>(&format!("/v1/sources/{hash}/analysis")) {
            Err(ServerError::Status { status: 404, .. }) => Ok(false),
            answer => answer.map(|_| true),
        }
    }

    /// Uploads the analysis of the sources that have this hash.
    pub fn send_analysis(&self, hash: &str, analysis: &KernelAnalysis) -> Result<(), ServerError> {
        let path = format!("/v1/sources/{hash}/analysis");
        self.send_json(Agent::put, &path, analysis, IMPATIENT)
            .map(|IgnoredAny| ())
    }

    /// Reports this agent's state.
    pub fn report(&self, report: &AgentReport) -> Result<(), ServerError> {
        self.send_json(Agent::post, "/v1/agents", report, IMPATIENT)
            .map(|IgnoredAny| ())
    }

    /// Asks for forecasts.
    pub fn predict(&self, request: &PredictionRequest) -> Result<Predictions, ServerError> {
        self.send_json(Agent::post, "/v1/predictions", request, IMPATIENT)
    }

    /// Asks for the speedups of changes.
    pub fn speedups(&self, request: &SpeedupRequest) -> Result<Vec<SpeedupForecast>, ServerError> {
        self.send_json(Agent::post, "/v1/speedups", request, IMPATIENT)
    }

    /// Asks for forecasts of all launches in a profiler's file; `wishes` has no counters.
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
        self.attempt(IMPATIENT, || {
            let mut request = self.with_token(self.agent.post(&url).content_type("text/csv"));
            for (name, value) in query.iter().flatten() {
                request = request.query(name, value);
            }
            request.send(file)
        })
    }

    /// Devices, champions, agents and what needs attention.
    pub fn overview(&self) -> Result<Overview, ServerError> {
        self.get("/v1/overview")
    }

    /// A model with its coefficients and validation.
    pub fn model(&self, id: Uuid) -> Result<ModelDetail, ServerError> {
        self.get(&format!("/v1/models/{id}"))
    }

    /// All models except replaced ones.
    pub fn models(&self) -> Result<Vec<ModelSummary>, ServerError> {
        let mut models: Vec<ModelSummary> = self.pages("/v1/models?limit=200")?;
        models.retain(|model| !model.superseded);
        Ok(models)
    }

    /// Every device that the server knows.
    pub fn devices(&self) -> Result<Vec<DeviceSummary>, ServerError> {
        self.pages("/v1/devices?limit=200")
    }

    /// Whether the server has local-memory loads of a device.
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

    /// All items of a listing, read page by page; `path` already has a query.
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

    /// Fitting jobs that have not ended yet.
    pub fn jobs(&self) -> Result<FittingJobs, ServerError> {
        self.get("/v1/jobs")
    }

    /// How many fitting jobs have not ended yet.
    pub fn pending_jobs(&self) -> Result<i64, ServerError> {
        self.jobs().map(|jobs| jobs.pending)
    }
}
