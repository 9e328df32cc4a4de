use std::collections::BTreeSet;

use kerncast_models::{
    Calibration, Coverage, Dataset, ErrorReport, FitError, Fitted, HoldOut, HoldOutKey,
    fit_without, ranking_key, warnings as warnings_of,
};
use kerncast_wire::{FitRefusal, Warning};

use crate::{
    Candidate, HoldOutReport, Response,
    defect::catch_defect,
    sift::{absurd_rows, absurd_warning},
    validation::{LEVEL, Validation, calibration_key, validate},
    warnings::{hold_out_failures, missed},
};

/// A candidate's fit and validation.
#[derive(Clone, Debug)]
pub struct Model {
    /// The fit, or why there is none.
    pub outcome: Result<Fit, FitRefusal>,
    /// Warnings to read before believing the model.
    pub warnings: Vec<Warning>,
    /// Rows of the dataset that are not fitted, since their times are absurd.
    pub absurd: BTreeSet<usize>,
    /// The hold-outs, and how far off their forecasts were; empty where there is no fit.
    pub hold_outs: Vec<(HoldOut, ErrorReport)>,
    /// The source of intervals; absent where neither regions nor kernels could be left out.
    pub calibration: Option<Calibration>,
    /// Coverage of the intervals; absent where there are none.
    pub coverage: Option<Coverage>,
    /// The hold-out by which the model is compared with others; absent where nothing could be left out.
    pub ranking_key: Option<HoldOutKey>,
}

/// A fit, and which counters it left out.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The fit that makes forecasts.
    pub fitted: Fitted,
    /// Reasons why the fit left counters out, in the order of the specification's counters; absent for counters in the
    /// fit.
    pub dropped: Vec<Option<String>>,
}

impl Model {
    /// Fits and validates a candidate. The outcome holds the reason where there is no fit; a panic is a reason too, and
    /// no other fit suffers from it.
    #[must_use]
    pub fn fit_and_validate(candidate: &Candidate) -> Self {
        Self::new(candidate, None)
    }

    /// The validation, to be written to a file. It is empty, and makes no model, where there is no fit or a row left
    /// out has no forecast: files have no place for the reason.
    #[must_use]
    pub fn validation(&self) -> Validation {
        let hold_outs: Vec<HoldOut> = self.hold_outs.iter().map(|it| it.0.clone()).collect();
        let mut rows = hold_outs.iter().flat_map(|it| &it.forecasts);
        if self.outcome.is_err() || !rows.all(Result::is_ok) {
            return Validation::default();
        }
        Validation {
            absurd: self.absurd.clone(),
            hold_outs,
        }
    }

    /// Fits a candidate. Its validation is the `known` one, from one fit in place of hundreds; without one it is made.
    pub(crate) fn new(candidate: &Candidate, known: Option<&Validation>) -> Self {
        let model = catch_defect(candidate.method.name(), || {
            let mut model = Self::without_fit(candidate);
            model.outcome = model.fit_steps(candidate, known);
            model
        });
        model.unwrap_or_else(|defect| Self {
            outcome: Err(defect.into()),
            ..Self::without_fit(candidate)
        })
    }

    fn without_fit(candidate: &Candidate) -> Self {
        Self {
            outcome: Err(FitRefusal::NoSample),
            warnings: candidate.training.warnings.clone(),
            absurd: BTreeSet::new(),
            hold_outs: Vec::new(),
            calibration: None,
            coverage: None,
            ranking_key: None,
        }
    }

    /// Fits the candidate, fills in what is known of the fit, and returns it.
    fn fit_steps(
        &mut self,
        candidate: &Candidate,
        known: Option<&Validation>,
    ) -> Result<Fit, FitRefusal> {
        let training = &candidate.training;
        let dataset = training.dataset.as_ref().map_err(ToString::to_string)?;
        if training.sample_ids.is_empty() {
            return Err(FitRefusal::NoSample);
        }
        self.absurd = known.map_or_else(BTreeSet::new, |it| it.absurd.clone());
        let mut fitted = self.fit_without_absurd(candidate, dataset)?;
        let reports = match known {
            Some(known) => {
                let hold_outs = known.hold_outs.iter().cloned();
                let reports = hold_outs.map(|it| HoldOutReport::new(dataset, it, LEVEL));
                reports.collect()
            }
            None => self.validate(&mut fitted, candidate, dataset)?,
        };
        if !self.absurd.is_empty() {
            let warning = absurd_warning(training, dataset, &self.absurd);
            self.warnings.push(warning);
        }
        self.warnings.extend(warnings_of(dataset, &fitted));
        let keys: Vec<HoldOutKey> = reports.iter().map(|it| it.hold_out.key).collect();
        self.ranking_key = ranking_key(dataset, &keys);
        self.add_reports(dataset, reports);
        if let (Response::Time, Some(calibration)) =
            (&candidate.question.response, &self.calibration)
        {
            let missed = missed(dataset, &fitted, calibration, LEVEL);
            self.warnings.extend(missed);
        }
        if let Some(why) = not_finite(self) {
            return Err(why.into());
        }
        let dropped = drop_reasons(&fitted, &training.columns);
        Ok(Fit { fitted, dropped })
    }

    /// Fits all rows but those known to be absurd.
    fn fit_without_absurd(
        &self,
        candidate: &Candidate,
        dataset: &Dataset,
    ) -> Result<Fitted, FitRefusal> {
        let method = candidate.method;
        let fitted = if self.absurd.is_empty() {
            method.fit(&dataset.rows())
        } else {
            fit_without(dataset, &self.absurd, method)
        };
        fitted.map_err(|error| refusal(&error, &candidate.training.columns))
    }

    /// Validates a fit. If rows turn out to be absurd, the fit is made and validated again without them.
    fn validate(
        &mut self,
        fitted: &mut Fitted,
        candidate: &Candidate,
        dataset: &Dataset,
    ) -> Result<Vec<HoldOutReport>, FitRefusal> {
        let (question, method) = (&candidate.question, candidate.method);
        let reports = validate(question, dataset, &self.absurd, method);
        let mut hold_outs = reports.iter().map(|it| &it.hold_out);
        let of_kernels = hold_outs.find(|it| it.key == HoldOutKey::Kernel);
        self.absurd = of_kernels.map_or_else(BTreeSet::new, |it| absurd_rows(dataset, it, method));
        if self.absurd.is_empty() {
            return Ok(reports);
        }
        *fitted = self.fit_without_absurd(candidate, dataset)?;
        Ok(validate(question, dataset, &self.absurd, method))
    }

    /// Adds the hold-outs and their warnings, and the intervals that come from one of them.
    fn add_reports(&mut self, dataset: &Dataset, reports: Vec<HoldOutReport>) {
        let calibration_key = calibration_key(&reports);
        for report in reports {
            let HoldOutReport {
                hold_out,
                errors,
                coverage,
            } = report;
            self.warnings.extend(hold_out_failures(&hold_out, &errors));
            if Some(hold_out.key) == calibration_key {
                self.calibration = Some(Calibration::new(dataset, &hold_out));
                match coverage {
                    Ok(coverage) => self.coverage = Some(coverage).filter(is_finite),
                    Err(why) => self.warnings.push(why),
                }
            }
            self.hold_outs.push((hold_out, errors));
        }
    }
}

/// Reasons why the fit left columns out, in the columns' order; absent for columns in the fit.
fn drop_reasons(fitted: &Fitted, columns: &[String]) -> Vec<Option<String>> {
    let mut reasons = vec![None; columns.len()];
    for dropped in &fitted.dropped {
        reasons[dropped.column] = Some(dropped.reason.in_words(columns));
    }
    reasons
}

/// The reason why a model can't be stored or ranked: errors that are no numbers.
fn not_finite(model: &Model) -> Option<String> {
    model.hold_outs.iter().find_map(|(hold_out, report)| {
        let of_kernels = report.kernels.iter().filter_map(|it| it.errors);
        let mut all = report.overall.into_iter().chain(of_kernels);
        let odd = all.find(|it| {
            let numbers = [it.mean_ape, it.median_ape, it.within_25, it.factor.unwrap_or(1.0)];
            !numbers.iter().all(|number| number.is_finite())
        })?;
        Some(format!(
            "its errors are no numbers: leaving one {} out, a mean error comes out as {} and a factor as {:?}",
            hold_out.key,
            odd.mean_ape,
            odd.factor
        ))
    })
}

fn is_finite(coverage: &Coverage) -> bool {
    coverage.typical_factor.is_finite()
}

/// The refusal for a fit's error, with the counter's name in place of its column.
fn refusal(error: &FitError, columns: &[String]) -> FitRefusal {
    match *error {
        FitError::TooFewRows {
            rows,
            counters,
            needed,
        } => FitRefusal::TooFewRows {
            rows,
            counters,
            needed,
        },
        FitError::NothingVaries { rows, counters } => FitRefusal::NothingVaries { rows, counters },
        FitError::NothingKnown { counters } => FitRefusal::NothingKnown { counters },
        FitError::TooFewKernels { found, needed } => FitRefusal::TooFewKernels { found, needed },
        FitError::NotFinite => FitRefusal::NotFinite,
        FitError::Spread { column, scale } => FitRefusal::from(format!(
            "the standard deviation of {} comes out as {scale}: use another unit",
            columns[column]
        )),
        _ => FitRefusal::from(error.to_string()),
    }
}
