//! Across devices: what was counted on one device forecasts the time on another, the target.
//!
//! The columns are the counters of the device counted on and, where its time is known, [`COUNTED_ON_TIME`];
//! the response is the target's time. [`FromCounters`] asks for counters alone, [`FromCountersAndTime`] for
//! the time too, [`Paper`] is what the paper did; [`ByMedianRatio`] is the baseline beside them.

mod costs;
mod pair;
mod roles;
mod scaled;
mod smooth;

use std::collections::BTreeSet;

use ndarray::Array1;

use super::{FitError, Method, OrdinaryLeastSquares, checked::Checked};
use crate::{
    ColumnRange, Cost, Costs as Sum, DropReason, Dropped, Fitted, Form, Rows,
    averages::weighted_median,
    fitted::across::{Across, Costs, Pair, Roles},
    folds::shares_in_kernels,
};
pub use roles::needed_counters;

/// The name of the column with the time on the device counted on.
pub const COUNTED_ON_TIME: &str = "counted_on_time";

/// The names of all methods across devices, the simplest first.
pub const NAMES: [&str; 5] = [
    "across_median_ratio",
    "across_counters",
    "paper_counters",
    "paper_counters_and_time",
    "across_counters_and_time",
];

/// Non-negative costs of the counters of the device counted on ([`Costs`]).
#[derive(Clone, Copy, Debug)]
pub struct FromCounters;

/// The time on the device counted on, by its costs and by likeness ([`Pair`]).
#[derive(Clone, Copy, Debug)]
pub struct FromCountersAndTime;

/// The baseline: the time on the device counted on times the median ratio of the two devices' times, each kernel
/// counted once.
#[derive(Clone, Copy, Debug)]
pub struct ByMedianRatio;

/// The paper's experiments across devices: normalised least squares on one device's counters for the time on
/// another (Shimada, Endo, Maruyama, Matsuoka 2010).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// Counters alone, as for GeForce GTX 285 → GeForce GTX 480.
    Counters,
    /// Counters, and the time on the device counted on as one more variable, as for GeForce GTX 285 → Radeon HD 5870.
    CountersAndTime,
}

impl Method for FromCounters {
    fn name(&self) -> &'static str {
        "across_counters"
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        let roles = Roles::find(rows.roles)?;
        let checked = Checked::times(rows)?;
        enough_kernels(&checked, 1)?;
        let costs = Costs::fit(&roles, &checked, checked.y.view())?;
        Ok(across(rows, Across::Counters(costs)))
    }
}

impl Method for FromCountersAndTime {
    fn name(&self) -> &'static str {
        "across_counters_and_time"
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        let time = counted_on_time(rows)?;
        let roles = Roles::find(rows.roles)?;
        let checked = Checked::times(rows)?;
        let times = rows.x.column(time);
        if let Some((row, &value)) = times.indexed_iter().find(|&(_, &time)| time <= 0.0) {
            return Err(FitError::CountedOnTime { row, value });
        }
        // One left out, and one that forecasts it.
        enough_kernels(&checked, 2)?;
        let pair = Box::new(Pair::fit(&roles, &checked, time)?);
        Ok(across(rows, Across::CountersAndTime { pair, time }))
    }
}

impl Method for ByMedianRatio {
    fn name(&self) -> &'static str {
        "across_median_ratio"
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        let time = counted_on_time(rows)?;
        let ratios = &rows.y / &rows.x.column(time);
        let shares = shares_in_kernels(rows.kernels, &vec![1.0; rows.kernels.len()]);
        let ratio = weighted_median(&ratios.to_vec(), &shares);
        if !ratio.is_finite() {
            return Err(FitError::NotFinite);
        }
        let term = Cost {
            column: time,
            over: Vec::new(),
            seconds: ratio,
        };
        let form = Form::Costs(Sum {
            constant: 0.0,
            terms: vec![term],
            p: 1.0,
        });
        Ok(fitted(rows, form, &[time]))
    }
}

impl Method for Paper {
    fn name(&self) -> &'static str {
        match self {
            Self::Counters => "paper_counters",
            Self::CountersAndTime => "paper_counters_and_time",
        }
    }

    fn revision(&self) -> u32 {
        OrdinaryLeastSquares.revision()
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        OrdinaryLeastSquares.fit(rows)
    }

    fn forecasts_without(
        &self,
        rows: &Rows<'_>,
        folds: &[usize],
    ) -> Option<Vec<Result<f64, FitError>>> {
        OrdinaryLeastSquares.forecasts_without(rows, folds)
    }
}

/// The column of the time on the device counted on.
fn counted_on_time(rows: &Rows<'_>) -> Result<usize, FitError> {
    let column = rows.counters.iter().position(|it| it == COUNTED_ON_TIME);
    column.ok_or(FitError::NoCountedOnTime)
}

pub(super) fn enough_kernels(rows: &Checked, needed: usize) -> Result<(), FitError> {
    let found = rows.kernels.iter().collect::<BTreeSet<_>>().len();
    if found < needed {
        return Err(FitError::TooFewKernels { found, needed });
    }
    Ok(())
}

fn across(rows: &Rows<'_>, form: Across) -> Fitted {
    let columns = form.columns();
    fitted(rows, Form::Across(form), &columns)
}

/// The fit of this form. `columns`: those that the form needs.
fn fitted(rows: &Rows<'_>, form: Form, columns: &[usize]) -> Fitted {
    let others = (0..rows.counters.len()).filter(|column| !columns.contains(column));
    let dropped = others.map(|column| Dropped {
        column,
        reason: DropReason::NoRole,
    });
    Fitted {
        ranges: ColumnRange::learn(rows.x, Array1::ones(rows.y.len()).view()),
        dropped: dropped.collect(),
        form,
    }
}
