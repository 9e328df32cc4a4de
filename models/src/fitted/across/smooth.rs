//! Times across devices by likeness to the rows learned from: a Gaussian process.

use ndarray::{Array1, Array2, ArrayView1};

use super::Roles;
use crate::Scaler;

/// log(target time ÷ time on the device counted on) as a smooth function of the logs of the time on the device counted
/// on and of the counters that have a role: the mean of a Gaussian process (Rasmussen and Williams, Gaussian Processes
/// for Machine Learning, 2006, equation 2.25) around the weighted median. Far from everything seen it falls back to
/// that median.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "crate::json::Likeness", into = "crate::json::Likeness")]
pub struct Smooth {
    /// The roles of columns.
    pub roles: Roles,
    /// Scales the features.
    pub scaler: Scaler,
    /// Scaled features of the rows learned from (n × features).
    pub features: Array2<f64>,
    /// The weight of each row learned from (n).
    pub weights: Array1<f64>,
    /// The weighted median of log(target time ÷ time on the device counted on).
    pub median: f64,
    /// The distance, in standard deviations of the features, over which rows say something of each other.
    pub reach: f64,
}

impl Smooth {
    /// The forecast for one row of raw counter values (p) that took `counted_on_time` seconds on the device
    /// counted on.
    pub(crate) fn predict(&self, row: ArrayView1<'_, f64>, counted_on_time: f64) -> f64 {
        let raw = Array1::from(features(&self.roles, row, counted_on_time));
        let at = (raw - &self.scaler.mean) / &self.scaler.scale;
        let near = self.features.rows().into_iter().zip(&self.weights);
        let sum: f64 = near
            .map(|(seen, weight)| kernel(seen, at.view(), self.reach) * weight)
            .sum();
        counted_on_time * (self.median + sum).exp()
    }
}

pub(crate) fn features(roles: &Roles, row: ArrayView1<'_, f64>, time: f64) -> Vec<f64> {
    let counts = [roles.chain(row), row[roles.items]].into_iter();
    let counts = counts.chain(roles.volumes.iter().map(|&column| row[column]));
    [time.ln()]
        .into_iter()
        .chain(counts.map(|count| count.max(0.0).ln_1p()))
        .collect()
}

pub(crate) fn kernel(one: ArrayView1<'_, f64>, other: ArrayView1<'_, f64>, reach: f64) -> f64 {
    let square: f64 = one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum();
    (-0.5 * square / reach.powi(2)).exp()
}
