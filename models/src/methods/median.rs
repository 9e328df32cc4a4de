use super::{
    FitError, Method,
    checked::{Checked, enough},
};
use crate::{
    Costs, DropReason, Dropped, Fitted, Form, Training, across::weighted_median::weighted_median,
};

/// The median response, each kernel counted once, whatever the counters: the plain baseline of responses
/// that don't grow with the work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Median;

impl Method for Median {
    fn name(&self) -> &'static str {
        "median"
    }

    fn fit(&self, training: &Training<'_>) -> Result<Fitted, FitError> {
        let checked = Checked::new(training)?;
        enough(checked.y.len(), training.x.ncols())?;
        let constant = weighted_median(&checked.y.to_vec(), &checked.kernels_equally());
        let dropped = (0..training.x.ncols()).map(|column| Dropped {
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
