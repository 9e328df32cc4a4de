//! What a first call takes before and beside its trips.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{StreamPlan, StreamRates, StreamWork};

/// Whether a first call has to compile its programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Programs {
    /// This process has built and used them.
    Ready,
    /// The driver compiled them earlier and kept them on disk.
    Kept,
    /// The driver never saw them.
    New,
}

/// How long a first call takes besides its trips, seconds; later calls take none of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct StartForecast {
    /// The sum of the parts.
    pub seconds: f64,
    /// Building programs, or loading those that the driver kept.
    pub programs_s: f64,
    /// Allocating the pinned memory in which pieces are staged.
    pub staging_s: f64,
    /// Allocating the slots' device memory.
    pub slots_s: f64,
}

impl StartForecast {
    /// None where starts or allocation were not measured. `slots_bytes`: device memory of all slots.
    pub(crate) fn new(
        rates: &StreamRates,
        work: StreamWork,
        programs: Programs,
        slots_bytes: u64,
        plans: &[&StreamPlan],
    ) -> Option<Self> {
        let measured = rates.starts.iter().find(|it| it.work == work)?;
        let programs_s = match programs {
            Programs::Ready => 0.0,
            Programs::Kept => measured.kept_s,
            Programs::New => measured.new_s,
        };
        // Two pieces a thread, each way that copies.
        let staged = |plan: &&StreamPlan| {
            let ways = [
                (&plan.ways_in, plan.threads_in),
                (&plan.ways_out, plan.threads_out),
            ];
            let copied = ways
                .iter()
                .filter(|it| it.0.iter().any(|way| way.is_copied()));
            let threads: usize = copied.map(|it| it.1).sum();
            2 * threads as u64 * plan.piece_bytes as u64
        };
        let staged = plans.iter().map(staged).max().unwrap_or(0);
        let staging_s = match programs {
            Programs::Ready => 0.0,
            _ => staged as f64 / rates.pinning_bytes_per_s,
        };
        let slots_s = slots_bytes as f64 / rates.allocating_bytes_per_s?;
        Some(Self {
            seconds: programs_s + staging_s + slots_s,
            programs_s,
            staging_s,
            slots_s,
        })
    }
}
