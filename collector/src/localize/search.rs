//! The search for the best candidate: by forecast, by loads, or by measuring.

use std::{collections::BTreeMap, path::Path};

use anyhow::Result;

use super::{RewrittenKernel, Search, candidates::Candidate, loads::Loads, measure::measure};

/// The result of a search.
pub struct Outcome {
    /// At least one candidate: first the best one that passed its check, else the best.
    pub candidates: Vec<Candidate>,
    /// Whether the first candidate passed its check.
    pub is_right: bool,
    /// Seconds of the variant that candidates are made of; none where nothing was measured.
    pub measured_before_s: Option<f64>,
    /// Why there is no forecast, where one was asked for.
    pub no_forecast: Option<String>,
    /// Providers that could not count for the forecast, with their reasons.
    pub uncounted: BTreeMap<String, String>,
}

impl Search<'_> {
    /// Compares candidates: first sets of arrays, then shapes of the best set.
    ///
    /// # Errors
    /// A candidate can't be written, forecast or measured.
    pub fn run(&self, first: RewrittenKernel) -> Result<Outcome> {
        let of = first.of.clone();
        let first = Candidate::new(self, 0, first, self.options.form)?;
        let mut outcome = Outcome {
            candidates: vec![first],
            is_right: false,
            measured_before_s: None,
            no_forecast: None,
            uncounted: BTreeMap::new(),
        };
        if self.forecaster.is_some() || self.tune.is_some() {
            self.add_with_fewer_arrays(&mut outcome.candidates)?;
            self.forecast_and_rank(&of, &mut outcome)?;
            self.add_other_shapes(&mut outcome.candidates)?;
        }
        self.forecast_and_rank(&of, &mut outcome)?;
        if let Some(most) = self.tune {
            outcome.measured_before_s = measure(self, &of, &mut outcome.candidates, most)?;
        }
        let candidates = &mut outcome.candidates;
        let mut passes = None;
        for (place, candidate) in candidates.iter_mut().enumerate() {
            if candidate.is_right(self, &of)? {
                passes = Some(place);
                break;
            }
        }
        // Of those that fail the first tells why, where none passes.
        let best = candidates.remove(passes.unwrap_or(0));
        candidates.insert(0, best);
        outcome.is_right = passes.is_some();
        let best = &mut candidates[0];
        if outcome.is_right && best.loads.is_none() {
            best.loads = Loads::count(self.children, &best.folder, &of, None).ok();
        }
        Ok(outcome)
    }

    /// Forecasts candidates without a forecast, if that is asked for, and sorts the best first.
    fn forecast_and_rank(&self, of: &str, outcome: &mut Outcome) -> Result<()> {
        let candidates = &mut outcome.candidates;
        let new = candidates.iter_mut().filter(|it| it.forecast.is_none());
        let mut new: Vec<&mut Candidate> = new.collect();
        if let Some(forecaster) = self.forecaster
            && outcome.no_forecast.is_none()
            && !new.is_empty()
        {
            let folders: Vec<&Path> = new.iter().map(|it| &*it.folder).collect();
            let uncounted = &mut outcome.uncounted;
            match forecaster.forecast(self.children, of, &folders, self.sizes, uncounted)? {
                Ok(forecasts) => {
                    for (candidate, forecast) in new.iter_mut().zip(forecasts) {
                        candidate.forecast = Some(forecast);
                    }
                }
                Err(why) => outcome.no_forecast = Some(why),
            }
        }
        self.rank(of, candidates);
        Ok(())
    }
}
