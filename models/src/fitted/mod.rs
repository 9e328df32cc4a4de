//! Fits: what methods make from samples. A fit forecasts without its method, also after it was stored and read back.
//! Columns are those of the x that it was fitted to. Fields with `serde(rename)` once had that name: stored fits have it
//! for ever.

pub(crate) mod across;
mod attribution;
mod corrected;
mod costs;
mod dropped;
mod forest;
mod linear;
mod other_gpu;
mod range;
mod waves;

use ndarray::ArrayView1;

use across::Across;
pub use attribution::Attribution;
pub use corrected::Corrected;
pub use costs::{Cost, Costs};
pub(crate) use costs::{norm, power, root, shared_out};
pub use dropped::{DropReason, Dropped};
pub(crate) use forest::mean as mean_of_trees;
pub use forest::{Forest, Node, Split, Tree};
pub use linear::{Coefficient, Linear};
pub use other_gpu::widening;
pub use range::{ColumnRange, Outside};
pub use waves::{ChainWaits, Conversion, EventCost, Resource, Waves, Workers};

/// A fit.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Fitted {
    /// Mean and range of each column (p) over the rows fitted.
    #[serde(rename = "seen")]
    pub ranges: Vec<ColumnRange>,
    /// The columns that are not in the fit, ascending.
    pub dropped: Vec<Dropped>,
    /// The form by which the other columns give a time.
    pub form: Form,
}

/// The shape of a fit: one for each kind of method.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// A sum of scaled counters.
    Linear(Linear),
    /// A sum, or p-norm, of costs that are not below 0.
    Costs(Costs),
    /// Costs of work that busy units share, and of waits in waves.
    Waves(Waves),
    /// Waves, corrected by trees.
    Corrected(Corrected),
    /// The mean of trees.
    Forest(Forest),
    /// A fit from one device to another.
    Across(Across),
}

impl Fitted {
    /// The forecast for one row of raw counter values (p), seconds. [`Form::Linear`] can come out at or
    /// below 0.
    ///
    /// # Panics
    /// Where `row` is shorter than the columns of the fit ask for.
    #[must_use]
    pub fn predict(&self, row: ArrayView1<'_, f64>) -> f64 {
        match &self.form {
            Form::Linear(linear) => linear.predict(row),
            Form::Costs(costs) => costs.predict(row),
            Form::Waves(waves) => waves.predict(row),
            Form::Corrected(corrected) => corrected.predict(row),
            Form::Forest(forest) => forest.predict(row),
            Form::Across(across) => across.predict(row),
        }
    }

    /// How far off the forecast for one row (p) is expected to be, compared with other rows: the exponent of the factor
    /// of its interval. It is the expected |ln(forecast ÷ time)| where the form tells it, else 1 for all rows.
    ///
    /// # Panics
    /// Where `row` is shorter than the columns of the fit ask for.
    #[must_use]
    pub fn expected_error(&self, row: ArrayView1<'_, f64>) -> f64 {
        match &self.form {
            Form::Corrected(corrected) => corrected.expected_error(row),
            _ => 1.0,
        }
    }

    /// The forecast for one row (p) shared out among the counters.
    ///
    /// # Panics
    /// Where `row` is shorter than the columns of the fit ask for.
    #[must_use]
    pub fn attribution(&self, row: ArrayView1<'_, f64>) -> Attribution {
        match &self.form {
            Form::Linear(linear) => linear.attribution(row),
            Form::Costs(costs) => costs.attribution(row),
            Form::Waves(waves) => waves.attribution(row),
            Form::Corrected(corrected) => corrected.attribution(row),
            Form::Forest(forest) => forest.attribution(row),
            Form::Across(across) => across.attribution(row),
        }
    }

    /// The columns in the fit, ascending.
    pub fn columns(&self) -> impl Iterator<Item = usize> {
        let dropped = |column: &usize| self.dropped.iter().any(|it| it.column == *column);
        (0..self.ranges.len()).filter(move |column| !dropped(column))
    }

    /// The columns in which `row` (p) lies outside the rows fitted: there the forecast is an extrapolation. Dropped
    /// columns count too: a counter that never varied may matter once it does.
    ///
    /// # Panics
    /// Where `row` is shorter than the columns of the fit ask for.
    #[must_use]
    pub fn outside(&self, row: ArrayView1<'_, f64>) -> Vec<Outside> {
        let outside = |(column, range): (usize, &ColumnRange)| range.outside(column, row[column]);
        self.ranges.iter().enumerate().filter_map(outside).collect()
    }
}
