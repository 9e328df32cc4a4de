//! Places in source files.

use std::{fmt, sync::Arc};

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

/// A token in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// clang's name of the file.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u32,
    /// The column in bytes, from 1.
    pub column: u32,
    /// Bytes from the file's beginning.
    pub offset: u32,
    /// The token's length in bytes.
    pub length: u32,
}

/// The text from a token to a token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first token; in a macro's expansion, the macro's name where it is used.
    pub begin: Place,
    /// The last token; in a macro's expansion, the macro's name.
    pub end: Place,
    /// The first and the last token of a macro's expansion, in the macro's definition or arguments.
    pub spelled: Option<Box<(Place, Place)>>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Reads places in the order of clang's output, which leaves out a file or a line that is that of the place before.
#[derive(Default)]
pub(super) struct Places {
    file: Arc<str>,
    line: u32,
}

/// A place, and where a macro's token is spelled.
#[derive(Clone)]
pub(super) struct TokenPlace {
    expanded: Place,
    spelled: Option<Place>,
}

impl Places {
    pub(super) fn span(&mut self, range: &Value) -> Option<Span> {
        let begin = range.get("begin").and_then(|it| self.place(it));
        let end = range.get("end").and_then(|it| self.place(it));
        let (begin, end) = (begin?, end?);
        let spelled = match (begin.spelled.clone(), end.spelled.clone()) {
            (None, None) => None,
            (first, last) => Some(Box::new((
                first.unwrap_or_else(|| begin.expanded.clone()),
                last.unwrap_or_else(|| end.expanded.clone()),
            ))),
        };
        Some(Span {
            begin: begin.expanded,
            end: end.expanded,
            spelled,
        })
    }

    /// Reads a place. All places must be read, in order.
    pub(super) fn place(&mut self, place: &Value) -> Option<TokenPlace> {
        let place = place.as_object()?;
        let spelled = place.get("spellingLoc").and_then(Value::as_object);
        let spelled = spelled.and_then(|it| self.simple_place(it));
        let expanded = match place.get("expansionLoc").and_then(Value::as_object) {
            Some(expanded) => self.simple_place(expanded)?,
            None => match &spelled {
                Some(spelled) => spelled.clone(),
                None => self.simple_place(place)?,
            },
        };
        Some(TokenPlace { expanded, spelled })
    }

    fn simple_place(&mut self, place: &Map<String, Value>) -> Option<Place> {
        let number = |name: &str| {
            let number = place.get(name).and_then(Value::as_u64)?;
            u32::try_from(number).ok()
        };
        if let Some(file) = place.get("file").and_then(Value::as_str)
            && file != &*self.file
        {
            self.file = file.into();
        }
        if let Some(line) = number("line") {
            self.line = line;
        }
        Some(Place {
            offset: number("offset")?,
            file: self.file.clone(),
            line: self.line,
            column: number("col")?,
            length: number("tokLen").unwrap_or_default(),
        })
    }
}
