//! One provider's counters of a workload from the source alone, to print or to send.

use anyhow::{Result, anyhow};
use kerncast_wire::{
    CounterSet, Scope,
    provider::{ANALYSIS, LAUNCH, OCLGRIND},
};

use crate::{
    child::Children, providers, source_analysis::oclgrind_counts::SourceCounter, workload::Workload,
};

/// Providers whose counters the source tells.
pub const SOURCE_PROVIDERS: [&str; 2] = [ANALYSIS, OCLGRIND];

/// A workload's counters.
pub struct Counts {
    /// Kernel, variant and sizes.
    pub workload: String,
    /// The provider's counters, and the launch's geometry.
    pub counters: CounterSet,
    /// The part of the launch that the counters cover.
    pub scope: Scope,
}

/// Counts a workload by `provider`, one of [`SOURCE_PROVIDERS`], from its source.
pub fn count_from_source(
    children: &Children,
    analysis: &providers::Analysis,
    workload: &Workload<'_>,
    provider: &str,
) -> Result<Counts> {
    let name = workload.name();
    let count = || -> Result<Counts> {
        let launch = workload.launch()?;
        let (counters, local_bytes, extent) = if provider == OCLGRIND {
            let counts = SourceCounter::find(children)
                .map_err(|why| anyhow!(why))?
                .counts(workload)?;
            (counts.counters, counts.local_bytes, counts.extent)
        } else {
            let counts = analysis.of_gpu(workload, &launch);
            let counts = counts.map_err(|why| anyhow!(why))?;
            (counts.counters, counts.local_bytes, counts.extent)
        };
        let of_launch = providers::geometry(&launch, local_bytes);
        Ok(Counts {
            workload: name.clone(),
            counters: [
                (provider.to_owned(), counters),
                (LAUNCH.to_owned(), of_launch),
            ]
            .into(),
            scope: providers::scope(extent),
        })
    };
    count().map_err(|why| anyhow!("{name}: {why:#}"))
}
