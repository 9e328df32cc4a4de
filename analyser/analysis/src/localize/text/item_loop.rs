//! Loops over elements, by all work-items of a work-group side by side.

use super::Renderer;

/// A loop over elements, which the work-items of a work-group take in turns.
pub(crate) struct ItemLoop {
    first: String,
    step: String,
}

impl ItemLoop {
    pub(crate) fn new(renderer: &Renderer<'_>) -> Self {
        Self {
            first: renderer.flat_local_id(),
            step: renderer.group_size(),
        }
    }

    /// `for (int t = get_local_id(0); t < 100; t += 64)`.
    pub(crate) fn head(&self, place: &str, end: &str) -> String {
        let Self { first, step } = self;
        format!("for (int {place} = {first}; {place} < {end}; {place} += {step})")
    }
}

impl Renderer<'_> {
    /// A work-item's place in its work-group.
    pub(crate) fn flat_local_id(&self) -> String {
        let [_, y, z] = self.formulas.local;
        match (y != 1, z != 1) {
            (false, false) => "get_local_id(0)".to_owned(),
            (_, false) => format!("get_local_id(1) * {} + get_local_id(0)", self.local_size(0)),
            _ => format!(
                "(get_local_id(2) * {} + get_local_id(1)) * {} + get_local_id(0)",
                self.local_size(1),
                self.local_size(0)
            ),
        }
    }

    /// Number of work-items of a work-group.
    fn group_size(&self) -> String {
        let [x, y, z] = self.formulas.local;
        match (y * z, x * y * z) {
            (1, _) => self.local_size(0),
            (_, 0) => [0, 1, 2].map(|it| self.local_size(it)).join(" * "),
            (_, items) => items.to_string(),
        }
    }

    /// A work-group's size in one dimension.
    pub(crate) fn local_size(&self, dimension: usize) -> String {
        let named = self.sizes[dimension].clone();
        named.unwrap_or_else(|| match self.formulas.local[dimension] {
            0 => format!("get_local_size({dimension})"),
            size => size.to_string(),
        })
    }
}

/// Loop heads, each in the one before it, around `inner`.
pub(crate) fn nested(heads: impl IntoIterator<Item = String>, inner: Vec<String>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut indent = String::new();
    for head in heads {
        lines.push(format!("{indent}{head}"));
        indent += "    ";
    }
    lines.extend(inner.into_iter().map(|line| format!("{indent}{line}")));
    lines
}
