use kerncast_wire::Role;
use ndarray::{Array1, Array2, ShapeBuilder};

use super::{
    FitError, Method,
    checked::{Checked, varying},
    folds::{count, inner_folds, parted},
    overlap::MOST_ROWS,
    trees::{Ground, Growth},
    waves::{ByWaves, Chosen, dropped},
};
use crate::{Corrected, Fitted, Form, Rows, Tree, fitted::mean_of_trees};

/// [`ByWaves`], and trees that say by what factor it is off where times come from the same: a costs' form knows what
/// hardware does, trees what it leaves out. They learn from forecasts of kernels that costs had not seen (stacking:
/// Wolpert, Neural Networks 5, 1992), since of kernels fitted the errors are too small.
///
/// Further trees learn how far off that still is for such rows, again of kernels left out: its doubt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WavesForest;

const FOLDS: usize = 5;

const CORRECTIONS: Growth = Growth {
    trees: 100,
    leaf: 3,
    tried: 3,
};

/// The share of a correction that is believed: kernels that are asked about are less like those fitted than these are
/// like each other.
const BELIEVED: f64 = 0.75;

/// Those that other trees' doubts are learnt from.
const TRIALS: Growth = Growth {
    trees: 30,
    ..CORRECTIONS
};

/// An error that is as often large as this needs some more rows to be known.
const DOUBTS: Growth = Growth {
    trees: 50,
    leaf: 10,
    tried: 3,
};

impl Method for WavesForest {
    fn name(&self) -> &'static str {
        "waves_forest"
    }

    /// 2: three quarters of a correction are believed.
    fn revision(&self) -> u32 {
        2
    }

    fn suits(&self, roles: &[Option<Role>]) -> bool {
        ByWaves.suits(roles)
    }

    fn asks(&self) -> &'static [Role] {
        ByWaves.asks()
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        let checked = Checked::counts(rows)?;
        let seen = checked.seen();
        varying(&seen, checked.y.len())?;
        let checked = checked.thinned(MOST_ROWS);
        let chosen = Chosen::new(rows.roles, &checked)?;
        let costs = chosen.costs(&checked)?;
        let mut corrected = Corrected {
            costs,
            fitted: None,
            corrections: Vec::new(),
            doubts: Vec::new(),
        };
        let asked: Vec<Vec<f64>> = checked
            .x
            .rows()
            .into_iter()
            .map(|row| corrected.asked(row).1)
            .collect();
        let columns = asked.first().map_or(0, Vec::len);
        let mut ground = Ground {
            x: Array2::from_shape_fn((asked.len(), columns).f(), |(row, at)| asked[row][at]),
            y: Array1::zeros(asked.len()),
            weights: checked.kernels_equally(),
        };
        let folds = inner_folds(&checked.kernels, FOLDS);
        // Too few kernels to leave any out: nothing is known of what costs leave out.
        if count(&folds) > 1 {
            ground.y = off(&chosen, &checked, &folds)?;
            corrected.corrections = ground.trees(CORRECTIONS);
            let nodes = corrected
                .corrections
                .iter_mut()
                .flat_map(|tree| &mut tree.nodes);
            nodes.for_each(|node| node.value *= BELIEVED);
            ground.y = still_off(&ground, &folds);
            corrected.doubts = ground.trees(DOUBTS);
        }
        Ok(Fitted {
            dropped: dropped(&corrected.costs, seen.len()),
            seen,
            form: Form::Corrected(corrected),
        })
    }
}

/// ln(time ÷ forecast) (n), by costs of the other folds.
fn off(chosen: &Chosen, checked: &Checked, folds: &[usize]) -> Result<Array1<f64>, FitError> {
    let mut off = Array1::zeros(folds.len());
    for fold in 0..count(folds) {
        let (out, rest) = parted(folds, fold);
        let costs = chosen.costs(&checked.rows(&rest))?;
        for row in out {
            off[row] = (checked.y[row] / costs.predict(checked.x.row(row))).ln();
        }
    }
    match off.iter().all(|it| it.is_finite()) {
        true => Ok(off),
        false => Err(FitError::NotFinite),
    }
}

/// How far corrected forecasts are off (n), by trees of the other folds.
fn still_off(ground: &Ground, folds: &[usize]) -> Array1<f64> {
    let mut off = Array1::zeros(folds.len());
    for fold in 0..count(folds) {
        let (out, rest) = parted(folds, fold);
        let trees: Vec<Tree> = ground.trees_of(&rest, TRIALS);
        for row in out {
            let correction = mean_of_trees(&trees, |column| ground.x[(row, column)]);
            off[row] = (ground.y[row] - BELIEVED * correction).abs();
        }
    }
    off
}
