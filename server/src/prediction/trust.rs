//! How far to believe an answer, in one word with its reason.

use kerncast_wire::{FittingJob, Forecast, Trust, TrustWord};

/// The share of kernels that trust and alarms are about, whatever level was asked for; and the level where none was.
pub(super) const NINE_IN_TEN: f64 = 0.9;
/// Within it nine in ten such kernels lie: a forecast is nearly as good as a measurement.
const NARROW: f64 = 1.5;
/// Beyond it an answer tells an order of magnitude.
const WIDE: f64 = 2.5;

/// Of no forecast.
pub(super) fn none() -> Trust {
    trust(TrustWord::None, "there is no forecast".to_owned())
}

/// Of a forecast; what is worst decides. `reach` up and down is where nine in ten kernels lie by the model's own
/// validation, and `alarm` that a measured time lies elsewhere.
pub(super) fn of(
    forecast: &Forecast,
    reach: Option<f64>,
    alarm: bool,
    pending: &[FittingJob],
) -> Trust {
    if forecast.time_s <= 0.0 {
        let why = "a time at or below 0 is no time";
        return trust(TrustWord::None, why.to_owned());
    }
    let (Some(_), Some(reach)) = (forecast.interval, reach) else {
        let why = forecast.no_interval.as_deref();
        let why = why.unwrap_or("how far off it may be is not known");
        return trust(TrustWord::None, format!("no interval: {why}"));
    };
    if alarm {
        let why =
            "the measured time lies outside the interval: the model is wrong about this kernel";
        return trust(TrustWord::None, why.to_owned());
    }
    if !pending.is_empty() {
        let fits = match pending.len() {
            1 => "a fit that may change the answer is pending".to_owned(),
            n => format!("{n} fits that may change the answer are pending"),
        };
        return trust(TrustWord::Low, fits);
    }
    if let Some(warning) = forecast.warnings.first() {
        let more = match forecast.warnings.len() - 1 {
            0 => String::new(),
            1 => " (and another warning)".to_owned(),
            n => format!(" (and {n} more warnings)"),
        };
        return trust(TrustWord::Low, format!("{warning}{more}"));
    }
    let word = match reach {
        it if it <= NARROW => TrustWord::High,
        it if it <= WIDE => TrustWord::Fair,
        _ => TrustWord::Low,
    };
    let percent = 100.0 * NINE_IN_TEN;
    let why = format!(
        "{percent:.0} % of kernels unlike those of the fit lie within ×/÷ {reach:.2} of their forecast"
    );
    trust(word, why)
}

fn trust(word: TrustWord, why: String) -> Trust {
    Trust { word, why }
}
