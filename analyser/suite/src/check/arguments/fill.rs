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
    of: &Type,
    fill: &Spanned<file::Fill>,
) -> Result<Fill, Mistake> {
    let before = before.iter().filter(|argument| holds_numbers(argument));
    let mut before: Vec<&str> = before.map(|argument| &*argument.name).collect();
    let structure = match of {
        Type::Element(element) => return numbers(checker, &before, argument, element.base, fill),
        Type::Struct(structure) => structure,
    };
    let fields = structure.fields.iter().map(|field| {
        let name = format!("{argument}.{}", field.name);
        let of_field = of_field(checker, structure, argument, &field.name, fill)?;
        let fill = numbers(checker, &before, &name, field.element.base, of_field);
        before.push(&field.name);
        fill
    });
    Ok(Fill::Fields(fields.collect::<Result<_, _>>()?))
}

/// The fill of a field, or of the structure in it that the field is of.
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
        let within = structure
            .fields
            .iter()
            .filter_map(|it| it.name.strip_prefix(&*path));
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
    let what = format!("`{argument}` can't be filled so");
    let expected = format!(
        "fill = {{ fields = {{ {} = {{ .. }} }} }}: one for each field of {}",
        names.join(" = { .. }, "),
        structure.name
    );
    checker.mistake(fill.span(), &what, &expected)
}

/// `before`: the names of what its expressions may use.
fn numbers(
    checker: Checker,
    before: &[&str],
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
            checker.fill(before, field("fill"), text).map(Fill::Formula)
        }
        file::Fill::Permutation if base.is_float() => Err(wrong(
            "uniform, values or another: a permutation is of whole numbers",
        )),
        file::Fill::Permutation => Ok(Fill::Permutation),
        file::Fill::File(text) => {
            let name = template(checker, &field("fill"), text)?;
            let is_by_size = name.to_string().contains('{');
            let files = checker.files.iter().filter(|(known, _)| {
                known.ends_with(".npy") && (is_by_size || known == text.get_ref())
            });
            let files = files.map(|(name, bytes)| (name.clone(), bytes.as_slice().into()));
            let files: BTreeMap<String, Arc<[u8]>> = files.collect();
            if files.is_empty() {
                let what = format!("the file {} is not there", text.get_ref());
                let expected =
                    "a NumPy file of this folder: \"NAME.npy\", or by size \"NAME_{n}.npy\"";
                return Err(checker.mistake(text.span(), &what, expected));
            }
            Ok(Fill::File { name, files })
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
