//! JSON of fits where it is not written field by field: shorter, and with null for infinite numbers, which JSON does
//! not have.

use ndarray::{Array1, Array2};
use serde::{Deserialize, Serialize};

use crate::{
    Calibration, Node, Scaler, Split, Tree,
    fitted::across::{Roles, Smooth},
};

/// A tree as two lists with a place for each node: values, and (column, threshold, low, high) where the node splits. A
/// forest has tens of thousands of nodes, so their fields have no names.
#[derive(Serialize, Deserialize)]
pub(crate) struct Nodes {
    values: Vec<f64>,
    splits: Vec<Option<(usize, f64, usize, usize)>>,
}

impl From<Tree> for Nodes {
    fn from(tree: Tree) -> Self {
        let split = |it: Split| (it.column, it.threshold, it.low, it.high);
        Self {
            values: tree.nodes.iter().map(|node| node.value).collect(),
            splits: tree.nodes.iter().map(|it| it.split.map(split)).collect(),
        }
    }
}

impl TryFrom<Nodes> for Tree {
    type Error = String;

    fn try_from(Nodes { values, splits }: Nodes) -> Result<Self, String> {
        let nodes = values.len();
        if nodes != splits.len() {
            return Err(format!(
                "a tree of {nodes} nodes has {} splits",
                splits.len()
            ));
        }
        let split = |(column, threshold, low, high)| Split {
            column,
            threshold,
            low,
            high,
        };
        let nodes = values.into_iter().zip(splits).map(|(value, it)| Node {
            value,
            split: it.map(split),
        });
        Ok(Self {
            nodes: nodes.collect(),
        })
    }
}

/// A list of scores for each fold; null stands for infinite.
pub(crate) type Scores = Vec<Vec<Option<f64>>>;

impl From<Calibration> for Scores {
    fn from(calibration: Calibration) -> Self {
        let folds = calibration.scores.into_iter();
        folds
            .map(|it| it.into_iter().map(finite).collect())
            .collect()
    }
}

impl From<Scores> for Calibration {
    fn from(folds: Scores) -> Self {
        let folds = folds.into_iter();
        let scores = folds.map(|it| it.into_iter().map(or_infinite).collect());
        Self {
            scores: scores.collect(),
        }
    }
}

/// [`Smooth`] in JSON. A scale is null where it is infinite: the feature never varied.
#[derive(Serialize, Deserialize)]
pub(crate) struct Likeness {
    roles: Roles,
    means: Vec<f64>,
    scales: Vec<Option<f64>>,
    /// The features (n × features), row by row.
    features: Vec<f64>,
    weights: Vec<f64>,
    median: f64,
    reach: f64,
}

impl From<Smooth> for Likeness {
    fn from(smooth: Smooth) -> Self {
        let Scaler { mean, scale } = smooth.scaler;
        Self {
            roles: smooth.roles,
            means: mean.to_vec(),
            scales: scale.iter().copied().map(finite).collect(),
            features: smooth.features.iter().copied().collect(),
            weights: smooth.weights.to_vec(),
            median: smooth.median,
            reach: smooth.reach,
        }
    }
}

impl TryFrom<Likeness> for Smooth {
    type Error = String;

    fn try_from(json: Likeness) -> Result<Self, String> {
        let (rows, columns) = (json.weights.len(), json.means.len());
        let features = Array2::from_shape_vec((rows, columns), json.features)
            .map_err(|_| format!("the features do not fill {rows} rows of {columns}"))?;
        Ok(Self {
            roles: json.roles,
            scaler: Scaler {
                mean: Array1::from(json.means),
                scale: json.scales.into_iter().map(or_infinite).collect(),
            },
            features,
            weights: Array1::from(json.weights),
            median: json.median,
            reach: json.reach,
        })
    }
}

fn finite(number: f64) -> Option<f64> {
    Some(number).filter(|it| it.is_finite())
}

fn or_infinite(number: Option<f64>) -> f64 {
    number.unwrap_or(f64::INFINITY)
}
