//! `[variants.NAME]`.

use std::{collections::BTreeMap, path::Path};

use toml::Spanned;

use super::{Checker, is_identifier, is_word, template::template};
use crate::{Formula, Mistake, Template, Variant, file};

/// `global` first, the others as the file has them.
pub(super) fn variants(
    checker: Checker,
    folder: &Path,
    tables: &Spanned<BTreeMap<Spanned<String>, file::Variant>>,
) -> Result<Vec<Variant>, Mistake> {
    let mut variants: Vec<Variant> = tables
        .get_ref()
        .iter()
        .map(|(name, table)| variant(checker, folder, name, table))
        .collect::<Result<_, _>>()?;
    if variants.is_empty() {
        return Err(checker.mistake(tables.span(), "no variants", "[variants.global] or another"));
    }
    variants.sort_by_key(|variant| (variant.name != "global", variant.span.start));
    Ok(variants)
}

fn variant(
    checker: Checker,
    folder: &Path,
    name: &Spanned<String>,
    table: &file::Variant,
) -> Result<Variant, Mistake> {
    if !is_word(name.get_ref()) {
        let what = format!("`{}` is no variant's name", name.get_ref());
        return Err(checker.mistake(
            name.span(),
            &what,
            "ASCII letters, digits, `_`, `-` and `.`",
        ));
    }
    let function = &table.function;
    if !is_identifier(function.get_ref()) {
        let what = format!("`{}` is no function's name", function.get_ref());
        return Err(checker.mistake(function.span(), &what, "a name of OpenCL C"));
    }
    let kernel = folder.file_name().unwrap_or_default().to_string_lossy();
    let (file, file_span) = match &table.file {
        Some(file) => (file.get_ref().clone(), file.span()),
        None => (format!("{kernel}.cl"), name.span()),
    };
    let source = folder.join(&file);
    if !source.is_file() {
        let what = format!("the file {} is not there", source.display());
        let expected = "an OpenCL C file of this folder as `file` (NAME.cl without it)";
        return Err(checker.mistake(file_span, &what, expected));
    }
    let dimensions = |field: &str, sizes: &Spanned<Vec<Spanned<String>>>| {
        if !(1..=3).contains(&sizes.get_ref().len()) {
            let what = format!("`{field}` has {} dimensions", sizes.get_ref().len());
            return Err(checker.mistake(sizes.span(), &what, "1 to 3 expressions"));
        }
        let field = format!("variants.{}.{field}", name.get_ref());
        sizes
            .get_ref()
            .iter()
            .map(|size| checker.formula(field.clone(), size))
            .collect()
    };
    let global: Vec<Formula> = dimensions("global", &table.global)?;
    let local: Vec<Formula> = dimensions("local", &table.local)?;
    if global.len() != local.len() {
        let what = format!("`local` has {} dimensions", local.len());
        let expected = format!("{}, as many as `global`", global.len());
        return Err(checker.mistake(table.local.span(), &what, &expected));
    }
    let options = match &table.options {
        Some(options) => template(
            checker,
            &format!("variants.{}.options", name.get_ref()),
            options,
        )?,
        None => Template::default(),
    };
    Ok(Variant {
        name: name.get_ref().clone(),
        function: function.get_ref().clone(),
        source,
        options,
        global,
        local,
        span: name.span(),
    })
}
