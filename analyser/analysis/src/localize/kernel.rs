//! The kernel's function: what must hold for it to be rewritten at all, and its head and its first lines.

use std::ops::Range;

use super::{Edit, Formulas, Reason, Refusal, Renderer, Rewrite, Subject, stmts};
use crate::{
    accesses::Does,
    ast::{Function, Place, Stmt, StmtKind},
};

/// A kernel that may be rewritten.
pub(super) struct Kernel {
    /// Number of work-items of a work-group, by dimension; 0 where it differs from size to size.
    pub(super) local: [i64; 3],
    /// Names of these numbers in the source's `reqd_work_group_size`, where they have some.
    pub(super) sizes: [Option<String>; 3],
    /// The byte behind the body's first brace.
    pub(super) begin: usize,
    /// The byte before the body's last brace.
    pub(super) end: usize,
    /// Whether it has a `return`.
    pub(super) returns: bool,
    /// The edit by which the kernel requires its work-group's size.
    require: Option<Edit>,
    place: Place,
}

impl Kernel {
    /// Checks the kernel.
    ///
    /// # Errors
    /// The reason why nothing of it can be rewritten.
    pub(super) fn new(subject: Subject<'_>) -> Result<Self, Refusal> {
        let all = subject.accesses;
        let Some(function) = subject.function() else {
            return Err(refusal(Reason::NotFollowed, &Place::default()));
        };
        let place = &function.span.begin;
        if let Some(gap) = all.gaps.first() {
            return Err(refusal(Reason::NotFollowed, &gap.place));
        }
        let mut accesses = all.accesses.iter();
        let unknown = accesses.find(|it| it.array.is_none() && it.does != Does::Load);
        if let Some(unknown) = unknown {
            return Err(refusal(Reason::UnknownStore, &unknown.span.begin));
        }
        let mut locals = subject.launches.iter().map(|at| at.geometry.local);
        let mut local = locals.next().unwrap_or_default();
        for other in locals {
            for (own, other) in local.iter_mut().zip(other) {
                *own = if *own == other { other } else { 0 };
            }
        }
        Self::from_head(subject, function, local).map_err(|reason| refusal(reason, place))
    }

    /// Whether work-groups have another size at another size of the launch file.
    pub(super) fn varies(&self) -> bool {
        self.local.contains(&0)
    }

    /// Reads the head, and makes the edit that requires the work-group's size, `local`.
    ///
    /// # Errors
    /// The kernel stands in another file, or a macro makes its head.
    fn from_head(
        subject: Subject<'_>,
        function: &Function,
        local: [i64; 3],
    ) -> Result<Self, Reason> {
        let body = subject.range(&function.body.span)?;
        let text = subject.text(&body);
        let is_block = matches!(function.body.kind, StmtKind::Block(_));
        if !is_block || !text.starts_with('{') || !text.ends_with('}') {
            return Err(Reason::ElsewhereWritten);
        }
        let head = subject.tokens(&function.span)?.start;
        let head = &subject.source[head..body.start];
        let begin = body.start - head.len();
        let required = required_group_size(head);
        let sizes = match &required {
            Some(sizes) => size_names(subject, &head[sizes.clone()], local),
            None => [None, None, None],
        };
        let [x, y, z] = local;
        let require = match required {
            Some(sizes) if subject.is_resized => {
                let sizes = begin + sizes.start..begin + sizes.end;
                Some(Edit::replace(sizes, format!("{x}, {y}, {z}")))
            }
            Some(_) => None,
            None => {
                let at = head.find(char::is_whitespace);
                let at = at.filter(|at| ["__kernel", "kernel"].contains(&&head[..*at]));
                let at = begin + at.ok_or(Reason::ElsewhereWritten)?;
                let required = format!(" __attribute__((reqd_work_group_size({x}, {y}, {z})))");
                Some(Edit::insert(at, required))
            }
        };
        Ok(Self {
            local,
            sizes,
            begin: body.start + 1,
            end: body.end - 1,
            returns: returns(subject, &function.body),
            require,
            place: function.span.begin.clone(),
        })
    }

    /// A renderer of formulas outside of all strips.
    pub(super) fn renderer<'a>(
        &self,
        subject: Subject<'a>,
        formulas: &'a Formulas,
    ) -> Renderer<'a> {
        Renderer {
            subject,
            formulas,
            sizes: self.sizes.clone(),
            strips: Vec::new(),
        }
    }

    pub(super) fn refusal(&self, reason: Reason) -> Refusal {
        refusal(reason, &self.place)
    }

    /// Adds the local memory that the kernel gets as arguments, behind its last argument.
    ///
    /// # Errors
    /// A macro makes its head.
    pub(super) fn add_arguments(
        &self,
        subject: Subject<'_>,
        rewrite: &mut Rewrite,
    ) -> Result<(), Reason> {
        let function = subject.function().ok_or(Reason::Text)?;
        for argument in &rewrite.local_arguments {
            let last = function.parameters.last().ok_or(Reason::Text)?;
            let end = subject.range(&subject.unit.variables[*last].span)?.end;
            let declared = format!(", {}", argument.declaration);
            rewrite.edits.push(Edit::insert(end, declared));
        }
        Ok(())
    }

    /// Inserts the first and last lines, and requires the work-group's size that the tiles are made for.
    pub(super) fn finish(&self, subject: Subject<'_>, rewrite: &mut Rewrite) {
        let mut last = rewrite.own_epilogue.clone();
        if !rewrite.epilogue.is_empty() {
            last.push("barrier(CLK_LOCAL_MEM_FENCE); // all have written their last".to_owned());
            last.extend(rewrite.epilogue.iter().cloned());
        }
        if !last.is_empty() {
            let lines: String = last.iter().map(|line| format!("\n    {line}")).collect();
            let at = subject.source[..self.end].trim_end().len();
            rewrite.edits.push(Edit::insert(at, lines));
        }
        if !rewrite.prologue.is_empty() {
            let filled = "barrier(CLK_LOCAL_MEM_FENCE); // local memory is filled";
            rewrite.prologue.push(filled.to_owned());
        }
        let lines = rewrite.declarations.iter().chain(&rewrite.prologue);
        let others = rewrite.other_launches.iter();
        let lines = lines.chain(others).chain(&rewrite.own_prologue);
        let mut text: String = lines.map(|line| format!("\n    {line}")).collect();
        if !text.is_empty() && !subject.source[self.begin..].starts_with("\n\n") {
            text += "\n";
        }
        rewrite.edits.push(Edit::insert(self.begin, text));
        if let Some(require) = self.require.as_ref().filter(|_| !self.varies()) {
            rewrite.edits.push(require.clone());
        }
    }
}

/// A refusal of the whole kernel.
fn refusal(reason: Reason, place: &Place) -> Refusal {
    Refusal {
        array: None,
        reason,
        place: place.clone(),
    }
}

/// The range of the three sizes of `reqd_work_group_size(…)` in a kernel's head.
pub fn required_group_size(head: &str) -> Option<Range<usize>> {
    const NAME: &str = "reqd_work_group_size";
    let name = head.find(NAME)? + NAME.len();
    let begin = name + head[name..].find('(')? + 1;
    Some(begin..begin + head[begin..].find(')')?)
}

/// Whether a statement has a `return`.
pub(super) fn returns(subject: Subject<'_>, within: &Stmt) -> bool {
    let mut all = stmts(subject.unit, within).into_iter();
    all.any(|stmt| matches!(stmt.kind, StmtKind::Return(_)))
}

/// Names among three sizes that the source defines as just their numbers. A macro of anything else may mean something
/// else beside an operator.
fn size_names(subject: Subject<'_>, sizes: &str, local: [i64; 3]) -> [Option<String>; 3] {
    let mut all = sizes.split(',').zip(local).map(|(size, number)| {
        let size = size.trim();
        let defined = subject.definitions(size);
        let is_number = |body: &&str| {
            let body = body.split("//").next().unwrap_or_default();
            body.trim() == number.to_string()
        };
        let is_name = size.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && !defined.is_empty()
            && defined.iter().all(is_number);
        is_name.then(|| size.to_owned())
    });
    [(); 3].map(|()| all.next().flatten())
}
