//! What is said beside a forecast: where it goes, and what of it is an extrapolation.

use kerncast_models::{Attribution, Fitted};
use kerncast_profilers::catalogue::role;
use kerncast_wire::{Explanation, Outside, Part, Role, Share};
use ndarray::ArrayView1;

use crate::db::models::fit_parts::form;

/// The forecast of a row shared out among its counters, the largest share first.
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
            part: role(&counters[column]).map_or(Part::Other, Role::part),
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

/// Which of the counters that were posted lie outside what the fit has seen.
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
