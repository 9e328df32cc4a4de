use std::collections::BTreeSet;

use kerncast_models::{
    Calibration, Coverage, Dataset, ErrorReport, HoldOut, HoldOutKey, Method, NoInterval, Transfer,
    coverage, coverage_by, errors, forecast_by, forecast_without_kernels, hold_out,
    hold_out_without, widening,
};

use crate::Question;

/// The level of forecasts' intervals; whether they hold is measured with every fit.
pub const LEVEL: f64 = 0.9;

/// Judgement of a method by rows that its fits had not seen.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The forecasts of rows left out.
    pub hold_out: HoldOut,
    /// The errors of these forecasts.
    pub report: ErrorReport,
    /// Coverage of the intervals that come from these errors.
    pub coverage: Result<Coverage, NoInterval>,
}

/// Forecasts by fits that left rows out.
#[derive(Clone, Debug, Default)]
pub struct Validation {
    /// Rows of the dataset that no fit learns from.
    pub absurd: BTreeSet<usize>,
    /// The hold-outs, one for each key.
    pub hold_outs: Vec<HoldOut>,
}

/// Judges a method by leaving out each fold of `key` in turn. `level`: that of the intervals.
#[must_use]
pub fn judge(dataset: &Dataset, method: &dyn Method, key: HoldOutKey, level: f64) -> Judgement {
    judgement(dataset, hold_out(dataset, key, method), level)
}

/// The key whose hold-out intervals come from: regions. A kernel that somebody asks about is more often unlike those that
/// were measured than they are unlike each other, and a suite has ten kernels of one kind where it has one of another.
/// Kernels, where regions were not left out or give no intervals.
pub(crate) fn calibration_key(judgements: &[Judgement]) -> Option<HoldOutKey> {
    let by_key = |key| judgements.iter().find(move |it| it.hold_out.key == key);
    let keys = [HoldOutKey::Region, HoldOutKey::Kernel];
    let all: Vec<&Judgement> = keys.into_iter().filter_map(by_key).collect();
    let with_intervals = all.iter().find(|it| it.coverage.is_ok());
    with_intervals.or(all.first()).map(|it| it.hold_out.key)
}

/// Judges a fit to the first dataset by its forecasts of the second. Intervals are of `level`, from regions left out of
/// the first.
#[must_use]
pub fn judge_on(learned: &Dataset, judged: &Dataset, method: &dyn Method, level: f64) -> Judgement {
    let forecasts = forecast_by(learned, judged, method);
    judged_beside(learned, judged, method, forecasts, level)
}

/// Judges a method fitted to one GPU's rows by its forecasts for another. `without_kernels`: each kernel is forecast by
/// fits that have not seen it on the first GPU either. `times`: the rows' times on the first GPU, where they are known
/// (n, seconds); forecasts are then these × the fit's forecast of the second ÷ the fit's of the first. Intervals are of
/// `level`, from regions left out of the first, and wider as the GPUs differ.
#[must_use]
pub fn judge_elsewhere(
    learned: &Dataset,
    judged: &Dataset,
    transfer: &Transfer<'_>,
    times: Option<&[f64]>,
    without_kernels: bool,
    level: f64,
) -> Judgement {
    let forecasts = |method: &dyn Method| {
        if without_kernels {
            forecast_without_kernels(learned, judged, method)
        } else {
            forecast_by(learned, judged, method)
        }
    };
    let forecasts_there = times.map(|it| (it, forecasts(transfer.method)));
    let mut forecasts = forecasts(transfer);
    if let Some((times, there)) = forecasts_there {
        let rows = forecasts.forecasts.iter_mut().zip(&there.forecasts);
        for ((here, there), time) in rows.zip(times) {
            if let (Ok(here), Ok(there)) = (here, there) {
                *here *= time / there;
            }
        }
    }
    let widening = widening(transfer.from, transfer.to);
    forecasts.doubts.iter_mut().for_each(|it| *it *= widening);
    judged_beside(learned, judged, transfer.method, forecasts, level)
}

fn judged_beside(
    learned: &Dataset,
    judged: &Dataset,
    method: &dyn Method,
    forecasts: HoldOut,
    level: f64,
) -> Judgement {
    let own = hold_out(learned, HoldOutKey::Region, method);
    let calibration = Calibration::new(learned, &own);
    Judgement {
        report: errors(judged, &forecasts),
        coverage: coverage_by(&calibration, judged, &forecasts, level),
        hold_out: forecasts,
    }
}

/// All hold-outs of a method for a question. The method is not fitted to the rows `without`; they are forecast and
/// judged all the same.
pub(crate) fn validate(
    question: &Question,
    dataset: &Dataset,
    without: &BTreeSet<usize>,
    method: &dyn Method,
) -> Vec<Judgement> {
    let mut all: Vec<Judgement> = Vec::new();
    for &key in hold_outs(question) {
        // Where every kernel is its own family leaving these out is leaving kernels out. Where each is its own region,
        // regions were not told apart: there is nothing to say of them.
        let folds = dataset.folds(key);
        let same = all
            .iter()
            .find(|it| dataset.folds(it.hold_out.key) == folds);
        let next = match same {
            Some(_) if key == HoldOutKey::Region => continue,
            Some(same) => HoldOut {
                key,
                ..same.hold_out.clone()
            },
            None if without.is_empty() => hold_out(dataset, key, method),
            None => hold_out_without(dataset, without, key, method),
        };
        all.push(judgement(dataset, next, LEVEL));
    }
    all
}

/// The keys of a question's hold-outs. Fits across devices take too long to leave out other groups than kernels.
pub(crate) fn hold_outs(question: &Question) -> &'static [HoldOutKey] {
    match question.counted_on {
        Some(_) => &[HoldOutKey::Kernel],
        None => &[
            HoldOutKey::Kernel,
            HoldOutKey::Family,
            HoldOutKey::Region,
            HoldOutKey::Row,
        ],
    }
}

/// Judgement of the forecasts of a hold-out. `level`: that of the intervals.
pub(crate) fn judgement(dataset: &Dataset, hold_out: HoldOut, level: f64) -> Judgement {
    Judgement {
        report: errors(dataset, &hold_out),
        coverage: coverage(dataset, &hold_out, level),
        hold_out,
    }
}
