use std::{collections::BTreeSet, fmt};

use ndarray::Array2;

use crate::{Coefficient, Dataset, Fitted, Form, Rows, collinear::condition_number};

/// Above 100 a dependence is more than strong: Belsley, Kuh, Welsch, *Regression Diagnostics*, 1980,
/// section 3.2, find 30 to 100 with "moderate to strong" ones.
const HIGH_CONDITION: f64 = 100.0;

/// What a reader should know before believing a fit. Displayed as a sentence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Warning {
    /// Too few kernels to tell the counters' costs apart; sizes of one kernel are no substitute.
    FewKernels {
        /// Kernels in the dataset.
        kernels: usize,
        /// Counters in the fit.
        counters: usize,
    },
    /// The counters nearly combine each other, so that a fit can't share the time out between them.
    NearlyCollinear {
        /// Condition number of the scaled counters: how much a relative error in them can grow.
        condition: f64,
    },
    /// The fit gives impossible times even to rows that it has seen.
    NegativeTimes {
        /// Such rows.
        negative: usize,
        /// All rows.
        rows: usize,
    },
}

/// What to know about a fit made from all of `dataset`.
///
/// # Panics
/// Where `fitted` asks for columns that `dataset` lacks.
#[must_use]
pub fn warnings(dataset: &Dataset, fitted: &Fitted) -> Vec<Warning> {
    let Rows { x, kernels, .. } = dataset.rows();
    // Penalties, signs and trees keep the others from what few kernels or near collinearity do to plain
    // least squares.
    let kept: &[Coefficient] = match &fitted.form {
        Form::Linear(linear) => &linear.coefficients,
        Form::LogLinear(_)
        | Form::Costs(_)
        | Form::Waves(_)
        | Form::Corrected(_)
        | Form::Forest(_)
        | Form::Across(_) => &[],
    };
    let counters = kept.len();
    let kernels = kernels.iter().collect::<BTreeSet<_>>().len();
    let z = Array2::from_shape_fn((x.nrows(), counters), |(row, at)| {
        (x[(row, kept[at].column)] - kept[at].mean) / kept[at].scale
    });
    let condition = if kept.is_empty() {
        1.0
    } else {
        condition_number(z.view())
    };
    let rows = x.nrows();
    let negative = x
        .rows()
        .into_iter()
        .filter(|&row| fitted.predict(row) <= 0.0)
        .count();
    [
        (!kept.is_empty() && kernels < counters + 2)
            .then_some(Warning::FewKernels { kernels, counters }),
        (condition > HIGH_CONDITION).then_some(Warning::NearlyCollinear { condition }),
        (negative > 0).then_some(Warning::NegativeTimes { negative, rows }),
    ]
    .into_iter()
    .flatten()
    .collect()
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FewKernels { kernels, counters } => write!(
                f,
                "few kernels ({kernels}) for the counters ({counters}): {} or more are advised",
                counters + 2
            ),
            Self::NearlyCollinear { condition } => write!(
                f,
                "the counters are nearly collinear (condition number {condition:.0}): single \
                 coefficients mean little, and forecasts unlike the samples can be far off"
            ),
            Self::NegativeTimes { negative, rows } => write!(
                f,
                "{negative} of the {rows} samples fitted come out at or below 0 seconds"
            ),
        }
    }
}
