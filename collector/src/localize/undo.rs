//! Variants without local memory, made of one that has some.

use std::mem;

use anyhow::{Result, bail};
use kerncast_analysis::localize::{
    Form, Localized, Reason, Refusal, Rule, edited, is_global, undo,
};
use kerncast_suite::{ArgumentKind, Kernel, Launch, Variant};

use super::{Made, Read, Rewritten, Wishes, write};
use crate::{clang::Clang, scratch::Scratch};

/// Rewrites a variant so that it needs no local memory.
///
/// # Errors
/// The source can't be read, or the launch file has no usable value.
pub fn undone(clang: &Clang, kernel: &Kernel, variant: &Variant) -> Result<Rewritten> {
    let mut read = Read::of(clang, kernel, variant, None)?;
    let wishes = Wishes {
        most_bytes: 0,
        only: Vec::new(),
        rule: Rule::Shared,
        tile: None,
        form: Form::default(),
    };
    let localized = undo(read.subject(&wishes));
    let after = match localized.placed.is_empty() {
        true => None,
        false => edited(&read.source, &localized.edits),
    };
    let mut rewritten = Rewritten {
        made: Made::Global,
        of: variant.name.clone(),
        localized,
        before: mem::take(&mut read.source),
        after,
        tile: None,
    };
    lengths(kernel, variant, &rewritten)?;
    if rewritten.after.is_some() && !is_rid_of_it(clang, kernel, variant, &rewritten)? {
        let function = read.unit.function(&read.accesses.function);
        let place = function.map(|it| it.span.begin.clone());
        rewritten.after = None;
        rewritten.localized = Localized::default();
        rewritten.localized.refusals.push(Refusal {
            array: None,
            reason: Reason::StaysLocal,
            place: place.unwrap_or_default(),
        });
    }
    Ok(rewritten)
}

/// Whether clang reads it, and finds no local memory.
fn is_rid_of_it(
    clang: &Clang,
    kernel: &Kernel,
    variant: &Variant,
    rewritten: &Rewritten,
) -> Result<bool> {
    let scratch = Scratch::new()?;
    write(kernel, rewritten, scratch.path())?;
    let path = scratch.path().join(Made::Global.source_name(variant));
    let first = kernel.sizes.first().map(|size| &size.parameters);
    let Some(parameters) = first else {
        return Ok(false);
    };
    let launch = Launch::new(kernel, variant, parameters)?;
    let unit = clang.read_file(&path, &launch.options, scratch.path());
    let function = launch.only_step().map(|step| step.function.clone());
    Ok(unit.is_ok_and(|unit| function.is_some_and(|it| is_global(&unit, &it))))
}

/// A launch file counts a local argument's elements in its own type: they must be the kernel's.
fn lengths(kernel: &Kernel, variant: &Variant, rewritten: &Rewritten) -> Result<()> {
    let Some(step) = variant.steps.first() else {
        return Ok(());
    };
    for scratch in &rewritten.localized.scratch {
        let Some(place) = scratch.replaces else {
            continue;
        };
        let argument = step.arguments.get(place).map(|at| &kernel.arguments[*at]);
        if let Some(argument) = argument
            && let ArgumentKind::Local { of, .. } = &argument.kind
            && of.bytes() as u64 != scratch.element_bytes
        {
            bail!(
                "--undo: the launch file counts `{}` in elements of {} bytes, and the kernel's have {}",
                argument.name,
                of.bytes(),
                scratch.element_bytes
            );
        }
    }
    Ok(())
}
