//! One provider's counters of a workload from the source alone, to print or to send.

use anyhow::{Result, anyhow};
use kerncast_wire::{
    CounterSet, Scope,
    provider::{ANALYSIS, OCLGRIND},
};

use crate::{
    child::Children, providers, source_analysis::oclgrind_counts::oclgrind_counts,
    workload::Workload,
};

/// Providers whose counters the source tells.
pub const SOURCE_PROVIDERS: [&str; 2] = [ANALYSIS, OCLGRIND];

/// A workload's counters.
pub struct SourceCounts {
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
) -> Result<SourceCounts> {
    let name = workload.name();
    let count = || -> Result<SourceCounts> {
        let launch = workload.launch()?;
        let (counters, local_bytes, extent) = if provider == OCLGRIND {
            let counts = oclgrind_counts(children, workload)?;
            (counts.counters, counts.local_bytes, counts.extent)
        } else {
            let counts = analysis.gpu_counts(workload, &launch, analysis.gpu());
            let counts = counts.map_err(|why| anyhow!(why))?;
            (counts.counters, counts.local_bytes, counts.extent)
        };
        Ok(SourceCounts {
            workload: name.clone(),
            counters: providers::with_geometry(provider, counters, &launch, local_bytes),
            scope: providers::scope(extent),
        })
    };
    count().map_err(|why| anyhow!("{name}: {why:#}"))
}
