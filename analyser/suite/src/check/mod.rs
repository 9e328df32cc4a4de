//! Checks a launch file and makes a [`Kernel`] of it, or reports its first mistake.

use std::{ops::Range, path::Path};

use kerncast_wire::words::with_the_likely_one;
use toml::Spanned;

use super::{
    BadValue, Expression, Formula, Kernel, Launch, Mistake, Size, Tolerance, expression::Misspelt,
    file,
};

mod arguments;
mod sizes;
mod structs;
mod template;
mod variants;

/// Reads the launch file `text`, which is `path` in `folder`, where there are `files`. The source hash stays empty.
pub(super) fn kernel(
    folder: &Path,
    path: &Path,
    text: &str,
    files: &[(String, Vec<u8>)],
) -> Result<Kernel, Mistake> {
    let file: file::File = toml::from_str(text).map_err(|error| {
        let problem = with_the_likely_one(error.message());
        Mistake::new(path, text, error.span().unwrap_or(0..0), &problem, "")
    })?;
    let checker = Checker {
        path,
        text,
        parameters: &[],
        files,
    };
    let sizes = sizes::sizes(checker, &file.sizes)?;
    let parameters: Vec<&str> = sizes[0].parameters.keys().map(String::as_str).collect();
    let checker = Checker {
        parameters: &parameters,
        ..checker
    };
    let names = variants::names(checker, &file.variants)?;
    let structs = structs::structs(checker, &file.structs)?;
    let arguments = arguments::arguments(checker, &structs, &names, &file.arguments)?;
    let variants = variants::variants(checker, folder, (&sizes, &arguments), &file.variants)?;
    let family = file.family.as_ref().map(|it| checker.not_empty(it));
    let kernel = Kernel {
        name: checker.name(folder)?,
        title: checker.not_empty(&file.title)?,
        family: family.transpose()?,
        generated: file.generated,
        folder: folder.to_owned(),
        arguments,
        tolerance: Tolerance {
            absolute: checker.not_negative(file.tolerance.absolute.as_ref())?,
            relative: checker.not_negative(file.tolerance.relative.as_ref())?,
        },
        source_hash: String::new(),
        files: None,
        sizes: sizes.clone(),
        variants,
    };
    every_launch_has_its_values(checker, &kernel)?;
    Ok(kernel)
}

fn every_launch_has_its_values(checker: Checker, kernel: &Kernel) -> Result<(), Mistake> {
    for variant in &kernel.variants {
        let mut writes = false;
        for Size { parameters, .. } in &kernel.sizes {
            let launch =
                Launch::new(kernel, variant, parameters).map_err(|bad| checker.bad_value(&bad))?;
            writes = launch.buffers.iter().any(|buffer| buffer.access.writes());
        }
        if !writes {
            let problem = format!("variant `{}` has no output", variant.name);
            let expected = "a buffer with access = \"write\" or \"read_write\" among its arguments";
            return Err(checker.mistake(variant.span.clone(), &problem, expected));
        }
    }
    Ok(())
}

/// The context of every check: the file, for messages, and the parameters' names, for expressions.
#[derive(Clone, Copy)]
struct Checker<'a> {
    path: &'a Path,
    text: &'a str,
    parameters: &'a [&'a str],
    /// The folder's files: names and bytes.
    files: &'a [(String, Vec<u8>)],
}

impl Checker<'_> {
    fn mistake(self, span: Range<usize>, problem: &str, expected: &str) -> Mistake {
        let expected = format!("expected {expected}");
        Mistake::new(self.path, self.text, span, problem, &expected)
    }

    fn bad_value(self, bad: &BadValue) -> Mistake {
        let problem = format!("`{}` {}", bad.field, bad.problem);
        self.mistake(bad.span.clone(), &problem, &bad.expected)
    }

    /// A name that OpenCL C can have too; `bearer` says what has it.
    fn identifier(self, name: &Spanned<String>, bearer: &str) -> Result<String, Mistake> {
        if !is_identifier(name.get_ref()) {
            let problem = format!("`{}` is no {bearer}'s name", name.get_ref());
            return Err(self.mistake(name.span(), &problem, "letters, digits and `_`"));
        }
        Ok(name.get_ref().clone())
    }

    /// The parameters' names and `name`.
    fn with(&self, name: &'static str) -> Vec<&str> {
        self.parameters.iter().copied().chain([name]).collect()
    }

    fn formula(self, field: String, text: &Spanned<impl AsRef<str>>) -> Result<Formula, Mistake> {
        self.formula_over(self.parameters, field, text)
    }

    fn formula_over(
        self,
        names: &[&str],
        field: String,
        text: &Spanned<impl AsRef<str>>,
    ) -> Result<Formula, Mistake> {
        let parsed = Expression::parse(text.get_ref().as_ref(), names);
        self.at_its_place(field, text, parsed)
    }

    /// An expression of a fill, which may use the index `i` and `buffers` filled before.
    fn fill(
        self,
        buffers: &[&str],
        field: String,
        text: &Spanned<impl AsRef<str>>,
    ) -> Result<Formula, Mistake> {
        let parsed = Expression::parse_fill(text.get_ref().as_ref(), &self.with("i"), buffers);
        self.at_its_place(field, text, parsed)
    }

    fn at_its_place(
        self,
        field: String,
        text: &Spanned<impl AsRef<str>>,
        parsed: Result<Expression, Misspelt>,
    ) -> Result<Formula, Mistake> {
        match parsed {
            Ok(expression) => Ok(Formula {
                expression,
                field,
                span: text.span(),
            }),
            Err(misspelt) => {
                // Within the quotes, unless escapes or `"""` have moved things.
                let start = text.span().start + 1;
                let source = text.get_ref().as_ref();
                let literal = self.text.get(start..start + source.len());
                let span = if literal == Some(source) {
                    start + misspelt.at..start + misspelt.at + 1
                } else {
                    text.span()
                };
                let problem = format!("`{field}` is no expression");
                Err(self.mistake(span, &problem, &misspelt.expected))
            }
        }
    }

    fn name(self, folder: &Path) -> Result<String, Mistake> {
        let name = folder.file_name().and_then(|name| name.to_str());
        let name = name.unwrap_or_default();
        if is_word(name) {
            return Ok(name.to_owned());
        }
        let problem = format!("the folder's name `{name}` is no kernel name");
        let expected = "ASCII letters, digits, `_`, `-` and `.` in the folder's name";
        Err(self.mistake(0..0, &problem, expected))
    }

    fn not_empty(self, text: &Spanned<String>) -> Result<String, Mistake> {
        if text.get_ref().trim().is_empty() {
            return Err(self.mistake(text.span(), "empty text", "some words"));
        }
        Ok(text.get_ref().clone())
    }

    fn not_negative(self, number: Option<&Spanned<f64>>) -> Result<f64, Mistake> {
        match number {
            None => Ok(0.0),
            Some(number) if number.get_ref().is_finite() && *number.get_ref() >= 0.0 => {
                Ok(*number.get_ref())
            }
            Some(number) => {
                let problem = format!("a tolerance of {}", number.get_ref());
                Err(self.mistake(number.span(), &problem, "a number of 0 or more"))
            }
        }
    }
}

/// Whether a text may be a kernel's or a variant's name.
fn is_word(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
}

/// Whether a text may be a parameter's, an argument's or a function's name.
fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic())
        && name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
}
