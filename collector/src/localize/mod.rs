//! Variants with local memory, made of a kernel's reference variant: the kernel's folder with one variant more, and
//! whether it does the same (docs/localize.md).

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context, Result, anyhow};
use kerncast_analysis::{
    accesses::{Accesses, launch::Geometry},
    ast::Unit,
    localize::{At, Buffer, Counted, Form, Localized, Rule, Subject, edited, localize},
};
use kerncast_suite::{Access, Kernel, Launch, LaunchArgument, Step, Variant};

use crate::clang::Clang;

mod check;
mod counted;
mod forms;
mod launch_file;
mod reworded;
mod shape;

use self::counted::counted;
pub use check::{Checked, check};
pub use forms::{Shape, other_shapes};

/// The name of the variant that is made.
pub const GENERATED: &str = "local_generated";

/// Why nothing of a kernel is rewritten, whatever is in its source.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NotRewritten(String);

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
    /// What tiles look like.
    pub form: Form,
}

/// Rewrites the variant `global` of a kernel, or its reference, to local memory.
///
/// # Errors
/// The source can't be read, the launch file has no usable value, or a tile does not divide its launches.
pub fn rewritten(clang: &Clang, kernel: &Kernel, wishes: &Wishes) -> Result<Rewritten> {
    let variant = global(kernel);
    let mut read = Read::of(clang, kernel, variant, wishes.tile.as_deref())?;
    let mut localized = localize(read.subject(wishes));
    let before = read.source.clone();
    if let Some((source, more)) = reworded::reworded(clang, kernel, &read, wishes, &localized)? {
        localized = more;
        read.source = source;
    }
    let after = match localized.placed.is_empty() {
        true => None,
        false => edited(&read.source, &localized.edits),
    };
    Ok(Rewritten {
        of: variant.name.clone(),
        localized,
        before,
        after,
        tile: wishes.tile.clone(),
    })
}

/// The variant that is rewritten.
fn global(kernel: &Kernel) -> &Variant {
    kernel.variant("global").unwrap_or(kernel.reference())
}

/// A variant's source, and its launches at every size.
struct Read {
    unit: Unit,
    accesses: Accesses,
    source: String,
    /// What it includes of its folder.
    included: String,
    file: String,
    options: String,
    launches: Vec<At>,
    /// Whether each launch is a single one.
    is_alone: bool,
}

impl Read {
    fn of(
        clang: &Clang,
        kernel: &Kernel,
        variant: &Variant,
        tile: Option<&[usize]>,
    ) -> Result<Self> {
        let mut launches = Vec::new();
        for size in &kernel.sizes {
            let mut launch = Launch::new(kernel, variant, &size.parameters)?;
            if let Some(tile) = tile {
                shape::reshape(&mut launch, tile).context("the tile divides the launch")?;
            }
            launches.push(launch);
        }
        let first = launches.first().context("a launch file has sizes")?;
        let unit = clang.read(first, &kernel.folder)?;
        let path = &first.source;
        let source =
            fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut steps = launches.iter().flat_map(|it| &it.steps);
        let step = first.steps.first().context("a launch has a step")?;
        if steps.any(|it| it.function != step.function) {
            return Err(NotRewritten(format!(
                "launch.toml, variants.{}: it launches several functions; expected one, of which one source is made",
                variant.name
            ))
            .into());
        }
        let accesses = Accesses::of(&unit, &step.function)
            .ok_or_else(|| anyhow!("{} has no kernel `{}`", path.display(), step.function))?;
        if launches
            .iter()
            .any(|launch| launch.options != first.options)
        {
            return Err(NotRewritten(
                "launch.toml, options: they differ from size to size; expected the same, for which one source is made"
                    .to_owned(),
            )
            .into());
        }
        let file = path.strip_prefix(&kernel.folder).unwrap_or(path);
        let bytes = element_bytes(&accesses);
        let lengths = lengths(kernel, variant, &bytes, (&unit, &accesses));
        let mut all: Vec<At> = Vec::new();
        for launch in &launches {
            for step in &launch.steps {
                let at = at((kernel, &variant.name), launch, step, &bytes, &lengths);
                // Rounds repeat them.
                if !all.iter().rev().take(16).any(|it| *it == at) {
                    all.push(at);
                }
            }
        }
        Ok(Self {
            launches: all,
            is_alone: launches.iter().all(|it| it.steps.len() == 1)
                && variant.steps.len() == 1
                && variant.rounds.is_none(),
            unit,
            included: included(kernel, &source),
            source,
            file: file.to_string_lossy().into_owned(),
            options: first.options.clone(),
            accesses,
        })
    }

    fn subject<'a>(&'a self, wishes: &'a Wishes) -> Subject<'a> {
        Subject {
            unit: &self.unit,
            accesses: &self.accesses,
            file: &self.file,
            source: &self.source,
            included: &self.included,
            options: &self.options,
            launches: &self.launches,
            is_alone: self.is_alone,
            is_resized: wishes.tile.is_some(),
            most_bytes: wishes.most_bytes,
            only: &wishes.only,
            rule: wishes.rule,
            form: wishes.form,
        }
    }
}

/// Headers and sources of the kernel's folder that the source includes, or one of these does.
fn included(kernel: &Kernel, source: &str) -> String {
    let files = kernel.files.iter().flatten();
    let mut left: Vec<(&String, &String)> = files.collect();
    let mut text = String::new();
    loop {
        let is_named = |(name, _): &(&String, &String)| {
            let lines = source.lines().chain(text.lines());
            let mut lines = lines.filter(|line| line.trim_start().starts_with('#'));
            lines.any(|line| line.contains("include") && line.contains(name.as_str()))
        };
        let Some(place) = left.iter().position(is_named) else {
            return text;
        };
        text += left.swap_remove(place).1;
        text += "\n";
    }
}

/// Bytes of what each parameter points to.
fn element_bytes(accesses: &Accesses) -> BTreeMap<usize, u64> {
    let arrays = accesses.arrays.iter();
    arrays
        .filter_map(|array| Some((array.parameter?, array.element_bytes)))
        .collect()
}

/// Lengths of buffers as the kernel's arguments say them, by parameter: the same at all sizes.
fn lengths(
    kernel: &Kernel,
    variant: &Variant,
    bytes: &BTreeMap<usize, u64>,
    read: (&Unit, &Accesses),
) -> BTreeMap<usize, Counted> {
    let arguments = variant.steps.first().map(|step| &step.arguments);
    let of = |(&parameter, &bytes): (&usize, &u64)| {
        let buffer = &kernel.arguments[*arguments?.get(parameter)?];
        let length = counted(kernel, variant, buffer, bytes.max(1), read)?;
        Some((parameter, length))
    };
    bytes.iter().filter_map(of).collect()
}

/// A launch as the analysis sees it.
fn at(
    (kernel, variant): (&Kernel, &str),
    launch: &Launch,
    step: &Step,
    bytes: &BTreeMap<usize, u64>,
    lengths: &BTreeMap<usize, Counted>,
) -> At {
    let is_alone = launch.steps.len() == 1;
    let buffers = step
        .arguments
        .iter()
        .enumerate()
        .map(|(parameter, argument)| {
            let LaunchArgument::Buffer(number) = argument else {
                return None;
            };
            let buffer = &launch.buffers[*number];
            let mut arguments = kernel.arguments.iter();
            let argument = arguments.find(|it| it.name == buffer.name && it.is_of(variant))?;
            let own = bytes.get(&parameter).copied().unwrap_or(1).max(1);
            let is_everybodys = kernel.variants.iter().all(|it| argument.is_of(&it.name));
            Some(Buffer {
                number: *number,
                elements: buffer.bytes() as u64 / own,
                // What is not written holds what it held.
                // What one launch writes the next one may read.
                is_filled: buffer.access.is_filled()
                    || buffer.access == Access::WritePartly
                    || !is_alone,
                is_output: buffer.access.writes() && (is_everybodys || !is_alone),
                counted_by: lengths.get(&parameter).filter(|_| is_alone).cloned(),
            })
        });
    At {
        geometry: Geometry::of(step),
        buffers: buffers.collect(),
    }
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
    let stem = variant.source.file_stem().unwrap_or_default();
    let name = format!("{}.generated.cl", stem.to_string_lossy());
    let text = fs::read_to_string(kernel.folder.join("launch.toml"))?;
    let text = launch_file::with_variant(&text, kernel, variant, &name, rewritten)?;
    fs::write(to.join(&name), after)?;
    fs::write(to.join("launch.toml"), text)?;
    Ok(())
}
