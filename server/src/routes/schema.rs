//! Schemas as JSON Schema means them.

use std::collections::BTreeMap;

use utoipa::openapi::{
    OpenApi, RefOr,
    schema::{AllOf, ArrayItems, Object, OneOf, Schema},
};

/// Writes objects that hold another's fields among their own as one object each, or, where the other is one of
/// several, as one of as many. Put together by `allOf`, one that allows no other field forbids the fields beside it,
/// and nothing would fit both; and generators of clients know no `allOf` but of objects.
pub(super) fn merge_objects(openapi: &mut OpenApi) {
    let Some(components) = &mut openapi.components else {
        return;
    };
    let schemas = components.schemas.clone();
    for (name, schema) in &mut components.schemas {
        merge(schema, &schemas);
        if let RefOr::T(Schema::AllOf(parts)) = schema
            && let Some(one_of) = one_of(name, parts, &schemas)
        {
            *schema = RefOr::T(Schema::OneOf(one_of));
        }
    }
}

/// With the part that is one of several in each of its forms: `PredictionForecast` and `PredictionRefused`. None
/// where there is no such part.
fn one_of(name: &str, parts: &AllOf, schemas: &BTreeMap<String, RefOr<Schema>>) -> Option<OneOf> {
    let forms = |part: &RefOr<Schema>| match resolved(part, schemas)? {
        Schema::OneOf(forms) => Some(forms.clone()),
        _ => None,
    };
    let place = parts.items.iter().position(|part| forms(part).is_some())?;
    let mut whole = OneOf::new();
    whole.description.clone_from(&parts.description);
    for form in forms(&parts.items[place])?.items {
        let RefOr::Ref(reference) = &form else {
            return None;
        };
        let title = format!("{name}{}", reference.ref_location.rsplit('/').next()?);
        let mut with_form = parts.clone();
        with_form.items[place] = form;
        let mut object = merged(&with_form, schemas)?;
        object.title = Some(title);
        object.description = None;
        whole.items.push(RefOr::T(Schema::Object(object)));
    }
    Some(whole)
}

/// The schema, and those within it: a page has its items'.
fn merge(schema: &mut RefOr<Schema>, schemas: &BTreeMap<String, RefOr<Schema>>) {
    let RefOr::T(schema) = schema else {
        return;
    };
    match schema {
        Schema::AllOf(parts) => {
            if let Some(whole) = merged(parts, schemas) {
                *schema = Schema::Object(whole);
            }
        }
        Schema::Object(object) => {
            for property in object.properties.values_mut() {
                merge(property, schemas);
            }
        }
        Schema::Array(array) => {
            if let ArrayItems::RefOrSchema(items) = &mut array.items {
                merge(items, schemas);
            }
        }
        _ => {}
    }
}

/// None where a part is no object.
fn merged(parts: &AllOf, schemas: &BTreeMap<String, RefOr<Schema>>) -> Option<Object> {
    let mut whole = Object::new();
    whole.description.clone_from(&parts.description);
    for part in &parts.items {
        let part = object(part, schemas)?;
        whole.properties.extend(part.properties);
        whole.required.extend(part.required);
    }
    Some(whole)
}

fn object(schema: &RefOr<Schema>, schemas: &BTreeMap<String, RefOr<Schema>>) -> Option<Object> {
    match resolved(schema, schemas)? {
        Schema::Object(object) => Some(object.clone()),
        Schema::AllOf(parts) => merged(parts, schemas),
        _ => None,
    }
}

fn resolved<'a>(
    schema: &'a RefOr<Schema>,
    schemas: &'a BTreeMap<String, RefOr<Schema>>,
) -> Option<&'a Schema> {
    match schema {
        RefOr::Ref(reference) => {
            let name = reference.ref_location.rsplit('/').next()?;
            resolved(schemas.get(name)?, schemas)
        }
        RefOr::T(schema) => Some(schema),
    }
}
