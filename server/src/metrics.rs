//! Counts for Prometheus: of requests since the server's start, and of the state of everything
//! (docs/monitoring.md).

use std::{
    fmt::{self, Write},
    sync::atomic::AtomicU64,
    time::Duration,
};

use kerncast_wire::{AgentState, AgentStatus, BatchVerdict, DeviceOverview, FittingJobs, Overview};
use prometheus_client::{
    encoding::{
        EncodeLabelSet, EncodeLabelValue, LabelValueEncoder,
        text::{encode_eof, encode_registry},
    },
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::{Registry, Unit},
};

use crate::{fitting::Counts, vitals::Vitals};

/// Upper ends of the classes of requests' times, seconds.
const LATENCIES: [f64; 15] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0,
];

/// What is counted since the server's start.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<Asked, Counter>,
    latencies: Family<OfRoute, Histogram>,
    samples: Family<Uploaded, Counter>,
    pub(crate) predictions: Counter,
    pub(crate) fits: Counts,
}

/// Labels of a request; `status` is `none` where its client had gone before the answer.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Asked {
    method: &'static str,
    route: String,
    status: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OfRoute {
    route: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Uploaded {
    verdict: &'static str,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("kerncast");
        let (samples, predictions) = (Family::default(), Counter::default());
        registry.register("samples", "Samples uploaded, by verdict", samples.clone());
        registry.register("predictions", "Forecasts served", predictions.clone());
        let requests = Family::default();
        let help = "Requests answered, by method, route and status";
        registry.register("requests", help, requests.clone());
        let empty: fn() -> Histogram = || Histogram::new(LATENCIES);
        let latencies = Family::new_with_constructor(empty);
        let help = "From a request's headers to the beginning of its answer";
        registry.register_with_unit("request_duration", help, Unit::Seconds, latencies.clone());
        let fits = Counts::default();
        fits.register(&mut registry);
        Self {
            registry,
            requests,
            latencies,
            samples,
            predictions,
            fits,
        }
    }
}

impl Metrics {
    /// Counts errors of the server's from 0 on: of a count that begins with 1 nobody sees that it has risen.
    pub(crate) fn expect(&self, method: &'static str, route: &str) {
        let asked = Asked {
            method,
            route: route.to_owned(),
            status: "500".to_owned(),
        };
        let _ = self.requests.get_or_create(&asked);
    }

    pub(crate) fn count_request(
        &self,
        method: &'static str,
        route: &str,
        status: Option<u16>,
        took: Duration,
    ) {
        let asked = Asked {
            method,
            route: route.to_owned(),
            status: status.map_or("none".to_owned(), |it| it.to_string()),
        };
        self.requests.get_or_create(&asked).inc();
        let route = OfRoute { route: asked.route };
        let latency = self.latencies.get_or_create(&route);
        latency.observe(took.as_secs_f64());
    }

    pub(crate) fn count_samples(&self, batch: &BatchVerdict) {
        let counts = [
            ("stored", batch.stored),
            ("repeated", batch.repeated),
            ("rejected", batch.rejected),
        ];
        for (verdict, count) in counts {
            self.samples
                .get_or_create(&Uploaded { verdict })
                .inc_by(count.into());
        }
    }

    /// In OpenMetrics' text form, with how everything is now.
    pub(crate) fn text(&self, overview: &Overview, jobs: &FittingJobs, vitals: &Vitals) -> String {
        let now = State::of(overview, jobs, vitals).registry();
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = encode_registry(&mut text, &self.registry);
        let _ = encode_registry(&mut text, &now);
        let _ = encode_eof(&mut text);
        text
    }
}

type Real<L> = Family<L, Gauge<f64, AtomicU64>>;
type Whole<L> = Family<L, Gauge>;

/// A label's value, whatever is in it. The library writes labels as they are.
#[derive(Clone, Debug, Hash, PartialEq, Eq)]
struct Label(String);

impl EncodeLabelValue for Label {
    fn encode(&self, encoder: &mut LabelValueEncoder) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '\\' | '"' => write!(encoder, "\\{character}")?,
                '\n' => encoder.write_str("\\n")?,
                _ => encoder.write_char(character)?,
            }
        }
        Ok(())
    }
}

impl From<&String> for Label {
    fn from(text: &String) -> Self {
        Self(text.clone())
    }
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OfDevice {
    vendor: Label,
    device: Label,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OfChampion {
    vendor: Label,
    device: Label,
    provider: Label,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OfAgent {
    agent: Label,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OfState {
    state: &'static str,
}

/// How everything is at one moment. What is not known has no number.
#[derive(Default)]
struct State {
    attention: Gauge,
    device_samples: Whole<OfDevice>,
    mean_ape: Real<OfChampion>,
    agents: Whole<OfState>,
    last_seen: Whole<OfAgent>,
    spool: Whole<OfAgent>,
    spool_since: Whole<OfAgent>,
    jobs: Whole<OfState>,
    oldest_job: Option<Gauge>,
    memory: Option<Gauge>,
    database: Option<Gauge>,
    disk: Option<Gauge>,
}

impl State {
    fn of(overview: &Overview, jobs: &FittingJobs, vitals: &Vitals) -> Self {
        let pending = jobs.items.iter().filter(|job| !job.given_up);
        let oldest = pending.map(|job| job.requested_at.timestamp()).min();
        let state = Self {
            oldest_job: oldest.map(gauge),
            memory: vitals.memory_bytes.map(gauge),
            database: Some(gauge(vitals.database_bytes)),
            disk: vitals.disk_free_bytes.map(gauge),
            ..Self::default()
        };
        let attention = i64::try_from(overview.attention.len());
        state.attention.set(attention.unwrap_or(i64::MAX));
        for (name, count) in [
            ("silent", overview.silent_agents),
            ("failing", overview.failing_agents),
        ] {
            let agents = state.agents.get_or_create(&OfState { state: name });
            agents.set(i64::try_from(count).unwrap_or(i64::MAX));
        }
        overview.devices.iter().for_each(|it| state.device(it));
        // Nobody waits for those that are retired: what they said last is no state any more.
        let agents = overview.agents.iter();
        let agents = agents.filter(|it| it.state != AgentState::Retired);
        agents.for_each(|it| state.agent(it));
        let given_up = jobs.items.iter().filter(|job| job.given_up).count();
        let given_up = i64::try_from(given_up).unwrap_or(i64::MAX);
        for (name, count) in [("pending", jobs.pending), ("given_up", given_up)] {
            state
                .jobs
                .get_or_create(&OfState { state: name })
                .set(count);
        }
        state
    }

    fn device(&self, overview: &DeviceOverview) {
        let device = &overview.device;
        let (vendor, name) = (&device.device.vendor, &device.device.name);
        let labels = OfDevice {
            vendor: vendor.into(),
            device: name.into(),
        };
        self.device_samples
            .get_or_create(&labels)
            .set(device.samples);
        for cell in &overview.providers {
            let Some(champion) = &cell.champion else {
                continue;
            };
            let labels = OfChampion {
                vendor: vendor.into(),
                device: name.into(),
                provider: (&cell.provider).into(),
            };
            if let Some(errors) = champion.leave_one_kernel_out {
                self.mean_ape.get_or_create(&labels).set(errors.mean_ape);
            }
        }
    }

    fn agent(&self, agent: &AgentStatus) {
        let labels = OfAgent {
            agent: (&agent.name).into(),
        };
        let seen = agent.last_seen_at.timestamp();
        self.last_seen.get_or_create(&labels).set(seen);
        if let Some(spool) = agent.spool {
            self.spool.get_or_create(&labels).set(spool.into());
        }
        if let Some(since) = agent.spool_since {
            let since = since.timestamp();
            self.spool_since.get_or_create(&labels).set(since);
        }
    }

    fn registry(self) -> Registry {
        let mut registry = Registry::with_prefix("kerncast");
        let help = "Things that a person should look at (GET /v1/overview)";
        registry.register("attention", help, self.attention);
        let help = "Samples stored, by device";
        registry.register("device_samples", help, self.device_samples);
        let help = "Mean error of a champion on kernels that its fit had not seen; 0.05 is 5 %";
        registry.register("champion_mean_ape", help, self.mean_ape);
        let help = "Agents that need attention, by state";
        registry.register("agents", help, self.agents);
        let help = "When an agent last uploaded or reported; of the first thousand by name";
        registry.register_with_unit(
            "agent_last_seen_timestamp",
            help,
            Unit::Seconds,
            self.last_seen,
        );
        let help = "Files that waited in an agent's spool at its last report";
        registry.register("agent_spool_files", help, self.spool);
        let help = "Since when the oldest of these files waited, by the agent's clock";
        let name = "agent_spool_since_timestamp";
        registry.register_with_unit(name, help, Unit::Seconds, self.spool_since);
        registry.register(
            "fitting_jobs",
            "Fits that are not done, by state",
            self.jobs,
        );
        let of_bytes = [
            (
                "resident_memory",
                "Memory of the server's process",
                self.memory,
            ),
            ("database", "What the database takes", self.database),
            (
                "disk_free",
                "Room on the disk of the data folder",
                self.disk,
            ),
        ];
        for (name, help, gauge) in of_bytes {
            if let Some(gauge) = gauge {
                registry.register_with_unit(name, help, Unit::Bytes, gauge);
            }
        }
        if let Some(oldest) = self.oldest_job {
            let help = "When the fit that has waited longest was asked for";
            let name = "oldest_fitting_job_timestamp";
            registry.register_with_unit(name, help, Unit::Seconds, oldest);
        }
        registry
    }
}

fn gauge(value: i64) -> Gauge {
    let gauge = Gauge::default();
    gauge.set(value);
    gauge
}
