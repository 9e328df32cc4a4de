//! The shares of a forecast's time by counter.

use kerncast_wire::{FitForm, Forecast, Part};

/// The share of a forecast's time that goes to one counter.
pub struct TimeShare {
    /// The part of the device that the counter is of.
    pub part: Part,
    /// The counter as `PROVIDER:NAME`, or in words what no counter explains.
    pub name: String,
    /// The share in seconds; below 0 where the attribution is.
    pub time_s: f64,
}

/// All shares, the largest first.
pub fn time_shares(forecast: &Forecast) -> Vec<TimeShare> {
    let explanation = &forecast.explanation;
    let shares = explanation.shares.iter().map(|it| TimeShare {
        part: it.part,
        name: it.counter.clone(),
        time_s: it.time_s,
    });
    let mut shares: Vec<TimeShare> = shares.collect();
    if explanation.rest_s != 0.0 {
        let (part, rest) = match explanation.form {
            FitForm::Costs | FitForm::Waves | FitForm::Corrected | FitForm::Across => {
                (Part::Launch, "every launch")
            }
            FitForm::Linear => (Part::Other, "no counter (intercept)"),
            FitForm::Forest => (Part::Other, "no counter (a typical time)"),
        };
        shares.push(TimeShare {
            part,
            name: rest.to_owned(),
            time_s: explanation.rest_s,
        });
    }
    shares.sort_by(|a, b| b.time_s.abs().total_cmp(&a.time_s.abs()));
    shares
}
