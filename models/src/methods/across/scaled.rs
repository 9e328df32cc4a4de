//! Fits [`Scaled`].

use ndarray::Array2;

use super::{
    super::{FitError, checked::Checked},
    costs::relative,
};
use crate::fitted::across::{Costs, Roles, Scaled, parts};

/// The least part of a time on the device counted on that each term may explain: if all of a workload's terms cost
/// nothing there, its time must still be divided among them.
const LEAST_SHARE: f64 = 1e-4;

impl Scaled {
    /// Fits to rows of both devices' times. `time`: the column of the time on the device counted on.
    pub(super) fn fit(roles: &Roles, rows: &Checked, time: usize) -> Result<Self, FitError> {
        let times = rows.x.column(time);
        let shortest = times.iter().copied().fold(f64::INFINITY, f64::min);
        // A part of the least number that there is would be none.
        let least = (LEAST_SHARE * shortest).max(f64::MIN_POSITIVE);
        let counted_on = Costs::fit(roles, rows, times)?;
        let values = rows.x.rows().into_iter();
        let values = values.flat_map(|row| parts(&counted_on, least, row, row[time]));
        let shape = (rows.y.len(), 2 * counted_on.terms.len());
        let values = Array2::from_shape_vec(shape, values.collect()).expect("two parts a term");
        let mut ratios = relative(values.view(), rows.y.view(), &rows.shares())?;
        let seconds = ratios.split_off(counted_on.terms.len());
        Ok(Self {
            counted_on,
            ratios,
            seconds,
            least,
        })
    }
}
