use ndarray::{Array2, ShapeBuilder};

use super::{
    FitError, Method,
    checked::{Checked, varying},
    per_worker::workers,
    trees::{Ground, Growth},
};
use crate::{Fitted, Forest, Form, Rows};

/// Extremely randomised trees (Geurts, Ernst, Wehenkel, Machine Learning 63, 2006) on ln(T): the peer from
/// machine learning. Trees can't extrapolate: no forecast leaves the range of the times fitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExtraTrees;

/// The same on counters per worker: what a work-item does, whatever the launch's size. For responses that
/// hang on that rather than on how much there is to do. Beside them the number of workers itself; where no
/// counter counts workers, this is [`ExtraTrees`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExtraTreesPerWorker;

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
        grown(rows, |_| None)
    }
}

impl Method for ExtraTreesPerWorker {
    fn name(&self) -> &'static str {
        "forest_per_worker"
    }

    /// 3: workers by their roles.
    fn revision(&self) -> u32 {
        3
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        grown(rows, |columns| {
            workers(rows.roles, columns).first().copied()
        })
    }
}

/// `worker`: of the columns that vary, the one that the others are divided by.
fn grown(rows: &Rows<'_>, worker: impl Fn(&[usize]) -> Option<usize>) -> Result<Fitted, FitError> {
    let checked = Checked::counts(rows)?;
    let seen = checked.seen();
    let (columns, dropped) = varying(&seen, checked.y.len())?;
    let mut forest = Forest {
        trees: Vec::new(),
        worker: worker(&columns),
    };
    let log = |(row, at): (usize, usize)| forest.asked(checked.x.row(row), columns[at]).ln_1p();
    let ground = Ground {
        x: Array2::from_shape_fn((checked.y.len(), columns.len()).f(), log),
        y: checked.y.mapv(f64::ln),
        weights: checked.kernels_equally(),
    };
    forest.trees = ground.trees(GROWTH);
    // Thresholds are of counters, not of their logarithms.
    let nodes = forest.trees.iter_mut().flat_map(|tree| &mut tree.nodes);
    for split in nodes.filter_map(|node| node.split.as_mut()) {
        split.column = columns[split.column];
        split.threshold = split.threshold.exp_m1();
    }
    Ok(Fitted {
        seen,
        dropped,
        form: Form::Forest(forest),
    })
}
