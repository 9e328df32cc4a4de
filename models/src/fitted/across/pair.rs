//! The form that blends `Scaled` and `Smooth`.

use ndarray::ArrayView1;

use super::{Scaled, Smooth};

/// Time on the device counted on and counters → time on a target: [`Scaled`] and [`Smooth`] in one, their logs
/// averaged. The costs extrapolate far beyond the rows learned from; the smooth function is better near them. `part`
/// and `shrink` are chosen by leaving kernels out of those rows.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Pair {
    /// The forecast by causes of time.
    pub scaled: Scaled,
    /// The forecast by likeness to the rows learned from.
    pub smooth: Smooth,
    /// The part of the log forecast that is `smooth`, 0 to 1.
    pub part: f64,
    /// Subtracted from the log forecast.
    pub shrink: f64,
}

impl Pair {
    /// The forecast for one row of raw counter values (p) that took `counted_on_time` seconds on the device
    /// counted on.
    pub(crate) fn predict(&self, row: ArrayView1<'_, f64>, counted_on_time: f64) -> f64 {
        let scaled = self.scaled.predict(row, counted_on_time);
        let smooth = self.smooth.predict(row, counted_on_time);
        blend([scaled, smooth], self.part, self.shrink)
    }
}

pub(crate) fn blend([scaled, smooth]: [f64; 2], part: f64, shrink: f64) -> f64 {
    ((1.0 - part) * scaled.ln() + part * smooth.ln() - shrink).exp()
}
