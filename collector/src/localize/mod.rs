//! Variants with local memory, made of a kernel's reference variant: the kernel's folder with one variant more, and
//! whether it does the same (docs/localize.md).

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context, Result, anyhow, bail};
use kerncast_analysis::{
    accesses::{Accesses, launch::Geometry},
    localize::{At, Buffer, Localized, Rule, Subject, edited, localize},
};
use kerncast_suite::{Access, Kernel, Launch, LaunchArgument, Variant};

use crate::clang::Clang;

mod check;
mod launch_file;
mod shape;

pub use check::{Checked, check};

/// The name of the variant that is made.
pub const VARIANT: &str = "local_generated";

/// A kernel as far as it is rewritten.
#[derive(Debug)]
pub struct Rewritten {
    /// Which variant it is made of.
    pub of: String,
    /// What goes to local memory, and what does not.
    pub localized: Localized,
    /// The source as it was.
    pub before: String,
    /// The source as it is; none where nothing goes to local memory.
    pub after: Option<String>,
    /// The work-group's size that it is made for, where that is another than the variant's.
    pub tile: Option<Vec<usize>>,
}

/// What is asked of a rewriting.
#[derive(Clone, Debug)]
pub struct Wishes {
    /// Bytes of local memory that a work-group may have.
    pub most_bytes: u64,
    /// Only these arguments; empty: all that pay.
    pub only: Vec<String>,
    /// What is worth it.
    pub rule: Rule,
    /// Another size of work-groups than the variant's, by dimension.
    pub tile: Option<Vec<usize>>,
}

/// Rewrites the variant `global` of a kernel, or its reference, to local memory.
///
/// # Errors
/// The source can't be read, the launch file has no usable value, or its work-groups can't have another size.
pub fn rewritten(clang: &Clang, kernel: &Kernel, wishes: &Wishes) -> Result<Rewritten> {
    let variant = kernel.variant("global").unwrap_or(kernel.reference());
    let mut launches = Vec::new();
    for size in &kernel.sizes {
        let mut launch = Launch::new(kernel, variant, &size.parameters)?;
        if let Some(tile) = &wishes.tile {
            shape::shaped(&mut launch, tile)?;
        }
        launches.push(launch);
    }
    let first = launches.first().context("a launch file has sizes")?;
    let unit = clang.read(first, &kernel.folder)?;
    let source = &first.source;
    let before =
        fs::read_to_string(source).with_context(|| format!("cannot read {}", source.display()))?;
    let is_single = launches.iter().all(|it| it.only_step().is_some());
    let Some(step) = first.only_step().filter(|_| is_single) else {
        bail!(
            "variant `{}` has several launches: only single ones are rewritten",
            variant.name
        );
    };
    let accesses = Accesses::of(&unit, &step.function)
        .ok_or_else(|| anyhow!("{} has no kernel `{}`", source.display(), step.function))?;
    if wishes.tile.is_some() {
        shape::check(&unit, &step.function, &accesses, &before)?;
    }
    let at: Vec<At> = launches
        .iter()
        .filter_map(|launch| at(kernel, launch, &accesses))
        .collect();
    if launches
        .iter()
        .any(|launch| launch.options != first.options)
    {
        bail!("the build options differ from size to size");
    }
    let file = source.strip_prefix(&kernel.folder).unwrap_or(source);
    let localized = localize(Subject {
        unit: &unit,
        accesses: &accesses,
        file: &file.to_string_lossy(),
        source: &before,
        options: &first.options,
        launches: &at,
        most_bytes: wishes.most_bytes,
        only: &wishes.only,
        rule: wishes.rule,
    });
    let after = match localized.placed.is_empty() {
        true => None,
        false => edited(&before, &localized.edits),
    };
    Ok(Rewritten {
        of: variant.name.clone(),
        localized,
        before,
        after,
        tile: wishes.tile.clone(),
    })
}

/// A launch as the analysis sees it.
fn at(kernel: &Kernel, launch: &Launch, accesses: &Accesses) -> Option<At> {
    let step = launch.only_step()?;
    let bytes: BTreeMap<usize, u64> = accesses
        .arrays
        .iter()
        .filter_map(|array| Some((array.parameter?, array.element_bytes)))
        .collect();
    let buffers = step
        .arguments
        .iter()
        .enumerate()
        .map(|(parameter, argument)| {
            let LaunchArgument::Buffer(number) = argument else {
                return None;
            };
            let buffer = &launch.buffers[*number];
            let argument = kernel.arguments.iter().find(|it| it.name == buffer.name)?;
            let is_everybodys = kernel.variants.iter().all(|it| argument.is_of(&it.name));
            Some(Buffer {
                number: *number,
                elements: buffer.bytes() as u64
                    / bytes.get(&parameter).copied().unwrap_or(1).max(1),
                // What is not written holds what it held.
                is_filled: buffer.access.is_filled() || buffer.access == Access::WritePartly,
                is_output: buffer.access.writes() && is_everybodys,
            })
        });
    Some(At {
        geometry: Geometry::of(step),
        buffers: buffers.collect(),
    })
}

/// Copies a kernel's folder to `to`, with the variant that was made.
///
/// # Errors
/// A file can't be read or written, or the launch file has a form that is not added to.
pub fn write(kernel: &Kernel, rewritten: &Rewritten, to: &Path) -> Result<()> {
    let after = rewritten.after.as_ref().context("nothing is rewritten")?;
    for entry in fs::read_dir(&kernel.folder)? {
        let entry = entry?;
        if entry.file_type()?.is_file() && entry.path().parent() != Some(to) {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    let variant = kernel
        .variant(&rewritten.of)
        .context("the variant is there")?;
    let name = source_name(variant);
    let text = fs::read_to_string(kernel.folder.join("launch.toml"))?;
    let text = launch_file::with_variant(&text, kernel, variant, &name, rewritten)?;
    fs::write(to.join(&name), after)?;
    fs::write(to.join("launch.toml"), text)?;
    Ok(())
}

/// `NAME.generated.cl`.
pub fn source_name(variant: &Variant) -> String {
    let stem = variant
        .source
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    format!("{stem}.generated.cl")
}
