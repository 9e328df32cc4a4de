//! Whether local memory pays: by the model of speedups, and where a variant with it is forecast too, by both times.

use anyhow::Result;
use kerncast_collector::client::Client;
use kerncast_profilers::catalogue::uses_local_memory;
use kerncast_wire::{Outcome, Prediction, SpeedupForecast, SpeedupRequest};
use serde::Serialize;

use super::{Answer, asked::Case, refusal};
use crate::cli::units;

/// Whether local memory pays.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum LocalMemory {
    /// Of a kernel that uses none.
    Forecast(Box<SpeedupForecast>),
    /// The variant uses it already.
    Used,
    /// Why nobody can tell.
    Unknown(String),
}

/// What the forecasts of two variants say.
#[derive(Serialize)]
pub(super) struct OfVariants {
    /// The one with local memory.
    local: String,
    /// This one's time ÷ that one's.
    speedup: f64,
}

/// By the server's model of speedups.
pub(super) fn local_memory(
    server: &Client,
    case: &Case,
    prediction: &Prediction,
) -> Result<LocalMemory> {
    if uses_local_memory(&case.counters).is_some() {
        return Ok(LocalMemory::Used);
    }
    let device = prediction.device;
    let request = SpeedupRequest {
        counted_on: case.counted_on.map_or(device, |it| it.device),
        counters: case.counters.clone(),
        time_s: match case.counted_on {
            Some(it) => Some(it.time_s),
            None => case.measured_s.or(seconds(prediction)),
        },
        devices: Some(vec![device]),
        level: None,
    };
    Ok(match refusal(server.speedups(&request))? {
        Ok(mut forecasts) if !forecasts.is_empty() => {
            LocalMemory::Forecast(Box::new(forecasts.remove(0)))
        }
        Ok(_) => LocalMemory::Unknown("the server has no model of it for this device".to_owned()),
        Err(why) => LocalMemory::Unknown(why),
    })
}

/// Adds what the forecasts of a kernel's variants say of the same: of several with local memory the fastest.
pub(super) fn compare(answers: &mut [Answer]) {
    for place in 0..answers.len() {
        let own = &answers[place];
        let (Some(launched), Some(time)) = (&own.launched, seconds(&own.prediction)) else {
            continue;
        };
        if matches!(own.local_memory, LocalMemory::Used) {
            continue;
        }
        let with = answers.iter().filter_map(|it| {
            let other = it.launched.as_ref()?;
            let is_same = (&other.folder, &other.sizes) == (&launched.folder, &launched.sizes);
            let uses = is_same && matches!(it.local_memory, LocalMemory::Used);
            let local_s = seconds(&it.prediction).filter(|_| uses)?;
            Some((other.variant.clone(), local_s))
        });
        let fastest = with.min_by(|one, other| one.1.total_cmp(&other.1));
        answers[place].of_variants = fastest.map(|(local, local_s)| OfVariants {
            local,
            speedup: time / local_s,
        });
    }
}

/// One answer: yes or no only where the server can tell, and nothing else says otherwise.
pub(super) fn in_words(known: &LocalMemory, of_variants: Option<&OfVariants>) -> String {
    match known {
        LocalMemory::Used => "this variant uses it already".to_owned(),
        LocalMemory::Forecast(forecast) => verdict(forecast, of_variants),
        LocalMemory::Unknown(why) => {
            let also = of_variants.map_or_else(String::new, |it| {
                format!(
                    "; by the forecasts, `{}` would be ×{:.2}",
                    it.local, it.speedup
                )
            });
            format!("cannot tell: {why}{also}")
        }
    }
}

fn verdict(forecast: &SpeedupForecast, of_variants: Option<&OfVariants>) -> String {
    let speedup = forecast.speedup;
    let why = forecast.cannot_tell.as_deref();
    if let Some(other) = of_variants.filter(|it| !agree(forecast, it.speedup)) {
        let own = why.map_or_else(String::new, |why| format!("; of the former: {why}"));
        return format!(
            "cannot tell: two ways differ: ×{speedup:.2} by the model of speedups, ×{:.2} by the forecasts of this \
             variant and `{}`{own}",
            other.speedup, other.local
        );
    }
    let also = of_variants.map_or_else(String::new, |it| {
        format!(
            ", ×{:.2} by the forecasts of this variant and `{}`",
            it.speedup, it.local
        )
    });
    let says = match forecast.pays_off {
        Some(true) => "pays off",
        Some(false) => "does not pay off",
        None => {
            let why = why.unwrap_or("the server does not say why");
            if let Some(odds) = forecast.odds {
                let (says, odds) = match odds > 0.5 {
                    true => ("that it pays off", odds),
                    false => ("that it does not pay off", 1.0 - odds),
                };
                return format!(
                    "cannot tell: ×{speedup:.2}; the odds {says} are {:.0} %{also}. No verdict, since {why}",
                    100.0 * odds
                );
            }
            return match of_variants {
                Some(_) => {
                    format!("cannot tell (×{speedup:.2} by the model of speedups{also}): {why}")
                }
                None => format!("cannot tell: {why}"),
            };
        }
    };
    let right = forecast.signs.map_or(String::new(), |it| {
        format!(" (right in {})", units::percent(it.right))
    });
    format!("{says}: ×{speedup:.2}{right}{also}")
}

/// Whether both say yes, or both no, and the one lies within the other's interval.
fn agree(forecast: &SpeedupForecast, other: f64) -> bool {
    let within = forecast
        .interval
        .is_none_or(|it| (it.low..=it.high).contains(&other));
    (forecast.speedup > 1.0) == (other > 1.0) && within
}

/// Of a forecast that can be a time.
pub(in crate::cli) fn seconds(prediction: &Prediction) -> Option<f64> {
    match &prediction.outcome {
        Outcome::Forecast(forecast) => Some(forecast.time_s).filter(|time| *time > 0.0),
        Outcome::Refused(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn forecast(speedup: f64, pays_off: Option<bool>) -> LocalMemory {
        leaning(speedup, pays_off, None)
    }

    fn leaning(speedup: f64, pays_off: Option<bool>, odds: Option<f64>) -> LocalMemory {
        let forecast = json!({
            "odds": odds,
            "device": 4, "speedup": speedup, "pays_off": pays_off,
            "cannot_tell": pays_off.is_none().then_some("that may be chance"),
            "interval": { "level": 0.9, "low": speedup / 1.3, "high": speedup * 1.3 },
            "model": uuid::Uuid::nil(), "method": "forest", "provider": "analysis",
            "outside": [], "missing": [], "warned": [],
        });
        LocalMemory::Forecast(serde_json::from_value(forecast).expect("a forecast"))
    }

    fn said(known: &LocalMemory, by_variants: Option<f64>) -> String {
        let of_variants = by_variants.map(|speedup| OfVariants {
            local: "local".to_owned(),
            speedup,
        });
        in_words(known, of_variants.as_ref())
    }

    #[test]
    fn two_ways_make_one_answer_or_none() {
        let sure = forecast(1.6, Some(true));
        assert_eq!(said(&sure, None), "pays off: ×1.60");
        assert!(said(&sure, Some(1.5)).starts_with("pays off: ×1.60, ×1.50 by the forecasts"));
        for other in [0.9, 1.05, 2.5] {
            let both = said(&sure, Some(other));
            assert!(
                both.starts_with("cannot tell: two ways differ: ×1.60"),
                "{both}"
            );
            assert!(
                both.contains(&format!("×{other:.2} by the forecasts")),
                "{both}"
            );
        }
        let unsure = forecast(1.03, None);
        assert_eq!(said(&unsure, None), "cannot tell: that may be chance");
        let both = said(&unsure, Some(0.55));
        assert!(
            both.contains("two ways differ: ×1.03") && both.contains("×0.55"),
            "{both}"
        );
        assert!(both.ends_with("that may be chance"), "{both}");
        let leans = said(&leaning(0.89, None, Some(0.27)), None);
        assert_eq!(
            leans,
            "cannot tell: ×0.89; the odds that it does not pay off are 73 %. No verdict, since that may be chance"
        );
        let used = said(&LocalMemory::Used, None);
        assert_eq!(used, "this variant uses it already");
    }
}
