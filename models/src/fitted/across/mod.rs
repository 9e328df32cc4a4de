//! Forms of fits across devices: what was counted on one forecasts the time on another.

mod costs;
mod pair;
mod scaled;
mod smooth;
mod terms;

use ndarray::ArrayView1;

use super::Attribution;
pub use costs::Costs;
pub use pair::Pair;
pub(crate) use pair::blend;
pub use scaled::Scaled;
pub(crate) use scaled::parts;
pub use smooth::Smooth;
pub(crate) use smooth::{features, kernel};
pub use terms::{Roles, Term};

/// A fit across devices: what [`Form::Across`](crate::Form::Across) holds.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Across {
    /// A fit from the counters of the device counted on alone.
    Counters(Costs),
    /// A fit from the counters of the device counted on and the time there.
    CountersAndTime {
        /// The fit.
        #[serde(flatten)]
        pair: Box<Pair>,
        /// The column of the time on the device counted on.
        time: usize,
    },
}

impl Across {
    /// The forecast for one row (p), seconds.
    pub(crate) fn predict(&self, row: ArrayView1<'_, f64>) -> f64 {
        match self {
            Self::Counters(costs) => costs.predict(row),
            Self::CountersAndTime { pair, time } => pair.predict(row, row[*time]),
        }
    }

    /// The forecast shared out among columns. A chain's share belongs to the instructions. With the
    /// time on the device counted on: the forecast in proportion to what [`Scaled`] makes of it.
    pub(crate) fn attribution(&self, row: ArrayView1<'_, f64>) -> Attribution {
        match self {
            Self::Counters(costs) => shared(costs, &costs.shares(row)),
            Self::CountersAndTime { pair, time } => {
                let parts = pair.scaled.shares(row, row[*time]);
                let sum: f64 = parts.iter().sum();
                let factor = self.predict(row) / sum;
                let parts: Vec<f64> = parts.iter().map(|part| part * factor).collect();
                shared(&pair.scaled.counted_on, &parts)
            }
        }
    }

    /// The columns that the forecast needs.
    pub(crate) fn columns(&self) -> Vec<usize> {
        let mut columns = match self {
            Self::Counters(costs) => costs.roles.columns(),
            Self::CountersAndTime { pair, time } => {
                let mut columns = pair.scaled.counted_on.roles.columns();
                columns.push(*time);
                columns
            }
        };
        columns.sort_unstable();
        columns.dedup();
        columns
    }
}

/// Attribution to columns of `seconds`, which are by term.
fn shared(costs: &Costs, seconds: &[f64]) -> Attribution {
    let mut rest = 0.0;
    let mut parts = Vec::new();
    for (term, &seconds) in costs.terms.iter().zip(seconds) {
        match *term {
            Term::Launch => rest += seconds,
            Term::Chain | Term::RootOfChain => parts.push((costs.roles.instructions, seconds)),
            Term::Total(column) => parts.push((column, seconds)),
        }
    }
    Attribution::new(rest, parts)
}
