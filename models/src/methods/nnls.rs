//! The method `nnls`: costs that are not below 0 and add up.

use ndarray::Axis;

use super::{
    FitError, Method,
    checked::{Checked, varying},
    relative::{Loss, Relative},
};
use crate::{
    ColumnRange, Cost, Costs, DropReason, Dropped, Fitted, Form, Rows, folds::kernels_equally,
};

/// T = c0 + Σ ci·xi with costs ci that are not below 0, by least squares on relative errors, kernels
/// weighted equally.
///
/// An event can't take less than no time: that alone keeps collinear counters from costs that cancel each
/// other, and a forecast from coming out at or below 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NonNegativeLeastSquares;

/// The loss, with just enough pull that counters which always go together share their cost, whichever comes first.
const LOSS: Loss = Loss {
    ridge: 1e-9,
    rounds: 0,
};

impl Method for NonNegativeLeastSquares {
    fn name(&self) -> &'static str {
        "nnls"
    }

    /// Revision 2: summed up by kernel, which rounds otherwise; 3: intervals.
    fn revision(&self) -> u32 {
        3
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        let checked = Checked::counts(rows)?;
        let ranges = checked.ranges();
        let (columns, dropped) = varying(&ranges, checked.y.len())?;
        let weights = kernels_equally(&checked.kernels, &checked.weights.to_vec());
        let terms = checked.x.select(Axis(1), &columns);
        let relative = Relative::new(terms.view(), checked.y.view());
        let (seconds, constant) = relative.seconds(&relative.costs(&weights, LOSS));
        let terms = columns.iter().zip(seconds);
        let terms = terms.map(|(&column, seconds)| Cost {
            column,
            over: Vec::new(),
            seconds,
        });
        fitted(ranges, dropped, constant, terms.collect(), 1.0)
    }
}

/// The fit of these terms: terms that cost nothing are removed, and columns in no term are dropped.
pub(super) fn fitted(
    ranges: Vec<ColumnRange>,
    mut dropped: Vec<Dropped>,
    constant: f64,
    mut terms: Vec<Cost>,
    p: f64,
) -> Result<Fitted, FitError> {
    if !constant.is_finite() || terms.iter().any(|term| !term.seconds.is_finite()) {
        return Err(FitError::NotFinite);
    }
    terms.retain(|term| term.seconds > 0.0);
    for column in 0..ranges.len() {
        let is_used = terms
            .iter()
            .any(|term| term.column == column || term.over.contains(&column));
        if !is_used && dropped.iter().all(|it| it.column != column) {
            let reason = DropReason::NoCost;
            dropped.push(Dropped { column, reason });
        }
    }
    dropped.sort_by_key(|it| it.column);
    Ok(Fitted {
        ranges,
        dropped,
        form: Form::Costs(Costs { constant, terms, p }),
    })
}
