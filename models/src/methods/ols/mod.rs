//! The method `ols`: the paper's least squares.

mod leave_one_out;
mod solve;

use self::{leave_one_out::forecasts, solve::Solved};
use super::{FitError, Method, checked::Checked};
use crate::{Fitted, Rows};

/// The paper's method: T = a0 + Σ ai·pi by ordinary least squares, each counter pi scaled to mean 0 and
/// variance 1 over the rows fitted (Shimada, Endo, Maruyama, Matsuoka 2010).
///
/// Around the solver stand guards, since it answers without a word where there is no answer. Constant
/// counters, and counters that combine earlier ones, are dropped with the reason. A fit that would pass
/// through every row, for want of rows, is refused: it needs two rows more than it keeps counters, one
/// for the intercept and one to be off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrdinaryLeastSquares;

impl Method for OrdinaryLeastSquares {
    fn name(&self) -> &'static str {
        "ols"
    }

    /// Revision 2: solved from R factors, which rounds otherwise; 3: intervals.
    fn revision(&self) -> u32 {
        3
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        Solved::new(&Checked::new(rows)?).map(Solved::fitted)
    }

    fn forecasts_without(
        &self,
        rows: &Rows<'_>,
        folds: &[usize],
    ) -> Option<Vec<Result<f64, FitError>>> {
        forecasts(rows, folds)
    }
}
