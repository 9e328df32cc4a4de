//! A few counts for Prometheus.

use kerncast_wire::BatchVerdict;
use prometheus_client::{
    encoding::{EncodeLabelSet, text::encode},
    metrics::{counter::Counter, family::Family},
    registry::Registry,
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

    /// In OpenMetrics' text form.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
