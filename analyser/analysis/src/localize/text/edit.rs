//! Edits of an author's text, at byte offsets.

use std::ops::Range;

/// An edit that puts a text in the place of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Bytes of the source that are replaced; an empty range where the text is only inserted.
    pub range: Range<usize>,
    /// The new text.
    pub text: String,
}

impl Edit {
    /// Puts a text before a byte.
    pub(crate) fn insert(at: usize, text: impl Into<String>) -> Self {
        Self {
            range: at..at,
            text: text.into(),
        }
    }

    pub(crate) fn replace(range: Range<usize>, text: impl Into<String>) -> Self {
        Self {
            range,
            text: text.into(),
        }
    }
}

/// The text with all edits; of edits in one place the earlier in the list comes first. None where they overlap, or
/// where one is not within the text.
pub fn apply_edits(source: &str, edits: &[Edit]) -> Option<String> {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let (mut text, mut at) = (String::with_capacity(source.len() * 2), 0);
    for edit in sorted {
        text += source.get(at..edit.range.start)?;
        text += &edit.text;
        at = edit.range.end;
    }
    text += source.get(at..)?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_made_where_they_stand() {
        let edits = [
            Edit::replace(4..7, "two"),
            Edit::insert(0, "<"),
            Edit::insert(0, ">"),
        ];
        assert_eq!(
            apply_edits("one 222 three", &edits).as_deref(),
            Some("<>one two three")
        );
        let overlapping = [Edit::replace(0..5, ""), Edit::replace(4..7, "")];
        assert_eq!(apply_edits("one 222 three", &overlapping), None);
        assert_eq!(apply_edits("one", &[Edit::insert(4, "")]), None);
    }
}
