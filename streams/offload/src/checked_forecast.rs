//! Forecasts of streams beside what was measured, as people look at them.

use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{ForecastAndTime, StreamRates, StreamWork};

/// A forecast by today's rates, beside what was measured.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = JudgedStream)]
pub struct CheckedForecast {
    /// How the array reached the device, or who did the work on the host: `staged`, `pinned`, `file`, `mapped`, `one core`
    /// or `all cores`.
    pub by: String,
    /// Length of the array.
    pub bytes: u64,
    /// How many times the data go to the device; 0 for work on the host.
    #[serde(rename = "passes")]
    pub trip_count: usize,
    /// Forecast, seconds. For the device this is a later call, not the first.
    pub forecast_s: f64,
    /// Measured, seconds.
    pub measured_s: f64,
    /// Whether the forecast was fitted to this very check: it then says nothing about how good forecasts are.
    pub is_fitted: bool,
    /// The same for a first call; absent where none was checked.
    pub first: Option<ForecastAndTime>,
}

impl StreamRates {
    /// All checks of a work, the shortest arrays first.
    #[must_use]
    pub fn checked_forecasts(&self, work: StreamWork) -> Vec<CheckedForecast> {
        let of_work = self.checks.iter().filter(|it| it.work == work);
        let forecasts = of_work.map(|it| {
            let stretch = match it.trip_count {
                0 => 1.0,
                trip_count => self.stretch(work, &it.by, trip_count),
            };
            CheckedForecast {
                by: it.by.clone(),
                bytes: it.elements * it.element.bytes() as u64,
                trip_count: it.trip_count,
                forecast_s: it.forecast_s * stretch,
                measured_s: it.measured_s,
                is_fitted: self.is_fitted_to(it),
                first: it.first,
            }
        });
        let mut forecasts: Vec<CheckedForecast> = forecasts.collect();
        forecasts.sort_by_key(|it| it.bytes);
        forecasts
    }
}
