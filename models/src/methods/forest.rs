//! The method `forest`: extremely randomised trees.

use ndarray::{Array2, ShapeBuilder};

use super::{
    FitError, Method,
    checked::{Checked, varying},
    trees::{Growth, TrainingRows},
};
use crate::{Fitted, Forest, Form, Rows};

/// Extremely randomised trees (Geurts, Ernst, Wehenkel, Machine Learning 63, 2006) on ln(T): the peer from
/// machine learning. Trees can't extrapolate: no forecast leaves the range of the times fitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExtraTrees;

const GROWTH: Growth = Growth {
    trees: 100,
    leaf: 2,
    tried: 3,
};

impl Method for ExtraTrees {
    fn name(&self) -> &'static str {
        "forest"
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        let checked = Checked::counts(rows)?;
        let ranges = checked.ranges();
        let (columns, dropped) = varying(&ranges, checked.y.len())?;
        let log = |(row, at): (usize, usize)| checked.x[(row, columns[at])].ln_1p();
        let training = TrainingRows {
            x: Array2::from_shape_fn((checked.y.len(), columns.len()).f(), log),
            y: checked.y.mapv(f64::ln),
            weights: checked.kernels_equally(),
        };
        let mut forest = Forest {
            trees: training.trees(GROWTH),
        };
        // Thresholds are of counters, not of their logarithms.
        let nodes = forest.trees.iter_mut().flat_map(|tree| &mut tree.nodes);
        for split in nodes.filter_map(|node| node.split.as_mut()) {
            split.column = columns[split.column];
            split.threshold = split.threshold.exp_m1();
        }
        Ok(Fitted {
            ranges,
            dropped,
            form: Form::Forest(forest),
        })
    }
}
