//! The report on a method: its forecasts of unseen data and their errors.

use std::time::Duration;

use kerncast_models::Dataset;
use kerncast_training::HoldOutReport;
use kerncast_wire::{Coverage, Errors, KernelErrors, SpeedupErrors};
use serde::Serialize;
use uuid::Uuid;

/// The forecast of a sample by a fit that had not seen it.
#[derive(Clone, Debug, Serialize)]
pub struct Forecast {
    /// The sample.
    pub sample: Uuid,
    /// The measured value: seconds, or a counter.
    pub measured: f64,
    /// The forecast value; none where there is no forecast.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forecast: Option<f64>,
    /// The power to which an interval's factor is raised for this forecast: larger where the fit expects a larger
    /// error. 1 for methods that doubt all forecasts alike.
    pub doubt: f64,
}

/// A method, and the errors of its forecasts of unseen data.
#[derive(Clone, Debug, Default, Serialize)]
pub struct MethodReport {
    /// Its name.
    pub method: String,
    /// The number of rows that it is fitted to and validated on, without those of generated kernels.
    pub rows: usize,
    /// The number of counters that it takes.
    pub counters: usize,
    /// The errors, averaged per kernel first; none where nothing could be forecast.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<Errors>,
    /// Why rows have no forecast: the reason of the first one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// Errors of each kernel.
    pub kernels: Vec<KernelErrors>,
    /// Each sample's forecast.
    pub forecasts: Vec<Forecast>,
    /// The coverage of the intervals on unseen data; none where there are no intervals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intervals: Option<Coverage>,
    /// Why there are no intervals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_intervals: Option<String>,
    /// The errors of its forecasts' ratios, with kernels held out; none where no kernel has both variants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speedups: Option<SpeedupErrors>,
    /// Seconds for all folds.
    pub seconds: f64,
}

impl MethodReport {
    /// The report on a validation. `size`: numbers of rows and counters; `samples`: the samples of the rows of `measured`.
    pub(super) fn new(
        method: &str,
        size: (usize, usize),
        samples: &[Uuid],
        measured: &Dataset,
        result: HoldOutReport,
        took: Duration,
    ) -> Self {
        let rows = result.hold_out.forecasts.iter();
        let refusal = rows.clone().find_map(|it| it.as_ref().err());
        let rows = rows.zip(&result.hold_out.expected_errors);
        let forecasts = samples.iter().zip(measured.y()).zip(rows);
        let forecasts = forecasts.map(|((sample, measured), (forecast, doubt))| Forecast {
            sample: *sample,
            measured: *measured,
            forecast: forecast.as_ref().ok().copied(),
            doubt: *doubt,
        });
        Self {
            method: method.to_owned(),
            rows: size.0,
            counters: size.1,
            errors: result.errors.overall,
            forecasts: forecasts.collect(),
            refusal: refusal.map(ToString::to_string),
            kernels: result.errors.kernels,
            no_intervals: result.coverage.as_ref().err().map(ToString::to_string),
            intervals: result.coverage.ok(),
            speedups: None,
            seconds: took.as_secs_f64(),
        }
    }

    /// The report on a method whose rows form no dataset.
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
