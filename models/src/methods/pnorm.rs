use ndarray::Axis;

use super::{
    FitError, Method,
    checked::{Checked, varying},
    folds::{count, inner_folds},
    nnls::fitted,
    relative::{Loss, Relative},
};
use crate::{Cost, Fitted, Training};

/// T = (c0ᵖ + Σ (ci·xi)ᵖ)^(1/p): p = 1 adds the costs up, p → ∞ takes the largest alone, as the roofline
/// model does. p is chosen by leaving kernels out.
///
/// With p given this is a non-negative fit of Tᵖ, whose costs are ciᵖ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PNorm;

/// From a sum to nearly the largest alone.
const EXPONENTS: [f64; 6] = [1.0, 1.25, 1.5, 2.0, 4.0, 8.0];

const LOSS: Loss = Loss {
    ridge: 1e-9,
    rounds: 0,
};

/// Enough to tell exponents apart.
const FOLDS: usize = 10;

impl Method for PNorm {
    fn name(&self) -> &'static str {
        "pnorm"
    }

    fn fit(&self, training: &Training<'_>) -> Result<Fitted, FitError> {
        let checked = Checked::counts(training)?;
        let seen = checked.seen();
        let (columns, dropped) = varying(&seen, checked.y.len())?;
        let relative = Relative::new(checked.x.select(Axis(1), &columns).view(), checked.y.view());
        let weights = checked.kernels_equally();
        let folds = inner_folds(&checked.kernels, FOLDS);
        let error = |&p: &f64| held_out_error(&relative.power(p), p, &weights, &folds);
        let p = EXPONENTS
            .into_iter()
            .min_by(|a, b| error(a).total_cmp(&error(b)))
            .unwrap_or(1.0);
        let powers = relative.power(p);
        let (seconds, constant) = powers.seconds(&powers.costs(&weights, LOSS));
        let root = |cost: f64| cost.powf(1.0 / p);
        let terms = columns.iter().zip(seconds).map(|(&column, cost)| Cost {
            column,
            over: None,
            seconds: root(cost),
        });
        fitted(seen, dropped, root(constant), terms.collect(), p)
    }
}

/// Mean absolute percentage error of the rows left out, by `weights`.
fn held_out_error(powers: &Relative, p: f64, weights: &[f64], folds: &[usize]) -> f64 {
    let mut error = 0.0;
    for fold in 0..count(folds) {
        let (out, rest): (Vec<usize>, Vec<usize>) =
            (0..folds.len()).partition(|&row| folds[row] == fold);
        let of = |rows: &[usize]| rows.iter().map(|&row| weights[row]).collect::<Vec<f64>>();
        let costs = powers.rows(&rest).costs(&of(&rest), LOSS);
        let ratios = powers.rows(&out).ratios(&costs);
        let apes = ratios.iter().map(|ratio| (ratio.powf(1.0 / p) - 1.0).abs());
        error += apes
            .zip(of(&out))
            .map(|(ape, weight)| ape * weight)
            .sum::<f64>();
    }
    error
}
