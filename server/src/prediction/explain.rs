//! What is said beside a time: how far to trust it, where it goes, and what of it is an extrapolation.

use kerncast_models::{Attribution, Fitted, NoInterval};
use kerncast_wire::{Explanation, Interval, Outside, Share};
use ndarray::ArrayView1;

use crate::db::fit_parts::form;

/// The interval of a forecast, by the factor that its model has at this level, or why there is none.
/// `complete`: no counter is missing.
pub(super) fn interval(
    time_s: f64,
    complete: bool,
    level: f64,
    factor: Option<&Result<f64, NoInterval>>,
) -> Result<Interval, String> {
    let Some(factor) = factor else {
        return Err("the model could not be validated on kernels it had not seen".to_owned());
    };
    let factor = factor.map_err(|why| why.to_string())?;
    if !complete {
        return Err(
            "counters are missing: how far means in their place are off is not known".to_owned(),
        );
    }
    if time_s <= 0.0 {
        return Err(NoInterval::Forecast { forecast: time_s }.to_string());
    }
    let (low_s, high_s) = (time_s / factor, time_s * factor);
    if !high_s.is_finite() {
        return Err("the model is too far off for an interval with an upper end".to_owned());
    }
    Ok(Interval {
        level,
        low_s,
        high_s,
    })
}

/// The forecast of a row (p) shared out among its counters, the largest share first.
pub(super) fn explanation(
    fit: &Fitted,
    row: ArrayView1<'_, f64>,
    counters: &[String],
) -> Explanation {
    let Attribution { rest, shares } = fit.attribution(row);
    let shares = shares.into_iter().filter(|&(_, seconds)| seconds != 0.0);
    let mut shares: Vec<Share> = shares
        .map(|(column, time_s)| Share {
            counter: counters[column].clone(),
            time_s,
        })
        .collect();
    shares.sort_by(|a, b| b.time_s.abs().total_cmp(&a.time_s.abs()));
    Explanation {
        form: form(fit),
        rest_s: rest,
        shares,
    }
}

/// Which of the counters that were posted (p) lie outside what the fit has seen.
pub(super) fn outside(
    fit: &Fitted,
    row: ArrayView1<'_, f64>,
    counters: &[String],
    posted: &[bool],
) -> Vec<Outside> {
    let outside = fit.outside(row);
    // A mean in the place of a missing counter can lie outside, by rounding.
    let outside = outside.iter().filter(|it| posted[it.column]);
    outside
        .map(|it| Outside {
            counter: counters[it.column].clone(),
            value: it.value,
            min: it.min,
            max: it.max,
            times: Some(it.times()).filter(|times| times.is_finite()),
        })
        .collect()
}
