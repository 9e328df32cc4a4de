//! What a method makes of samples. Its parts are all there is to it: stored and put together again, it
//! forecasts the same, without the method that made it. Columns are those of the x that it was fitted to.

pub(crate) mod across;
mod attribution;
mod corrected;
mod costs;
mod dropped;
mod elsewhere;
mod forest;
mod linear;
mod seen;
mod waves;

use ndarray::ArrayView1;

use across::Across;
pub use attribution::Attribution;
pub use corrected::Corrected;
pub use costs::{Cost, Costs};
pub(crate) use costs::{norm, power, root, shared_out};
pub use dropped::{DropReason, Dropped};
pub use elsewhere::widening;
pub(crate) use forest::mean as mean_of_trees;
pub use forest::{Forest, Node, Split, Tree};
pub use linear::{Coefficient, Linear};
pub use seen::{Outside, Seen};
pub use waves::{Each, Place, Waits, Waves, Work, Workers};

/// A fit.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Fitted {
    /// What the fit has seen of each column (p).
    pub seen: Vec<Seen>,
    /// The columns that are not in the fit, in their order.
    pub dropped: Vec<Dropped>,
    /// How the others make a time.
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
    /// Costs of work that is shared by those that have some, and of waits by waves.
    Waves(Waves),
    /// The same, corrected by trees.
    Corrected(Corrected),
    /// The mean of trees.
    Forest(Forest),
    /// From one device to another.
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

    /// How far off the forecast for one row (p) is, as far as the fit can tell, beside other rows: intervals are
    /// wider by as much. In units of |ln(forecast ÷ time)| where the form says anything, else 1 for all rows.
    ///
    /// # Panics
    /// Where `row` is shorter than the columns of the fit ask for.
    #[must_use]
    pub fn doubt(&self, row: ArrayView1<'_, f64>) -> f64 {
        match &self.form {
            Form::Corrected(corrected) => corrected.doubt(row),
            Form::Linear(_)
            | Form::Costs(_)
            | Form::Waves(_)
            | Form::Forest(_)
            | Form::Across(_) => 1.0,
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

    /// The columns in the fit, in their order.
    pub fn columns(&self) -> impl Iterator<Item = usize> {
        let dropped = |column: &usize| self.dropped.iter().any(|it| it.column == *column);
        (0..self.seen.len()).filter(move |column| !dropped(column))
    }

    /// Where `row` (p) lies outside what was fitted: there the forecast is an extrapolation. Columns that
    /// were dropped are asked too: what never varied may matter once it does.
    ///
    /// # Panics
    /// Where `row` is shorter than the columns of the fit ask for.
    #[must_use]
    pub fn outside(&self, row: ArrayView1<'_, f64>) -> Vec<Outside> {
        let outside = |(column, seen): (usize, &Seen)| seen.outside(column, row[column]);
        self.seen.iter().enumerate().filter_map(outside).collect()
    }
}
