//! Nodes of clang's JSON, each with its place.

use serde::Deserialize;
use serde_json::{Deserializer, Map, Value};

use super::{
    Unreadable,
    place::{Places, Span},
};

/// The deepest nesting of JSON, which has two levels for each level of the tree. Code that people write has some dozens
/// of these.
const MOST_JSON_DEPTH: usize = 600;

/// A node of clang's tree.
pub(super) struct Node {
    pub(super) kind: String,
    pub(super) span: Span,
    pub(super) inner: Vec<Node>,
    /// All attributes but its place and its inner nodes.
    attributes: Map<String, Value>,
}

impl Node {
    /// An attribute's text; empty if it has none.
    pub(super) fn text(&self, name: &str) -> &str {
        let value = self.attributes.get(name);
        value.and_then(Value::as_str).unwrap_or_default()
    }

    /// Whether an attribute is `true`.
    pub(super) fn is(&self, name: &str) -> bool {
        self.attributes.get(name) == Some(&Value::Bool(true))
    }

    pub(super) fn value(&self, name: &str) -> Option<&Value> {
        self.attributes.get(name)
    }

    /// The text `key` of the attribute `name`, which is an object; empty if it has none.
    pub(super) fn within(&self, name: &str, key: &str) -> &str {
        let value = self.attributes.get(name).and_then(|it| it.get(key));
        value.and_then(Value::as_str).unwrap_or_default()
    }

    /// Its type in clang's words.
    pub(super) fn type_text(&self) -> &str {
        self.within("type", "qualType")
    }

    /// Whether it stands for a missing part, as in `for (;;)`.
    pub(super) fn is_absent(&self) -> bool {
        self.kind.is_empty()
    }
}

/// Reads clang's output, which is one object.
pub(super) fn read(json: &str) -> Result<Node, Unreadable> {
    if depth(json) > MOST_JSON_DEPTH {
        return Err(Unreadable::Deep(MOST_JSON_DEPTH / 2));
    }
    let mut reader = Deserializer::from_str(json);
    reader.disable_recursion_limit();
    let value =
        Value::deserialize(&mut reader).map_err(|error| Unreadable::Json(error.to_string()))?;
    Ok(node(value, &mut Places::default()))
}

/// How deep brackets nest, outside of strings.
fn depth(json: &str) -> usize {
    let (mut depth, mut deepest, mut in_text, mut escaped) = (0_usize, 0, false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'{' | b'[' if !in_text => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

fn node(value: Value, places: &mut Places) -> Node {
    let mut attributes = match value {
        Value::Object(attributes) => attributes,
        _ => Map::new(),
    };
    if let Some(at) = attributes.remove("loc") {
        places.place(&at);
    }
    let range = attributes.remove("range");
    let span = range.and_then(|range| places.span(&range));
    let inner = ["inner", "array_filler"]
        .into_iter()
        .filter_map(|name| attributes.remove(name));
    let inner = inner.flat_map(|inner| match inner {
        Value::Array(inner) => inner,
        _ => Vec::new(),
    });
    let inner = inner.map(|inner| node(inner, places)).collect();
    let kind = match attributes.remove("kind") {
        Some(Value::String(kind)) => kind,
        _ => String::new(),
    };
    Node {
        kind,
        span: span.unwrap_or_default(),
        inner,
        attributes,
    }
}
