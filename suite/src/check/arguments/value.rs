//! `value = ..` of a scalar.

use toml::{Spanned, Value};

use crate::{Element, Mistake, ScalarValue, Type, check::Checker, launch::ROUND};

/// The components of each field; a number or a vector is one field.
pub(super) fn values(
    checker: Checker,
    field: &str,
    of: &Type,
    value: &Spanned<Value>,
) -> Result<Vec<Vec<ScalarValue>>, Mistake> {
    let reader = |field: String, element: Element, components: usize| Reader {
        checker,
        place: value,
        field,
        element,
        components,
    };
    let structure = match of {
        Type::Element(element) => {
            let reader = reader(field.to_owned(), *element, element.lanes);
            return Ok(vec![reader.all(value.get_ref())?]);
        }
        Type::Struct(structure) => structure,
    };
    let names: Vec<&str> = structure
        .fields
        .iter()
        .map(|field| field.name.as_str())
        .collect();
    let table = value.get_ref().as_table().filter(|table| {
        table.len() == names.len() && names.iter().all(|name| table.contains_key(*name))
    });
    let Some(table) = table else {
        let what = format!("`{field}` is {}", value.get_ref());
        let expected = format!(
            "a value for each field of {}: {{ {} = .. }}",
            structure.name,
            names.join(" = .., ")
        );
        return Err(checker.mistake(value.span(), &what, &expected));
    };
    let fields = structure.fields.iter();
    fields
        .map(|of| {
            reader(format!("{field}.{}", of.name), of.element, of.components())
                .all(&table[&of.name])
        })
        .collect()
}

struct Reader<'a> {
    checker: Checker<'a>,
    place: &'a Spanned<Value>,
    field: String,
    element: Element,
    components: usize,
}

impl Reader<'_> {
    /// A list of the components, or one value for all of them.
    fn all(&self, value: &Value) -> Result<Vec<ScalarValue>, Mistake> {
        let Value::Array(values) = value else {
            let one = self.one(value)?;
            return Ok(vec![one; self.components]);
        };
        if values.len() != self.components || self.components == 1 {
            let what = format!("`{}` has {} components", self.field, values.len());
            let expected = match self.components {
                1 => "one value, without brackets".to_owned(),
                several => format!("{several}, or one value for all, without brackets"),
            };
            return Err(self.checker.mistake(self.place.span(), &what, &expected));
        }
        values.iter().map(|value| self.one(value)).collect()
    }

    fn one(&self, value: &Value) -> Result<ScalarValue, Mistake> {
        let base = self.element.base;
        match value {
            Value::Float(real) if base.is_float() && base.holds((*real).into()) => {
                Ok(ScalarValue::Real(*real))
            }
            Value::String(text) => {
                let text = Spanned::new(self.place.span(), text.clone());
                let names = self.checker.with(ROUND);
                self.checker
                    .formula_over(&names, self.field.clone(), &text)
                    .map(ScalarValue::Formula)
            }
            other => {
                let what = format!("`{}` is {other}", self.field);
                let expected = if base.is_float() {
                    "an expression in quotes, or a number like 0.5"
                } else {
                    "an expression in quotes"
                };
                Err(self.checker.mistake(self.place.span(), &what, expected))
            }
        }
    }
}
