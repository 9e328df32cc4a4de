//! How a model is fitted. The only folder that knows linfa.

mod error;
mod ols;
mod training;

use ndarray::{ArrayView1, ArrayView2};

use crate::Fitted;
pub use error::FitError;
pub use ols::OrdinaryLeastSquares;

/// Every method there is.
pub const METHODS: &[&dyn Method] = &[&OrdinaryLeastSquares];

/// A way to fit a model.
pub trait Method: Send + Sync {
    /// Its name in specifications, such as `ols`.
    fn name(&self) -> &'static str;

    /// Fits raw counter values `x` (n × p) to the response `y` (n, seconds). A row with weight w counts
    /// as w equal rows; without `weights` (n) each counts once.
    ///
    /// # Errors
    /// [`FitError`] where no trustworthy fit exists; it says why.
    fn fit(
        &self,
        x: ArrayView2<'_, f64>,
        y: ArrayView1<'_, f64>,
        weights: Option<ArrayView1<'_, f64>>,
    ) -> Result<Fitted, FitError>;
}
