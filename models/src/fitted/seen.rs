use ndarray::{ArrayView1, ArrayView2};

/// What a fit has seen of a column.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Seen {
    /// Mean over the rows fitted.
    pub mean: f64,
    /// Smallest value fitted.
    pub min: f64,
    /// Largest value fitted.
    pub max: f64,
}

/// A value outside what a fit has seen of its column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outside {
    /// The column.
    pub column: usize,
    /// The value asked about.
    pub value: f64,
    /// Smallest value fitted.
    pub min: f64,
    /// Largest value fitted.
    pub max: f64,
}

impl Seen {
    /// Of each column of `x` (n × p, n above 0), a row with weight w counting as w equal rows (n weights,
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

    /// Where every value fitted is the same, up to rounding.
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
    /// How many times the largest value fitted, or what part of the smallest: 3.0 is three times as much
    /// as was seen, 0.5 half of the least seen. Infinite where only 0 was seen.
    #[must_use]
    pub fn times(&self) -> f64 {
        if self.value > self.max {
            self.value / self.max
        } else {
            self.value / self.min
        }
    }
}
