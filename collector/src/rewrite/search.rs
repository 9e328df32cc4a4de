//! The search for the best candidate: by forecast, by loads, or by measuring.

use std::{collections::BTreeMap, path::Path, time::Duration};

use anyhow::{Context, Result};
use kerncast_opencl::DeviceFacts;
use kerncast_suite::{Kernel, Parameters, sizes};
use kerncast_wire::TimeSummary;

use super::{
    Candidate, Forecaster, Loads, REWRITTEN_VARIANT, RewriteOptions, RewrittenKernel,
    candidates::{sets_of_fewer, to_measure},
    check, load_kernel, original_variant, other_shapes, rewrite,
};
use crate::{
    child::{ChildJob, Children, Launching, Outputs, Timed},
    clang::Clang,
    progress::Activity,
    workload::WorkloadKey,
};

/// Time for the repetitions of a variant.
const REPETITIONS_BUDGET: Duration = Duration::from_secs(3);
/// Time limit of a measured variant's process.
const PROCESS_LIMIT: Duration = Duration::from_secs(60);

/// A search for the best candidate of a kernel.
#[expect(missing_docs, reason = "their names say it")]
pub struct Search<'a> {
    pub clang: &'a Clang,
    pub kernel: &'a Kernel,
    /// Options for rewriting that all candidates share.
    pub options: &'a RewriteOptions,
    /// Processes that run candidates; the candidates' folders lie in their scratch folder.
    pub children: &'a Children,
    /// The device on which candidates are measured.
    pub device: &'a DeviceFacts,
    /// The most candidates that are measured; none: nothing is measured.
    pub tune: Option<usize>,
    /// Forecasts candidates; none: no forecast was asked for.
    pub forecaster: Option<&'a Forecaster>,
    /// Sizes at which candidates are checked; the last one is forecast. Empty: those of the launch file.
    pub sizes: &'a [Parameters],
}

/// The result of a search.
pub struct SearchResult {
    /// At least one candidate: first the best one that passed its check, else the best.
    pub candidates: Vec<Candidate>,
    /// Whether the first candidate passed its check.
    pub is_right: bool,
    /// Seconds of the original variant; none where nothing was measured.
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
    pub fn run(&self, first: RewrittenKernel) -> Result<SearchResult> {
        let mut result = SearchResult {
            candidates: vec![Candidate::new(self.children, self.kernel, 0, first)?],
            is_right: false,
            measured_before_s: None,
            no_forecast: None,
            uncounted: BTreeMap::new(),
        };
        if self.forecaster.is_some() || self.tune.is_some() {
            self.add_with_fewer_arrays(&mut result.candidates)?;
            self.forecast_and_rank(&mut result)?;
            self.add_other_shapes(&mut result.candidates)?;
        }
        self.forecast_and_rank(&mut result)?;
        if let Some(most) = self.tune {
            result.measured_before_s = self.measure(&mut result.candidates, most)?;
        }
        // Where none passes, the best one's failures are shown.
        let mut right_one = None;
        for (place, candidate) in result.candidates.iter_mut().enumerate() {
            if self.is_right(candidate)? {
                right_one = Some(place);
                break;
            }
        }
        result.is_right = right_one.is_some();
        let candidates = &mut result.candidates[..=right_one.unwrap_or(0)];
        candidates.rotate_right(1);
        let best = &mut candidates[0];
        if result.is_right && best.loads.is_none() {
            best.loads = Loads::count(self.children, &best.folder, self.original(), None).ok();
        }
        Ok(result)
    }

    /// The name of the variant that candidates are made of.
    fn original(&self) -> &str {
        &original_variant(self.kernel).name
    }

    /// Adds candidates with fewer arrays than the first.
    fn add_with_fewer_arrays(&self, candidates: &mut Vec<Candidate>) -> Result<()> {
        for only in sets_of_fewer(&candidates[0].arrays) {
            let options = RewriteOptions {
                only,
                ..self.options.clone()
            };
            self.add(candidates, &options)?;
        }
        Ok(())
    }

    /// Adds other shapes of the first candidate.
    fn add_other_shapes(&self, candidates: &mut Vec<Candidate>) -> Result<()> {
        let best = &candidates[0];
        let only = best.arrays.clone();
        let most_items = self.device.max_work_group_size;
        for shape in other_shapes(self.clang, self.kernel, &best.rewritten, most_items)? {
            let options = RewriteOptions {
                only: only.clone(),
                shape,
                ..self.options.clone()
            };
            self.add(candidates, &options)?;
        }
        Ok(())
    }

    /// Adds a candidate, unless it exists already or has nothing in local memory.
    fn add(&self, candidates: &mut Vec<Candidate>, options: &RewriteOptions) -> Result<()> {
        let rewritten = rewrite(self.clang, self.kernel, options)?;
        if rewritten.after.is_some() && !candidates.iter().any(|it| it.is_as(&rewritten)) {
            let place = candidates.len();
            candidates.push(Candidate::new(
                self.children,
                self.kernel,
                place,
                rewritten,
            )?);
        }
        Ok(())
    }

    /// Forecasts candidates without a forecast, if that is asked for, and sorts the best first.
    fn forecast_and_rank(&self, result: &mut SearchResult) -> Result<()> {
        let candidates = &mut result.candidates;
        let new = candidates.iter_mut().filter(|it| it.forecast.is_none());
        let mut new: Vec<&mut Candidate> = new.collect();
        if let Some(forecaster) = self.forecaster
            && result.no_forecast.is_none()
            && !new.is_empty()
        {
            let folders: Vec<&Path> = new.iter().map(|it| &*it.folder).collect();
            let (children, uncounted) = (self.children, &mut result.uncounted);
            match forecaster.forecast(children, self.original(), &folders, self.sizes, uncounted)? {
                Ok(forecasts) => {
                    for (candidate, forecast) in new.iter_mut().zip(forecasts) {
                        candidate.forecast = Some(forecast);
                    }
                }
                Err(why) => result.no_forecast = Some(why),
            }
        }
        self.rank(candidates);
        Ok(())
    }

    /// Sorts the best first: by forecast where all have one, else by loads from global memory.
    fn rank(&self, candidates: &mut [Candidate]) {
        if candidates.len() < 2 {
            return;
        }
        let is_forecast = candidates.iter().all(|it| it.forecast.is_some());
        let mut counted_loads = candidates.iter().find_map(|it| it.loads.clone());
        for candidate in candidates.iter_mut() {
            if !is_forecast && candidate.loads.is_none() {
                let (folder, known) = (&candidate.folder, counted_loads.as_ref());
                let loads = Loads::count(self.children, folder, self.original(), known);
                candidate.loads = loads.ok();
                counted_loads = counted_loads.or_else(|| candidate.loads.clone());
            }
            let cost = if is_forecast {
                candidate.forecast.as_ref().and_then(|it| it.after_s)
            } else {
                candidate.loads.as_ref().map(|it| it.after)
            };
            candidate.cost = cost.unwrap_or(f64::INFINITY);
        }
        candidates.sort_by(|one, other| one.cost.total_cmp(&other.cost));
    }

    /// Measures the best candidates whose outputs are right, at most `most`, and sorts the fastest first. Returns the
    /// seconds of the original variant; none where no candidate is right.
    fn measure(&self, candidates: &mut [Candidate], most: usize) -> Result<Option<f64>> {
        let mut before_s = None;
        for place in to_measure(candidates, self.options, most) {
            let candidate = &mut candidates[place];
            let kernel = load_kernel(&candidate.folder)?;
            if !self.is_right(candidate)? {
                continue;
            }
            let check = candidate.check.as_ref();
            let largest = check.and_then(|it| it.equal.last().cloned());
            let largest = largest.unwrap_or_default();
            let mut all = kernel.sizes.iter();
            let size = all.find(|it| sizes(&it.parameters) == largest);
            let size = size.context("what was run is a size of the launch file")?;
            let time = |variant: &str| self.time(&kernel, variant, &size.parameters);
            if before_s.is_none() {
                before_s = Some(time(self.original())?);
            }
            candidate.measured_s = Some(time(REWRITTEN_VARIANT)?);
        }
        candidates.sort_by(|one, other| {
            let time = |it: &Candidate| it.measured_s.unwrap_or(f64::INFINITY);
            time(one).total_cmp(&time(other))
        });
        Ok(before_s)
    }

    /// The median time of a variant on this machine, seconds.
    fn time(&self, kernel: &Kernel, variant: &str, parameters: &Parameters) -> Result<f64> {
        let job = ChildJob::Time {
            launching: Launching {
                device: self.device.index,
                workload: WorkloadKey::new(kernel, variant, parameters),
                outputs: Outputs::Ignore,
            },
            budget: REPETITIONS_BUDGET,
        };
        let timed: Timed = self.children.ask(job, &[], PROCESS_LIMIT)?.value;
        Ok(TimeSummary::of(&timed.times.repetitions_s).median_s)
    }

    /// Whether a candidate's outputs equal those of the original variant; checked once.
    fn is_right(&self, candidate: &mut Candidate) -> Result<bool> {
        let check = match candidate.check.take() {
            Some(check) => check,
            None => {
                let _activity = Activity::begin("checking that it does the same", "up to a minute");
                let (children, device) = (self.children, self.device);
                check(
                    children,
                    device,
                    &candidate.folder,
                    self.original(),
                    self.sizes,
                )?
            }
        };
        Ok(candidate.check.insert(check).is_right())
    }
}
