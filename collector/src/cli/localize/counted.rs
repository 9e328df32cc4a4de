//! Loads from global memory, before and after: what Oclgrind would count, without running.

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use kerncast_analysis::{
    counts::{Budget, counts},
    llvm,
    run::lower,
};
use kerncast_collector::{
    child::Children,
    llvm::{compile, compilers},
    localize::Made,
    workload::Workload,
};
use kerncast_suite::{Kernel, load, sizes};
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
    made: Made,
    before: Option<&Loads>,
) -> Result<Loads> {
    let kernel = load(folder)?.pop().context("a folder is a kernel's")?;
    let size = kernel.sizes.first().context("a kernel has sizes")?;
    Ok(Loads {
        at: sizes(&size.parameters),
        before: match before {
            Some(known) => known.before,
            None => counted(children, &kernel, of)?,
        },
        after: counted(children, &kernel, made.variant())?,
    })
}

fn counted(children: &Children, kernel: &Kernel, variant: &str) -> Result<f64> {
    let workload = Workload {
        kernel,
        variant: kernel.variant(variant).context("the variant is there")?,
        parameters: kernel.sizes[0].parameters.clone(),
    };
    let launch = workload.launch()?;
    let step = launch.only_step().context("a single launch")?;
    let compilers = compilers().map_err(|why| anyhow!(why))?;
    let text = compile(children, &compilers, &workload.target())?.text;
    let program = lower(&llvm::read(&text)?, &step.function).map_err(|why| anyhow!("{why}"))?;
    let bytes: Vec<usize> = launch.buffers.iter().map(|it| it.bytes()).collect();
    let mut input = |place: usize| {
        let filled = launch.input(&kernel.name, &workload.parameters, place);
        filled.map_err(|why| why.to_string())
    };
    let counted = counts(&program, step, &bytes, &mut input, Budget::default());
    let counted = counted.map_err(|why| anyhow!("{why}"))?;
    counted
        .counters
        .get("load_global")
        .copied()
        .context("loads are counted")
}
