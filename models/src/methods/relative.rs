//! Fits costs that add up, by least relative errors.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

use crate::non_negative::non_negative;

/// The relative error below which robust fits weigh all errors alike: smaller ones are as good as none.
pub(super) const NOISE: f64 = 0.03;

/// Shares that terms (k, and the constant after them) have in the times of n rows. They make a fit's errors relative: a
/// kernel of a microsecond counts as much as one of a second.
pub(super) struct Relative {
    /// Shares (n × (k + 1)). Each column is in units of its largest value.
    shares: Array2<f64>,
    /// The units of the columns (k + 1).
    units: Vec<f64>,
}

/// The weighing of a fit's errors.
#[derive(Clone, Copy)]
pub(super) struct Loss {
    /// Strength of the pull of each cost to 0, against rows whose weights add up to 1.
    pub(super) ridge: f64,
    /// Rounds of weighing rows by 1 ÷ |error|, which turns squared errors into absolute ones: few kernels that the
    /// terms can't explain don't bend the fit of all others. 0: squared errors.
    pub(super) rounds: usize,
}

impl Relative {
    /// Makes the shares from terms (n × k, not below 0) and times (n, above 0).
    pub(super) fn new(terms: ArrayView2<'_, f64>, times: ArrayView1<'_, f64>) -> Self {
        let (n, k) = terms.dim();
        let mut shares = Array2::from_shape_fn((n, k + 1), |(row, column)| {
            let term = if column < k {
                terms[(row, column)]
            } else {
                1.0
            };
            term / times[row]
        });
        let units: Vec<f64> = shares
            .columns()
            .into_iter()
            .map(|column| {
                let most = column.iter().copied().fold(0.0, f64::max);
                if most > 0.0 { most } else { 1.0 }
            })
            .collect();
        shares /= &ArrayView1::from(&units);
        Self { shares, units }
    }

    /// Costs (k + 1), not below 0, in the columns' units; rows count by `weights` (n, adding up to 1).
    pub(super) fn costs(&self, weights: &[f64], loss: Loss) -> Array1<f64> {
        let zero = Array1::zeros(self.units.len());
        let mut costs = self.weighted(weights, loss.ridge, &zero);
        for _ in 0..loss.rounds {
            let errors = self.shares.dot(&costs) - 1.0;
            let robust = |(weight, error): (&f64, &f64)| weight / error.hypot(NOISE);
            let weights: Vec<f64> = weights.iter().zip(&errors).map(robust).collect();
            costs = self.weighted(&weights, loss.ridge, &costs);
        }
        costs
    }

    fn weighted(&self, weights: &[f64], ridge: f64, near: &Array1<f64>) -> Array1<f64> {
        let weights = ArrayView1::from(weights);
        let weighted = &self.shares * &weights.insert_axis(Axis(1));
        let mut h = weighted.t().dot(&self.shares);
        // The constant is no counter: nothing speaks for a launch that costs nothing.
        let k = self.units.len() - 1;
        for at in 0..k {
            h[(at, at)] += ridge;
        }
        let f = weighted.sum_axis(Axis(0));
        let start: Vec<bool> = near.iter().map(|&cost| cost > 0.0).collect();
        non_negative(&h, &f, &start)
    }

    /// Costs in seconds per event: those of the terms (k), and the constant.
    pub(super) fn seconds(&self, costs: &Array1<f64>) -> (Vec<f64>, f64) {
        let costs = costs.iter().zip(&self.units);
        let mut seconds: Vec<f64> = costs.map(|(cost, unit)| cost / unit).collect();
        let constant = seconds.pop().unwrap_or_default();
        (seconds, constant)
    }
}
