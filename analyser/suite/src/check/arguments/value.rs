//! `value = ..` of a scalar.

use toml::{Spanned, Value};

use crate::{Element, Mistake, ScalarValue, Structure, Type, check::Checker, launch::ROUND};

/// The components of each field; a number or a vector is one field.
pub(super) fn values(
    checker: Checker,
    field: &str,
    ty: &Type,
    value: &Spanned<Value>,
) -> Result<Vec<Vec<ScalarValue>>, Mistake> {
    let reader = |field: String, element: Element, components: usize| Reader {
        checker,
        place: value,
        field,
        element,
        components,
    };
    let structure = match ty {
        Type::Element(element) => {
            let reader = reader(field.to_owned(), *element, element.lanes);
            return Ok(vec![reader.all(value.get_ref())?]);
        }
        Type::Struct(structure) => structure,
    };
    let names = structure.names();
    let table = value.get_ref().as_table().filter(|table| {
        table.len() == names.len() && names.iter().all(|name| table.contains_key(*name))
    });
    if table.is_none() {
        let problem = format!("`{field}` is {}", value.get_ref());
        let expected = format!(
            "a value for each field of {}: {{ {} = .. }}",
            structure.name,
            names.join(" = .., ")
        );
        return Err(checker.mistake(value.span(), &problem, &expected));
    }
    if let Some(name) = unknown(value.get_ref(), "", structure) {
        let problem = format!("`{field}.{name}` is no field of {}", structure.name);
        let expected = format!("values of {}", names.join(", "));
        return Err(checker.mistake(value.span(), &problem, &expected));
    }
    let fields = structure.fields.iter();
    fields
        .map(|it| {
            let reader = reader(format!("{field}.{}", it.name), it.element, it.components());
            match of_field(value.get_ref(), &it.name) {
                Some(value) => reader.all(value),
                None => {
                    let problem = format!("`{}` has no value", reader.field);
                    Err(checker.mistake(value.span(), &problem, "one for each field"))
                }
            }
        })
        .collect()
}

/// A name in a value, below `within`, that is neither a field nor a structure in it.
fn unknown(value: &Value, within: &str, structure: &Structure) -> Option<String> {
    value.as_table()?.iter().find_map(|(key, value)| {
        let name = format!("{within}{key}");
        let below = format!("{name}.");
        let mut fields = structure.fields.iter();
        let is_known = fields.any(|it| it.name == name || it.name.starts_with(&below));
        if is_known {
            unknown(value, &below, structure)
        } else {
            Some(name)
        }
    })
}

/// The value of a field, or of the structure in it that the field belongs to: one for all its numbers.
fn of_field<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    let mut value = value;
    for part in name.split('.') {
        match value {
            Value::Table(table) => value = table.get(part)?,
            one => return Some(one),
        }
    }
    Some(value)
}

struct Reader<'a> {
    checker: Checker<'a>,
    place: &'a Spanned<Value>,
    field: String,
    element: Element,
    components: usize,
}

impl Reader<'_> {
    /// The components from a list, or from one value for all of them.
    fn all(&self, value: &Value) -> Result<Vec<ScalarValue>, Mistake> {
        let Value::Array(values) = value else {
            let one = self.one(value)?;
            return Ok(vec![one; self.components]);
        };
        if values.len() != self.components || self.components == 1 {
            let problem = format!("`{}` has {} components", self.field, values.len());
            let expected = match self.components {
                1 => "one value, without brackets".to_owned(),
                several => format!("{several}, or one value for all, without brackets"),
            };
            return Err(self.checker.mistake(self.place.span(), &problem, &expected));
        }
        values.iter().map(|value| self.one(value)).collect()
    }

    fn one(&self, value: &Value) -> Result<ScalarValue, Mistake> {
        let base = self.element.base;
        match value {
            Value::Float(real) if base.is_float() && base.holds((*real).into()) => {
                Ok(ScalarValue::Real(*real))
            }
            Value::String(_) | Value::Integer(_) => {
                let text = match value {
                    Value::String(text) => text.clone(),
                    number => number.to_string(),
                };
                let text = Spanned::new(self.place.span(), text);
                let names = self.checker.with(ROUND);
                self.checker
                    .formula_over(&names, self.field.clone(), &text)
                    .map(ScalarValue::Formula)
            }
            other => {
                let problem = format!("`{}` is {other}", self.field);
                let expected = if base.is_float() {
                    "an expression in quotes, or a number"
                } else {
                    "an expression in quotes, or a whole number"
                };
                Err(self.checker.mistake(self.place.span(), &problem, expected))
            }
        }
    }
}
