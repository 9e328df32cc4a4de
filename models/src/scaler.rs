use ndarray::{Array1, Array2, ArrayView1, ArrayView2};

/// Brings each column to mean 0 and variance 1, as the paper scales its counters.
#[derive(Clone, Debug, PartialEq)]
pub struct Scaler {
    /// Mean of each column (p).
    pub mean: Array1<f64>,
    /// Population standard deviation of each column (p): divided by n, not n − 1.
    pub scale: Array1<f64>,
}

impl Scaler {
    /// Learns from `x` (n × p), a row with weight w counting as w equal rows (n weights, their sum
    /// above 0). Columns must vary: one that does not gets a scale near 0.
    pub(crate) fn learn(x: ArrayView2<'_, f64>, weights: ArrayView1<'_, f64>) -> Self {
        let share = &weights / weights.sum();
        let mean = share.dot(&x);
        // Deviations first, squares second: E[x²] − E[x]² would lose every digit of a large counter.
        let squares = (&x - &mean).mapv(|deviation| deviation * deviation);
        let scale = share.dot(&squares).mapv(f64::sqrt);
        Self { mean, scale }
    }

    /// `x` (n × p), scaled.
    pub(crate) fn transform(&self, x: ArrayView2<'_, f64>) -> Array2<f64> {
        (&x - &self.mean) / &self.scale
    }
}
