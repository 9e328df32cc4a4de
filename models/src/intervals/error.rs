use std::fmt;

use kerncast_wire::Warning;
use thiserror::Error;

/// Why a forecast has no interval.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum NoInterval {
    /// The level is no share.
    Level {
        /// The level that was asked for.
        level: f64,
    },
    /// Too few folds to know what is exceeded as rarely as the level asks.
    TooFewFolds {
        /// Folds of the hold-out that have scores.
        folds: usize,
        /// Folds that are enough for the level.
        needed: f64,
        /// The level that was asked for.
        level: f64,
    },
    /// Forecasts at or below 0, or missing ones, which are as far off as can be, are not rare here.
    NoTimes {
        /// The level that was asked for.
        level: f64,
    },
    /// There is nothing to put an interval around.
    NoForecasts,
    /// The forecast itself is no time.
    Forecast {
        /// The forecast.
        forecast: f64,
    },
}

/// The reason as a warning's text.
impl fmt::Display for NoInterval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Warning::from(*self).fmt(f)
    }
}

impl From<NoInterval> for Warning {
    fn from(why: NoInterval) -> Self {
        match why {
            NoInterval::Level { level } => Self::NoLevel { level },
            NoInterval::TooFewFolds {
                folds,
                needed,
                level,
            } => Self::TooFewLeftOut {
                folds,
                needed,
                level,
            },
            NoInterval::NoTimes { level } => Self::TooManyNoTimes { level },
            NoInterval::NoForecasts => Self::NothingForecast,
            NoInterval::Forecast { forecast } => Self::NothingToBound { time_s: forecast },
        }
    }
}
