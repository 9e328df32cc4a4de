//! Times across devices by causes: each part of the measured time is scaled by itself.

use ndarray::ArrayView1;

use super::Costs;

/// Time on the device counted on and counters → time on a target. The costs on the device counted on say what
/// its time went to; the parts of the measured time then each become their own multiple on the target, and
/// the target's own costs are added:
///
/// t = Σ ρ_k · share_k · t_counted + Σ c_k · term_k, with ρ and c 0 or more.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Scaled {
    /// The costs on the device counted on.
    pub counted_on: Costs,
    /// Seconds on the target per second on the device counted on (ρ), by term.
    pub ratios: Vec<f64>,
    /// Seconds on the target (c), by term.
    pub seconds: Vec<f64>,
    /// The least seconds that each term explains on the device counted on.
    pub least: f64,
}

impl Scaled {
    /// The forecast for one row of raw counter values (p) that took `counted_on_time` seconds on the device
    /// counted on.
    pub(crate) fn predict(&self, row: ArrayView1<'_, f64>, counted_on_time: f64) -> f64 {
        self.shares(row, counted_on_time).iter().sum()
    }

    /// Seconds by term of the costs on the device counted on; they add up to the forecast.
    pub(super) fn shares(&self, row: ArrayView1<'_, f64>, counted_on_time: f64) -> Vec<f64> {
        let values = parts(&self.counted_on, self.least, row, counted_on_time);
        let (scaled, own) = values.split_at(self.ratios.len());
        let scaled = scaled.iter().zip(&self.ratios);
        let own = own.iter().zip(&self.seconds);
        scaled
            .zip(own)
            .map(|((part, ratio), (value, cost))| part * ratio + value * cost)
            .collect()
    }
}

/// The time on the device counted on shared out among its terms, then the terms' own values (2 × terms).
pub(crate) fn parts(
    counted_on: &Costs,
    least: f64,
    row: ArrayView1<'_, f64>,
    time: f64,
) -> Vec<f64> {
    let shares = counted_on.shares(row);
    let sum: f64 = shares.iter().map(|share| share + least).sum();
    let scaled = shares.iter().map(|share| (share + least) / sum * time);
    let raw = counted_on
        .terms
        .iter()
        .map(|term| term.value(&counted_on.roles, row));
    scaled.chain(raw).collect()
}
