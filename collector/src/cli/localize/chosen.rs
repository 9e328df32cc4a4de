//! Which candidate: by forecast, by loads, or by measuring.

use std::path::Path;

use anyhow::Result;
use kerncast_collector::localize::Rewritten;

use super::{
    Answer,
    asked::Asked,
    candidate::{self, Candidate},
    measured,
};

/// All candidates, the best first: which arrays, and of the best of these in which form.
pub(super) fn chosen(
    asked: &Asked<'_>,
    first: Rewritten,
    answer: &mut Answer,
) -> Result<Vec<Candidate>> {
    let Asked {
        arguments, wishes, ..
    } = asked;
    let of = answer.of.clone();
    let mut candidates = vec![Candidate::new(asked, 0, first, wishes.form)?];
    if asked.forecaster.is_some() || arguments.tune.is_some() {
        candidate::with_fewer(asked, &mut candidates)?;
        rank(asked, &mut candidates, answer)?;
        candidate::in_other_forms(asked, &mut candidates)?;
    }
    rank(asked, &mut candidates, answer)?;
    if let Some(most) = arguments.tune {
        let most = usize::from(most);
        answer.measured_before_s = measured::measure(asked, &of, &mut candidates, most)?;
    }
    Ok(candidates)
}

/// The best first, once those that have no forecast have one, where that is asked for.
fn rank(asked: &Asked<'_>, candidates: &mut [Candidate], answer: &mut Answer) -> Result<()> {
    let of = &answer.of;
    let new = candidates.iter_mut().filter(|it| it.forecast.is_none());
    let mut new: Vec<&mut Candidate> = new.collect();
    if let Some(forecaster) = asked.forecaster
        && answer.no_forecast.is_none()
        && !new.is_empty()
    {
        let folders: Vec<&Path> = new.iter().map(|it| &*it.folder).collect();
        let sizes = &asked.arguments.size;
        match forecaster.forecast(asked.children, of, &folders, sizes, &mut answer.uncounted)? {
            Ok(forecasts) => {
                for (candidate, forecast) in new.iter_mut().zip(forecasts) {
                    candidate.forecast = Some(forecast);
                }
            }
            Err(why) => answer.no_forecast = Some(why),
        }
    }
    let is_forecast = candidates.iter().all(|it| it.forecast.is_some());
    candidate::rank(asked.children, of, candidates, is_forecast);
    Ok(())
}
