//! Makes a variant with local memory from a kernel's reference variant: the kernel's folder with one variant more, and
//! a check that both give the same outputs (docs/localize.md).

use std::{fs, path::Path};

use anyhow::{Context, Result};
use kerncast_analysis::localize::{Localized, Rule, apply_edits, localize};
use kerncast_suite::{Kernel, Parameters, Variant, load};

use crate::{clang::Clang, workload::Workload};

mod candidates;
mod check;
mod forecast;
mod launch_file;
mod length_formula;
mod loads;
mod normalise;
mod parsed_variant;
mod search;
mod shapes;
mod work_group;

use self::{normalise::normalise, parsed_variant::ParsedVariant};
pub use candidates::Candidate;
pub use check::{CheckResult, check};
pub use forecast::{Forecast, Forecaster};
pub use loads::Loads;
pub use search::{Search, SearchResult};
pub use shapes::{Shape, other_shapes};

/// The name of the new variant.
pub const REWRITTEN_VARIANT: &str = "local_generated";

/// Why a kernel is not rewritten at all.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NotRewritten(String);

/// A kernel and its rewritten source.
#[derive(Debug)]
pub struct RewrittenKernel {
    /// The name of the variant that it is made of.
    pub original: String,
    /// Arrays that go to local memory, and arrays that do not.
    pub localized: Localized,
    /// The original source.
    pub before: String,
    /// The new source; none where nothing goes to local memory.
    pub after: Option<String>,
    /// Its work-groups and tiles.
    pub shape: Shape,
}

/// Options for rewriting a kernel.
#[derive(Clone, Debug)]
pub struct RewriteOptions {
    /// Local memory that a work-group may use, bytes.
    pub most_bytes: u64,
    /// Only these arguments; empty: all that pay.
    pub only: Vec<String>,
    /// The rule by which tiles are worth it.
    pub rule: Rule,
    /// Work-groups and tiles.
    pub shape: Shape,
}

/// Rewrites the variant `global` of a kernel, or its reference, to local memory.
///
/// # Errors
/// The source can't be read, the launch file has no usable value, or the work-group size does not divide its launches.
pub fn rewrite(
    clang: &Clang,
    kernel: &Kernel,
    options: &RewriteOptions,
) -> Result<RewrittenKernel> {
    let group_size = options.shape.group_size.as_deref();
    let variant = original_variant(kernel);
    let parsed = ParsedVariant::read(clang, kernel, variant, group_size)?;
    let mut localized = localize(parsed.subject(options));
    let mut source = parsed.source.clone();
    if let Some(better) = normalise(clang, kernel, &parsed, options, &localized)? {
        (source, localized) = better;
    }
    let after = if localized.placed.is_empty() {
        None
    } else {
        apply_edits(&source, &localized.edits)
    };
    Ok(RewrittenKernel {
        original: variant.name.clone(),
        localized,
        before: parsed.source,
        after,
        shape: options.shape.clone(),
    })
}

/// Reads the one kernel of a folder.
fn load_kernel(folder: &Path) -> Result<Kernel> {
    load(folder)?.pop().context("a folder is a kernel's")
}

fn workload<'k>(
    kernel: &'k Kernel,
    variant: &str,
    parameters: &Parameters,
) -> Result<Workload<'k>> {
    Ok(Workload {
        kernel,
        variant: kernel.variant(variant).context("the variant is there")?,
        parameters: parameters.clone(),
    })
}

/// The variant to rewrite.
fn original_variant(kernel: &Kernel) -> &Variant {
    kernel.variant("global").unwrap_or(kernel.reference())
}

/// Copies a kernel's folder to `to`, with the new variant.
///
/// # Errors
/// A file can't be read or written, or the launch file has a form that can't be extended.
pub fn write(kernel: &Kernel, rewritten: &RewrittenKernel, to: &Path) -> Result<()> {
    let after = rewritten.after.as_ref().context("nothing is rewritten")?;
    for entry in fs::read_dir(&kernel.folder)? {
        let entry = entry?;
        if entry.file_type()?.is_file() && entry.path().parent() != Some(to) {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    let variant = original_variant(kernel);
    let stem = variant.source.file_stem().unwrap_or_default();
    let name = format!("{}.generated.cl", stem.to_string_lossy());
    let text = fs::read_to_string(kernel.folder.join("launch.toml"))?;
    let text = launch_file::with_variant(&text, kernel, variant, &name, rewritten)?;
    fs::write(to.join(&name), after)?;
    fs::write(to.join("launch.toml"), text)?;
    Ok(())
}
