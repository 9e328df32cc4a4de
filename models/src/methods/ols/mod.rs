mod hold_out;
mod solve;

use self::{hold_out::forecasts, solve::Solved};
use super::{FitError, Method, checked::Checked};
use crate::{Fitted, Moments, Rows, summary::without_each};

/// The paper's method: T = a0 + Σ ai·pi by ordinary least squares, each counter pi scaled to mean 0 and
/// variance 1 over the rows fitted (Shimada, Endo, Maruyama, Matsuoka 2010).
///
/// Around the solver stand guards, since it answers without a word where there is no answer. Constant
/// counters, and counters that combine earlier ones, are dropped with the reason. A fit that would pass
/// through every row, for want of rows, is refused: it needs two rows more than it keeps counters, one
/// for the intercept and one to be off.
///
/// Rows are summed up in [`Moments`] and the fit is made from those: samples that come in batches, or more
/// of them than memory holds, are summed up batch by batch and merged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrdinaryLeastSquares;

impl OrdinaryLeastSquares {
    /// Sums samples up.
    ///
    /// # Errors
    /// [`FitError`] where shapes disagree, or a number is not finite, or a weight is below 0.
    pub fn moments(self, rows: &Rows<'_>) -> Result<Moments, FitError> {
        let Checked { x, y, weights, .. } = Checked::new(rows)?;
        let rows: Vec<usize> = (0..x.nrows()).collect();
        Ok(Moments::of(x.view(), y.view(), weights.view(), &rows))
    }

    /// Fits to the samples that `moments` sums up.
    ///
    /// # Errors
    /// [`FitError`] where no trustworthy fit exists; it says why.
    pub fn fit_moments(self, moments: &Moments) -> Result<Fitted, FitError> {
        Solved::new(moments).map(Solved::fitted)
    }

    /// Leaves each of the `parts` (such as kernels) out in turn and fits to the samples of all others.
    /// Costs three merges and one fit a part, whatever the samples.
    ///
    /// # Panics
    /// Where parts have different numbers of counters.
    #[must_use]
    pub fn fits_without(self, parts: &[Moments]) -> Vec<Result<Fitted, FitError>> {
        let counters = parts.first().map_or(0, |part| part.seen.len() - 1);
        without_each(parts, &Moments::new(counters))
            .iter()
            .map(|rest| self.fit_moments(rest))
            .collect()
    }
}

impl Method for OrdinaryLeastSquares {
    fn name(&self) -> &'static str {
        "ols"
    }

    /// 2: solved from R factors, which rounds otherwise; 3: intervals.
    fn revision(&self) -> u32 {
        3
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        self.fit_moments(&self.moments(rows)?)
    }

    fn forecasts_without(
        &self,
        rows: &Rows<'_>,
        folds: &[usize],
    ) -> Option<Vec<Result<f64, FitError>>> {
        forecasts(rows, folds)
    }
}
