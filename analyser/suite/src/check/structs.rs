//! `[[structs]]`.

use std::sync::Arc;

use toml::Spanned;

use super::Checker;
use crate::{Element, Mistake, Structure, Type, file};

/// Types that launch files do not know, each with what to write instead.
const UNKNOWN_TYPES: [(&str, &str); 4] = [
    ("bool", "uchar, which has the room of a bool"),
    ("size_t", "ulong, which it is on devices of 64 bits"),
    ("unsigned", "uint"),
    (
        "void",
        "what the kernel takes the pointer's bytes for, such as float",
    ),
];

/// The most elements of an array in a structure; longer arrays are buffers.
const MOST_ELEMENTS: usize = 4096;

/// The most bytes, and fields, of a structure with everything in it.
const MOST_BYTES: usize = 1 << 20;
const MOST_FIELDS: usize = 4096;

/// Whether a structure of these fields has a reasonable size: structures in structures multiply.
fn is_bounded(fields: &[(String, Type, usize)]) -> bool {
    let (mut bytes, mut parts) = (0_usize, 0_usize);
    for (_, ty, count) in fields {
        let each = match ty {
            Type::Element(_) => 1,
            Type::Struct(inner) => {
                let offsets = inner.fields.iter().map(|it| it.offsets.len());
                count.saturating_mul(offsets.sum())
            }
        };
        parts = parts.saturating_add(each);
        bytes = bytes.saturating_add(ty.bytes().saturating_mul(*count));
    }
    bytes <= MOST_BYTES && parts <= MOST_FIELDS
}

pub(super) fn structs(
    checker: Checker,
    tables: &[file::Struct],
) -> Result<Vec<Arc<Structure>>, Mistake> {
    let mut structs: Vec<Arc<Structure>> = Vec::new();
    for table in tables {
        let name = checker.identifier(&table.name, "structure")?;
        if structs.iter().any(|other| other.name == name) || name.parse::<Element>().is_ok() {
            let problem = format!("two types are called `{name}`");
            return Err(checker.mistake(table.name.span(), &problem, "another name"));
        }
        let mut fields: Vec<(String, Type, usize)> = Vec::new();
        for field in table.fields.get_ref() {
            let name = checker.identifier(&field.name, "field")?;
            if fields.iter().any(|(other, ..)| *other == name) {
                let problem = format!("two fields are called `{name}`");
                return Err(checker.mistake(field.name.span(), &problem, "another name"));
            }
            let (ty, count) = array(checker, &structs, &field.ty)?;
            fields.push((name, ty, count));
        }
        if fields.is_empty() {
            let problem = format!("structure `{name}` has no fields");
            let expected = "fields = [{ name = \"NAME\", type = \"TYPE\" }, ..]";
            return Err(checker.mistake(table.fields.span(), &problem, expected));
        }
        if !is_bounded(&fields) {
            let problem = format!("structure `{name}` is too large");
            let expected = format!(
                "at most {MOST_BYTES} bytes and {MOST_FIELDS} fields, those of structures in it too"
            );
            return Err(checker.mistake(table.fields.span(), &problem, &expected));
        }
        structs.push(Arc::new(Structure::new(name, fields)));
    }
    Ok(structs)
}

/// The type of the elements of a buffer, a scalar or local memory.
pub(super) fn type_named(
    checker: Checker,
    structs: &[Arc<Structure>],
    text: &Spanned<String>,
) -> Result<Type, Mistake> {
    named(checker, structs, text, text.get_ref())
}

fn named(
    checker: Checker,
    structs: &[Arc<Structure>],
    text: &Spanned<String>,
    name: &str,
) -> Result<Type, Mistake> {
    match structs.iter().find(|other| other.name == name) {
        Some(structure) => Ok(Type::Struct(structure.clone())),
        None => element(checker, text, name).map(Type::Element),
    }
}

/// The type and the length in `float4` or `float[3]`; it may be a structure defined before.
fn array(
    checker: Checker,
    structs: &[Arc<Structure>],
    text: &Spanned<String>,
) -> Result<(Type, usize), Mistake> {
    let Some((element, length)) = text.get_ref().split_once('[') else {
        return Ok((named(checker, structs, text, text.get_ref())?, 1));
    };
    let length = length.strip_suffix(']').and_then(|it| it.parse().ok());
    match length {
        Some(length @ 1..=MOST_ELEMENTS) => Ok((named(checker, structs, text, element)?, length)),
        _ => {
            let problem = format!("`{}` is no array", text.get_ref());
            let expected = format!("TYPE[N] with N from 1 to {MOST_ELEMENTS}");
            Err(checker.mistake(text.span(), &problem, &expected))
        }
    }
}

fn element(checker: Checker, text: &Spanned<String>, element: &str) -> Result<Element, Mistake> {
    element.parse().map_err(|expected: &str| {
        let alike = UNKNOWN_TYPES.iter().find(|(name, _)| *name == element);
        let expected = alike.map_or(expected, |it| it.1);
        let problem = format!("`{element}` is no element type");
        let expected = format!("{expected}; or a name of [[structs]], before it");
        checker.mistake(text.span(), &problem, &expected)
    })
}
