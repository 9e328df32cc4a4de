use faer::{Mat, MatMut, reborrow::ReborrowMut};
use ndarray::{Array1, ArrayView1, ArrayView2, Axis};

use super::{Factor, Merge};
use crate::Seen;

/// Rows that are factored at once: few enough for the processor's cache.
const BLOCK: usize = 512;

/// What a linear fit with an intercept needs to know of samples: range and mean of every column and the R
/// factor of the deviations from those means. It does not grow with the samples. Columns are the counters
/// and, last, the response.
#[derive(Clone, Debug, PartialEq)]
pub struct Moments {
    /// Rows with a weight above 0.
    pub rows: usize,
    /// Their summed weights.
    pub weight: f64,
    /// Range and mean of each column (p + 1); of no rows, the range is empty.
    pub seen: Vec<Seen>,
    /// Of the rows √w · (columns − their means).
    pub factor: Factor,
}

impl Moments {
    /// Of no rows with so many counters.
    #[must_use]
    pub fn new(counters: usize) -> Self {
        Self {
            rows: 0,
            weight: 0.0,
            seen: vec![Seen::NOTHING; counters + 1],
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
        let m = x.ncols() + 1;
        let mut moments = Self::new(x.ncols());
        // Above the rows is place for the factor, below them for one more.
        let mut stacked = Mat::zeros(m + rows.len().min(BLOCK) + 1, m);
        for rows in rows.chunks(BLOCK) {
            let weights = weights.select(Axis(0), rows);
            let roots: Vec<f64> = weights.iter().map(|it| it.sqrt()).collect();
            for (at, &row) in rows.iter().enumerate() {
                for (column, value) in x.row(row).iter().enumerate() {
                    stacked[(m + at, column)] = *value;
                }
                stacked[(m + at, m - 1)] = y[row];
            }
            let mut stacked = stacked.get_mut(..m + rows.len() + 1, ..);
            let seen: Vec<Seen> = (0..m)
                .map(|column| {
                    let values = stacked.rb_mut().col_mut(column).try_as_col_major_mut();
                    let values = values.expect("a column of its own").as_slice_mut();
                    deviate(&mut values[m..m + rows.len()], &weights, &roots)
                })
                .collect();
            moments.take(rows.len(), weights.sum(), &seen, stacked);
        }
        moments
    }

    /// With rows given by their deviations from their own means, below place for the factor and above
    /// place for one more in `stacked`.
    ///
    /// The deviations from two means are those from the common one, and one row more: √(wa·wb ÷ (wa + wb))
    /// times the difference of the means (Chan, Golub, LeVeque, "Updating formulae and a pairwise
    /// algorithm for computing sample variances", 1979).
    fn take(&mut self, rows: usize, weight: f64, seen: &[Seen], mut stacked: MatMut<'_, f64>) {
        let total = self.weight + weight;
        let share = weight / total;
        let last = stacked.nrows() - 1;
        for (column, (all, part)) in self.seen.iter_mut().zip(seen).enumerate() {
            let apart = part.mean - all.mean;
            stacked[(last, column)] = apart * (self.weight * share).sqrt();
            *all = all.joined(part, share);
        }
        self.factor.add_below(stacked);
        self.rows += rows;
        self.weight = total;
    }
}

impl Merge for Moments {
    /// # Panics
    /// Where they have different numbers of counters.
    fn merge(&mut self, other: &Self) {
        if other.rows > 0 {
            let m = other.seen.len();
            let mut stacked = Mat::zeros(2 * m + 1, m);
            for ((row, column), value) in other.factor.r.indexed_iter() {
                stacked[(m + row, column)] = *value;
            }
            self.take(other.rows, other.weight, &other.seen, stacked.as_mut());
        }
    }
}

/// Makes of a column's values √w · (values − their mean) and says what was seen of them. Mean first,
/// deviations then: R of the values themselves would lose the digits that large counters share.
fn deviate(values: &mut [f64], weights: &Array1<f64>, roots: &[f64]) -> Seen {
    let mean = ArrayView1::from(&*values).dot(weights) / weights.sum();
    // Several at a time: one least and one largest value would each wait for the one before.
    let (mut min, mut max) = ([f64::INFINITY; 8], [f64::NEG_INFINITY; 8]);
    for values in values.chunks(8) {
        for ((&value, min), max) in values.iter().zip(&mut min).zip(&mut max) {
            *min = if value < *min { value } else { *min };
            *max = if value > *max { value } else { *max };
        }
    }
    let seen = Seen {
        mean,
        min: min.into_iter().fold(f64::INFINITY, f64::min),
        max: max.into_iter().fold(f64::NEG_INFINITY, f64::max),
    };
    for (value, root) in values.iter_mut().zip(roots) {
        *value = root * (*value - mean);
    }
    seen
}
