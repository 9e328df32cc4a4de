use ndarray::ArrayView1;

use super::{Attribution, Tree, Waves, forest::mean};

/// A doubt is no less: trees of a few rows may have met none that was off.
const LEAST_DOUBT: f64 = 0.01;

/// Costs by waves, and by what factor trees say that they are off: T = costs · exp(mean of corrections).
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Corrected {
    /// The costs.
    pub costs: Waves,
    /// Of a fit that was told of other hardware the costs that it was fitted with: trees are asked by these, since they
    /// know shares and sizes as they were there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fitted: Option<Box<Waves>>,
    /// Trees whose mean is what is believed of ln(time ÷ costs' forecast); none where there were too few kernels to
    /// know.
    pub corrections: Vec<Tree>,
    /// Trees whose mean is how far off the corrected forecast is as a rule, |ln(forecast ÷ time)|.
    pub doubts: Vec<Tree>,
}

impl Corrected {
    /// The costs' forecast of a row of counters (p), and what trees ask of it: where its time comes from. The
    /// logarithms of the forecast and of how the launch is spread, the waits' share of it, and each term's share of
    /// the waits or of the busy.
    pub(crate) fn asked(&self, row: ArrayView1<'_, f64>) -> (f64, Vec<f64>) {
        let costs = self.fitted.as_deref().unwrap_or(&self.costs);
        let times = costs.times(row);
        let [waits, busy] = costs.paths(&times);
        let forecast = costs.sum([waits, busy]);
        let workers = &costs.workers;
        let warps = workers.warps(row);
        let share = |of: f64, all: f64| if all > 0.0 { of / all } else { 0.0 };
        let mut asked = workers.spread(row).logs(warps).to_vec();
        asked.push(warps.ln_1p());
        asked.push(forecast.ln());
        asked.push(share(waits, waits + busy));
        let shares = costs.terms.iter().zip(times);
        asked.extend(shares.map(|(term, time)| match term.place.is_wait() {
            true => share(time, waits),
            false => share(time, busy),
        }));
        let told = self.fitted.is_some().then(|| self.costs.predict(row));
        (told.unwrap_or(forecast), asked)
    }

    /// The costs' forecast, and the factor by which trees say that it is off.
    fn corrected(&self, row: ArrayView1<'_, f64>) -> (f64, f64) {
        let (forecast, asked) = self.asked(row);
        if self.corrections.is_empty() {
            return (forecast, 1.0);
        }
        let correction = mean(&self.corrections, |column| asked[column]).exp();
        (forecast, correction)
    }

    pub(crate) fn predict(&self, row: ArrayView1<'_, f64>) -> f64 {
        let (forecast, correction) = self.corrected(row);
        forecast * correction
    }

    pub(super) fn doubt(&self, row: ArrayView1<'_, f64>) -> f64 {
        if self.doubts.is_empty() {
            return 1.0;
        }
        let (_, asked) = self.asked(row);
        mean(&self.doubts, |column| asked[column]).max(LEAST_DOUBT)
    }

    /// As the costs', each part corrected by the same factor.
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
