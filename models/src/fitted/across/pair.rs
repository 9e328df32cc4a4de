use ndarray::ArrayView1;

use super::{Scaled, Smooth};

/// Time on the device counted on and counters → time on a target: [`Scaled`] and [`Smooth`] in one, their
/// logs averaged. Physics goes far beyond what was seen; smoothness knows better near it. How much of each,
/// and how far below, is chosen by leaving kernels out of the rows learned from.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Pair {
    /// By causes of time.
    pub scaled: Scaled,
    /// By likeness.
    pub smooth: Smooth,
    /// How much of the log forecast is `smooth`, 0 to 1.
    pub part: f64,
    /// Subtracted from the log forecast.
    pub shrink: f64,
}

impl Pair {
    /// The forecast for one row of raw counter values (p) that took `counted_on_time` seconds on the device
    /// counted on.
    ///
    /// # Panics
    /// Where `row` is shorter than the roles ask for.
    #[must_use]
    pub fn predict(&self, row: ArrayView1<'_, f64>, counted_on_time: f64) -> f64 {
        let scaled = self.scaled.predict(row, counted_on_time);
        let smooth = self.smooth.predict(row, counted_on_time);
        blend([scaled, smooth], self.part, self.shrink)
    }
}

pub(crate) fn blend([scaled, smooth]: [f64; 2], part: f64, shrink: f64) -> f64 {
    ((1.0 - part) * scaled.ln() + part * smooth.ln() - shrink).exp()
}
