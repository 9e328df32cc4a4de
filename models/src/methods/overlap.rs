//! Fits costs that hide behind each other, and chooses settings by leaving kernels out.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

use super::{checked::Checked, relative::NOISE};
use crate::{
    Costs,
    fitted::{power, root},
    folds::{inner_folds, split_fold},
    non_negative::non_negative,
};

/// The most steps, far more than needed: they end when they no longer help.
const MOST_STEPS: usize = 20;

/// The least by which a step lowers the loss: a smaller gain ends the search.
const LEAST_GAIN: f64 = 1e-5;

/// The most rows that such a fit looks at: its steps would take minutes over a hundred thousand.
pub(super) const MOST_ROWS: usize = 4096;

/// Number of inner folds, enough to tell settings apart.
const FOLDS: usize = 5;

/// Costs of terms that hide behind each other, T = c0 + ((Σ chain)ᵖ + Σ (ci·xi)ᵖ)^(1/p), by least absolute
/// relative errors. Terms of the chain add up before they hide.
pub(super) struct Overlap {
    /// Terms (k) and the constant after them, as shares of the rows' times where each costs its unit
    /// (n × (k + 1)).
    shares: Array2<f64>,
    /// Which terms belong to the chain (k).
    chain: Vec<bool>,
}

/// What the loss of a fit is made up of.
pub(super) struct OverlapLoss<'a> {
    /// Weights of the rows (n), adding up to 1.
    pub(super) weights: &'a [f64],
    /// The exponent, 1 or more.
    pub(super) p: f64,
    /// The costs that a fit is pulled to, in the terms' units (k + 1).
    pub(super) toward: &'a Array1<f64>,
    /// Strength of the pull of each cost (k + 1).
    pub(super) strength: &'a Array1<f64>,
}

impl Overlap {
    /// Makes the shares from terms (n × k, not below 0) and times (n, above 0). `units`: seconds of each term and of
    /// the constant (k + 1).
    pub(super) fn new(
        terms: ArrayView2<'_, f64>,
        times: ArrayView1<'_, f64>,
        units: &[f64],
        chain: Vec<bool>,
    ) -> Self {
        let (n, k) = terms.dim();
        let shares = Array2::from_shape_fn((n, k + 1), |(row, at)| {
            let events = if at < k { terms[(row, at)] } else { 1.0 };
            events * units[at] / times[row]
        });
        Self { shares, chain }
    }

    /// Costs in their units (k + 1), by Gauss and Newton's steps from `start`: each is a non-negative
    /// least-squares problem, shortened until the loss falls. Where a cost is 0 and p above 1 it stays
    /// 0 unless it is pulled, so start above.
    pub(super) fn solve(&self, loss: &OverlapLoss<'_>, start: Array1<f64>) -> Array1<f64> {
        let mut costs = start;
        let mut least = self.evaluate(&costs, loss);
        for _ in 0..MOST_STEPS {
            let direction = self.next(&costs, loss) - &costs;
            let shorter = [1.0, 0.5, 0.25, 0.125].into_iter();
            let mut tried = shorter.map(|part| {
                let costs = &costs + &(&direction * part);
                (self.evaluate(&costs, loss), costs)
            });
            let Some((less, better)) = tried.find(|(less, _)| *less < least) else {
                break;
            };
            costs = better;
            if least - less < LEAST_GAIN {
                break;
            }
            least = less;
        }
        costs
    }

    /// The next costs by one step. T grows in proportion with the costs, so its tangent is its slopes times the costs.
    fn next(&self, costs: &Array1<f64>, loss: &OverlapLoss<'_>) -> Array1<f64> {
        let slopes = self.slopes(costs, loss.p);
        let ratios = slopes.dot(costs);
        let absolute = |(weight, ratio): (&f64, &f64)| weight / (ratio - 1.0).hypot(NOISE);
        let weights: Array1<f64> = loss.weights.iter().zip(&ratios).map(absolute).collect();
        let weighted = &slopes * &weights.insert_axis(Axis(1));
        let mut h = weighted.t().dot(&slopes);
        let mut diagonal = h.diag_mut();
        diagonal += loss.strength;
        let f = weighted.sum_axis(Axis(0)) + loss.strength * loss.toward;
        let likely: Vec<bool> = costs.iter().map(|&cost| cost > 0.0).collect();
        non_negative(&h, &f, &likely)
    }

    /// The slopes: how much each row's forecast ÷ time grows with each cost (n × (k + 1)).
    fn slopes(&self, costs: &Array1<f64>, p: f64) -> Array2<f64> {
        let mut slopes = self.shares.clone();
        if p <= 1.0 {
            return slopes;
        }
        for (mut slopes, shares) in slopes.rows_mut().into_iter().zip(self.shares.rows()) {
            let (chain, norm) = self.paths(shares, costs, p);
            if norm <= 0.0 {
                continue;
            }
            for (at, &in_chain) in self.chain.iter().enumerate() {
                let path = if in_chain {
                    chain
                } else {
                    shares[at] * costs[at]
                };
                slopes[at] *= power(path / norm, p - 1.0);
            }
        }
        slopes
    }

    /// The loss: mean absolute relative error, smooth below [`NOISE`], plus half the squares of the pulls.
    fn evaluate(&self, costs: &Array1<f64>, loss: &OverlapLoss<'_>) -> f64 {
        let constant = self.chain.len();
        let error = |(shares, weight): (ArrayView1<'_, f64>, &f64)| {
            let (_, norm) = self.paths(shares, costs, loss.p);
            let ratio = norm + shares[constant] * costs[constant];
            weight * (ratio - 1.0).hypot(NOISE)
        };
        let rows = self.shares.rows().into_iter().zip(loss.weights);
        let pulled = (costs - loss.toward).mapv(|it| it * it).dot(loss.strength);
        rows.map(error).sum::<f64>() + 0.5 * pulled
    }

    /// The chain, and the p-norm of it and the other terms, as shares of the row's time.
    fn paths(&self, shares: ArrayView1<'_, f64>, costs: &Array1<f64>, p: f64) -> (f64, f64) {
        let mut chain = 0.0;
        let mut powers = 0.0;
        for (at, &in_chain) in self.chain.iter().enumerate() {
            let cost = shares[at] * costs[at];
            if in_chain {
                chain += cost;
            } else {
                powers += power(cost, p);
            }
        }
        (chain, root(power(chain, p) + powers, p))
    }
}

/// The setting whose costs forecast kernels left out with the least mean absolute percentage error, each kernel
/// counting once; the first of equal ones.
pub(super) fn best_setting<S: Copy>(
    checked: &Checked,
    settings: &[S],
    fit: impl Fn(&Checked, S) -> Costs,
) -> S {
    let folds = inner_folds(&checked.kernels, FOLDS);
    let weights = checked.kernels_equally();
    let error = |&setting: &S| -> f64 {
        let of_fold = |fold| {
            let (out, rest) = split_fold(&folds, fold);
            if rest.is_empty() {
                return 0.0;
            }
            let costs = fit(&checked.rows(&rest), setting);
            let ape =
                |&row: &usize| (costs.predict(checked.x.row(row)) / checked.y[row] - 1.0).abs();
            out.iter().map(|row| weights[*row] * ape(row)).sum()
        };
        (0..FOLDS).map(of_fold).sum()
    };
    let errors: Vec<f64> = settings.iter().map(error).collect();
    let best = (0..settings.len()).min_by(|&a, &b| errors[a].total_cmp(&errors[b]));
    settings[best.unwrap_or_default()]
}
