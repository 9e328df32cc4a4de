use kerncast_wire::Role;

use super::{FitError, Method, waves_forest::WavesForest};
use crate::{Fitted, Rows};

/// [`WavesForest`] without the counters that come from machine code (`sass_chain`, docs/counters.md): for files of a
/// profiler's metrics, which can't have them. Which counters those are is known to whoever chooses the columns; the
/// name of its own lets this fit stand beside the one that takes them all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WavesForestOfMetrics;

impl Method for WavesForestOfMetrics {
    fn name(&self) -> &'static str {
        "waves_forest_metrics"
    }

    fn revision(&self) -> u32 {
        WavesForest.revision()
    }

    fn suits(&self, roles: &[Option<Role>]) -> bool {
        WavesForest.suits(roles)
    }

    fn asks(&self) -> &'static [Role] {
        WavesForest.asks()
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        WavesForest.fit(rows)
    }
}
