use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, concatenate, s};

use super::{Factor, Merge};
use crate::Seen;

/// Rows that are factored at once: few enough for the processor's cache.
const BLOCK: usize = 1024;

/// What a linear fit with an intercept needs to know of samples: range and mean of every counter, mean of
/// the response, and the R factor of the deviations from those means. It does not grow with the samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Moments {
    /// Rows with a weight above 0.
    pub rows: usize,
    /// Their summed weights.
    pub weight: f64,
    /// Range and mean of each counter (p); of no rows, the range is empty.
    pub seen: Vec<Seen>,
    /// Mean of the response, seconds.
    pub response: f64,
    /// Of the rows √w · (counters and response − their means): p + 1 columns, the response last.
    pub factor: Factor,
}

impl Moments {
    /// Of no rows with so many counters.
    #[must_use]
    pub fn new(counters: usize) -> Self {
        let nothing = Seen {
            mean: 0.0,
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
        };
        Self {
            rows: 0,
            weight: 0.0,
            seen: vec![nothing; counters],
            response: 0.0,
            factor: Factor::new(counters + 1),
        }
    }

    /// Of the `rows` named, among n of finite counters (n × p), response (n) and weights (n, above 0).
    pub(crate) fn of(
        x: ArrayView2<'_, f64>,
        y: ArrayView1<'_, f64>,
        weights: ArrayView1<'_, f64>,
        rows: &[usize],
    ) -> Self {
        let mut moments = Self::new(x.ncols());
        for rows in rows.chunks(BLOCK) {
            let y = y.select(Axis(0), rows).insert_axis(Axis(1));
            let values = concatenate![Axis(1), x.select(Axis(0), rows), y];
            let weights = weights.select(Axis(0), rows);
            moments.merge(&Self::of_block(values, weights.view()));
        }
        moments
    }

    /// Of counters and response side by side (b × (p + 1), b above 0). Means first, deviations then: R of
    /// the values themselves would lose the digits that large counters share.
    fn of_block(mut values: Array2<f64>, weights: ArrayView1<'_, f64>) -> Self {
        let p = values.ncols() - 1;
        let seen = Seen::learn(values.slice(s![.., ..p]), weights);
        let weight = weights.sum();
        let response = values.column(p).dot(&weights) / weight;
        values -= &means(&seen, response);
        values *= &weights.mapv(f64::sqrt).insert_axis(Axis(1));
        let mut factor = Factor::new(p + 1);
        factor.add(values.view());
        Self {
            rows: values.nrows(),
            weight,
            seen,
            response,
            factor,
        }
    }
}

impl Merge for Moments {
    /// The deviations from two means are those from the common one, and one row more: √(wa·wb ÷ (wa + wb))
    /// times the difference of the means (Chan, Golub, LeVeque, "Updating formulae and a pairwise
    /// algorithm for computing sample variances", 1979).
    ///
    /// # Panics
    /// Where they have different numbers of counters.
    fn merge(&mut self, other: &Self) {
        if other.rows == 0 {
            return;
        }
        let weight = self.weight + other.weight;
        let share = other.weight / weight;
        let apart = means(&other.seen, other.response) - means(&self.seen, self.response);
        let between = &apart * (self.weight * share).sqrt();
        let more = concatenate![Axis(0), other.factor.r, between.insert_axis(Axis(0))];
        self.factor.add(more.view());
        self.rows += other.rows;
        self.weight = weight;
        self.response += share * apart[self.seen.len()];
        for ((seen, other), apart) in self.seen.iter_mut().zip(&other.seen).zip(&apart) {
            *seen = Seen {
                mean: seen.mean + share * apart,
                min: seen.min.min(other.min),
                max: seen.max.max(other.max),
            };
        }
    }
}

/// Of the counters and, last, the response.
fn means(seen: &[Seen], response: f64) -> Array1<f64> {
    seen.iter().map(|it| it.mean).chain([response]).collect()
}
