//! Ranges of columns, and values outside them.

use ndarray::{ArrayView1, ArrayView2};

/// Mean and range of a column over the rows fitted.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ColumnRange {
    /// Weighted mean.
    pub mean: f64,
    /// Smallest value fitted.
    pub min: f64,
    /// Largest value fitted.
    pub max: f64,
}

/// A value outside the range of its column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outside {
    /// The column.
    pub column: usize,
    /// The value.
    pub value: f64,
    /// Smallest value fitted.
    pub min: f64,
    /// Largest value fitted.
    pub max: f64,
}

impl ColumnRange {
    /// Mean and range of each column of `x` (n × p, n above 0). A row with weight w counts as w equal rows (n weights,
    /// all above 0).
    pub(crate) fn learn(x: ArrayView2<'_, f64>, weights: ArrayView1<'_, f64>) -> Vec<Self> {
        let total = weights.sum();
        let column = |column: ArrayView1<'_, f64>| Self {
            mean: column.dot(&weights) / total,
            min: column.iter().copied().fold(f64::INFINITY, f64::min),
            max: column.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        };
        x.columns().into_iter().map(column).collect()
    }

    /// Whether all values are equal, up to rounding.
    pub(crate) fn is_constant(&self) -> bool {
        /// A spread below this share of a counter's size is rounding.
        const ROUNDING: f64 = 1e-12;
        self.max - self.min <= ROUNDING * f64::max(self.min.abs(), self.max.abs())
    }

    pub(super) fn outside(&self, column: usize, value: f64) -> Option<Outside> {
        let Self { mean: _, min, max } = *self;
        (value < min || value > max).then_some(Outside {
            column,
            value,
            min,
            max,
        })
    }
}

impl Outside {
    /// The value ÷ the largest value fitted, or ÷ the smallest if it lies below: 3.0 is three times the largest, 0.5
    /// half of the smallest. Infinite where only 0 was fitted.
    #[must_use]
    pub fn times(&self) -> f64 {
        if self.value > self.max {
            self.value / self.max
        } else {
            self.value / self.min
        }
    }
}
