//! `[[arguments]]`.

use std::{ops::Range, sync::Arc};

use toml::Spanned;

use super::{Checker, structs};
use crate::{Access, Argument, ArgumentKind, Fill, Formula, Mistake, Structure, Type, file};

mod fill;
mod image;
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
        checker.identifier(name, "argument")?;
        let of_variants = &table.get_ref().variants;
        let shares = |other: &Argument| {
            of_variants.is_empty() || of_variants.iter().any(|it| other.is_of(it.get_ref()))
        };
        let mut others = arguments.iter();
        if others.any(|other| other.name == *name.get_ref() && shares(other)) {
            let problem = format!("two arguments are called `{}`", name.get_ref());
            let expected = "another name, or variants of its own for each";
            return Err(checker.mistake(name.span(), &problem, expected));
        }
        for variant in &table.get_ref().variants {
            if !variants.contains(&variant.get_ref().as_str()) {
                let problem = format!("there is no variant `{}`", variant.get_ref());
                let expected = format!("one of {}", variants.join(", "));
                return Err(checker.mistake(variant.span(), &problem, &expected));
            }
        }
        let variants = table.get_ref().variants.iter();
        let names = variants.map(|variant| variant.get_ref().clone());
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
    /// The arguments before this one.
    before: &'a [Argument],
    span: Range<usize>,
    table: &'a file::Argument,
}

impl Table<'_> {
    fn kind(&self) -> Result<ArgumentKind, Mistake> {
        let file::Argument {
            buffer,
            image,
            sampler,
            scalar,
            local,
            ..
        } = self.table;
        let kinds = [buffer, image, scalar, local];
        let kinds = kinds.iter().filter(|kind| kind.is_some()).count();
        match kinds + usize::from(sampler.is_some()) {
            0 => {
                let expected = "buffer = \"TYPE\", image = \"FORMAT\", sampler = { .. }, scalar = \"TYPE\" or \
                                local = \"TYPE\"";
                return Err(self.mistake("is of no kind", expected));
            }
            1 => {}
            _ => {
                let expected = "one of `buffer`, `image`, `sampler`, `scalar` and `local`";
                return Err(self.mistake("is of two kinds", expected));
            }
        }
        if let Some(ty) = buffer {
            self.has_only(&["length", "fill", "access", "order"])?;
            self.buffer(self.type_named(ty)?)
        } else if let Some(format) = image {
            self.has_only(&["width", "height", "fill", "access"])?;
            self.image(format)
        } else if let Some(sampler) = sampler {
            self.has_only(&[])?;
            self.sampler(sampler)
        } else if let Some(ty) = scalar {
            self.has_only(&["value"])?;
            self.scalar(self.type_named(ty)?)
        } else {
            self.has_only(&["length"])?;
            let ty = local.as_ref().expect("it is of one kind");
            Ok(ArgumentKind::Local {
                ty: self.type_named(ty)?,
                length: self.length()?,
            })
        }
    }

    fn buffer(&self, ty: Type) -> Result<ArgumentKind, Mistake> {
        let (access, fill) = (self.access(), self.fill(&ty)?);
        if let Some(order) = &self.table.order {
            let (problem, expected) = match ty {
                _ if !access.writes() => {
                    ("is only read", "order with access = \"write\" or another")
                }
                Type::Struct(_) => (
                    "is of structures",
                    "order of buffers of numbers and vectors",
                ),
                Type::Element(_) => ("", ""),
            };
            if !problem.is_empty() {
                let problem = format!("`{}` {problem}, and has an order", self.name());
                return Err(self.checker.mistake(order.span(), &problem, expected));
            }
        }
        Ok(ArgumentKind::Buffer {
            ty,
            length: self.length()?,
            access,
            any_order: self.table.order.is_some(),
            fill,
        })
    }

    fn access(&self) -> Access {
        let access = self.table.access.as_ref();
        access.map_or(Access::Read, |access| *access.get_ref())
    }

    /// The fill of a buffer that the kernel does not only write.
    fn fill(&self, ty: &Type) -> Result<Option<Fill>, Mistake> {
        match (&self.table.fill, self.access().is_filled()) {
            (Some(fill), true) => {
                fill::fill(self.checker, self.before, self.name(), ty, fill).map(Some)
            }
            (None, false) => Ok(None),
            (Some(fill), false) => {
                let problem = format!("`{}` is written only, and has a fill", self.name());
                let expected = "no fill, or access = \"read_write\"";
                Err(self.checker.mistake(fill.span(), &problem, expected))
            }
            (None, true) => {
                let expected = "fill = { uniform = [low, high] }, { values = [..] }, \
                                { expression = \"..\" } or another (or access = \"write\")";
                Err(self.mistake("is read, and has no fill", expected))
            }
        }
    }

    fn scalar(&self, ty: Type) -> Result<ArgumentKind, Mistake> {
        let Some(value) = &self.table.value else {
            return Err(self.mistake("has no value", "value = \"EXPRESSION\""));
        };
        let values = value::values(self.checker, &self.field("value"), &ty, value)?;
        Ok(ArgumentKind::Scalar { ty, values })
    }

    fn length(&self) -> Result<Formula, Mistake> {
        match &self.table.length {
            Some(length) => self.checker.formula(self.field("length"), length),
            None => Err(self.mistake("has no length", "length = \"EXPRESSION\" (elements)")),
        }
    }

    fn type_named(&self, text: &Spanned<String>) -> Result<Type, Mistake> {
        structs::type_named(self.checker, self.structs, text)
    }

    /// Checks that the table has none of the keys of other kinds of argument.
    fn has_only(&self, keys: &[&str]) -> Result<(), Mistake> {
        fn span<T>(value: Option<&Spanned<T>>) -> Option<Range<usize>> {
            value.map(Spanned::span)
        }
        let table = self.table;
        let all = [
            ("length", span(table.length.as_ref())),
            ("width", span(table.width.as_ref())),
            ("height", span(table.height.as_ref())),
            ("fill", span(table.fill.as_ref())),
            ("access", span(table.access.as_ref())),
            ("order", span(table.order.as_ref())),
            ("value", span(table.value.as_ref())),
        ];
        for (key, span) in all {
            if let Some(span) = span.filter(|_| !keys.contains(&key)) {
                let problem = format!("`{}` has a {key}", self.name());
                let expected = "a key of this kind of argument (docs/kernels.md)";
                return Err(self.checker.mistake(span, &problem, expected));
            }
        }
        Ok(())
    }

    fn mistake(&self, problem: &str, expected: &str) -> Mistake {
        let problem = format!("argument `{}` {problem}", self.name());
        self.checker.mistake(self.span.clone(), &problem, expected)
    }

    fn name(&self) -> &str {
        self.table.name.get_ref()
    }

    fn field(&self, key: &str) -> String {
        format!("arguments.{}.{key}", self.name())
    }
}
