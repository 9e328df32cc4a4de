//! How far to believe an answer, in one word with its reason.

use kerncast_wire::{Lies, Outcome, Prediction};
use serde::Serialize;

/// Within it nine in ten such kernels lie: a forecast is nearly as good as a measurement.
const NARROW: f64 = 1.5;
/// Beyond it an answer tells an order of magnitude.
const WIDE: f64 = 2.5;

/// A word, and why not a better one.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Trust {
    pub(super) word: Word,
    pub(super) why: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Word {
    High,
    Fair,
    Low,
    None,
}

impl Word {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Fair => "fair",
            Self::Low => "low",
            Self::None => "none",
        }
    }
}

/// What is worst decides.
pub(super) fn of(prediction: &Prediction) -> Trust {
    let trust = |word, why: String| Trust { word, why };
    let forecast = match &prediction.outcome {
        Outcome::Forecast(forecast) => forecast,
        Outcome::Refused(_) => return trust(Word::None, "there is no forecast".to_owned()),
    };
    if forecast.time_s <= 0.0 {
        return trust(Word::None, "a time at or below 0 is no time".to_owned());
    }
    let Some(interval) = forecast.interval else {
        let why = forecast.no_interval.clone();
        let why = why.unwrap_or_else(|| "the server does not say how far off it may be".to_owned());
        return trust(Word::None, format!("no interval: {why}"));
    };
    if matches!(prediction.measured_lies, Some(Lies::Below | Lies::Above)) {
        return trust(
            Word::None,
            "the measured time lies outside the interval: the model is wrong about this kernel"
                .to_owned(),
        );
    }
    if !prediction.pending.is_empty() {
        let why = format!(
            "{} fits that may change the answer are pending",
            prediction.pending.len()
        );
        return trust(Word::Low, why);
    }
    // Where models disagree, it is wider on one side.
    let factor = (forecast.time_s / interval.low_s).max(interval.high_s / forecast.time_s);
    if let Some(warning) = forecast.warnings.first() {
        let others = match forecast.warnings.len() - 1 {
            0 => String::new(),
            n => format!(" (and {n} more warnings)"),
        };
        return trust(Word::Low, format!("{warning}{others}"));
    }
    let word = match factor {
        _ if factor <= NARROW => Word::High,
        _ if factor <= WIDE => Word::Fair,
        _ => Word::Low,
    };
    let percent = 100.0 * interval.level;
    trust(
        word,
        format!(
            "{percent:.0} % of kernels unlike those of the fit lie within ×/÷ {factor:.2} of their forecast"
        ),
    )
}
