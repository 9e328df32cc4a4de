//! Fits, counted for Prometheus (docs/monitoring.md).

use std::time::Duration;

use prometheus_client::{
    metrics::{counter::Counter, family::Family, histogram::Histogram},
    registry::{Registry, Unit},
};

/// Upper ends of the classes of jobs' times, seconds.
const TIME_CLASSES: [f64; 11] = [
    0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0,
];

/// What became of fitting jobs since the server's start. Clones count together.
#[derive(Clone, Debug)]
pub struct Counts {
    jobs: Family<[(&'static str, &'static str); 1], Counter>,
    times: Histogram,
}

impl Default for Counts {
    fn default() -> Self {
        Self {
            jobs: Family::default(),
            times: Histogram::new(TIME_CLASSES),
        }
    }
}

impl Counts {
    pub(crate) fn register(&self, registry: &mut Registry) {
        let help = "Fitting jobs ended, by outcome";
        registry.register("fits", help, self.jobs.clone());
        let help = "What fitting jobs took that fitted something";
        registry.register_with_unit("fit_duration", help, Unit::Seconds, self.times.clone());
    }

    pub(super) fn count_fitted(&self, took: Duration) {
        self.count("fitted");
        self.times.observe(took.as_secs_f64());
    }

    pub(super) fn count(&self, outcome: &'static str) {
        self.jobs.get_or_create(&[("outcome", outcome)]).inc();
    }
}
