//! Loads from global memory, before and after: what Oclgrind would count, without running.

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use kerncast_collector::{
    child::Children, localize::GENERATED, source_analysis::oclgrind_counts::SourceCounter,
    workload::Workload,
};
use kerncast_suite::{load, sizes};
use serde::Serialize;

/// Loads of a launch.
#[derive(Clone, Debug, Serialize)]
pub(in crate::cli) struct Loads {
    /// At these sizes.
    pub(super) at: String,
    pub(super) before: f64,
    pub(super) after: f64,
}

/// Of the kernel in `folder`, at its smallest size; `before` has the loads of the variant `of` where they are known.
pub(super) fn loads(
    children: &Children,
    folder: &Path,
    of: &str,
    before: Option<&Loads>,
) -> Result<Loads> {
    let kernel = load(folder)?.pop().context("a folder is a kernel's")?;
    let size = kernel.sizes.first().context("a kernel has sizes")?;
    let mut from_source = SourceCounter::find(children).map_err(|why| anyhow!(why))?;
    let mut counted = |variant: &str| -> Result<f64> {
        let counts = from_source.counts(&Workload {
            kernel: &kernel,
            variant: kernel.variant(variant).context("the variant is there")?,
            parameters: size.parameters.clone(),
        })?;
        let loads = counts.counters.get("load_global").copied();
        loads.context("loads are counted")
    };
    Ok(Loads {
        at: sizes(&size.parameters),
        before: match before {
            Some(known) => known.before,
            None => counted(of)?,
        },
        after: counted(GENERATED)?,
    })
}
