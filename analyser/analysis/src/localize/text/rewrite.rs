//! The texts that a kernel gets, collected before its source is changed.

use std::ops::Range;

use super::Edit;
use crate::localize::{LocalArgument, Subject};

/// Edits of a kernel, and lines for its beginning and its end.
#[derive(Clone, Default)]
pub(crate) struct Rewrite {
    pub(crate) edits: Vec<Edit>,
    /// Declarations at the kernel's beginning.
    pub(crate) declarations: Vec<String>,
    /// Lines behind the prologue for launches that the rewrite is not made for; they leave the kernel.
    pub(crate) other_launches: Vec<String>,
    /// Conditions that a launch must meet to reach the lines behind `other_launches`.
    pub(crate) only_for: Vec<String>,
    /// Lines behind the declarations. A barrier follows them.
    pub(crate) prologue: Vec<String>,
    /// Lines that a work-item runs for itself alone, behind that barrier.
    pub(crate) own_prologue: Vec<String>,
    /// Lines before the kernel's last brace. A barrier precedes them, so all work-items must come there.
    pub(crate) epilogue: Vec<String>,
    /// Lines that a work-item runs for itself alone, before that barrier.
    pub(crate) own_epilogue: Vec<String>,
    pub(crate) local_arguments: Vec<LocalArgument>,
    /// New names that are in use.
    pub(crate) names: Vec<String>,
}

impl Rewrite {
    /// A new name: `wanted`, with a number behind it if that is in use.
    pub(crate) fn name(&mut self, subject: Subject<'_>, wanted: &str) -> String {
        let name = subject.fresh(wanted, &self.names);
        self.names.push(name.clone());
        name
    }

    /// Indents the lines of a text by `by`, except lines within what an earlier edit replaces.
    pub(crate) fn indent(&mut self, subject: Subject<'_>, range: Range<usize>, by: &str) {
        let earlier = self.edits.clone();
        for (at, _) in subject.text(&range).match_indices('\n') {
            let at = range.start + at + 1;
            let is_within = |edit: &Edit| edit.range.start < at && at < edit.range.end;
            let is_empty = subject.source[at..].starts_with('\n');
            if !is_empty && !earlier.iter().any(is_within) {
                self.edits.push(Edit::insert(at, by));
            }
        }
    }

    /// Replaces a text. If two accesses have the same text, it is replaced once.
    pub(crate) fn replace(&mut self, range: Range<usize>, text: impl Into<String>) {
        let edit = Edit::replace(range, text);
        if !self.edits.contains(&edit) {
            self.edits.push(edit);
        }
    }
}
