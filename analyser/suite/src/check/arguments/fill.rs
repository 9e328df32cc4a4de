//! `fill = { .. }`.

use std::{collections::BTreeMap, sync::Arc};

use toml::{Spanned, Value};

use crate::{
    Argument, ArgumentKind, Base, Fill, Mistake, Number, Structure, Type,
    check::{Checker, template::template},
    file,
};

pub(super) fn fill(
    checker: Checker,
    before: &[Argument],
    argument: &str,
    ty: &Type,
    fill: &Spanned<file::Fill>,
) -> Result<Fill, Mistake> {
    let before = before.iter().filter(|argument| holds_numbers(argument));
    let mut before: Vec<&str> = before.map(|argument| &*argument.name).collect();
    let structure = match ty {
        Type::Struct(structure) => structure,
        Type::Element(element) => {
            let numbers = Numbers {
                checker,
                before: &before,
                argument,
                base: element.base,
            };
            return numbers.fill(fill);
        }
    };
    let fields = structure.fields.iter().map(|field| {
        let name = format!("{argument}.{}", field.name);
        let of_field = of_field(checker, structure, argument, &field.name, fill)?;
        let numbers = Numbers {
            checker,
            before: &before,
            argument: &name,
            base: field.element.base,
        };
        let fill = numbers.fill(of_field);
        before.push(&field.name);
        fill
    });
    Ok(Fill::Fields(fields.collect::<Result<_, _>>()?))
}

/// The fill of a field, or of the structure in it that the field belongs to.
fn of_field<'a>(
    checker: Checker,
    structure: &Structure,
    argument: &str,
    name: &str,
    fill: &'a Spanned<file::Fill>,
) -> Result<&'a Spanned<file::Fill>, Mistake> {
    let mut fill = fill;
    let mut siblings = structure.names();
    let mut path = String::new();
    for part in name.split('.') {
        let fills = match fill.get_ref() {
            file::Fill::Fields(fills) => fills,
            // One for all numbers of the structure in it.
            _ if !path.is_empty() => break,
            _ => return Err(unlike(checker, structure, argument, &siblings, fill)),
        };
        let is_all =
            fills.len() == siblings.len() && siblings.iter().all(|name| fills.contains_key(*name));
        if !is_all {
            return Err(unlike(checker, structure, argument, &siblings, fill));
        }
        fill = &fills[part];
        path += part;
        path += ".";
        let fields = structure.fields.iter();
        let within = fields.filter_map(|it| it.name.strip_prefix(&*path));
        siblings = within.filter_map(|it| it.split('.').next()).collect();
        siblings.dedup();
    }
    Ok(fill)
}

fn unlike(
    checker: Checker,
    structure: &Structure,
    argument: &str,
    names: &[&str],
    fill: &Spanned<file::Fill>,
) -> Mistake {
    let problem = format!("`{argument}` can't be filled so");
    let expected = format!(
        "fill = {{ fields = {{ {} = {{ .. }} }} }}: one for each field of {}",
        names.join(" = { .. }, "),
        structure.name
    );
    checker.mistake(fill.span(), &problem, &expected)
}

/// A fill of numbers of one type.
struct Numbers<'a> {
    checker: Checker<'a>,
    /// The names of buffers that its expressions may use.
    before: &'a [&'a str],
    argument: &'a str,
    base: Base,
}

impl Numbers<'_> {
    fn fill(&self, fill: &Spanned<file::Fill>) -> Result<Fill, Mistake> {
        match fill.get_ref() {
            file::Fill::Fields(_) => {
                Err(self.mistake(fill, "a fill of numbers: only structures have fields"))
            }
            file::Fill::Expression(text) => {
                let formula = self.checker.fill(self.before, self.field("fill"), text)?;
                Ok(Fill::Formula(formula))
            }
            file::Fill::Permutation if self.base.is_float() => Err(self.mistake(
                fill,
                "uniform, values or another: a permutation is of whole numbers",
            )),
            file::Fill::Permutation => Ok(Fill::Permutation),
            file::Fill::File(text) => self.file(text),
            file::Fill::PrefixSum(fill) => Ok(Fill::PrefixSum(Box::new(self.fill(fill)?))),
            file::Fill::Sections(sections) => self.sections(fill, sections),
            file::Fill::Uniform(bounds) => self.uniform(fill, bounds),
            file::Fill::Values(values) if values.is_empty() => {
                Err(self.mistake(fill, "one value or more"))
            }
            file::Fill::Values(values) => {
                let numbers = values.iter().map(|value| number(self.base, value));
                let numbers: Option<Vec<Number>> = numbers.collect();
                numbers
                    .map(Fill::Values)
                    .ok_or_else(|| self.mistake(fill, &self.what_fits()))
            }
        }
    }

    fn file(&self, text: &Spanned<String>) -> Result<Fill, Mistake> {
        let name = template(self.checker, &self.field("fill"), text)?;
        let is_by_size = name.to_string().contains('{');
        let files =
            self.checker.files.iter().filter(|(file, _)| {
                file.ends_with(".npy") && (is_by_size || file == text.get_ref())
            });
        let files = files.map(|(name, bytes)| (name.clone(), bytes.as_slice().into()));
        let files: BTreeMap<String, Arc<[u8]>> = files.collect();
        if files.is_empty() {
            let problem = format!("the file {} is not there", text.get_ref());
            let expected = "a NumPy file of this folder: \"NAME.npy\", or by size \"NAME_{n}.npy\"";
            return Err(self.checker.mistake(text.span(), &problem, expected));
        }
        Ok(Fill::File { name, files })
    }

    fn sections(
        &self,
        fill: &Spanned<file::Fill>,
        sections: &[file::Section],
    ) -> Result<Fill, Mistake> {
        let is_last = (1..=sections.len()).map(|place| place == sections.len());
        let mut lengths = sections.iter().map(|it| it.length.is_some()).zip(is_last);
        if sections.is_empty() || lengths.any(|(has_length, is_last)| has_length == is_last) {
            return Err(self.mistake(
                fill,
                "sections = [{ length = \"..\", fill = { .. } }, .., { fill = { .. } }]: the last has no length and \
                 takes the rest",
            ));
        }
        let sections = sections.iter().map(|section| {
            let length = section.length.as_ref();
            let length = length.map(|it| self.checker.formula(self.field("fill.length"), it));
            let fill = self.fill(&section.fill)?;
            Ok((length.transpose()?, fill))
        });
        Ok(Fill::Sections(sections.collect::<Result<_, _>>()?))
    }

    /// The fill between two numbers, or between two expressions.
    fn uniform(&self, fill: &Spanned<file::Fill>, bounds: &[Value; 2]) -> Result<Fill, Mistake> {
        if bounds.iter().any(Value::is_str) {
            let bound = |bound: &Value| {
                let text = match bound {
                    Value::String(text) => text.clone(),
                    number => number.to_string(),
                };
                let text = Spanned::new(fill.span(), text);
                self.checker.formula(self.field("fill"), &text)
            };
            let bounds = [bound(&bounds[0])?, bound(&bounds[1])?];
            return Ok(Fill::Between(Box::new(bounds)));
        }
        let ends = number(self.base, &bounds[0]).zip(number(self.base, &bounds[1]));
        let ascending = ends.filter(|ends| match ends {
            (Number::Whole(low), Number::Whole(high)) => low < high,
            (low, high) => low.real() < high.real(),
        });
        let fits = self.what_fits();
        let expected = format!("uniform = [low, high] with low < high, both {fits}");
        let uniform = ascending.map(|(low, high)| Fill::Uniform([low, high]));
        uniform.ok_or_else(|| self.mistake(fill, &expected))
    }

    fn what_fits(&self) -> String {
        let kind = if self.base.is_float() {
            "numbers"
        } else {
            "whole numbers"
        };
        format!("{kind} that {} can hold", self.base)
    }

    fn field(&self, key: &str) -> String {
        format!("arguments.{}.{key}", self.argument)
    }

    fn mistake(&self, fill: &Spanned<file::Fill>, expected: &str) -> Mistake {
        let problem = format!("`{}` can't be filled so", self.argument);
        self.checker.mistake(fill.span(), &problem, expected)
    }
}

/// A value that the type can hold; none otherwise.
fn number(base: Base, value: &Value) -> Option<Number> {
    let number = match value {
        Value::Float(real) => Number::Real(*real),
        // Exact up to 2⁵³, and nearest above.
        Value::Integer(whole) if base.is_float() => Number::Real(*whole as f64),
        Value::Integer(whole) => Number::Whole(*whole),
        _ => return None,
    };
    base.holds(number).then_some(number)
}

/// Whether an expression may use the contents of an argument.
fn holds_numbers(argument: &Argument) -> bool {
    matches!(
        argument.kind,
        ArgumentKind::Buffer {
            ty: Type::Element(_),
            fill: Some(_),
            ..
        } | ArgumentKind::Image { fill: Some(_), .. }
    )
}
