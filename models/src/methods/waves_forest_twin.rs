//! Twins of `waves_forest`, for files that lack some of its counters.

use kerncast_wire::Role;

use super::{FitError, Method, waves_forest::WavesForest};
use crate::{Fitted, Rows};

/// [`WavesForest`] without counters that a kind of file can't have. Which these are is known to whoever chooses the
/// columns. A name of its own lets each such fit stand beside the one that takes all counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WavesForestTwin {
    /// The twin without counters from machine code (`sass_chain`, docs/counters.md): for files of a profiler's metrics.
    WavesForestOfMetrics,
    /// The twin that also lacks what no set of ncu's prints: for files of its sections.
    WavesForestOfSections,
}

impl Method for WavesForestTwin {
    fn name(&self) -> &'static str {
        match self {
            Self::WavesForestOfMetrics => "waves_forest_metrics",
            Self::WavesForestOfSections => "waves_forest_sections",
        }
    }

    fn revision(&self) -> u32 {
        WavesForest.revision()
    }

    fn suits(&self, roles: &[Option<Role>]) -> bool {
        WavesForest.suits(roles)
    }

    fn geometry_roles(&self) -> &'static [Role] {
        WavesForest.geometry_roles()
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        WavesForest.fit(rows)
    }
}
