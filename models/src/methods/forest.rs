use ndarray::{Array1, Array2};

use super::{
    FitError, Method,
    checked::{Checked, varying},
    per_worker::workers,
    random::Random,
};
use crate::{Fitted, Forest, Form, Node, Rows, Split, Tree};

/// Extremely randomised trees (Geurts, Ernst, Wehenkel, Machine Learning 63, 2006) on ln(T): the peer from
/// machine learning. Trees can't extrapolate: no forecast leaves the range of the times fitted.
///
/// The same rows give the same forest: its randomness is counted out from a constant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExtraTrees;

/// The same on counters per worker: what a work-item does, whatever the launch's size. For responses that
/// hang on that rather than on how much there is to do. Beside them the number of workers itself; where no
/// counter counts workers, this is [`ExtraTrees`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExtraTreesPerWorker;

const TREES: u64 = 100;

/// Rows that a leaf has at least.
const LEAF: usize = 2;

/// Of the columns that vary, one in so many is tried at each node.
const TRIED: usize = 3;

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
        logs: Array2::from_shape_fn((checked.y.len(), columns.len()), log),
        y: checked.y.mapv(f64::ln),
        weights: checked.kernels_equally(),
        columns,
    };
    let trees = (0..TREES).map(|tree| ground.tree(Random::new(tree)));
    forest.trees = trees.collect();
    Ok(Fitted {
        seen,
        dropped,
        form: Form::Forest(forest),
    })
}

/// What trees grow on.
struct Ground {
    /// ln(1 + counter), or of the counter per worker (n × k).
    logs: Array2<f64>,
    /// Their columns (k).
    columns: Vec<usize>,
    /// ln(response) (n).
    y: Array1<f64>,
    /// (n).
    weights: Vec<f64>,
}

impl Ground {
    fn tree(&self, mut random: Random) -> Tree {
        let mut nodes = Vec::new();
        let mut open = vec![(0, (0..self.y.len()).collect::<Vec<usize>>())];
        nodes.push(self.leaf(&open[0].1));
        while let Some((at, rows)) = open.pop() {
            let Some((split, low, high)) = self.split(&rows, &mut random) else {
                continue;
            };
            let next = nodes.len();
            let (column, threshold) = split;
            nodes[at].split = Some(Split {
                column,
                threshold,
                low: next,
                high: next + 1,
            });
            nodes.push(self.leaf(&low));
            nodes.push(self.leaf(&high));
            open.push((next, low));
            open.push((next + 1, high));
        }
        Tree { nodes }
    }

    fn leaf(&self, rows: &[usize]) -> Node {
        let (weight, sum, _) = self.moments(rows);
        Node {
            value: sum / weight,
            split: None,
        }
    }

    /// Σ w, Σ w·y, Σ w·y².
    fn moments(&self, rows: &[usize]) -> (f64, f64, f64) {
        rows.iter()
            .fold((0.0, 0.0, 0.0), |(n, sum, squares), &row| {
                let (weight, y) = (self.weights[row], self.y[row]);
                (n + weight, sum + weight * y, squares + weight * y * y)
            })
    }

    /// Of random thresholds on some random columns, the one that leaves the least variance.
    #[expect(
        clippy::type_complexity,
        reason = "column and threshold, low rows, high rows"
    )]
    fn split(
        &self,
        rows: &[usize],
        random: &mut Random,
    ) -> Option<((usize, f64), Vec<usize>, Vec<usize>)> {
        if rows.len() < 2 * LEAF {
            return None;
        }
        let spread = |(n, sum, squares): (f64, f64, f64)| squares - sum * sum / n;
        let mut left: Vec<usize> = (0..self.columns.len()).collect();
        let mut tries = self.columns.len().div_ceil(TRIED);
        let mut best: Option<(f64, (usize, f64), Vec<usize>, Vec<usize>)> = None;
        while tries > 0 && !left.is_empty() {
            let at = left.swap_remove(random.below(left.len()));
            let values = rows.iter().map(|&row| self.logs[(row, at)]);
            let (min, max) = values
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), value| {
                    (min.min(value), max.max(value))
                });
            if max <= min {
                continue;
            }
            tries -= 1;
            let log = min + random.unit() * (max - min);
            let (low, high): (Vec<usize>, Vec<usize>) =
                rows.iter().partition(|&&row| self.logs[(row, at)] <= log);
            if low.len() < LEAF || high.len() < LEAF {
                continue;
            }
            let cost = spread(self.moments(&low)) + spread(self.moments(&high));
            if best.as_ref().is_none_or(|best| cost < best.0) {
                best = Some((cost, (self.columns[at], log.exp_m1()), low, high));
            }
        }
        best.map(|(_, split, low, high)| (split, low, high))
    }
}
