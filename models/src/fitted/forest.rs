//! Trees, and the form of `forest`, which is their mean.

use ndarray::ArrayView1;

use super::Attribution;

/// Trees whose mean is ln(response), seconds.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Forest {
    /// The trees, at least one.
    pub trees: Vec<Tree>,
}

/// A tree: its nodes, the root first.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "crate::json::Nodes", into = "crate::json::Nodes")]
pub struct Tree {
    /// The nodes; children come after their parents.
    pub nodes: Vec<Node>,
}

/// A node of a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// The weighted mean of the rows fitted in this node; in a forest the mean of ln(response), seconds.
    pub value: f64,
    /// The split of the node's rows; absent in a leaf.
    pub split: Option<Split>,
}

/// A split of the rows of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// The column that decides.
    pub column: usize,
    /// The largest value that goes low; rows with a larger one go high.
    pub threshold: f64,
    /// The node of the low rows.
    pub low: usize,
    /// The node of the high rows.
    pub high: usize,
}

impl Split {
    /// The node that a row goes to; `value` gives the row's columns.
    fn side(&self, value: impl Fn(usize) -> f64) -> usize {
        if value(self.column) <= self.threshold {
            self.low
        } else {
            self.high
        }
    }
}

/// The mean of the trees' values (at least one tree) for a row; `value` gives the row's columns.
pub(crate) fn mean(trees: &[Tree], value: impl Fn(usize) -> f64) -> f64 {
    let leaf = |tree: &Tree| {
        let mut node = tree.nodes[0];
        while let Some(split) = node.split {
            node = tree.nodes[split.side(&value)];
        }
        node.value
    };
    trees.iter().map(leaf).sum::<f64>() / trees.len() as f64
}

impl Forest {
    pub(super) fn predict(&self, row: ArrayView1<'_, f64>) -> f64 {
        mean(&self.trees, |column| row[column]).exp()
    }

    /// The attribution. Each split on a row's way changes the mean: that change belongs to the split's counter.
    pub(super) fn attribution(&self, row: ArrayView1<'_, f64>) -> Attribution {
        let share = 1.0 / self.trees.len() as f64;
        let mut base = 0.0;
        let mut logs = vec![0.0; row.len()];
        for tree in &self.trees {
            let mut node = tree.nodes[0];
            base += share * node.value;
            while let Some(split) = node.split {
                let next = tree.nodes[split.side(|column| row[column])];
                logs[split.column] += share * (next.value - node.value);
                node = next;
            }
        }
        let logs = logs.into_iter().enumerate().filter(|&(_, log)| log != 0.0);
        Attribution::of_logs(base, logs.collect())
    }
}
