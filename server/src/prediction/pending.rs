//! Fits under way: once they are there, another model may answer.

use std::sync::Arc;

use kerncast_wire::FittingJob;

use super::asked::Set;
use crate::App;

/// Those that change what answers one request.
#[derive(Default)]
pub(super) struct Pending {
    jobs: Arc<[FittingJob]>,
    counted_on: Option<i64>,
}

impl Pending {
    /// # Errors
    /// Where the database fails.
    pub(super) async fn new(app: &App, counted_on: Option<i64>) -> sqlx::Result<Self> {
        let jobs = app.kept.jobs(&app.pool).await?;
        Ok(Self { jobs, counted_on })
    }

    /// Those of a device, from the set's counters.
    pub(super) fn of(&self, device: i64, set: &Set) -> Vec<FittingJob> {
        let jobs = self.jobs.iter().filter(|job| {
            (job.device, job.counted_on) == (device, self.counted_on)
                && set.counters.contains_key(&job.provider)
        });
        jobs.cloned().collect()
    }
}

/// That the answer may change.
pub(super) fn warning(pending: &[FittingJob]) -> Option<String> {
    let providers: Vec<&str> = pending.iter().map(|it| it.provider.as_str()).collect();
    let since = pending.iter().map(|it| it.requested_at).min()?;
    Some(format!(
        "fits from counters of {} are pending since {}: the answer may change once they are there \
         (kerncast predict --wait 600s waits for them)",
        providers.join(", "),
        since.format("%Y-%m-%d %H:%M UTC")
    ))
}
