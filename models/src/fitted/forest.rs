use ndarray::ArrayView1;

use super::Attribution;

/// Trees whose mean is ln(response), seconds.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Forest {
    /// At least one.
    pub trees: Vec<Tree>,
}

/// A tree: its nodes, the root first.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "crate::stored::Nodes", into = "crate::stored::Nodes")]
pub struct Tree {
    /// Children come after their parents.
    pub nodes: Vec<Node>,
}

/// A node of a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// The weighted mean of the rows fitted that came here; of a forest, of ln(response), seconds.
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

impl Split {
    /// The node that what is asked leads to.
    fn side(&self, asked: impl Fn(usize) -> f64) -> usize {
        match asked(self.column) <= self.threshold {
            true => self.low,
            false => self.high,
        }
    }
}

/// The mean of what trees, at least one, say of what is asked.
pub(crate) fn mean(trees: &[Tree], asked: impl Fn(usize) -> f64) -> f64 {
    let leaf = |tree: &Tree| {
        let mut node = tree.nodes[0];
        while let Some(split) = node.split {
            node = tree.nodes[split.side(&asked)];
        }
        node.value
    };
    trees.iter().map(leaf).sum::<f64>() / trees.len() as f64
}

impl Forest {
    pub(super) fn predict(&self, row: ArrayView1<'_, f64>) -> f64 {
        mean(&self.trees, |column| row[column]).exp()
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
                let next = tree.nodes[split.side(|column| row[column])];
                logs[split.column] += share * (next.value - node.value);
                node = next;
            }
        }
        let asked = logs.into_iter().enumerate().filter(|&(_, log)| log != 0.0);
        Attribution::of_logs(base, asked.collect())
    }
}
