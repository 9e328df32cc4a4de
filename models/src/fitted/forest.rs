use ndarray::ArrayView1;

use super::Attribution;

/// Trees whose mean is ln(response).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Forest {
    /// At least one.
    pub trees: Vec<Tree>,
    /// The column that every other one is divided by before it is asked, where trees ask per worker; below 1
    /// it counts as 1.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub worker: Option<usize>,
}

/// A tree: its nodes, the root first.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "crate::stored::Nodes", into = "crate::stored::Nodes")
)]
pub struct Tree {
    /// Children come after their parents.
    pub nodes: Vec<Node>,
}

/// A node of a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// ln(response), seconds: the weighted mean of the rows fitted that came here.
    pub value: f64,
    /// Absent in a leaf.
    pub split: Option<Split>,
}

/// Where rows part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// The column asked.
    pub column: usize,
    /// Rows with at most so much go low, others high.
    pub threshold: f64,
    /// The low rows' node.
    pub low: usize,
    /// The high rows' node.
    pub high: usize,
}

impl Forest {
    /// What trees ask of a column of `row` (p).
    pub(crate) fn asked(&self, row: ArrayView1<'_, f64>, column: usize) -> f64 {
        let worker = self.worker.filter(|&worker| worker != column);
        row[column] / worker.map_or(1.0, |worker| row[worker].max(1.0))
    }

    fn child(&self, split: Split, row: ArrayView1<'_, f64>) -> usize {
        if self.asked(row, split.column) <= split.threshold {
            split.low
        } else {
            split.high
        }
    }

    pub(super) fn predict(&self, row: ArrayView1<'_, f64>) -> f64 {
        let leaf = |tree: &Tree| {
            let mut node = tree.nodes[0];
            while let Some(split) = node.split {
                node = tree.nodes[self.child(split, row)];
            }
            node.value
        };
        let sum: f64 = self.trees.iter().map(leaf).sum();
        (sum / self.trees.len() as f64).exp()
    }

    /// Each split on a row's way moves the mean: the move belongs to the counter asked.
    pub(super) fn attribution(&self, row: ArrayView1<'_, f64>) -> Attribution {
        let share = 1.0 / self.trees.len() as f64;
        let mut base = 0.0;
        let mut logs = vec![0.0; row.len()];
        for tree in &self.trees {
            let mut node = tree.nodes[0];
            base += share * node.value;
            while let Some(split) = node.split {
                let next = tree.nodes[self.child(split, row)];
                logs[split.column] += share * (next.value - node.value);
                node = next;
            }
        }
        let asked = logs.into_iter().enumerate().filter(|&(_, log)| log != 0.0);
        Attribution::of_logs(base, asked.collect())
    }
}
