//! `[[sizes]]`.

use kerncast_wire::DeviceKind;
use toml::{Spanned, Value};

use super::{Checker, is_identifier};
use crate::{Mistake, Parameters, Size, file};

pub(super) fn sizes(
    checker: Checker,
    tables: &Spanned<Vec<Spanned<file::Sizes>>>,
) -> Result<Vec<Size>, Mistake> {
    let sizes = tables.get_ref().iter().map(|table| size(checker, table));
    let sizes: Vec<Size> = sizes.collect::<Result<_, _>>()?;
    let Some(first) = sizes.first() else {
        return Err(checker.mistake(tables.span(), "no sizes", "one [[sizes]] table or more"));
    };
    for (index, (size, table)) in sizes.iter().zip(tables.get_ref()).enumerate() {
        if !size.parameters.keys().eq(first.parameters.keys()) {
            let names = |size: &Size| {
                let names = size.parameters.keys().map(String::as_str);
                names.collect::<Vec<_>>().join(", ")
            };
            let names_here = names(size);
            let problem =
                format!("these sizes have other parameters ({names_here}) than the first");
            return Err(checker.mistake(table.span(), &problem, &names(first)));
        }
        let mut before = sizes[..index].iter();
        if before.any(|before| before.parameters == size.parameters) {
            let problem = "these sizes are there twice";
            return Err(checker.mistake(table.span(), problem, "other sizes"));
        }
    }
    Ok(sizes)
}

fn size(checker: Checker, table: &Spanned<file::Sizes>) -> Result<Size, Mistake> {
    let mut size = Size {
        parameters: Parameters::new(),
        on: Vec::new(),
    };
    for (name, value) in table.get_ref() {
        if name.get_ref() == "on" {
            size.on = kinds(checker, value)?;
            continue;
        }
        // `i` is the index in fills.
        if !is_identifier(name.get_ref()) || name.get_ref() == "i" {
            let problem = format!("`{}` is no parameter's name", name.get_ref());
            let expected = "letters, digits and `_`, not `i` (the index in fills)";
            return Err(checker.mistake(name.span(), &problem, expected));
        }
        let Value::Integer(number) = value.get_ref() else {
            let problem = format!("`{}` is {}", name.get_ref(), value.get_ref().type_str());
            return Err(checker.mistake(value.span(), &problem, "a whole number"));
        };
        size.parameters.insert(name.get_ref().clone(), *number);
    }
    Ok(size)
}

fn kinds(checker: Checker, value: &Spanned<Value>) -> Result<Vec<DeviceKind>, Mistake> {
    let kinds: Option<Vec<DeviceKind>> = value.get_ref().clone().try_into().ok();
    kinds.filter(|kinds| !kinds.is_empty()).ok_or_else(|| {
        let problem = format!("`on` is {}", value.get_ref());
        let expected = "some of [\"cpu\", \"gpu\", \"accelerator\"]";
        checker.mistake(value.span(), &problem, expected)
    })
}
