//! `fill = { .. }`.

use toml::{Spanned, Value};

use crate::{Argument, ArgumentKind, Base, Fill, Mistake, Number, Type, check::Checker, file};

pub(super) fn fill(
    checker: Checker,
    before: &[Argument],
    argument: &str,
    of: &Type,
    fill: &Spanned<file::Fill>,
) -> Result<Fill, Mistake> {
    let structure = match of {
        Type::Element(element) => return numbers(checker, before, argument, element.base, fill),
        Type::Struct(structure) => structure,
    };
    let names: Vec<&str> = structure
        .fields
        .iter()
        .map(|field| field.name.as_str())
        .collect();
    match fill.get_ref() {
        file::Fill::Fields(fills)
            if fills.len() == names.len() && names.iter().all(|name| fills.contains_key(*name)) =>
        {
            let fields = structure.fields.iter();
            let fields = fields.map(|field| {
                let name = format!("{argument}.{}", field.name);
                numbers(
                    checker,
                    before,
                    &name,
                    field.element.base,
                    &fills[&field.name],
                )
            });
            Ok(Fill::Fields(fields.collect::<Result<_, _>>()?))
        }
        _ => {
            let what = format!("`{argument}` can't be filled so");
            let expected = format!(
                "fill = {{ fields = {{ {} = {{ .. }} }} }}: one for each field of {}",
                names.join(" = { .. }, "),
                structure.name
            );
            Err(checker.mistake(fill.span(), &what, &expected))
        }
    }
}

fn numbers(
    checker: Checker,
    before: &[Argument],
    argument: &str,
    base: Base,
    fill: &Spanned<file::Fill>,
) -> Result<Fill, Mistake> {
    let wrong = |expected: &str| {
        checker.mistake(
            fill.span(),
            &format!("`{argument}` can't be filled so"),
            expected,
        )
    };
    let field = |key: &str| format!("arguments.{argument}.{key}");
    let fits = if base.is_float() {
        format!("numbers that {base} can hold")
    } else {
        format!("whole numbers that {base} can hold")
    };
    match fill.get_ref() {
        file::Fill::Fields(_) => Err(wrong("a fill of numbers: only structures have fields")),
        file::Fill::Expression(text) => {
            let buffers: Vec<&str> = before
                .iter()
                .filter(|argument| holds_numbers(argument))
                .map(|argument| argument.name.as_str())
                .collect();
            checker
                .fill(&buffers, field("fill"), text)
                .map(Fill::Formula)
        }
        file::Fill::Permutation if base.is_float() => Err(wrong(
            "uniform, values or another: a permutation is of whole numbers",
        )),
        file::Fill::Permutation => Ok(Fill::Permutation),
        file::Fill::File(name) => {
            let found = checker
                .files
                .iter()
                .find(|(known, _)| known == name.get_ref());
            match found.filter(|(known, _)| known.ends_with(".npy")) {
                Some((name, bytes)) => Ok(Fill::File {
                    name: name.clone(),
                    bytes: bytes.as_slice().into(),
                }),
                None => {
                    let what = format!("the file {} is not there", name.get_ref());
                    let expected = "a NumPy file of this folder: \"NAME.npy\"";
                    Err(checker.mistake(name.span(), &what, expected))
                }
            }
        }
        file::Fill::PrefixSum(of) => {
            let of = numbers(checker, before, argument, base, of)?;
            Ok(Fill::PrefixSum(Box::new(of)))
        }
        file::Fill::Sections(sections) => {
            let lengths = sections.iter().map(|section| section.length.is_some());
            let last = sections.len().saturating_sub(1);
            if sections.is_empty()
                || !lengths
                    .enumerate()
                    .all(|(place, has)| has != (place == last))
            {
                return Err(wrong(
                    "sections = [{ length = \"..\", fill = { .. } }, .., { fill = { .. } }]: the last has no \
                     length and takes the rest",
                ));
            }
            let sections = sections.iter().map(|section| {
                let length = section.length.as_ref();
                let length = length.map(|length| checker.formula(field("fill.length"), length));
                let fill = numbers(checker, before, argument, base, &section.fill)?;
                Ok((length.transpose()?, fill))
            });
            Ok(Fill::Sections(sections.collect::<Result<_, _>>()?))
        }
        file::Fill::Uniform(bounds) if bounds.iter().any(Value::is_str) => {
            let bound = |bound: &Value| {
                let text = match bound {
                    Value::String(text) => text.clone(),
                    number => number.to_string(),
                };
                checker.formula(field("fill"), &Spanned::new(fill.span(), text))
            };
            Ok(Fill::Between(Box::new([
                bound(&bounds[0])?,
                bound(&bounds[1])?,
            ])))
        }
        file::Fill::Uniform([low, high]) => {
            let ends = number(base, low).zip(number(base, high));
            let ascending = ends.filter(|ends| match ends {
                (Number::Whole(low), Number::Whole(high)) => low < high,
                (low, high) => low.real() < high.real(),
            });
            let fill = ascending.map(|(low, high)| Fill::Uniform([low, high]));
            fill.ok_or_else(|| {
                wrong(&format!(
                    "uniform = [low, high] with low < high, both {fits}"
                ))
            })
        }
        file::Fill::Values(values) if values.is_empty() => Err(wrong("one value or more")),
        file::Fill::Values(values) => {
            let values = values.iter().map(|value| number(base, value));
            let values: Option<Vec<Number>> = values.collect();
            values.map(Fill::Values).ok_or_else(|| wrong(&fits))
        }
    }
}

/// A value that the type can hold; none of another.
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

/// Whether an expression may use what it was filled with.
fn holds_numbers(argument: &Argument) -> bool {
    matches!(
        argument.kind,
        ArgumentKind::Buffer {
            of: Type::Element(_),
            fill: Some(_),
            ..
        } | ArgumentKind::Image { fill: Some(_), .. }
    )
}
