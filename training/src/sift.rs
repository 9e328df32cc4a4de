//! Rows that no fit should learn from: times absurdly shorter than what a fit without their kernels forecasts.
//!
//! Methods weigh relative errors. A time that is a thousand times too long hardly moves them: its forecast is
//! off by nearly 100 %, however long it is. One that is a thousand times too short counts as a thousand others,
//! and is all that a fit then looks at. Rows that are merely hard to forecast stay: models are to learn from
//! them, and what no counter counts makes kernels slow, not fast.

use std::collections::{BTreeMap, BTreeSet};

use kerncast_models::{
    Dataset, FitError, HoldOut, HoldOutKey, Method, NonNegativeLeastSquares, fit_without, hold_out,
    upper_median,
};
use kerncast_wire::{AbsurdSample, Warning};

use crate::Training;

/// The factor by which a time must be shorter than its forecast to be absurd, …
const SHORT_FACTOR: f64 = 8.0;
/// … and the number of standard deviations by which it must be off, measured on the errors of other rows in fits
/// without their kernels.
const DEVIATIONS: f64 = 6.0;
/// Number of parts of the kernels that are left out in turn to know the errors of other rows. A fit to as many counters
/// as rows is right about every row that it has seen, and says nothing about others.
const PARTS: usize = 5;
/// The largest share of absurd rows. If there are more they are no exceptions: the method is wrong, or the other rows
/// are.
const MOST_ABSURD_SHARE: f64 = 0.05;

/// The rows that are absurd by fits without their kernels. They must be absurd both by the method and by plain costs,
/// since a single method can be a hundred times off about some honest kernel (`per_worker` about `histogram`). Costs a
/// fit for each kernel with such a row. Rows of generated kernels are compared with a fit without any of them, since
/// whoever may upload can call a kernel generated.
pub(crate) fn absurd_rows(
    dataset: &Dataset,
    by_method: &HoldOut,
    method: &dyn Method,
) -> BTreeSet<usize> {
    let mut own = absurd_by(dataset, by_method, method);
    own.extend(absurd_generated(dataset, method));
    if own.is_empty() {
        return own;
    }
    let plain = &NonNegativeLeastSquares;
    let by_plain = hold_out(dataset, HoldOutKey::Kernel, plain);
    let mut of_plain = absurd_by(dataset, &by_plain, plain);
    of_plain.extend(absurd_generated(dataset, plain));
    own.intersection(&of_plain).copied().collect()
}

/// A warning that names the samples of absurd rows.
pub(crate) fn absurd_warning(
    training: &Training,
    dataset: &Dataset,
    absurd: &BTreeSet<usize>,
) -> Warning {
    const MOST_NAMED: usize = 5;
    let one = |&row: &usize| AbsurdSample {
        sample: training.sample_ids[row],
        kernel: dataset.kernel(row).to_owned(),
        response: dataset.rows().y[row],
    };
    Warning::Absurd {
        samples: absurd.len(),
        of: dataset.rows().y.len(),
        named: absurd.iter().take(MOST_NAMED).map(one).collect(),
    }
}

/// Absurd rows by the forecasts of one method.
fn absurd_by(dataset: &Dataset, hold_out: &HoldOut, method: &dyn Method) -> BTreeSet<usize> {
    let mut suspects: BTreeMap<usize, Vec<(usize, f64)>> = BTreeMap::new();
    let mut count = 0;
    for (row, (forecast, measured)) in hold_out.forecasts.iter().zip(dataset.y()).enumerate() {
        // What is too far off to be written down is a forecast all the same.
        let (Ok(forecast) | Err(FitError::Forecast { forecast })) = forecast else {
            continue;
        };
        let log = forecast.ln() - measured.ln();
        if log > SHORT_FACTOR.ln() {
            let kernel = dataset.kernel_numbers()[row];
            suspects.entry(kernel).or_default().push((row, log));
            count += 1;
        }
    }
    if count as f64 > MOST_ABSURD_SHARE * hold_out.forecasts.len() as f64 {
        return BTreeSet::new();
    }
    let mut absurd = BTreeSet::new();
    for (kernel, rows) in suspects {
        let is_of = |row: &usize| dataset.kernel_numbers()[*row] == kernel;
        let of_kernel = (0..dataset.y().len()).filter(is_of).collect();
        let typical = typical_without(dataset, &of_kernel, method);
        let far = |log: f64| typical.is_some_and(|typical| is_far(log, typical));
        absurd.extend(rows.iter().filter(|(_, log)| far(*log)).map(|(row, _)| row));
    }
    absurd
}

/// Absurd rows of generated kernels, by a fit to all other rows.
fn absurd_generated(dataset: &Dataset, method: &dyn Method) -> BTreeSet<usize> {
    let (n, all) = (dataset.y().len(), dataset.rows());
    let generated: BTreeSet<usize> = (n..all.y.len()).collect();
    if generated.is_empty() {
        return generated;
    }
    let Ok(fitted) = fit_without(dataset, &generated, method) else {
        return BTreeSet::new();
    };
    let log = |row: usize| (fitted.predict(all.x.row(row)) / all.y[row]).ln();
    let is_short = |row: &usize| log(*row) > SHORT_FACTOR.ln();
    let short: BTreeSet<usize> = generated.iter().copied().filter(is_short).collect();
    if short.is_empty() || short.len() as f64 > MOST_ABSURD_SHARE * all.y.len() as f64 {
        return BTreeSet::new();
    }
    // Fits of parts of all rows: only where something is short at all.
    let Some(typical) = typical_without(dataset, &generated, method) else {
        return BTreeSet::new();
    };
    let far = short.into_iter().filter(|&row| is_far(log(row), typical));
    far.collect()
}

fn is_far(log: f64, typical: f64) -> bool {
    log > DEVIATIONS * 1.4826 * typical
}

/// The median of |ln(forecast ÷ measured)| of all judged rows outside `without`, by fits that learn neither from
/// `without` nor from the row's own part of the kernels; none where there are no such fits. This way an absurd row
/// can't pass for usual by spoiling the fit for all.
fn typical_without(
    dataset: &Dataset,
    without: &BTreeSet<usize>,
    method: &dyn Method,
) -> Option<f64> {
    let kernels = dataset.kernel_numbers();
    let others = (0..kernels.len()).filter(|row| !without.contains(row));
    let (mut left_out, mut logs) = (vec![BTreeSet::new(); PARTS], Vec::new());
    others.for_each(|row| {
        left_out[kernels[row] % PARTS].insert(row);
    });
    for part in left_out.iter().filter(|part| !part.is_empty()) {
        let fitted = fit_without(dataset, &(without | part), method).ok()?;
        let log = |&row: &usize| (fitted.predict(dataset.x().row(row)) / dataset.y()[row]).ln();
        logs.extend(part.iter().map(log).map(f64::abs));
    }
    upper_median(logs)
}
