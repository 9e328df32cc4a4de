use ndarray::{Array1, Axis};

use super::{
    FitError, Method,
    checked::{Checked, varying},
    nnls::fitted,
    overlap::{Aim, MOST_ROWS, Overlap, chosen},
};
use crate::{Cost, Costs, Fitted, Rows};

/// T = c0 + (Σ (ci·xi)ᵖ)^(1/p): p = 1 adds the costs up, p → ∞ takes the largest alone, as the roofline
/// model does. p is chosen by leaving kernels out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PNorm;

/// From a sum to nearly the largest alone.
const EXPONENTS: [f64; 4] = [1.0, 2.0, 4.0, 8.0];

/// A cost that is 0 would stay there.
const START: f64 = 1e-3;

/// Just enough that counters which always go together share their cost.
const RIDGE: f64 = 1e-6;

impl Method for PNorm {
    fn name(&self) -> &'static str {
        "pnorm"
    }

    /// 2: the launch adds to the norm, and errors count by their size, not by its square; 3: intervals.
    fn revision(&self) -> u32 {
        3
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        let checked = Checked::counts(rows)?;
        let seen = checked.seen();
        let (columns, dropped) = varying(&seen, checked.y.len())?;
        let checked = checked.thinned(MOST_ROWS);
        let p = chosen(&checked, &EXPONENTS, |rest, p| costs(rest, &columns, p));
        let Costs { constant, terms, p } = costs(&checked, &columns, p);
        fitted(seen, dropped, constant, terms, p)
    }
}

/// A sum's costs first: they are where the steps for a larger exponent start.
fn costs(checked: &Checked, columns: &[usize], p: f64) -> Costs {
    let k = columns.len();
    let terms = checked.x.select(Axis(1), columns);
    let unit = |column: &usize| {
        let shares = checked.x.column(*column).to_owned() / &checked.y;
        let most = shares.iter().copied().fold(0.0, f64::max);
        if most > 0.0 { 1.0 / most } else { 1.0 }
    };
    let shortest = checked.y.iter().copied().fold(f64::INFINITY, f64::min);
    let units: Vec<f64> = columns.iter().map(unit).chain([shortest]).collect();
    let overlap = Overlap::new(terms.view(), checked.y.view(), &units, vec![false; k]);
    let weights = checked.kernels_equally();
    let toward = Array1::zeros(k + 1);
    let strength = Array1::from_elem(k + 1, RIDGE);
    let solve = |p: f64, start: Array1<f64>| {
        let aim = Aim {
            weights: &weights,
            p,
            toward: &toward,
            strength: &strength,
        };
        overlap.solve(&aim, start)
    };
    let sum = solve(1.0, Array1::ones(k + 1));
    let found = solve(p, sum.mapv(|cost| cost.max(START))) * Array1::from(units);
    let cost = |(&column, &seconds): (&usize, &f64)| Cost {
        column,
        over: Vec::new(),
        seconds,
    };
    Costs {
        constant: found[k],
        terms: columns.iter().zip(&found).map(cost).collect(),
        p,
    }
}
