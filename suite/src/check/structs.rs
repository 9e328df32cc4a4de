//! `[[structs]]`.

use std::sync::Arc;

use toml::Spanned;

use super::{Checker, is_identifier};
use crate::{Element, Mistake, Structure, Type, file};

/// Longer arrays are buffers.
const MOST_ELEMENTS: usize = 4096;

pub(super) fn structs(
    checker: Checker,
    tables: &[file::Struct],
) -> Result<Vec<Arc<Structure>>, Mistake> {
    let mut structs: Vec<Arc<Structure>> = Vec::new();
    for table in tables {
        let name = name(checker, &table.name, "structure")?;
        if structs.iter().any(|known| known.name == name) || name.parse::<Element>().is_ok() {
            let what = format!("two types are called `{name}`");
            return Err(checker.mistake(table.name.span(), &what, "another name"));
        }
        let mut fields: Vec<(String, Element, usize)> = Vec::new();
        for field in table.fields.get_ref() {
            let name = self::name(checker, &field.name, "field")?;
            if fields.iter().any(|(known, ..)| *known == name) {
                let what = format!("two fields are called `{name}`");
                return Err(checker.mistake(field.name.span(), &what, "another name"));
            }
            let (element, count) = array(checker, &field.of)?;
            fields.push((name, element, count));
        }
        if fields.is_empty() {
            let what = format!("structure `{name}` has no fields");
            let expected = "fields = [{ name = \"NAME\", type = \"TYPE\" }, ..]";
            return Err(checker.mistake(table.fields.span(), &what, expected));
        }
        structs.push(Arc::new(Structure::new(name, fields)));
    }
    Ok(structs)
}

/// The type that a buffer, a scalar or local memory is of.
pub(super) fn of(
    checker: Checker,
    structs: &[Arc<Structure>],
    text: &Spanned<String>,
) -> Result<Type, Mistake> {
    let known = structs.iter().find(|known| known.name == *text.get_ref());
    match known {
        Some(structure) => Ok(Type::Struct(structure.clone())),
        None => element(checker, text, text.get_ref()).map(Type::Element),
    }
}

/// `float4`, or `float[3]`.
fn array(checker: Checker, text: &Spanned<String>) -> Result<(Element, usize), Mistake> {
    let Some((of, length)) = text.get_ref().split_once('[') else {
        return Ok((element(checker, text, text.get_ref())?, 1));
    };
    let length = length.strip_suffix(']').and_then(|it| it.parse().ok());
    match length {
        Some(length @ 1..=MOST_ELEMENTS) => Ok((element(checker, text, of)?, length)),
        _ => {
            let what = format!("`{}` is no array", text.get_ref());
            let expected = format!("TYPE[N] with N from 1 to {MOST_ELEMENTS}");
            Err(checker.mistake(text.span(), &what, &expected))
        }
    }
}

fn element(checker: Checker, text: &Spanned<String>, element: &str) -> Result<Element, Mistake> {
    element.parse().map_err(|expected: &str| {
        let what = format!("`{element}` is no element type");
        let expected = format!("{expected}; or a name of [[structs]], outside of them");
        checker.mistake(text.span(), &what, &expected)
    })
}

fn name(checker: Checker, name: &Spanned<String>, of: &str) -> Result<String, Mistake> {
    if !is_identifier(name.get_ref()) {
        let what = format!("`{}` is no {of}'s name", name.get_ref());
        return Err(checker.mistake(name.span(), &what, "letters, digits and `_`"));
    }
    Ok(name.get_ref().clone())
}
