use ndarray::ArrayView1;

use super::{Attribution, Coefficient};

/// ln(response) = intercept + Σ weight · (ln(1 + counter) − mean) ÷ scale.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LogLinear {
    /// ln of the response, in seconds, where every counter's logarithm is at its mean.
    pub intercept: f64,
    /// One for each column in the fit, in the columns' order; mean and scale are those of ln(1 + counter),
    /// the weight is in ln of the response.
    pub coefficients: Vec<Coefficient>,
}

impl LogLinear {
    pub(super) fn predict(&self, row: ArrayView1<'_, f64>) -> f64 {
        (self.intercept + self.logs(row).map(|(_, log)| log).sum::<f64>()).exp()
    }

    pub(super) fn attribution(&self, row: ArrayView1<'_, f64>) -> Attribution {
        Attribution::of_logs(self.intercept, self.logs(row).collect())
    }

    fn logs(&self, row: ArrayView1<'_, f64>) -> impl Iterator<Item = (usize, f64)> {
        let log = move |c: &Coefficient| {
            let log = ln_1p(row[c.column]);
            (c.column, c.weight * ((log - c.mean) / c.scale))
        };
        self.coefficients.iter().map(log)
    }
}

/// From 1 on the plain logarithm is as exact, and twice as fast.
fn ln_1p(counter: f64) -> f64 {
    if counter >= 1.0 {
        (1.0 + counter).ln()
    } else {
        counter.ln_1p()
    }
}
