//! What is put into a kernel, before it stands there.

use std::ops::Range;

use super::{Added, edit::Edit, subject::Subject};

/// What is put into a kernel.
#[derive(Default)]
pub(super) struct Written {
    pub(super) edits: Vec<Edit>,
    /// Lines at the kernel's beginning: declarations first.
    pub(super) declared: Vec<String>,
    /// Lines for other launches than those that it is made for, which leave the kernel.
    pub(super) others: Vec<String>,
    /// What must hold of a launch that comes behind these.
    pub(super) only_for: Vec<String>,
    /// Lines behind them.
    pub(super) begun: Vec<String>,
    /// The same, of what work-items do for themselves alone: no barrier comes behind.
    pub(super) begun_alone: Vec<String>,
    /// Lines before its last brace, where all have come.
    pub(super) ended: Vec<String>,
    /// Lines before these of what work-items do for themselves alone.
    pub(super) ended_alone: Vec<String>,
    /// Arguments that the kernel gets.
    pub(super) added: Vec<Added>,
    /// Names that are taken.
    pub(super) names: Vec<String>,
}

impl Written {
    /// A name that nothing has yet.
    pub(super) fn name(&mut self, subject: Subject<'_>, wanted: &str) -> String {
        let name = subject.fresh(wanted, &self.names);
        self.names.push(name.clone());
        name
    }

    /// Lines of a text go in by so much, but for those that are written anew.
    pub(super) fn indent(&mut self, subject: Subject<'_>, range: Range<usize>, by: &str) {
        let replaced = self.edits.clone();
        for (at, _) in subject.text(&range).match_indices('\n') {
            let at = range.start + at + 1;
            let is_within = |edit: &Edit| edit.range.start < at && at < edit.range.end;
            let is_empty = subject.source[at..].starts_with('\n');
            if !is_empty && !replaced.iter().any(is_within) {
                self.edits.push(Edit::insert(at, by));
            }
        }
    }

    /// The same text read twice is replaced once.
    pub(super) fn replace(&mut self, range: Range<usize>, text: impl Into<String>) {
        let edit = Edit::replace(range, text);
        if !self.edits.contains(&edit) {
            self.edits.push(edit);
        }
    }
}
