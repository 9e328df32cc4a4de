//! A variant in the form of the analysis: parsed, with its launches.

use std::{collections::BTreeMap, fs};

use anyhow::{Context, Result, anyhow};
use kerncast_analysis::{
    accesses::{Accesses, launch::Geometry},
    ast::Unit,
    localize::{Buffer, KernelLaunch, LengthFormula, Subject},
};
use kerncast_suite::{Access, Kernel, Launch, LaunchArgument, Step, Variant};

use super::{NotRewritten, RewriteOptions, length_formula::length_formula, work_group};
use crate::clang::Clang;

/// A variant's source, and its launches at every size.
pub(super) struct ParsedVariant {
    pub(super) unit: Unit,
    pub(super) accesses: Accesses,
    pub(super) source: String,
    /// The included texts from its folder.
    pub(super) included: String,
    /// The name of the source file in clang's output.
    pub(super) file: String,
    pub(super) options: String,
    launches: Vec<KernelLaunch>,
    /// Whether a run launches its kernel once.
    is_single_launch: bool,
}

impl ParsedVariant {
    pub(super) fn read(
        clang: &Clang,
        kernel: &Kernel,
        variant: &Variant,
        group_size: Option<&[usize]>,
    ) -> Result<Self> {
        let launches = launches(kernel, variant, group_size)?;
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
        if launches.iter().any(|it| it.options != first.options) {
            return Err(NotRewritten(
                "launch.toml, options: they differ from size to size; expected the same, for which one source is made"
                    .to_owned(),
            )
            .into());
        }
        let file = path.strip_prefix(&kernel.folder).unwrap_or(path);
        let parameters = Parameters::new(kernel, variant, &unit, &accesses);
        Ok(Self {
            launches: parameters.different_launches(&launches),
            is_single_launch: launches.iter().all(|it| it.steps.len() == 1)
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

    pub(super) fn subject<'a>(&'a self, options: &'a RewriteOptions) -> Subject<'a> {
        Subject {
            unit: &self.unit,
            accesses: &self.accesses,
            file: &self.file,
            source: &self.source,
            included: &self.included,
            options: &self.options,
            launches: &self.launches,
            is_single_launch: self.is_single_launch,
            is_resized: options.shape.group_size.is_some(),
            most_bytes: options.most_bytes,
            only: &options.only,
            rule: options.rule,
            form: options.shape.form,
        }
    }
}

/// The texts of the kernel's folder that the source includes, directly or through another of them.
fn included(kernel: &Kernel, source: &str) -> String {
    let files = kernel.files.iter().flatten();
    let mut files: Vec<(&String, &String)> = files.collect();
    let mut text = String::new();
    loop {
        let is_named = |(name, _): &(&String, &String)| {
            let lines = source.lines().chain(text.lines());
            let mut lines = lines.filter(|line| line.trim_start().starts_with('#'));
            lines.any(|line| line.contains("include") && line.contains(name.as_str()))
        };
        let Some(place) = files.iter().position(is_named) else {
            return text;
        };
        text += files.swap_remove(place).1;
        text += "\n";
    }
}

/// The launches of a variant at every size; `group_size`: another work-group size than its own.
fn launches(
    kernel: &Kernel,
    variant: &Variant,
    group_size: Option<&[usize]>,
) -> Result<Vec<Launch>> {
    let launches = kernel.sizes.iter().map(|size| {
        let mut launch = Launch::new(kernel, variant, &size.parameters)?;
        if let Some(group_size) = group_size {
            work_group::reshape(&mut launch, group_size).context("the tile divides the launch")?;
        }
        Ok(launch)
    });
    launches.collect()
}

/// Facts about a variant's parameters at all sizes.
struct Parameters<'a> {
    kernel: &'a Kernel,
    variant: &'a Variant,
    /// Element sizes in bytes of the arrays that parameters point to, by parameter.
    bytes: BTreeMap<usize, u64>,
    /// Formulas of buffers' lengths in the kernel's own arguments, by parameter.
    lengths: BTreeMap<usize, LengthFormula>,
}

impl<'a> Parameters<'a> {
    fn new(kernel: &'a Kernel, variant: &'a Variant, unit: &Unit, accesses: &Accesses) -> Self {
        let arrays = accesses.arrays.iter();
        let bytes = arrays.filter_map(|it| Some((it.parameter?, it.element_bytes)));
        let bytes: BTreeMap<usize, u64> = bytes.collect();
        let arguments = variant.steps.first().map(|step| &step.arguments);
        let lengths = bytes.iter().filter_map(|(&parameter, &bytes)| {
            let buffer = &kernel.arguments[*arguments?.get(parameter)?];
            let length = length_formula(kernel, variant, buffer, bytes.max(1), (unit, accesses))?;
            Some((parameter, length))
        });
        Self {
            kernel,
            variant,
            lengths: lengths.collect(),
            bytes,
        }
    }

    /// All steps of launches in the form of the analysis, without those that rounds repeat.
    fn different_launches(&self, launches: &[Launch]) -> Vec<KernelLaunch> {
        let mut all: Vec<KernelLaunch> = Vec::new();
        for launch in launches {
            for step in &launch.steps {
                let one = self.launch(launch, step);
                if !all.iter().rev().take(16).any(|it| *it == one) {
                    all.push(one);
                }
            }
        }
        all
    }

    /// A launch in the form of the analysis.
    fn launch(&self, launch: &Launch, step: &Step) -> KernelLaunch {
        let is_alone = launch.steps.len() == 1;
        let arguments = step.arguments.iter().enumerate();
        let buffers = arguments.map(|(parameter, argument)| {
            let LaunchArgument::Buffer(number) = argument else {
                return None;
            };
            let buffer = &launch.buffers[*number];
            let mut arguments = self.kernel.arguments.iter();
            let argument =
                arguments.find(|it| it.name == buffer.name && it.is_of(&self.variant.name))?;
            let bytes = self.bytes.get(&parameter).copied().unwrap_or(1).max(1);
            let mut variants = self.kernel.variants.iter();
            let is_everybodys = variants.all(|it| argument.is_of(&it.name));
            // What is not written holds what it held, and what one launch writes the next one may read.
            let is_kept = buffer.access == Access::WritePartly || !is_alone;
            let length = self.lengths.get(&parameter).filter(|_| is_alone);
            Some(Buffer {
                number: *number,
                elements: buffer.bytes() as u64 / bytes,
                is_filled: buffer.access.is_filled() || is_kept,
                is_output: buffer.access.writes() && (is_everybodys || !is_alone),
                length_formula: length.cloned(),
            })
        });
        KernelLaunch {
            geometry: Geometry::of(step),
            buffers: buffers.collect(),
        }
    }
}
