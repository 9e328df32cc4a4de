use ndarray::ArrayView1;

use super::{AcrossError, Roles, Term, Workloads, relative::relative, terms::values};
use crate::HoldOut;

/// Seconds for each of some terms, each 0 or more; a time is their sum.
#[derive(Clone, Debug, PartialEq)]
pub struct Costs {
    /// Which columns say what.
    pub roles: Roles,
    /// The terms.
    pub terms: Vec<Term>,
    /// Seconds per unit of each.
    pub seconds: Vec<f64>,
}

impl Costs {
    /// The forecast for one row of raw counter values (p), seconds.
    ///
    /// # Panics
    /// Where `row` is shorter than the terms ask for.
    #[must_use]
    pub fn predict(&self, row: ArrayView1<'_, f64>) -> f64 {
        self.shares(row).iter().sum()
    }

    /// Seconds by term; they add up to the forecast.
    ///
    /// # Panics
    /// Where `row` is shorter than the terms ask for.
    #[must_use]
    pub fn shares(&self, row: ArrayView1<'_, f64>) -> Vec<f64> {
        let pairs = self.terms.iter().zip(&self.seconds);
        pairs
            .map(|(term, cost)| term.value(&self.roles, row) * cost)
            .collect()
    }

    /// Fits every term there is to the times on `device` of `rows` alone. Nothing is chosen: costs that
    /// can't be below 0 leave out by themselves what does not help.
    pub(super) fn fit(
        workloads: &Workloads,
        device: usize,
        rows: &[usize],
    ) -> Result<Self, AcrossError> {
        let roles = workloads.roles().clone();
        let terms = roles.terms();
        let values = values(&terms, &roles, workloads.x(), rows);
        let times = workloads.times_of(device, rows);
        let seconds = relative(values.view(), &times, &workloads.kernels_of(rows))?;
        Ok(Self {
            roles,
            terms,
            seconds,
        })
    }
}

/// Forecasts every workload's time on `device` from counters alone, by costs that have not seen the
/// workload's kernel.
///
/// # Errors
/// [`AcrossError`] where a fit overflows.
///
/// # Panics
/// Where there is no such device.
pub fn from_counters(workloads: &Workloads, device: usize) -> Result<HoldOut, AcrossError> {
    workloads.leave_kernels_out(|rest, left_out| {
        let costs = Costs::fit(workloads, device, rest)?;
        let forecast = |&row: &usize| costs.predict(workloads.x().row(row));
        Ok(left_out.iter().map(forecast).collect())
    })
}
