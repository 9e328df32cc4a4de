//! Schemas as JSON Schema means them.

use std::collections::BTreeMap;

use utoipa::openapi::{
    OpenApi, RefOr,
    schema::{AllOf, ArrayItems, Object, Schema},
};

/// Writes objects that hold another's fields among their own as one object each. Put together by `allOf`, one
/// that allows no other field forbids the fields beside it, and nothing would fit both.
pub(super) fn merge_objects(openapi: &mut OpenApi) {
    let Some(components) = &mut openapi.components else {
        return;
    };
    let schemas = components.schemas.clone();
    for schema in components.schemas.values_mut() {
        merge(schema, &schemas);
    }
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
    match schema {
        RefOr::Ref(reference) => {
            let name = reference.ref_location.rsplit('/').next()?;
            object(schemas.get(name)?, schemas)
        }
        RefOr::T(Schema::Object(object)) => Some(object.clone()),
        RefOr::T(Schema::AllOf(parts)) => merged(parts, schemas),
        RefOr::T(_) => None,
    }
}
