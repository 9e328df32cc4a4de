//! A fit as JSON, and back bit for bit. `models` knows no serialisation, so its types are mirrored here.

mod across;

use kerncast_models::{
    Calibration, Coefficient, Cost, Costs, DropReason, Dropped, Fitted, Forest, Form, Linear,
    LogLinear, Node, Seen, Split, Tree,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use across::StoredAcross;

#[derive(Serialize, Deserialize)]
struct StoredFit {
    seen: Vec<StoredSeen>,
    dropped: Vec<StoredDropped>,
    form: StoredForm,
}

#[derive(Serialize, Deserialize)]
struct StoredSeen {
    mean: f64,
    min: f64,
    max: f64,
}

#[derive(Serialize, Deserialize)]
struct StoredDropped {
    column: usize,
    reason: StoredReason,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredReason {
    Constant,
    Collinear { with: Vec<usize> },
    NoCost,
    Unknown,
    NoRole,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredForm {
    Linear(StoredLinear),
    LogLinear(StoredLinear),
    Costs {
        constant: f64,
        terms: Vec<StoredCost>,
        p: f64,
    },
    Forest {
        trees: Vec<StoredTree>,
        /// Forests of older servers have none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        worker: Option<usize>,
    },
    Across(Box<StoredAcross>),
}

#[derive(Serialize, Deserialize)]
struct StoredLinear {
    intercept: f64,
    coefficients: Vec<StoredCoefficient>,
}

#[derive(Serialize, Deserialize)]
struct StoredCoefficient {
    column: usize,
    mean: f64,
    scale: f64,
    weight: f64,
}

#[derive(Serialize, Deserialize)]
struct StoredCost {
    column: usize,
    over: Option<StoredOver>,
    seconds: f64,
}

/// What events are shared out over.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredOver {
    /// As it was stored before there could be several.
    One(usize),
    Several(Vec<usize>),
}

/// A place a node: its value, and (column, threshold, low, high) where it splits. A forest has tens of
/// thousands of them, so they have no names.
#[derive(Serialize, Deserialize)]
struct StoredTree {
    values: Vec<f64>,
    splits: Vec<Option<(usize, f64, usize, usize)>>,
}

/// The fit as JSON; none where a number in it is NaN or infinite, which JSON can't say.
pub(crate) fn write(fitted: &Fitted) -> Option<String> {
    let text = serde_json::to_string(&stored(fitted)).ok()?;
    // What does not come back as it went is not stored.
    (read(&text).ok()? == *fitted).then_some(text)
}

/// A fit that [`write`] has written.
pub(super) fn read(text: &str) -> sqlx::Result<Fitted> {
    let fitted = fitted(parse(text)?);
    fitted.ok_or_else(|| sqlx::Error::Decode("a stored fit's parts do not fit together".into()))
}

/// A calibration as JSON: a list of scores a fold, null where they are infinite.
pub(super) fn write_calibration(calibration: &Calibration) -> sqlx::Result<String> {
    let finite = |score: &f64| score.is_finite().then_some(*score);
    let folds: Vec<Vec<Option<f64>>> = calibration
        .scores
        .iter()
        .map(|fold| fold.iter().map(finite).collect())
        .collect();
    serde_json::to_string(&folds).map_err(|error| sqlx::Error::Encode(error.into()))
}

/// A calibration that [`write_calibration`] has written.
pub(super) fn read_calibration(text: &str) -> sqlx::Result<Calibration> {
    let folds: Vec<Vec<Option<f64>>> = parse(text)?;
    let scores = |fold: Vec<Option<f64>>| {
        let score = |score: Option<f64>| score.unwrap_or(f64::INFINITY);
        fold.into_iter().map(score).collect()
    };
    Ok(Calibration {
        scores: folds.into_iter().map(scores).collect(),
    })
}

fn parse<T: DeserializeOwned>(text: &str) -> sqlx::Result<T> {
    serde_json::from_str(text).map_err(|error| sqlx::Error::Decode(error.into()))
}

fn stored(fitted: &Fitted) -> StoredFit {
    let Fitted {
        seen,
        dropped,
        form,
    } = fitted;
    let seen = seen
        .iter()
        .map(|&Seen { mean, min, max }| StoredSeen { mean, min, max });
    let dropped = dropped
        .iter()
        .map(|Dropped { column, reason }| StoredDropped {
            column: *column,
            reason: match reason {
                DropReason::Constant => StoredReason::Constant,
                DropReason::Collinear { with } => StoredReason::Collinear { with: with.clone() },
                DropReason::NoCost => StoredReason::NoCost,
                DropReason::Unknown => StoredReason::Unknown,
                DropReason::NoRole => StoredReason::NoRole,
            },
        });
    StoredFit {
        seen: seen.collect(),
        dropped: dropped.collect(),
        form: match form {
            Form::Linear(Linear {
                intercept,
                coefficients,
            }) => StoredForm::Linear(stored_linear(*intercept, coefficients)),
            Form::LogLinear(LogLinear {
                intercept,
                coefficients,
            }) => StoredForm::LogLinear(stored_linear(*intercept, coefficients)),
            Form::Costs(Costs { constant, terms, p }) => StoredForm::Costs {
                constant: *constant,
                terms: terms.iter().map(stored_cost).collect(),
                p: *p,
            },
            Form::Forest(Forest { trees, worker }) => StoredForm::Forest {
                trees: trees.iter().map(stored_tree).collect(),
                worker: *worker,
            },
            Form::Across(it) => StoredForm::Across(Box::new(across::stored(it))),
        },
    }
}

fn stored_linear(intercept: f64, coefficients: &[Coefficient]) -> StoredLinear {
    let coefficient = |&Coefficient {
                           column,
                           mean,
                           scale,
                           weight,
                       }: &Coefficient| StoredCoefficient {
        column,
        mean,
        scale,
        weight,
    };
    StoredLinear {
        intercept,
        coefficients: coefficients.iter().map(coefficient).collect(),
    }
}

fn stored_cost(cost: &Cost) -> StoredCost {
    let Cost {
        column,
        over,
        seconds,
    } = cost;
    StoredCost {
        column: *column,
        over: (!over.is_empty()).then(|| StoredOver::Several(over.clone())),
        seconds: *seconds,
    }
}

fn stored_tree(tree: &Tree) -> StoredTree {
    let split = |&Split {
                     column,
                     threshold,
                     low,
                     high,
                 }: &Split| (column, threshold, low, high);
    StoredTree {
        values: tree.nodes.iter().map(|node| node.value).collect(),
        splits: tree
            .nodes
            .iter()
            .map(|node| node.split.as_ref().map(split))
            .collect(),
    }
}

fn fitted(stored: StoredFit) -> Option<Fitted> {
    let StoredFit {
        seen,
        dropped,
        form,
    } = stored;
    let seen = seen
        .into_iter()
        .map(|StoredSeen { mean, min, max }| Seen { mean, min, max });
    let dropped = dropped
        .into_iter()
        .map(|StoredDropped { column, reason }| Dropped {
            column,
            reason: match reason {
                StoredReason::Constant => DropReason::Constant,
                StoredReason::Collinear { with } => DropReason::Collinear { with },
                StoredReason::NoCost => DropReason::NoCost,
                StoredReason::Unknown => DropReason::Unknown,
                StoredReason::NoRole => DropReason::NoRole,
            },
        });
    Some(Fitted {
        seen: seen.collect(),
        dropped: dropped.collect(),
        form: match form {
            StoredForm::Linear(StoredLinear {
                intercept,
                coefficients,
            }) => Form::Linear(Linear {
                intercept,
                coefficients: coefficients.into_iter().map(coefficient).collect(),
            }),
            StoredForm::LogLinear(StoredLinear {
                intercept,
                coefficients,
            }) => Form::LogLinear(LogLinear {
                intercept,
                coefficients: coefficients.into_iter().map(coefficient).collect(),
            }),
            StoredForm::Costs { constant, terms, p } => Form::Costs(Costs {
                constant,
                terms: terms.into_iter().map(cost).collect(),
                p,
            }),
            StoredForm::Forest { trees, worker } => Form::Forest(Forest {
                trees: trees.into_iter().map(tree).collect(),
                worker,
            }),
            StoredForm::Across(it) => Form::Across(across::across(*it)?),
        },
    })
}

fn coefficient(stored: StoredCoefficient) -> Coefficient {
    let StoredCoefficient {
        column,
        mean,
        scale,
        weight,
    } = stored;
    Coefficient {
        column,
        mean,
        scale,
        weight,
    }
}

fn cost(stored: StoredCost) -> Cost {
    let StoredCost {
        column,
        over,
        seconds,
    } = stored;
    Cost {
        column,
        over: match over {
            None => Vec::new(),
            Some(StoredOver::One(over)) => vec![over],
            Some(StoredOver::Several(over)) => over,
        },
        seconds,
    }
}

fn tree(stored: StoredTree) -> Tree {
    let split = |(column, threshold, low, high)| Split {
        column,
        threshold,
        low,
        high,
    };
    let node = |(value, stored): (f64, Option<_>)| Node {
        value,
        split: stored.map(split),
    };
    Tree {
        nodes: stored
            .values
            .into_iter()
            .zip(stored.splits)
            .map(node)
            .collect(),
    }
}

#[cfg(test)]
mod tests;
