//! Places in the source that instructions come from, as `!dbg` names them.

use std::collections::HashMap;

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// The file, as the compiler was given it.
    pub file: String,
    /// Line from 1; 0 for what the compiler made by itself.
    pub line: u32,
    /// Column from 1; 0 where only the line is known.
    pub column: u32,
}

/// The debug locations of a module, by the number of their metadata.
#[derive(Clone, Debug, Default)]
pub struct Locations {
    nodes: HashMap<u32, Node>,
}

#[derive(Clone, Debug)]
struct Node {
    line: u32,
    column: u32,
    scope: Option<u32>,
    file: Option<u32>,
    name: Option<String>,
}

impl Locations {
    /// Adds the location in a line of metadata, `!34 = !DILocation(line: 7, column: 22, scope: !7)`, if it has one.
    pub(crate) fn take(&mut self, line: &str) {
        let Some((number, rest)) = line.strip_prefix('!').and_then(|it| it.split_once(" = "))
        else {
            return;
        };
        let Ok(number) = number.parse() else { return };
        let rest = rest.strip_prefix("distinct ").unwrap_or(rest);
        let fields = [
            "!DILocation(",
            "!DILexicalBlock",
            "!DISubprogram(",
            "!DIFile(",
        ];
        if !fields.iter().any(|start| rest.starts_with(start)) {
            return;
        }
        let named = |field: &str| field_of(rest, field);
        let number_of = |field: &str| named(field).and_then(|text| text.parse().ok());
        let node_of = |field: &str| named(field)?.strip_prefix('!')?.parse().ok();
        let name = rest
            .split_once("filename: \"")
            .and_then(|(_, name)| Some(name.split_once('"')?.0.to_owned()));
        self.nodes.insert(
            number,
            Node {
                line: number_of("line").unwrap_or(0),
                column: number_of("column").unwrap_or(0),
                scope: node_of("scope"),
                file: node_of("file"),
                name: name.filter(|_| rest.starts_with("!DIFile(")),
            },
        );
    }

    /// The place that the metadata of this number names.
    pub fn get(&self, number: u32) -> Option<Location> {
        let node = self.nodes.get(&number)?;
        let scope = node.scope.and_then(|scope| self.nodes.get(&scope));
        let file = scope.and_then(|scope| self.nodes.get(&scope.file?)?.name.clone());
        Some(Location {
            file: file.unwrap_or_default(),
            line: node.line,
            column: node.column,
        })
    }
}

/// The text behind `field: ` in `!DILocation(line: 7, column: 22)`.
fn field_of<'a>(text: &'a str, field: &str) -> Option<&'a str> {
    let inside = text.split_once('(')?.1;
    let mut parts = inside.split(", ");
    let value = parts.find_map(|part| part.strip_prefix(field)?.strip_prefix(": "))?;
    Some(value.trim_end_matches(')'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_location_has_its_scope_s_file() {
        let mut all = Locations::default();
        all.take("!8 = !DIFile(filename: \"input.cl\", directory: \"/somewhere\")");
        all.take(
            "!7 = distinct !DISubprogram(name: \"f\", scope: !1, file: !8, line: 5, unit: !0)",
        );
        all.take("!34 = !DILocation(line: 7, column: 22, scope: !7)");
        let expected = Location {
            file: "input.cl".to_owned(),
            line: 7,
            column: 22,
        };
        assert_eq!(all.get(34), Some(expected));
        assert_eq!(all.get(35), None);
    }
}
