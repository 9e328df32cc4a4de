//! Counts for Prometheus: of requests since the server's start, and of the state of everything
//! (docs/monitoring.md).

use std::{
    fmt::{self, Write},
    sync::atomic::AtomicU64,
};

use kerncast_wire::{AgentStatus, BatchVerdict, DeviceOverview, FittingJobs, Overview};
use prometheus_client::{
    encoding::{
        EncodeLabelSet, EncodeLabelValue, LabelValueEncoder,
        text::{encode_eof, encode_registry},
    },
    metrics::{counter::Counter, family::Family, gauge::Gauge},
    registry::{Registry, Unit},
};

/// What is counted since the server's start.
pub(crate) struct Metrics {
    registry: Registry,
    samples: Family<Uploaded, Counter>,
    pub(crate) predictions: Counter,
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
        Self {
            registry,
            samples,
            predictions,
        }
    }
}

impl Metrics {
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
    pub(crate) fn text(&self, overview: &Overview, jobs: &FittingJobs) -> String {
        let now = State::of(overview, jobs).registry();
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
    kernels: Gauge,
    attention: Gauge,
    device_samples: Whole<OfDevice>,
    mean_ape: Real<OfChampion>,
    median_ape: Real<OfChampion>,
    champion_kernels: Whole<OfChampion>,
    last_seen: Whole<OfAgent>,
    spool: Whole<OfAgent>,
    failed: Whole<OfAgent>,
    jobs: Whole<OfState>,
}

impl State {
    fn of(overview: &Overview, jobs: &FittingJobs) -> Self {
        let state = Self::default();
        state.kernels.set(overview.kernels);
        let attention = i64::try_from(overview.attention.len());
        state.attention.set(attention.unwrap_or(i64::MAX));
        overview.devices.iter().for_each(|it| state.device(it));
        overview.agents.iter().for_each(|it| state.agent(it));
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
            let kernels = self.champion_kernels.get_or_create(&labels);
            kernels.set(champion.kernels);
            if let Some(errors) = champion.leave_one_kernel_out {
                self.mean_ape.get_or_create(&labels).set(errors.mean_ape);
                self.median_ape
                    .get_or_create(&labels)
                    .set(errors.median_ape);
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
        if let Some(run) = &agent.run {
            self.failed.get_or_create(&labels).set(run.failed.into());
        }
    }

    fn registry(self) -> Registry {
        let mut registry = Registry::with_prefix("kerncast");
        registry.register("kernels", "Kernels that samples speak of", self.kernels);
        let help = "Things that a person should look at (GET /v1/overview)";
        registry.register("attention", help, self.attention);
        let help = "Samples stored, by device";
        registry.register("device_samples", help, self.device_samples);
        let help = "Mean error of a champion on kernels that its fit had not seen; 0.05 is 5 %";
        registry.register("champion_mean_ape", help, self.mean_ape);
        let help = "Median error of a champion on kernels that its fit had not seen";
        registry.register("champion_median_ape", help, self.median_ape);
        let help = "Kernels that a champion was fitted to";
        registry.register("champion_kernels", help, self.champion_kernels);
        let help = "When an agent last uploaded or reported";
        registry.register_with_unit(
            "agent_last_seen_timestamp",
            help,
            Unit::Seconds,
            self.last_seen,
        );
        let help = "Files that waited in an agent's spool at its last report";
        registry.register("agent_spool_files", help, self.spool);
        let help = "Workloads that failed in an agent's last run";
        registry.register("agent_failed_workloads", help, self.failed);
        registry.register(
            "fitting_jobs",
            "Fits that are not done, by state",
            self.jobs,
        );
        registry
    }
}
