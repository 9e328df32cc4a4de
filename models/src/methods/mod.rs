//! Methods, which fit models. This is the only folder that knows linfa.

pub(crate) mod across;
mod checked;
mod cholesky;
pub(crate) mod collinear;
mod error;
mod forest;
mod known_costs;
mod nnls;
mod ols;
mod overlap;
mod per_worker;
mod random;
mod relative;
mod transfer;
mod trees;
mod waves;
mod waves_forest;
mod waves_forest_twin;

use std::fmt::Debug;

use kerncast_wire::Role;

use crate::{Fitted, Rows};
pub use error::FitError;
pub use forest::ExtraTrees;
pub use known_costs::KnownCosts;
pub use nnls::NonNegativeLeastSquares;
pub use ols::OrdinaryLeastSquares;
pub use per_worker::PerWorker;
pub use transfer::Transfer;
pub use waves::ByWaves;
pub use waves_forest::WavesForest;
pub use waves_forest_twin::WavesForestTwin;

/// Every method, the simplest to follow first:
/// - `nnls`: costs of 0 or more that add up;
/// - `ols`: the paper's linear sum, which can come out below 0;
/// - `per_worker`: costs also per work-item and per work-group;
/// - `known_costs`: costs pulled to documented ones; waits and throughput overlap;
/// - `waves`: like `known_costs`, by waves of work-groups;
/// - `waves_forest`: `waves` corrected by trees; its twins use no machine code, or only what ncu's sections print;
/// - `forest`: trees alone.
pub const METHODS: &[&dyn Method] = &[
    &NonNegativeLeastSquares,
    &OrdinaryLeastSquares,
    &PerWorker,
    &KnownCosts,
    &ByWaves,
    &WavesForest,
    &WavesForestTwin::WavesForestOfMetrics,
    &WavesForestTwin::WavesForestOfSections,
    &ExtraTrees,
];

/// Whether a method's fits can be transferred to other hardware
/// ([`Fitted::for_other_gpu`](crate::Fitted::for_other_gpu)).
#[must_use]
pub fn is_transferable(method: &str) -> bool {
    // Its twins are called after it.
    method == ByWaves.name() || method.starts_with(WavesForest.name())
}

/// A way to fit a model.
pub trait Method: Debug + Send + Sync {
    /// The method's name in specifications, such as `ols`.
    fn name(&self) -> &'static str;

    /// Revision of the method. Raised with every change that makes another fit or validation of the same samples, so
    /// that fits from before it are not taken for today's. 2: intervals; across devices, roles by whole names.
    /// A method that overrides it counts its own changes; a change of what all share raises this and every override.
    fn revision(&self) -> u32 {
        2
    }

    /// Whether the method can fit counters with such roles; most methods take any.
    fn suits(&self, _roles: &[Option<Role>]) -> bool {
        true
    }

    /// The roles that the method needs beside the counters that grow with the work: those of the launch's geometry.
    fn geometry_roles(&self) -> &'static [Role] {
        &[]
    }

    /// Fits the response to the counters. Whatever has to be chosen on the way (penalties, exponents) is
    /// chosen from these rows alone, by leaving kernels out among them.
    ///
    /// # Errors
    /// [`FitError`] where no trustworthy fit exists; it says why.
    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError>;

    /// A shortcut for leaving folds out: forecasts of the first n rows, each by a fit without its fold (`folds`,
    /// numbered from 0 without a gap); later rows are in every fit. None: the caller refits. Give it only where it
    /// equals refitting up to rounding, or where refits would forecast another device.
    fn forecasts_without(
        &self,
        _rows: &Rows<'_>,
        _folds: &[usize],
    ) -> Option<Vec<Result<f64, FitError>>> {
        None
    }
}
