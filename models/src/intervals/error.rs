use thiserror::Error;

/// Why a forecast has no interval.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum NoInterval {
    /// The level is no share.
    #[error("the level is {level}; expected a number above 0 and below 1")]
    Level {
        /// What was asked for.
        level: f64,
    },
    /// Too few folds to know what is exceeded so rarely.
    #[error(
        "too few kernels, or regions of kernels, ({folds}) were left out for an interval at level {level}: {needed} are needed"
    )]
    TooFewFolds {
        /// Folds of the hold-out that have scores.
        folds: usize,
        /// Folds that are enough for the level.
        needed: f64,
        /// What was asked for.
        level: f64,
    },
    /// Forecasts at or below 0, or none, are as far off as can be, and here they are not rare.
    #[error(
        "too many forecasts of what was left out are no times for an interval at level {level}"
    )]
    NoTimes {
        /// What was asked for.
        level: f64,
    },
    /// There is nothing to put an interval around.
    #[error("nothing was forecast")]
    NoForecasts,
    /// The forecast itself is no time.
    #[error("the forecast is {forecast} s: no time, so nothing to put an interval around")]
    Forecast {
        /// The forecast.
        forecast: f64,
    },
}
