//! How far to believe an answer, in one word with its reason.

use kerncast_training::LEVEL;
use kerncast_wire::{FittingJob, Forecast, Trust, TrustWord, Unmeasured};

/// How far to believe a forecast; what is worst decides. `reach`: nine in ten kernels lie within this factor up and down
/// by the model's own validation; `alarm`: a measured time lies elsewhere; `borrows`: most of the model's samples are
/// another GPU's.
pub(super) fn sum_up(
    forecast: &Forecast,
    reach: Option<f64>,
    alarm: bool,
    pending: &[FittingJob],
    unmeasured: Option<&Unmeasured>,
    borrows: bool,
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
    if let Some(warning) = forecast.warnings.0.first() {
        let more = match forecast.warnings.0.len() - 1 {
            0 => String::new(),
            1 => " (and another warning)".to_owned(),
            n => format!(" (and {n} more warnings)"),
        };
        return trust(TrustWord::Low, format!("{warning}{more}"));
    }
    let is_of_another_gpu = unmeasured.is_some() || borrows;
    let best = if is_of_another_gpu {
        TrustWord::Fair
    } else {
        TrustWord::High
    };
    let word = TrustWord::within(reach).min(best);
    let percent = 100.0 * LEVEL;
    let why = format!(
        "{percent:.0} % of forecasts like this one, for kernels unlike those of the fit, are within ×/÷ {reach:.2}"
    );
    let why = match unmeasured {
        Some(Unmeasured { like_name, gpu, .. }) => {
            format!("on the {like_name} {why}; the {gpu} nobody has measured here")
        }
        None if borrows => format!(
            "{why}, but most of what it was fitted to another GPU has run, with times converted"
        ),
        None => why,
    };
    trust(word, why)
}

fn trust(word: TrustWord, why: String) -> Trust {
    Trust { word, why }
}

#[cfg(test)]
mod tests {
    use kerncast_wire::{Warning, Warnings};
    use serde_json::json;

    use super::*;

    fn forecast() -> Forecast {
        let forecast = json!({
            "time_s": 1.0, "interval": { "level": 0.9, "low_s": 0.9, "high_s": 1.1 }, "others": [],
            "explanation": { "form": "costs", "rest_s": 1.0, "shares": [] }, "model": uuid::Uuid::nil(),
            "method": "waves", "provider": "ncu", "outside": [], "missing": [], "unknown": [], "warnings": [],
            "warned": [],
        });
        serde_json::from_value(forecast).expect("a forecast")
    }

    #[test]
    fn how_far_nine_in_ten_lie_decides_where_nothing_else_does() {
        let word = |reach| sum_up(&forecast(), Some(reach), false, &[], None, false).word;
        assert_eq!(word(1.5), TrustWord::High);
        assert_eq!(word(1.51), TrustWord::Fair);
        assert_eq!(word(2.5), TrustWord::Fair);
        assert_eq!(word(2.51), TrustWord::Low);
    }

    #[test]
    fn what_is_worst_decides() {
        let trust = |it: &Forecast, reach, alarm| sum_up(it, reach, alarm, &[], None, false);
        let warned = Forecast {
            warnings: Warnings(vec![Warning::NotValidated]),
            ..forecast()
        };
        // Another GPU's samples make no trust high.
        let borrowed = sum_up(&forecast(), Some(1.2), false, &[], None, true);
        assert_eq!(borrowed.word, TrustWord::Fair);
        let why = borrowed.why;
        assert!(why.ends_with("times converted"), "{why}");
        let Trust { word, why } = trust(&warned, Some(1.2), false);
        let expected = "the model could not be validated on kernels it had not seen";
        assert_eq!((word, &*why), (TrustWord::Low, expected));
        assert_eq!(trust(&warned, Some(1.2), true).word, TrustWord::None);
        assert_eq!(trust(&forecast(), None, false).word, TrustWord::None);
        let negative = Forecast {
            time_s: -1.0,
            ..forecast()
        };
        assert_eq!(trust(&negative, Some(1.2), false).word, TrustWord::None);
    }
}
