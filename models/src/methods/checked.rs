//! The rows of a fit, checked, and their weights.

use std::collections::BTreeMap;

use ndarray::{Array1, Array2, Axis};

use super::FitError;
use crate::{
    ColumnRange, DropReason, Dropped, Rows,
    folds::{kernels_equally, shares_in_kernels},
};

/// The rows that a fit learns from: checked, those of weight 0 left out.
pub(crate) struct Checked {
    /// Raw counter values (n × p).
    pub(crate) x: Array2<f64>,
    /// Response (n).
    pub(crate) y: Array1<f64>,
    /// The kernel of each row (n).
    pub(crate) kernels: Vec<usize>,
    /// Whether a row's kernel is a generated one (n).
    pub(crate) generated: Vec<bool>,
    /// Weights (n), all above 0.
    pub(crate) weights: Array1<f64>,
}

impl Checked {
    /// Checks shapes and that every number is finite: solvers turn one NaN into a fit of NaN.
    pub(super) fn new(rows: &Rows<'_>) -> Result<Self, FitError> {
        let &Rows {
            counters: _,
            roles: _,
            x,
            y,
            kernels,
            generated,
            weights,
        } = rows;
        let rows = x.nrows();
        let weights = weights.map_or_else(|| Array1::ones(rows), |w| w.to_owned());
        for (field, found) in [
            ("response", y.len()),
            ("list of weights", weights.len()),
            ("list of kernels", kernels.len()),
        ] {
            if found != rows {
                return Err(FitError::Shape { field, found, rows });
            }
        }
        if let Some(((row, column), &value)) = x.indexed_iter().find(|(_, v)| !v.is_finite()) {
            return Err(FitError::Counter { row, column, value });
        }
        if let Some((row, &value)) = y.indexed_iter().find(|(_, v)| !v.is_finite()) {
            return Err(FitError::Response { row, value });
        }
        let impossible = |w: f64| !w.is_finite() || w < 0.0;
        if let Some((row, &value)) = weights.indexed_iter().find(|&(_, &w)| impossible(w)) {
            return Err(FitError::Weight { row, value });
        }
        let counted: Vec<usize> = (0..rows).filter(|&row| weights[row] > 0.0).collect();
        Ok(Self {
            x: x.select(Axis(0), &counted),
            y: y.select(Axis(0), &counted),
            kernels: counted.iter().map(|&row| kernels[row]).collect(),
            generated: counted.iter().map(|&row| row + generated >= rows).collect(),
            weights: weights.select(Axis(0), &counted),
        })
    }

    /// Checks as [`new`](Self::new) does, and that every response is a time, above 0.
    pub(crate) fn times(rows: &Rows<'_>) -> Result<Self, FitError> {
        let checked = Self::new(rows)?;
        if let Some((row, &value)) = rows.y.indexed_iter().find(|&(_, &v)| v <= 0.0) {
            return Err(FitError::NoTime { row, value });
        }
        Ok(checked)
    }

    /// Checks as [`times`](Self::times) does, and that no counter is below 0, for methods that take logarithms or costs
    /// of events.
    pub(super) fn counts(rows: &Rows<'_>) -> Result<Self, FitError> {
        let checked = Self::times(rows)?;
        if let Some(((row, column), &value)) = rows.x.indexed_iter().find(|&(_, &v)| v < 0.0) {
            return Err(FitError::NegativeCounter { row, column, value });
        }
        enough(checked.y.len(), rows.x.ncols())?;
        Ok(checked)
    }

    /// The part with only these rows, by their places.
    pub(crate) fn rows(&self, rows: &[usize]) -> Self {
        Self {
            x: self.x.select(Axis(0), rows),
            y: self.y.select(Axis(0), rows),
            kernels: rows.iter().map(|&row| self.kernels[row]).collect(),
            generated: rows.iter().map(|&row| self.generated[row]).collect(),
            weights: self.weights.select(Axis(0), rows),
        }
    }

    /// Thins the rows to about `most`: kernels with more than their share keep rows evenly spaced. For methods that
    /// take many steps over the rows; sizes beyond thousands of rows say little more of the costs.
    pub(super) fn thinned(self, most: usize) -> Self {
        if self.y.len() <= most {
            return self;
        }
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for &kernel in &self.kernels {
            *counts.entry(kernel).or_default() += 1;
        }
        let share = most.div_ceil(counts.len());
        let mut places = BTreeMap::new();
        let keep = |row: &usize| {
            let kernel = self.kernels[*row];
            let place: &mut usize = places.entry(kernel).or_default();
            *place += 1;
            let count = counts[&kernel].max(share);
            (*place - 1) * share / count != *place * share / count
        };
        let rows: Vec<usize> = (0..self.y.len()).filter(keep).collect();
        self.rows(&rows)
    }

    /// Mean and range of each column (p).
    pub(super) fn ranges(&self) -> Vec<ColumnRange> {
        ColumnRange::learn(self.x.view(), self.weights.view())
    }

    /// Weights (n) where every kernel counts once, but generated ones together no more than the others together;
    /// they add up to 1.
    pub(super) fn kernels_equally(&self) -> Vec<f64> {
        let mut weights = kernels_equally(&self.kernels, &self.weights.to_vec());
        let of_generated = weights.iter().zip(&self.generated).filter(|it| *it.1);
        let share: f64 = of_generated.map(|(weight, _)| weight).sum();
        if share > 0.5 && share < 1.0 - f64::EPSILON {
            for (weight, generated) in weights.iter_mut().zip(&self.generated) {
                *weight *= 0.5 / if *generated { share } else { 1.0 - share };
            }
        }
        weights
    }

    /// Weights of rows (n), those of each kernel adding up to 1.
    pub(crate) fn shares(&self) -> Vec<f64> {
        shares_in_kernels(&self.kernels, &self.weights.to_vec())
    }
}

/// Refuses rows that are too few for methods of costs.
pub(super) fn enough(rows: usize, counters: usize) -> Result<(), FitError> {
    /// Rows needed: one to be off by, beside the one that sets the scale.
    const NEEDED: usize = 2;
    if rows < NEEDED {
        return Err(FitError::TooFewRows {
            rows,
            counters,
            needed: NEEDED,
        });
    }
    Ok(())
}

/// The columns that vary, and the constant ones as [`Dropped`].
pub(super) fn varying(
    ranges: &[ColumnRange],
    rows: usize,
) -> Result<(Vec<usize>, Vec<Dropped>), FitError> {
    let (constant, varying): (Vec<usize>, Vec<usize>) =
        (0..ranges.len()).partition(|&column| ranges[column].is_constant());
    if varying.is_empty() {
        let counters = ranges.len();
        return Err(FitError::NothingVaries { rows, counters });
    }
    let dropped = |column| Dropped {
        column,
        reason: DropReason::Constant,
    };
    Ok((varying, constant.into_iter().map(dropped).collect()))
}
