//! `[[arguments]]`.

use std::sync::Arc;

use toml::Spanned;

use super::{Checker, is_identifier, structs};
use crate::{Access, Argument, ArgumentKind, Formula, Mistake, Structure, Type, file};

mod fill;
mod value;

pub(super) fn arguments(
    checker: Checker,
    structs: &[Arc<Structure>],
    variants: &[&str],
    tables: &[Spanned<file::Argument>],
) -> Result<Vec<Argument>, Mistake> {
    let mut arguments: Vec<Argument> = Vec::new();
    for table in tables {
        let name = &table.get_ref().name;
        if !is_identifier(name.get_ref()) {
            let what = format!("`{}` is no argument's name", name.get_ref());
            return Err(checker.mistake(name.span(), &what, "letters, digits and `_`"));
        }
        if arguments
            .iter()
            .any(|argument| argument.name == *name.get_ref())
        {
            let what = format!("two arguments are called `{}`", name.get_ref());
            return Err(checker.mistake(name.span(), &what, "another name"));
        }
        for variant in &table.get_ref().variants {
            if !variants.contains(&variant.get_ref().as_str()) {
                let what = format!("there is no variant `{}`", variant.get_ref());
                let expected = format!("one of {}", variants.join(", "));
                return Err(checker.mistake(variant.span(), &what, &expected));
            }
        }
        let names = table
            .get_ref()
            .variants
            .iter()
            .map(|variant| variant.get_ref().clone());
        let kind = Table {
            checker,
            structs,
            before: &arguments,
            span: table.span(),
            table: table.get_ref(),
        }
        .kind()?;
        arguments.push(Argument {
            name: name.get_ref().clone(),
            kind,
            variants: names.collect(),
        });
    }
    Ok(arguments)
}

struct Table<'a> {
    checker: Checker<'a>,
    structs: &'a [Arc<Structure>],
    /// The arguments before it.
    before: &'a [Argument],
    span: std::ops::Range<usize>,
    table: &'a file::Argument,
}

impl Table<'_> {
    fn kind(&self) -> Result<ArgumentKind, Mistake> {
        match (&self.table.buffer, &self.table.scalar, &self.table.local) {
            (Some(of), None, None) => self.buffer(self.of(of)?),
            (None, Some(of), None) => self.scalar(self.of(of)?),
            (None, None, Some(of)) => {
                self.has_no("fill", self.table.fill.as_ref())?;
                self.has_no("access", self.table.access.as_ref())?;
                self.has_no("order", self.table.order.as_ref())?;
                self.has_no("value", self.table.value.as_ref())?;
                Ok(ArgumentKind::Local {
                    of: self.of(of)?,
                    length: self.length()?,
                })
            }
            (None, None, None) => Err(self.mistake(
                "is of no kind",
                "buffer = \"TYPE\", scalar = \"TYPE\" or local = \"TYPE\"",
            )),
            _ => Err(self.mistake("is of two kinds", "one of `buffer`, `scalar` and `local`")),
        }
    }

    fn buffer(&self, of: Type) -> Result<ArgumentKind, Mistake> {
        self.has_no("value", self.table.value.as_ref())?;
        let access = self
            .table
            .access
            .as_ref()
            .map_or(Access::Read, |access| *access.get_ref());
        let fill = match (&self.table.fill, access) {
            (Some(fill), access) if !access.is_filled() => {
                let what = format!("`{}` is written only, and has a fill", self.name());
                let expected = "no fill, or access = \"read_write\"";
                return Err(self.checker.mistake(fill.span(), &what, expected));
            }
            (None, access) if !access.is_filled() => None,
            (Some(fill), _) => Some(fill::fill(
                self.checker,
                self.before,
                self.name(),
                &of,
                fill,
            )?),
            (None, _) => {
                let expected = "fill = { uniform = [low, high] }, { values = [..] }, \
                                { expression = \"..\" } or another (or access = \"write\")";
                return Err(self.mistake("is read, and has no fill", expected));
            }
        };
        if let Some(order) = &self.table.order {
            let (what, expected) = match of {
                _ if !access.writes() => {
                    ("is only read", "order with access = \"write\" or another")
                }
                Type::Struct(_) => (
                    "is of structures",
                    "order of buffers of numbers and vectors",
                ),
                Type::Element(_) => ("", ""),
            };
            if !what.is_empty() {
                let what = format!("`{}` {what}, and has an order", self.name());
                return Err(self.checker.mistake(order.span(), &what, expected));
            }
        }
        Ok(ArgumentKind::Buffer {
            of,
            length: self.length()?,
            access,
            any_order: self.table.order.is_some(),
            fill,
        })
    }

    fn scalar(&self, of: Type) -> Result<ArgumentKind, Mistake> {
        self.has_no("fill", self.table.fill.as_ref())?;
        self.has_no("access", self.table.access.as_ref())?;
        self.has_no("order", self.table.order.as_ref())?;
        self.has_no("length", self.table.length.as_ref())?;
        let Some(value) = &self.table.value else {
            return Err(self.mistake("has no value", "value = \"EXPRESSION\""));
        };
        let values = value::values(self.checker, &self.field("value"), &of, value)?;
        Ok(ArgumentKind::Scalar { of, values })
    }

    fn length(&self) -> Result<Formula, Mistake> {
        match &self.table.length {
            Some(length) => self.checker.formula(self.field("length"), length),
            None => Err(self.mistake("has no length", "length = \"EXPRESSION\" (elements)")),
        }
    }

    fn of(&self, text: &Spanned<String>) -> Result<Type, Mistake> {
        structs::of(self.checker, self.structs, text)
    }

    fn has_no<T>(&self, key: &str, value: Option<&Spanned<T>>) -> Result<(), Mistake> {
        value.map_or(Ok(()), |value| {
            let what = format!("`{}` has a {key}", self.name());
            let expected = "a key of this kind of argument (docs/kernels.md)";
            Err(self.checker.mistake(value.span(), &what, expected))
        })
    }

    fn mistake(&self, problem: &str, expected: &str) -> Mistake {
        let what = format!("argument `{}` {problem}", self.name());
        self.checker.mistake(self.span.clone(), &what, expected)
    }

    fn name(&self) -> &str {
        self.table.name.get_ref()
    }

    fn field(&self, key: &str) -> String {
        format!("arguments.{}.{key}", self.name())
    }
}
