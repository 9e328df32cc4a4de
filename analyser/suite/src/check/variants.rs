//! `[variants.NAME]`.

use std::{collections::BTreeMap, path::Path};

use toml::Spanned;

use super::{Checker, is_word, template::template};
use crate::{
    Access, Argument, ArgumentKind, Mistake, Size, Template, Variant, VariantStep, file,
    launch::ROUND,
};

mod steps;

type Tables = Spanned<BTreeMap<Spanned<String>, file::Variant>>;

/// The variants' names.
pub(super) fn names<'a>(checker: Checker, tables: &'a Tables) -> Result<Vec<&'a str>, Mistake> {
    if tables.get_ref().is_empty() {
        return Err(checker.mistake(tables.span(), "no variants", "[variants.global] or another"));
    }
    let mut names: Vec<_> = tables.get_ref().keys().collect();
    names.sort_by_key(|name| order(name));
    names
        .into_iter()
        .map(|name| {
            if is_word(name.get_ref()) {
                return Ok(name.get_ref().as_str());
            }
            let problem = format!("`{}` is no variant's name", name.get_ref());
            let expected = "ASCII letters, digits, `_`, `-` and `.`";
            Err(checker.mistake(name.span(), &problem, expected))
        })
        .collect()
}

/// The order of variants: `global` first, the others as in the file.
fn order(name: &Spanned<String>) -> (bool, usize) {
    (name.get_ref() != "global", name.span().start)
}

/// The variants, in the order of their names.
pub(super) fn variants(
    checker: Checker,
    folder: &Path,
    (sizes, arguments): (&[Size], &[Argument]),
    tables: &Tables,
) -> Result<Vec<Variant>, Mistake> {
    let mut tables: Vec<_> = tables.get_ref().iter().collect();
    tables.sort_by_key(|(name, _)| order(name));
    tables
        .into_iter()
        .map(|(name, table)| variant(checker, folder, (sizes, arguments), name, table))
        .collect()
}

fn variant(
    checker: Checker,
    folder: &Path,
    of_kernel: (&[Size], &[Argument]),
    name: &Spanned<String>,
    table: &file::Variant,
) -> Result<Variant, Mistake> {
    let kernel = folder.file_name().unwrap_or_default().to_string_lossy();
    let (file, file_span) = match &table.file {
        Some(file) => (file.get_ref().clone(), file.span()),
        None => (format!("{kernel}.cl"), name.span()),
    };
    let source = folder.join(&file);
    if !source.is_file() {
        let problem = format!("the file {} is not there", source.display());
        let expected = "an OpenCL C file of this folder as `file` (NAME.cl without it)";
        return Err(checker.mistake(file_span, &problem, expected));
    }
    let field = |key: &str| format!("variants.{}.{key}", name.get_ref());
    let options = match &table.options {
        Some(options) => template(checker, &field("options"), options)?,
        None => Template::default(),
    };
    let rounds = table.rounds.as_ref();
    if let Some(rounds) = rounds
        && checker.parameters.contains(&ROUND)
    {
        let problem = format!(
            "`{}` repeats, and a parameter is called `{ROUND}`",
            name.get_ref()
        );
        let expected = format!("another name in [[sizes]]: `{ROUND}` counts the rounds, from 0");
        return Err(checker.mistake(rounds.span(), &problem, &expected));
    }
    let until = table.until.as_ref();
    let steps = steps::steps(checker, of_kernel, name, table)?;
    let until = until.map(|it| until_place(checker, (of_kernel.1, &steps), table, it));
    Ok(Variant {
        name: name.get_ref().clone(),
        source,
        options,
        until: until.transpose()?,
        steps,
        rounds: rounds
            .map(|rounds| checker.formula(field("rounds"), rounds))
            .transpose()?,
        span: name.span(),
    })
}

/// The place of the buffer that ends the rounds.
fn until_place(
    checker: Checker,
    (arguments, steps): (&[Argument], &[VariantStep]),
    table: &file::Variant,
    until: &Spanned<String>,
) -> Result<usize, Mistake> {
    let is_buffer = |it: &Argument| {
        let access = match &it.kind {
            ArgumentKind::Buffer { access, .. } => Some(*access),
            _ => None,
        };
        it.name == *until.get_ref() && access == Some(Access::ReadWrite)
    };
    let place = arguments.iter().position(is_buffer);
    let is_passed = |it: &usize| steps.iter().any(|step| step.arguments.contains(it));
    place.filter(|it| table.rounds.is_some() && is_passed(it)).ok_or_else(|| {
        let problem = format!("rounds until `{}`", until.get_ref());
        let expected = "a buffer of its steps with access = \"read_write\", which a round without more to do leaves as its fill has it; and `rounds`, the most that there may be";
        checker.mistake(until.span(), &problem, expected)
    })
}
