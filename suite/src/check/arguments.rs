//! `[[arguments]]`.

use toml::{Spanned, Value};

use super::{Checker, is_identifier};
use crate::{
    Access, Argument, ArgumentKind, Base, Element, Formula, Mistake, ScalarValue, file,
    launch::ROUND,
};

mod fill;

pub(super) fn arguments(
    checker: Checker,
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
        arguments.push(Argument {
            name: name.get_ref().clone(),
            kind: Table {
                checker,
                span: table.span(),
                table: table.get_ref(),
            }
            .kind()?,
            variants: names.collect(),
        });
    }
    Ok(arguments)
}

struct Table<'a> {
    checker: Checker<'a>,
    span: std::ops::Range<usize>,
    table: &'a file::Argument,
}

impl Table<'_> {
    fn kind(&self) -> Result<ArgumentKind, Mistake> {
        match (&self.table.buffer, &self.table.scalar, &self.table.local) {
            (Some(element), None, None) => self.buffer(self.element(element)?),
            (None, Some(base), None) => self.scalar(base),
            (None, None, Some(element)) => {
                self.has_no("fill", self.table.fill.as_ref())?;
                self.has_no("access", self.table.access.as_ref())?;
                self.has_no("value", self.table.value.as_ref())?;
                Ok(ArgumentKind::Local {
                    element: self.element(element)?,
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

    fn buffer(&self, element: Element) -> Result<ArgumentKind, Mistake> {
        self.has_no("value", self.table.value.as_ref())?;
        let access = self
            .table
            .access
            .as_ref()
            .map_or(Access::Read, |access| *access.get_ref());
        let fill = match (&self.table.fill, access) {
            (Some(fill), Access::Write) => {
                let what = format!("`{}` is written only, and has a fill", self.name());
                let expected = "no fill, or access = \"read_write\"";
                return Err(self.checker.mistake(fill.span(), &what, expected));
            }
            (None, Access::Write) => None,
            (Some(fill), _) => Some(fill::fill(self.checker, self.name(), element.base, fill)?),
            (None, _) => {
                let expected = "fill = { uniform = [low, high] }, { values = [..] } or \
                                { expression = \"..\" } (or access = \"write\")";
                return Err(self.mistake("is read, and has no fill", expected));
            }
        };
        Ok(ArgumentKind::Buffer {
            element,
            length: self.length()?,
            access,
            fill,
        })
    }

    fn scalar(&self, base: &Spanned<String>) -> Result<ArgumentKind, Mistake> {
        self.has_no("fill", self.table.fill.as_ref())?;
        self.has_no("access", self.table.access.as_ref())?;
        self.has_no("length", self.table.length.as_ref())?;
        let element = self.element(base)?;
        if element.lanes > 1 {
            let what = format!("`{element}` is no scalar type");
            let expected = format!("{}, or a buffer", element.base);
            return Err(self.checker.mistake(base.span(), &what, &expected));
        }
        let Some(value) = &self.table.value else {
            return Err(self.mistake("has no value", "value = \"EXPRESSION\""));
        };
        let value = self.value(element.base, value)?;
        Ok(ArgumentKind::Scalar {
            base: element.base,
            value,
        })
    }

    fn value(&self, base: Base, value: &Spanned<Value>) -> Result<ScalarValue, Mistake> {
        match value.get_ref() {
            Value::Float(real) if base.is_float() && real.is_finite() => {
                Ok(ScalarValue::Real(*real))
            }
            Value::String(text) => {
                let text = Spanned::new(value.span(), text.clone());
                let field = self.field("value");
                self.checker
                    .formula_over(&self.checker.with(ROUND), field, &text)
                    .map(ScalarValue::Formula)
            }
            other => {
                let what = format!("`{}` is {other}", self.field("value"));
                let expected = if base.is_float() {
                    "an expression in quotes, or a number like 0.5"
                } else {
                    "an expression in quotes"
                };
                Err(self.checker.mistake(value.span(), &what, expected))
            }
        }
    }

    fn length(&self) -> Result<Formula, Mistake> {
        match &self.table.length {
            Some(length) => self.checker.formula(self.field("length"), length),
            None => Err(self.mistake("has no length", "length = \"EXPRESSION\" (elements)")),
        }
    }

    fn element(&self, text: &Spanned<String>) -> Result<Element, Mistake> {
        text.get_ref().parse().map_err(|expected| {
            let what = format!("`{}` is no element type", text.get_ref());
            self.checker.mistake(text.span(), &what, expected)
        })
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
