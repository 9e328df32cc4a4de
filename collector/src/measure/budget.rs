//! The time budget of a run on one device.

use std::time::{Duration, Instant};

/// When a run should end; none: never.
#[derive(Clone, Copy, Debug)]
pub struct Budget(Option<Instant>);

impl Budget {
    /// Starts a budget of `total` now; without `total` it has no end.
    pub fn start(total: Option<Duration>) -> Self {
        Self(total.map(|total| Instant::now() + total))
    }

    /// Whether the time is over.
    pub fn is_over(&self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }

    /// The time that each of `workloads` may take; none where there is no end.
    pub fn share(&self, workloads: usize) -> Option<Duration> {
        let remaining = self.0?.saturating_duration_since(Instant::now());
        Some(remaining / u32::try_from(workloads.max(1)).unwrap_or(u32::MAX))
    }
}
