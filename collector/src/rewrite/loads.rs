//! Loads from global memory before and after a rewrite, as Oclgrind would count them, from source alone.

use std::path::Path;

use anyhow::{Context, Result};
use kerncast_suite::sizes;
use serde::Serialize;

use super::{REWRITTEN_VARIANT, load_kernel, workload};
use crate::{child::Children, source_analysis::oclgrind_counts::oclgrind_counts};

/// Loads from global memory of one launch.
#[derive(Clone, Debug, Serialize)]
pub struct Loads {
    /// The sizes of the launch.
    pub at: String,
    /// Loads of the variant that is rewritten.
    pub before: f64,
    /// Loads of the new variant.
    pub after: f64,
}

impl Loads {
    /// Counts the loads of the kernel in `folder` at its smallest size. `known` has those of the variant `original`.
    ///
    /// # Errors
    /// The source can't be counted.
    pub fn count(
        children: &Children,
        folder: &Path,
        original: &str,
        known: Option<&Self>,
    ) -> Result<Self> {
        let kernel = load_kernel(folder)?;
        let size = kernel.sizes.first().context("a kernel has sizes")?;
        let count = |variant: &str| -> Result<f64> {
            let workload = workload(&kernel, variant, &size.parameters)?;
            let counts = oclgrind_counts(children, &workload)?;
            let loads = counts.counters.get("load_global").copied();
            loads.context("loads are counted")
        };
        Ok(Self {
            at: sizes(&size.parameters),
            before: match known {
                Some(known) => known.before,
                None => count(original)?,
            },
            after: count(REWRITTEN_VARIANT)?,
        })
    }
}
