//! Times as sums of costs, in forms across devices.

use ndarray::ArrayView1;

use super::{Roles, Term};

/// Seconds for each of some terms, each 0 or more; a time is their sum.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Costs {
    /// The roles of columns.
    pub roles: Roles,
    /// The terms.
    pub terms: Vec<Term>,
    /// Seconds per unit of each term.
    pub seconds: Vec<f64>,
}

impl Costs {
    /// The forecast for one row of raw counter values (p), seconds.
    pub(crate) fn predict(&self, row: ArrayView1<'_, f64>) -> f64 {
        self.shares(row).iter().sum()
    }

    /// Seconds by term; they add up to the forecast.
    pub(crate) fn shares(&self, row: ArrayView1<'_, f64>) -> Vec<f64> {
        let pairs = self.terms.iter().zip(&self.seconds);
        pairs
            .map(|(term, cost)| term.value(&self.roles, row) * cost)
            .collect()
    }
}
