//! The form of `ols`: an intercept and a weight for each scaled counter.

use ndarray::ArrayView1;

use super::Attribution;

/// Response = intercept + Σ weight · (counter − mean) ÷ scale.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Linear {
    /// The response where every counter is at its mean (a0), seconds.
    pub intercept: f64,
    /// One for each column in the fit, in the columns' order.
    pub coefficients: Vec<Coefficient>,
}

/// One column's share in a fit.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Coefficient {
    /// The column.
    pub column: usize,
    /// Its mean over the rows fitted.
    pub mean: f64,
    /// Its population standard deviation over them, above 0.
    pub scale: f64,
    /// Response per standard deviation: the paper's ai, seconds.
    pub weight: f64,
}

impl Linear {
    pub(crate) fn predict(&self, row: ArrayView1<'_, f64>) -> f64 {
        let share = |c: &Coefficient| c.weight * ((row[c.column] - c.mean) / c.scale);
        self.intercept + self.coefficients.iter().map(share).sum::<f64>()
    }

    /// The attribution: each counter's slope times its value; the rest is the response where every counter is 0.
    pub(super) fn attribution(&self, row: ArrayView1<'_, f64>) -> Attribution {
        // Of either sign, since nothing keeps least squares from it.
        let share = |c: &Coefficient| (c.column, c.weight / c.scale * row[c.column]);
        let shift = |c: &Coefficient| c.weight / c.scale * c.mean;
        Attribution {
            rest: self.intercept - self.coefficients.iter().map(shift).sum::<f64>(),
            shares: self.coefficients.iter().map(share).collect(),
        }
    }
}
