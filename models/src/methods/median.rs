use super::{
    FitError, Method,
    checked::{Checked, enough},
};
use crate::{Costs, DropReason, Dropped, Fitted, Form, Rows};

/// The median response, each kernel counted once, whatever the counters: the plain baseline of responses
/// that don't grow with the work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Median;

impl Method for Median {
    fn name(&self) -> &'static str {
        "median"
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        let checked = Checked::new(rows)?;
        enough(checked.y.len(), rows.x.ncols())?;
        let constant = weighted_median(&checked.y.to_vec(), &checked.kernels_equally());
        let dropped = (0..rows.x.ncols()).map(|column| Dropped {
            column,
            reason: DropReason::NoRole,
        });
        Ok(Fitted {
            seen: checked.seen(),
            dropped: dropped.collect(),
            form: Form::Costs(Costs {
                constant,
                terms: Vec::new(),
                p: 1.0,
            }),
        })
    }
}

/// The first of the sorted values at which half of the weight lies below or at it; NaN of none.
pub(crate) fn weighted_median(values: &[f64], weights: &[f64]) -> f64 {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&one, &other| values[one].total_cmp(&values[other]));
    let half = weights.iter().sum::<f64>() / 2.0;
    let mut below = 0.0;
    let middle = order.iter().find(|&&at| {
        below += weights[at];
        below >= half
    });
    middle.map_or(f64::NAN, |&at| values[at])
}
