use ndarray::{Array1, Array2};

use super::random::Random;
use crate::{Node, Split, Tree};

/// How trees grow.
#[derive(Clone, Copy)]
pub(super) struct Growth {
    pub(super) trees: u64,
    /// Rows that a leaf has at least.
    pub(super) leaf: usize,
    /// One in so many columns is tried at each node.
    pub(super) tried: usize,
}

/// What trees grow on: extremely randomised ones (Geurts, Ernst, Wehenkel, Machine Learning 63, 2006).
///
/// The same rows give the same trees: their randomness is counted out from a constant.
pub(super) struct Ground {
    /// What is asked (n × k).
    pub(super) x: Array2<f64>,
    /// What is to be known (n).
    pub(super) y: Array1<f64>,
    /// (n).
    pub(super) weights: Vec<f64>,
}

/// Rows on either side of a split.
struct Parted {
    column: usize,
    threshold: f64,
    low: Vec<usize>,
    high: Vec<usize>,
}

impl Ground {
    /// Splits are of the columns of x (k).
    pub(super) fn trees(&self, growth: Growth) -> Vec<Tree> {
        let all: Vec<usize> = (0..self.y.len()).collect();
        self.trees_of(&all, growth)
    }

    /// Of some of the rows alone, at least one.
    pub(super) fn trees_of(&self, rows: &[usize], growth: Growth) -> Vec<Tree> {
        let tree = |tree| self.tree(rows, growth, Random::new(tree));
        (0..growth.trees).map(tree).collect()
    }

    fn tree(&self, rows: &[usize], growth: Growth, mut random: Random) -> Tree {
        let mut nodes = vec![self.leaf(rows)];
        let mut open = vec![(0, rows.to_vec())];
        while let Some((at, rows)) = open.pop() {
            let Some(parted) = self.part(&rows, growth, &mut random) else {
                continue;
            };
            let next = nodes.len();
            nodes[at].split = Some(Split {
                column: parted.column,
                threshold: parted.threshold,
                low: next,
                high: next + 1,
            });
            nodes.push(self.leaf(&parted.low));
            nodes.push(self.leaf(&parted.high));
            open.push((next, parted.low));
            open.push((next + 1, parted.high));
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

    /// By the one of random thresholds on some random columns that leaves the least variance.
    fn part(&self, rows: &[usize], growth: Growth, random: &mut Random) -> Option<Parted> {
        if rows.len() < 2 * growth.leaf {
            return None;
        }
        let spread = |(n, sum, squares): (f64, f64, f64)| squares - sum * sum / n;
        let mut left: Vec<usize> = (0..self.x.ncols()).collect();
        let mut tries = self.x.ncols().div_ceil(growth.tried);
        let mut best: Option<(f64, Parted)> = None;
        while tries > 0 && !left.is_empty() {
            let column = left.swap_remove(random.below(left.len()));
            let values = rows.iter().map(|&row| self.x[(row, column)]);
            let (min, max) = values
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), value| {
                    (min.min(value), max.max(value))
                });
            if max <= min {
                continue;
            }
            tries -= 1;
            let threshold = min + random.unit() * (max - min);
            let (low, high): (Vec<usize>, Vec<usize>) = rows
                .iter()
                .partition(|&&row| self.x[(row, column)] <= threshold);
            if low.len() < growth.leaf || high.len() < growth.leaf {
                continue;
            }
            let cost = spread(self.moments(&low)) + spread(self.moments(&high));
            if best.as_ref().is_none_or(|best| cost < best.0) {
                let parted = Parted {
                    column,
                    threshold,
                    low,
                    high,
                };
                best = Some((cost, parted));
            }
        }
        best.map(|(_, parted)| parted)
    }
}
