//! A method that is fitted to one GPU and forecasts another.

use kerncast_wire::{Facts, Role};

use super::{FitError, Method};
use crate::{Fitted, Rows};

/// A method that is fitted to one GPU's rows and forecasts another's ([`Fitted::for_other_gpu`]).
#[derive(Clone, Copy, Debug)]
pub struct Transfer<'a> {
    /// The method that is fitted to the rows.
    pub method: &'a dyn Method,
    /// The data sheet of the GPU of the rows.
    pub from: &'a Facts,
    /// The data sheet of the GPU that is forecast.
    pub to: &'a Facts,
}

impl Method for Transfer<'_> {
    fn name(&self) -> &'static str {
        self.method.name()
    }

    fn suits(&self, roles: &[Option<Role>]) -> bool {
        super::is_transferable(self.name()) && self.method.suits(roles)
    }

    fn geometry_roles(&self) -> &'static [Role] {
        self.method.geometry_roles()
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        let fit = self.method.fit(rows)?;
        let transferred = fit.for_other_gpu(rows.roles, self.from, self.to);
        transferred.ok_or(FitError::NothingKnown {
            counters: rows.roles.len(),
        })
    }
}
