//! A mistake in a launch file, reported with its line as compilers do.

use std::{ops::Range, path::Path};

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use thiserror::Error;

/// The place in a launch file that is wrong, what is there, and what was expected.
#[derive(Debug, Error)]
#[error("{rendered}")]
pub struct Mistake {
    /// The line in the launch file, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    rendered: String,
}

impl Mistake {
    /// A mistake at bytes `span` of `text`, the content of `path`: `problem` says what is wrong, `expected` what was
    /// expected.
    pub(super) fn new(
        path: &Path,
        text: &str,
        span: Range<usize>,
        problem: &str,
        expected: &str,
    ) -> Self {
        let start = span.start.min(text.len());
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        // A table's span may run over many lines: its first one is enough.
        let line_end = text[start..].find('\n').map_or(text.len(), |it| start + it);
        let end = span.end.clamp(start, line_end.max(start));
        let path = path.display().to_string();
        let snippet = Snippet::source(text)
            .path(&path)
            .annotation(AnnotationKind::Primary.span(start..end).label(expected));
        let report = [Level::ERROR.primary_title(problem).element(snippet)];
        Self {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            rendered: Renderer::plain().render(&report),
        }
    }
}
