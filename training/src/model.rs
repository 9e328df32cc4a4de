use std::collections::BTreeSet;

use kerncast_models::{
    Calibration, Coverage, Dataset, ErrorReport, FitError, Fitted, HoldOut, HoldOutKey,
    fit_without, judged_by, warnings as warnings_of,
};
use kerncast_wire::{FitRefusal, Warning};

use crate::{
    Candidate, Judged, Response,
    defect::caught,
    sift::{absurd, not_fitted},
    validation::{LEVEL, Validation, calibrated_by, judged, validate},
    warnings::{missed, of_hold_out},
};

/// What became of a candidate.
#[derive(Clone, Debug)]
pub struct Model {
    /// The fit, or why there is none.
    pub outcome: Result<Fit, FitRefusal>,
    /// What a reader should know before believing it.
    pub warnings: Vec<Warning>,
    /// Rows of the dataset that are not fitted, since they are absurd.
    pub absurd: BTreeSet<usize>,
    /// None where there is no fit.
    pub hold_outs: Vec<(HoldOut, ErrorReport)>,
    /// Where regions of kernels could be left out, or else kernels.
    pub calibration: Option<Calibration>,
    /// Where that gives intervals.
    pub coverage: Option<Coverage>,
    /// By what left out it is judged beside others; absent where nothing could be left out.
    pub judged_by: Option<HoldOutKey>,
}

/// A fit.
#[derive(Clone, Debug)]
pub struct Fit {
    /// What forecasts.
    pub fitted: Fitted,
    /// Beside the specification's counters: why the fit has left it out.
    pub dropped: Vec<Option<String>>,
}

impl Model {
    /// Fits and validates a candidate, or finds why there is no fit: a panic is a reason too, and no other fit has
    /// to suffer from it.
    #[must_use]
    pub fn of(candidate: &Candidate) -> Self {
        Self::made(candidate, None)
    }

    /// The same where the candidate's validation is known already: one fit in place of hundreds.
    pub(crate) fn validated(candidate: &Candidate, validation: &Validation) -> Self {
        Self::made(candidate, Some(validation))
    }

    /// What was found by leaving out. An empty one, which makes no model, where there is no fit, or where a row left out
    /// has no forecast: why is not written down.
    #[must_use]
    pub fn validation(&self) -> Validation {
        let hold_outs: Vec<HoldOut> = self.hold_outs.iter().map(|it| it.0.clone()).collect();
        let mut rows = hold_outs.iter().flat_map(|it| &it.forecasts);
        match self.outcome.is_ok() && rows.all(Result::is_ok) {
            true => Validation {
                absurd: self.absurd.clone(),
                hold_outs,
            },
            false => Validation::default(),
        }
    }

    fn made(candidate: &Candidate, validation: Option<&Validation>) -> Self {
        let fitted = caught(candidate.method.name(), || {
            let mut model = Self::none(candidate);
            model.outcome = fit_into(&mut model, candidate, validation);
            model
        });
        fitted.unwrap_or_else(|defect| Self {
            outcome: Err(defect.into()),
            ..Self::none(candidate)
        })
    }

    fn none(candidate: &Candidate) -> Self {
        Self {
            outcome: Err(FitRefusal::NoSample),
            warnings: candidate.training.warnings.clone(),
            absurd: BTreeSet::new(),
            hold_outs: Vec::new(),
            calibration: None,
            coverage: None,
            judged_by: None,
        }
    }
}

/// Fills in what is known of the fit, and returns it.
fn fit_into(
    model: &mut Model,
    candidate: &Candidate,
    validation: Option<&Validation>,
) -> Result<Fit, FitRefusal> {
    let Candidate {
        training, method, ..
    } = candidate;
    let dataset = training.dataset.as_ref().map_err(ToString::to_string)?;
    if training.sample_ids.is_empty() {
        return Err(FitRefusal::NoSample);
    }
    let fitted = match validation {
        Some(known) if !known.absurd.is_empty() => fit_without(dataset, &known.absurd, &**method),
        _ => method.fit(&dataset.rows()),
    };
    let mut fitted = fitted.map_err(|error| refusal(&error, &training.columns))?;
    let all_judged = match validation {
        Some(known) => {
            model.absurd = known.absurd.clone();
            let hold_outs = known.hold_outs.iter().cloned();
            let judged = |it| judged(dataset, it, LEVEL);
            hold_outs.map(judged).collect()
        }
        None => validated(model, &mut fitted, candidate, dataset)?,
    };
    if !model.absurd.is_empty() {
        model
            .warnings
            .push(not_fitted(training, dataset, &model.absurd));
    }
    model.warnings.extend(warnings_of(dataset, &fitted));
    let keys: Vec<HoldOutKey> = all_judged.iter().map(|it| it.hold_out.key).collect();
    let calibrated_by = calibrated_by(&all_judged);
    for judged in all_judged {
        let (hold_out, report) = (judged.hold_out, judged.report);
        model.warnings.extend(of_hold_out(&hold_out, &report));
        if Some(hold_out.key) == calibrated_by {
            model.calibration = Some(Calibration::new(dataset, &hold_out));
            match judged.coverage {
                Ok(covered) => model.coverage = Some(covered).filter(is_finite),
                Err(why) => model.warnings.push(why.into()),
            }
        }
        model.hold_outs.push((hold_out, report));
    }
    if let (Response::Time, Some(calibration)) = (&candidate.question.response, &model.calibration)
    {
        model
            .warnings
            .extend(missed(dataset, &fitted, calibration, LEVEL));
    }
    model.judged_by = judged_by(dataset, &keys);
    if let Some(why) = not_finite(model) {
        return Err(why.into());
    }
    let dropped = dropped(&fitted, &training.columns);
    Ok(Fit { fitted, dropped })
}

/// Validates a fit. Where rows turn out to be absurd, it is made and validated again without them.
fn validated(
    model: &mut Model,
    fitted: &mut Fitted,
    candidate: &Candidate,
    dataset: &Dataset,
) -> Result<Vec<Judged>, FitRefusal> {
    let (question, method) = (&candidate.question, &*candidate.method);
    let without = |rows: &BTreeSet<usize>| validate(question, dataset, rows, method);
    let all_judged = without(&BTreeSet::new());
    let of_kernels = all_judged
        .iter()
        .find(|it| it.hold_out.key == HoldOutKey::Kernel);
    model.absurd = of_kernels.map_or_else(BTreeSet::new, |judged| {
        absurd(dataset, &judged.hold_out, method)
    });
    if model.absurd.is_empty() {
        return Ok(all_judged);
    }
    let refitted = fit_without(dataset, &model.absurd, method);
    *fitted = refitted.map_err(|error| refusal(&error, &candidate.training.columns))?;
    Ok(without(&model.absurd))
}

fn dropped(fitted: &Fitted, columns: &[String]) -> Vec<Option<String>> {
    let mut reasons = vec![None; columns.len()];
    for dropped in &fitted.dropped {
        reasons[dropped.column] = Some(dropped.reason.in_words(columns));
    }
    reasons
}

/// What can't be stored or ranked refuses the model, and no other.
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

/// With the counter's name in place of its column.
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
