//! The method `waves_forest`: `waves`, corrected by trees.

use kerncast_wire::Role;
use ndarray::{Array1, Array2, ShapeBuilder};

use super::{
    FitError, Method,
    checked::{Checked, varying},
    overlap::MOST_ROWS,
    trees::{Growth, TrainingRows},
    waves::{ByWaves, Setup, dropped},
};
use crate::{
    Corrected, Fitted, Form, Rows, Tree,
    fitted::mean_of_trees,
    folds::{fold_count, inner_folds, split_fold},
};

/// [`ByWaves`], and trees that forecast by what factor it is off. Costs know what hardware does, trees learn what costs
/// leave out. They learn from forecasts of kernels that the costs had not seen (stacking: Wolpert, Neural Networks 5,
/// 1992), since errors on fitted kernels are too small.
///
/// Further trees learn how far off the corrected forecast still is for such rows, again on kernels left out: its
/// expected error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WavesForest;

const FOLDS: usize = 5;

const CORRECTIONS: Growth = Growth {
    trees: 100,
    leaf: 3,
    tried: 3,
};

/// The share of a correction that is believed: kernels that people ask about are less like those fitted than these are
/// like each other.
const BELIEVED_SHARE: f64 = 0.75;

/// Growth of the trees that correct rows of other folds; the expected errors are learned from what is left of those
/// rows' errors.
const FOLD_CORRECTIONS: Growth = Growth {
    trees: 30,
    ..CORRECTIONS
};

/// Growth of the trees of expected errors. Errors vary more than corrections: a leaf needs more rows to know them.
const ERROR_GROWTH: Growth = Growth {
    trees: 50,
    leaf: 10,
    tried: 3,
};

impl Method for WavesForest {
    fn name(&self) -> &'static str {
        "waves_forest"
    }

    /// Revision 2: three quarters of a correction are believed.
    fn revision(&self) -> u32 {
        2
    }

    fn suits(&self, roles: &[Option<Role>]) -> bool {
        ByWaves.suits(roles)
    }

    fn geometry_roles(&self) -> &'static [Role] {
        ByWaves.geometry_roles()
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        let checked = Checked::counts(rows)?;
        let ranges = checked.ranges();
        varying(&ranges, checked.y.len())?;
        let checked = checked.thinned(MOST_ROWS);
        let setup = Setup::new(rows.roles, &checked)?;
        let costs = setup.waves(&checked)?;
        let mut corrected = Corrected {
            costs,
            lenders_costs: None,
            corrections: Vec::new(),
            error_trees: Vec::new(),
        };
        let x = checked.x.rows().into_iter();
        let features: Vec<Vec<f64>> = x.map(|row| corrected.features(row).1).collect();
        let columns = features.first().map_or(0, Vec::len);
        let mut training = TrainingRows {
            x: Array2::from_shape_fn((features.len(), columns).f(), |(row, at)| features[row][at]),
            y: Array1::zeros(features.len()),
            weights: checked.kernels_equally(),
        };
        let folds = inner_folds(&checked.kernels, FOLDS);
        // With one fold nothing can be left out, so nothing is known about the costs' errors.
        if fold_count(&folds) > 1 {
            training.y = errors_left_out(&setup, &checked, &folds)?;
            corrected.corrections = training.trees(CORRECTIONS);
            let trees = corrected.corrections.iter_mut();
            let nodes = trees.flat_map(|tree| &mut tree.nodes);
            nodes.for_each(|node| node.value *= BELIEVED_SHARE);
            training.y = errors_of_corrected(&training, &folds);
            corrected.error_trees = training.trees(ERROR_GROWTH);
        }
        Ok(Fitted {
            dropped: dropped(&corrected.costs, ranges.len()),
            ranges,
            form: Form::Corrected(corrected),
        })
    }
}

/// ln(time ÷ forecast) of the rows (n), by costs that were fitted to the other folds.
fn errors_left_out(
    setup: &Setup,
    checked: &Checked,
    folds: &[usize],
) -> Result<Array1<f64>, FitError> {
    let mut off = Array1::zeros(folds.len());
    for fold in 0..fold_count(folds) {
        let (out, rest) = split_fold(folds, fold);
        let costs = setup.waves(&checked.rows(&rest))?;
        for row in out {
            off[row] = (checked.y[row] / costs.predict(checked.x.row(row))).ln();
        }
    }
    if off.iter().all(|it| it.is_finite()) {
        Ok(off)
    } else {
        Err(FitError::NotFinite)
    }
}

/// |ln(forecast ÷ time)| of corrected forecasts of the rows (n), by trees of the other folds.
fn errors_of_corrected(training: &TrainingRows, folds: &[usize]) -> Array1<f64> {
    let mut off = Array1::zeros(folds.len());
    for fold in 0..fold_count(folds) {
        let (out, rest) = split_fold(folds, fold);
        let trees: Vec<Tree> = training.trees_of(&rest, FOLD_CORRECTIONS);
        for row in out {
            let correction = mean_of_trees(&trees, |column| training.x[(row, column)]);
            off[row] = (training.y[row] - BELIEVED_SHARE * correction).abs();
        }
    }
    off
}
