//! Grows extremely randomised trees.

use ndarray::{Array1, Array2};

use super::random::Random;
use crate::{Node, Split, Tree};

/// How trees grow.
#[derive(Clone, Copy)]
pub(super) struct Growth {
    pub(super) trees: u64,
    /// The least rows of a leaf.
    pub(super) leaf: usize,
    /// The reciprocal of the share of columns that are tried at each node.
    pub(super) tried: usize,
}

/// The rows that trees are grown from: extremely randomised trees (Geurts, Ernst, Wehenkel, Machine Learning 63, 2006).
///
/// The same rows give the same trees: their randomness is counted out from a constant.
pub(super) struct TrainingRows {
    /// The features (n × k); fastest where columns lie in one piece.
    pub(super) x: Array2<f64>,
    /// The response (n).
    pub(super) y: Array1<f64>,
    /// Weights (n).
    pub(super) weights: Vec<f64>,
}

/// Rows on either side of a split.
struct Division {
    column: usize,
    threshold: f64,
    low: Vec<usize>,
    high: Vec<usize>,
}

/// Sums over rows: their count, Σ w, Σ w·y, Σ w·y².
#[derive(Clone, Copy, Default)]
struct Moments {
    rows: usize,
    weight: f64,
    sum: f64,
    squares: f64,
}

impl Moments {
    fn spread(self) -> f64 {
        self.squares - self.sum * self.sum / self.weight
    }
}

impl TrainingRows {
    /// Trees from all rows; they split by the columns of x (k).
    pub(super) fn trees(&self, growth: Growth) -> Vec<Tree> {
        let all: Vec<usize> = (0..self.y.len()).collect();
        self.trees_of(&all, growth)
    }

    /// Trees from these rows alone, at least one row.
    pub(super) fn trees_of(&self, rows: &[usize], growth: Growth) -> Vec<Tree> {
        let tree = |tree| self.tree(rows, growth, Random::new(tree));
        (0..growth.trees).map(tree).collect()
    }

    fn tree(&self, rows: &[usize], growth: Growth, mut random: Random) -> Tree {
        let mut nodes = vec![self.leaf(rows)];
        let mut open = vec![(0, rows.to_vec())];
        while let Some((at, rows)) = open.pop() {
            let Some(division) = self.divide(&rows, growth, &mut random) else {
                continue;
            };
            let next = nodes.len();
            nodes[at].split = Some(Split {
                column: division.column,
                threshold: division.threshold,
                low: next,
                high: next + 1,
            });
            nodes.push(self.leaf(&division.low));
            nodes.push(self.leaf(&division.high));
            open.push((next, division.low));
            open.push((next + 1, division.high));
        }
        Tree { nodes }
    }

    fn leaf(&self, rows: &[usize]) -> Node {
        let mut moments = Moments::default();
        rows.iter().for_each(|&row| self.add(row, &mut moments));
        Node {
            value: moments.sum / moments.weight,
            split: None,
        }
    }

    fn add(&self, row: usize, to: &mut Moments) {
        let (weight, y) = (self.weights[row], self.y[row]);
        to.rows += 1;
        to.weight += weight;
        to.sum += weight * y;
        to.squares += weight * y * y;
    }

    /// Divides rows by the random threshold, on some random columns, that leaves the least variance.
    fn divide(&self, rows: &[usize], growth: Growth, random: &mut Random) -> Option<Division> {
        if rows.len() < 2 * growth.leaf {
            return None;
        }
        let mut columns: Vec<usize> = (0..self.x.ncols()).collect();
        let mut tries = self.x.ncols().div_ceil(growth.tried);
        let mut best: Option<(f64, usize, f64)> = None;
        while tries > 0 && !columns.is_empty() {
            let column = columns.swap_remove(random.below(columns.len()));
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
            let [mut low, mut high] = [Moments::default(); 2];
            for &row in rows {
                let low_enough = self.x[(row, column)] <= threshold;
                self.add(row, if low_enough { &mut low } else { &mut high });
            }
            if low.rows < growth.leaf || high.rows < growth.leaf {
                continue;
            }
            let cost = low.spread() + high.spread();
            if best.is_none_or(|best| cost < best.0) {
                best = Some((cost, column, threshold));
            }
        }
        let (_, column, threshold) = best?;
        let (low, high) = rows
            .iter()
            .partition(|&&row| self.x[(row, column)] <= threshold);
        Some(Division {
            column,
            threshold,
            low,
            high,
        })
    }
}
