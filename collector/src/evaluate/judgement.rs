//! What came of a method: its forecasts and their errors.

use std::time::Duration;

use kerncast_training::Judgement as ModelJudgement;
use kerncast_wire::{Coverage, Errors, KernelErrors, SpeedupErrors};
use serde::Serialize;
use uuid::Uuid;

/// What was forecast of a sample by a fit that had not seen it.
#[derive(Clone, Debug, Serialize)]
pub struct Forecast {
    /// The sample.
    pub sample: Uuid,
    /// What was measured: seconds, or a counter.
    pub measured: f64,
    /// The same, forecast; absent where it could not be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forecast: Option<f64>,
    /// How far off the fit expects this forecast to be: an interval's factor is taken to this power. 1 for methods that
    /// doubt all alike.
    pub doubt: f64,
}

/// A method and how far its forecasts of what it had not seen were off.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Judgement {
    /// Its name.
    pub method: String,
    /// The rows that it learns from and is judged by; it learns from those of generated kernels too.
    pub rows: usize,
    /// How many counters it takes.
    pub counters: usize,
    /// Errors per kernel first, then averaged; absent where nothing could be forecast.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<Errors>,
    /// Why a row has no forecast, the first one's reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// Errors of each kernel.
    pub kernels: Vec<KernelErrors>,
    /// Each sample's forecast.
    pub forecasts: Vec<Forecast>,
    /// Whether the intervals hold for what was left out; absent where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intervals: Option<Coverage>,
    /// Why there are no intervals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_intervals: Option<String>,
    /// How far off the ratios of its forecasts are, leaving kernels out; absent where no kernel has both variants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speedups: Option<SpeedupErrors>,
    /// How long it took, all folds.
    pub seconds: f64,
}

impl Judgement {
    /// `samples`: of each row that was forecast, and what was measured. `size`: rows and counters.
    pub(super) fn new(
        method: &str,
        size: (usize, usize),
        samples: impl Iterator<Item = (Uuid, f64)>,
        result: ModelJudgement,
        took: Duration,
    ) -> Self {
        let rows = result.hold_out.forecasts.iter();
        let refusal = rows.clone().find_map(|it| it.as_ref().err());
        let rows = rows.zip(&result.hold_out.doubts);
        let forecasts = samples.zip(rows);
        let forecasts = forecasts.map(|((sample, measured), (forecast, doubt))| Forecast {
            sample,
            measured,
            forecast: forecast.as_ref().ok().copied(),
            doubt: *doubt,
        });
        Self {
            method: method.to_owned(),
            rows: size.0,
            counters: size.1,
            errors: result.report.overall,
            forecasts: forecasts.collect(),
            refusal: refusal.map(ToString::to_string),
            kernels: result.report.kernels,
            no_intervals: result.coverage.as_ref().err().map(ToString::to_string),
            intervals: result.coverage.ok(),
            speedups: None,
            seconds: took.as_secs_f64(),
        }
    }

    /// Of rows that are no dataset.
    pub(super) fn refused(method: &str, size: (usize, usize), why: String) -> Self {
        Self {
            method: method.to_owned(),
            rows: size.0,
            counters: size.1,
            refusal: Some(why),
            ..Self::default()
        }
    }
}
