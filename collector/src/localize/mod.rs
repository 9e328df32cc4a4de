//! Variants with local memory, made of a kernel's reference variant: the kernel's folder with one variant more, and
//! whether it does the same (docs/localize.md).

use std::{fs, path::Path};

use anyhow::{Context, Result};
use kerncast_analysis::localize::{Localized, Rule, TileForm, apply_edits, localize};
use kerncast_opencl::DeviceFacts;
use kerncast_suite::{Kernel, Parameters, Variant};

use crate::{child::Children, clang::Clang};

mod candidates;
mod check;
mod forecast;
mod launch_file;
mod length_formula;
mod loads;
mod measure;
mod normalise;
mod parsed_variant;
mod search;
mod shapes;
mod work_group;

use self::parsed_variant::ParsedVariant;
pub use candidates::Candidate;
pub use check::{CheckResult, check};
pub use forecast::{Forecast, Forecaster};
pub use loads::Loads;
pub use search::Outcome;
pub use shapes::{Shape, other_shapes};

/// The name of the variant that is made.
pub const GENERATED: &str = "local_generated";

/// Why nothing of a kernel is rewritten, whatever is in its source.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NotRewritten(String);

/// A kernel as far as it is rewritten.
#[derive(Debug)]
pub struct RewrittenKernel {
    /// The variant that it is made of.
    pub of: String,
    /// What goes to local memory, and what does not.
    pub localized: Localized,
    /// The source before.
    pub before: String,
    /// The source after; none where nothing goes to local memory.
    pub after: Option<String>,
    /// The work-group's size that it is made for, where that is another than the variant's.
    pub tile: Option<Vec<usize>>,
}

/// How a kernel is rewritten.
#[derive(Clone, Debug)]
pub struct RewriteOptions {
    /// Bytes of local memory that a work-group may have.
    pub most_bytes: u64,
    /// Only these arguments; empty: all that pay.
    pub only: Vec<String>,
    /// Which tiles are worth it.
    pub rule: Rule,
    /// Another size of work-groups than the variant's, by dimension.
    pub tile: Option<Vec<usize>>,
    /// What tiles look like.
    pub form: TileForm,
}

/// A search for the best candidate of a kernel.
#[expect(missing_docs, reason = "their names say it")]
pub struct Search<'a> {
    pub clang: &'a Clang,
    pub kernel: &'a Kernel,
    /// How all candidates are rewritten.
    pub options: &'a RewriteOptions,
    /// Processes that run candidates; the folders of these lie in their scratch folder.
    pub children: &'a Children,
    /// Where candidates are measured.
    pub device: &'a DeviceFacts,
    /// Candidates that are measured at most; absent: nothing is measured.
    pub tune: Option<usize>,
    /// Forecasts candidates; absent: nobody asked for a forecast.
    pub forecaster: Option<&'a Forecaster>,
    /// Sizes at which candidates are checked, and of which the last is forecast; empty: those of the launch file.
    pub sizes: &'a [Parameters],
}

/// Rewrites the variant `global` of a kernel, or its reference, to local memory.
///
/// # Errors
/// The source can't be read, the launch file has no usable value, or a tile does not divide its launches.
pub fn rewrite(
    clang: &Clang,
    kernel: &Kernel,
    options: &RewriteOptions,
) -> Result<RewrittenKernel> {
    let variant = original(kernel);
    let parsed = ParsedVariant::read(clang, kernel, variant, options.tile.as_deref())?;
    let mut localized = localize(parsed.subject(options));
    let mut source = parsed.source.clone();
    if let Some(normalised) = normalise::normalised(clang, kernel, &parsed, options, &localized)? {
        (source, localized) = normalised;
    }
    let after = if localized.placed.is_empty() {
        None
    } else {
        apply_edits(&source, &localized.edits)
    };
    Ok(RewrittenKernel {
        of: variant.name.clone(),
        localized,
        before: parsed.source,
        after,
        tile: options.tile.clone(),
    })
}

/// The variant that is rewritten.
fn original(kernel: &Kernel) -> &Variant {
    kernel.variant("global").unwrap_or(kernel.reference())
}

/// Copies a kernel's folder to `to`, with the variant that was made.
///
/// # Errors
/// A file can't be read or written, or the launch file has a form that is not added to.
pub fn write(kernel: &Kernel, rewritten: &RewrittenKernel, to: &Path) -> Result<()> {
    let after = rewritten.after.as_ref().context("nothing is rewritten")?;
    for entry in fs::read_dir(&kernel.folder)? {
        let entry = entry?;
        if entry.file_type()?.is_file() && entry.path().parent() != Some(to) {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    let variant = kernel.variant(&rewritten.of);
    let variant = variant.context("the variant is there")?;
    let stem = variant.source.file_stem().unwrap_or_default();
    let name = format!("{}.generated.cl", stem.to_string_lossy());
    let text = fs::read_to_string(kernel.folder.join("launch.toml"))?;
    let text = launch_file::with_variant(&text, kernel, variant, &name, rewritten)?;
    fs::write(to.join(&name), after)?;
    fs::write(to.join("launch.toml"), text)?;
    Ok(())
}
