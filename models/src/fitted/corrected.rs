//! The form of `waves_forest`: costs by waves, corrected by trees.

use ndarray::ArrayView1;

use super::{Attribution, Tree, Waves, forest::mean};

/// The least expected error: trees of a few rows may have met no error.
const LEAST_EXPECTED_ERROR: f64 = 0.01;

/// Costs by waves, corrected by trees: T = costs · exp(mean of corrections).
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Corrected {
    /// The form that is corrected.
    pub costs: Waves,
    /// The costs for the GPU that was fitted, in a fit that was moved to another GPU: the trees get features of these,
    /// since they learned shares and sizes on that GPU.
    #[serde(rename = "fitted", default, skip_serializing_if = "Option::is_none")]
    pub lenders_costs: Option<Box<Waves>>,
    /// Trees whose mean is the believed part of ln(time ÷ costs' forecast); empty where there were too few kernels.
    pub corrections: Vec<Tree>,
    /// Trees whose mean is the expected error of the corrected forecast, |ln(forecast ÷ time)|.
    #[serde(rename = "doubts")]
    pub error_trees: Vec<Tree>,
}

impl Corrected {
    /// The costs' forecast of a row of counters (p), and its features for the trees: the logarithms of how the launch
    /// is spread and of the forecast, the waits' share of it, and each term's share of the waits or of the busy part.
    pub(crate) fn features(&self, row: ArrayView1<'_, f64>) -> (f64, Vec<f64>) {
        let costs = self.lenders_costs.as_deref().unwrap_or(&self.costs);
        let times = costs.times(row);
        let [waits, busy] = costs.paths(&times);
        let forecast = costs.sum([waits, busy]);
        let workers = &costs.workers;
        let warps = workers.warps(row);
        let share = |part: f64, all: f64| if all > 0.0 { part / all } else { 0.0 };
        let mut features = workers.spread(row).logs(warps).to_vec();
        features.push(warps.ln_1p());
        features.push(forecast.ln());
        features.push(share(waits, waits + busy));
        let shares = costs.terms.iter().zip(times);
        features.extend(shares.map(|(term, time)| {
            let path = if term.resource.is_wait() { waits } else { busy };
            share(time, path)
        }));
        let on_other_gpu = self
            .lenders_costs
            .is_some()
            .then(|| self.costs.predict(row));
        (on_other_gpu.unwrap_or(forecast), features)
    }

    /// The costs' forecast, and the factor by which the trees correct it.
    fn corrected(&self, row: ArrayView1<'_, f64>) -> (f64, f64) {
        let (forecast, features) = self.features(row);
        if self.corrections.is_empty() {
            return (forecast, 1.0);
        }
        let correction = mean(&self.corrections, |column| features[column]).exp();
        (forecast, correction)
    }

    pub(crate) fn predict(&self, row: ArrayView1<'_, f64>) -> f64 {
        let (forecast, correction) = self.corrected(row);
        forecast * correction
    }

    pub(super) fn expected_error(&self, row: ArrayView1<'_, f64>) -> f64 {
        if self.error_trees.is_empty() {
            return 1.0;
        }
        let (_, features) = self.features(row);
        mean(&self.error_trees, |column| features[column]).max(LEAST_EXPECTED_ERROR)
    }

    /// The costs' attribution, each part corrected by the same factor.
    pub(super) fn attribution(&self, row: ArrayView1<'_, f64>) -> Attribution {
        let (_, correction) = self.corrected(row);
        let Attribution { rest, shares } = self.costs.attribution(row);
        let corrected = |(column, seconds)| (column, seconds * correction);
        Attribution {
            rest: rest * correction,
            shares: shares.into_iter().map(corrected).collect(),
        }
    }
}
